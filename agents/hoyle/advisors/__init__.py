"""Hoyle's Advisors, a module for each kind of reason; they enter themselves in a registry."""

import pkgutil
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, ClassVar, TypeVar

from agents.hoyle import forr
from agents.hoyle.view import Choice, View

if TYPE_CHECKING:
    from agents.hoyle.knowledge import Knowledge

Opinion = forr.Opinion[Choice]


class Advisor(forr.Advisor[View, Choice]):
    """An Advisor on board games.

    Args:
        knowledge: The useful knowledge that it may refer to.

    Attributes:
        programs: The programs in which it is usual (see `agents.hoyle.Hoyle`).
        votes: Whether it is asked when a move is chosen, and not only when weights are learned.
    """

    programs: ClassVar[tuple[str, ...]] = ("2001", "1994")
    votes: ClassVar[bool] = True

    def __init__(self, knowledge: "Knowledge") -> None:
        self.knowledge = knowledge


Made = TypeVar("Made", bound=type[Advisor])
_registered: list[type[Advisor]] = []


def advisor(made: Made) -> Made:
    """Enter an Advisor in the registry. Those of tier 1 are asked in the order in which they are entered."""
    _registered.append(made)
    return made


@cache
def registered_advisors() -> tuple[type[Advisor], ...]:
    """All Advisors, those of tier 1 first."""
    for module in pkgutil.iter_modules(__path__):
        import_module(f"{__name__}.{module.name}")
    return tuple(sorted(_registered, key=lambda made: made.tier))
