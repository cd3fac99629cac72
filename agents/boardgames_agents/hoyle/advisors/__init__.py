"""Hoyle's Advisors, a module for each kind of reason, and their registry."""

import pkgutil
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import import_module
from typing import ClassVar, TypeVar

from boardgames_agents.hoyle import forr
from boardgames_agents.hoyle.forr import ENTHUSIASM, INDIFFERENT
from boardgames_agents.hoyle.options import HoyleProgram
from boardgames_agents.hoyle.position_view import Choice, PositionView
from boardgames_agents.hoyle.useful_knowledge import Knowledge
from boardgames_agents.policy.explanation import Region
from boardgames_env.errors import BadInputError

Opinion = forr.Opinion[Choice]

SUPPORT, OPPOSITION = 8, 2
"""The strengths of a heuristic Advisor's comments for a reason that a move either has or has not.

(The papers say what such an Advisor supports and opposes, but not how strongly. A reason that can be counted gives a
step of strength for each unit; see `graded`.)
"""

_STRENGTH_STEPS = ENTHUSIASM - INDIFFERENT


class Advisor(forr.ForrAdvisor[PositionView, Choice]):
    """An Advisor on board games, which refers to useful knowledge.

    Attributes:
        programs: The names of the programs that ask it (see `boardgames_agents.hoyle.HoyleOptions`).
    """

    programs: ClassVar[tuple[str, ...]] = ("today", "2001", "1994")

    def __init__(self, knowledge: Knowledge) -> None:
        self.knowledge = knowledge

    @classmethod
    def belongs_to(cls, program: HoyleProgram) -> bool:
        """Return whether a program asks it, unless the options name the Advisors that are asked."""
        return program.name in cls.programs

    def regions(self, case: PositionView) -> Iterable[Region]:
        """Return the locations that its reasons refer to, to be drawn; none unless an Advisor says so."""
        return ()


Made = TypeVar("Made", bound=type[Advisor])
_advisors: list[type[Advisor]] = []


def advisor(made: Made) -> Made:
    """Register an Advisor. Those of tier 1 are asked in the order of their registration.

    Raises:
        BadInputError: If there is an Advisor of that name already: weights and options refer to the name.
    """
    if made.name in [other.name for other in _advisors]:
        raise BadInputError(f"Hoyle has an Advisor {made.name!r} already; choose another name")
    _advisors.append(made)
    return made


def registered_advisors() -> tuple[type[Advisor], ...]:
    """Return all registered Advisors, those of tier 1 first: their votes are added in this order.

    It does not depend on what was imported first. Advisors from elsewhere follow those of this package.
    """
    modules = _import_all_advisors()
    return tuple(sorted(_advisors, key=lambda made: (made.tier, modules.get(made.__module__, len(modules)))))


@cache
def _import_all_advisors() -> dict[str, int]:
    """Import every module of this package and return its place: recorded results are sums of votes in this order."""
    names = dict.fromkeys(("shapes", *(module.name for module in pkgutil.iter_modules(__path__))))
    return {import_module(f"{__name__}.{name}").__name__: place for place, name in enumerate(names)}


def graded(gains: Mapping[Choice, int]) -> Opinion:
    """Return an opinion that supports gains and opposes losses, a step of strength per unit.

    Moves without gain or loss get no comment. If a gain or loss exceeds the scale, the largest gets the end of the
    scale, and all others are in proportion, rounded away from indifference.
    """
    largest = max([_STRENGTH_STEPS, *map(abs, gains.values())])
    steps = {option: -(-_STRENGTH_STEPS * abs(gain) // largest) for option, gain in gains.items() if gain}
    return {option: INDIFFERENT + (count if gains[option] > 0 else -count) for option, count in steps.items()}
