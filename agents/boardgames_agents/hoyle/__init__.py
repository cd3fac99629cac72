"""Hoyle (Epstein 1994, 2001), on FORR: README.md in this folder is a map."""

from boardgames_agents.hoyle.learner import Hoyle, HoylePlayer, PlanningPlayer
from boardgames_agents.hoyle.options import HoyleOptions

__all__ = ["Hoyle", "HoyleOptions", "HoylePlayer", "PlanningPlayer"]
