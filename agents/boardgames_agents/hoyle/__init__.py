"""Hoyle (Epstein 1994, 2001), on FORR: see README.md in this folder for a map."""

from boardgames_agents.hoyle.learner import Hoyle
from boardgames_agents.hoyle.player import HoylePlayer, PlanningPlayer

__all__ = ["Hoyle", "HoylePlayer", "PlanningPlayer"]
