"""Hoyle's Advisors, a module for each kind of reason, and their registry."""

import pkgutil
from collections.abc import Iterable
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, ClassVar, TypeVar

from boardgames_agents.hoyle import forr
from boardgames_agents.hoyle.options import Program
from boardgames_agents.hoyle.position_view import Choice, PositionView
from boardgames_agents.policy.explanation import Region
from boardgames_env.errors import BadInputError

if TYPE_CHECKING:
    from boardgames_agents.hoyle.useful_knowledge import Knowledge

Opinion = forr.Opinion[Choice]


class Advisor(forr.ForrAdvisor[PositionView, Choice]):
    """An Advisor on board games, which refers to useful knowledge.

    Attributes:
        programs: The names of the programs that ask it (see `boardgames_agents.hoyle.HoyleOptions`).
        votes: Whether it votes on moves; otherwise it is asked only when weights are learned.
    """

    programs: ClassVar[tuple[str, ...]] = ("today", "2001", "1994")
    votes: ClassVar[bool] = True

    def __init__(self, knowledge: "Knowledge") -> None:
        self.knowledge = knowledge

    @classmethod
    def belongs_to(cls, program: Program) -> bool:
        """Return whether a program asks it, unless the options name the Advisors that are asked."""
        return program.name in cls.programs

    def regions(self, case: PositionView) -> Iterable[Region]:
        """Return the locations that its reasons refer to, to be drawn; none unless an Advisor says so."""
        return ()


Made = TypeVar("Made", bound=type[Advisor])
_registered: list[type[Advisor]] = []


def advisor(made: Made) -> Made:
    """Register an Advisor. Those of tier 1 are asked in the order of their registration.

    Raises:
        BadInputError: If there is an Advisor of that name already: weights and options refer to the name.
    """
    if made.name in [other.name for other in _registered]:
        raise BadInputError(f"Hoyle has an Advisor {made.name!r} already; choose another name")
    _registered.append(made)
    return made


def registered_advisors() -> tuple[type[Advisor], ...]:
    """Return all registered Advisors, those of tier 1 first: their votes are added in this order.

    It does not depend on what was imported first. Advisors from elsewhere follow those of this package.
    """
    modules = _import_all()
    return tuple(sorted(_registered, key=lambda made: (made.tier, modules.get(made.__module__, len(modules)))))


@cache
def _import_all() -> dict[str, int]:
    """Import every module of this package and return their places, which are those of version 0.1."""
    first = ("patsy", "zone_ranger", "anything", "goal_lines")
    names = dict.fromkeys((*first, *(module.name for module in pkgutil.iter_modules(__path__))))
    return {import_module(f"{__name__}.{name}").__name__: place for place, name in enumerate(names)}
