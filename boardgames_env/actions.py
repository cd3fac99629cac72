"""Actions: what each of a game's action numbers does, where, and how it is written."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from boardgames_env.board import Board

if TYPE_CHECKING:
    from boardgames_env.position import Position


@dataclass(frozen=True)
class Action:
    """One of a game's actions.

    Attributes:
        kind: ``"at"``, ``"move"``, ``"capture"``, or a word of the game's own, such as ``"pass"``.
        locations: Where: the one location of an ``"at"`` (a man is placed there, or moves from there to the one
            place it can go to) or a ``"capture"``; from where to where a ``"move"`` goes.
    """

    kind: str
    locations: tuple[int, ...] = ()

    def text(self, labels: Sequence[str]) -> str:
        """The action as people write it: ``7``, ``7-8``, ``x7``, or the word alone."""
        return _WRITTEN.get(self.kind, self.kind).format(*(labels[location] for location in self.locations))

    def moved(self, symmetry: Sequence[int]) -> "Action":
        """The action that a symmetry of the board makes of this one."""
        return Action(self.kind, tuple(symmetry[location] for location in self.locations))


@dataclass(frozen=True)
class Notation:
    """How people write a whole move, where that is more than its actions one after another.

    Attributes:
        write: The text of some actions that are played from a position on.
        read: The actions that a text tells of, to be played from a position on; it raises `BadInputError` with what is
            allowed if the text is no move there.
    """

    write: Callable[["Position", Sequence[int]], str]
    read: Callable[["Position", str], tuple[int, ...]]


_WRITTEN = {"at": "{}", "move": "{}-{}", "capture": "x{}"}


def at_each(board: Board) -> tuple[Action, ...]:
    """An action at every location."""
    return tuple(Action("at", (location,)) for location in range(board.size))


def moves(pairs: Iterable[tuple[int, int]]) -> tuple[Action, ...]:
    """A move from one location to another, for each of the pairs."""
    return tuple(Action("move", pair) for pair in pairs)


def captures(board: Board) -> tuple[Action, ...]:
    """A capture at every location."""
    return tuple(Action("capture", (location,)) for location in range(board.size))
