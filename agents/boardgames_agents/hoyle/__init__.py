"""Hoyle (Epstein 1994, 2001), on FORR: README.md in this folder is a map."""

from boardgames_agents.hoyle.learner import Hoyle
from boardgames_agents.hoyle.options import HoyleOptions
from boardgames_agents.hoyle.player import HoylePlayer, PlanningPlayer

__all__ = ["Hoyle", "HoyleOptions", "HoylePlayer", "PlanningPlayer"]
