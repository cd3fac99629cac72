"""The meaning of a game's action numbers, and how actions are written."""

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
        locations: The one location of an ``"at"`` (a man is placed there, or moves from there to the only empty
            point) or a ``"capture"``; the origin and the target of a ``"move"``.
    """

    kind: str
    locations: tuple[int, ...] = ()

    def text(self, labels: Sequence[str]) -> str:
        """Return the action as it is written: ``7``, ``7-8``, ``x7``, or its kind alone."""
        return _WRITTEN.get(self.kind, self.kind).format(*(labels[location] for location in self.locations))

    def moved(self, symmetry: Sequence[int]) -> "Action":
        """Return the image of the action under a symmetry of the board."""
        return Action(self.kind, tuple(symmetry[location] for location in self.locations))


@dataclass(frozen=True)
class Notation:
    """A notation for whole moves, in games in which it is more than the texts of the actions in turn.

    Attributes:
        write: Function of a position and actions played from it that returns their text.
        read: Function of a position and a text that returns the actions. It raises `BadInputError` with what is
            allowed if the text is no move there.
        chance: Function of a position that returns what chance has decided for the move to come, such as the roll
            ``31``; empty if nothing. ``None`` if nothing is left to chance.
    """

    write: Callable[["Position", Sequence[int]], str]
    read: Callable[["Position", str], tuple[int, ...]]
    chance: Callable[["Position"], str] | None = None


_WRITTEN = {"at": "{}", "move": "{}-{}", "capture": "x{}"}


def at_each(board: Board) -> tuple[Action, ...]:
    """Return an action at every location."""
    return tuple(Action("at", (location,)) for location in range(board.size))


def moves(pairs: Iterable[tuple[int, int]]) -> tuple[Action, ...]:
    """Return a move from one location to another for each of the pairs."""
    return tuple(Action("move", pair) for pair in pairs)


def captures(board: Board) -> tuple[Action, ...]:
    """Return a capture at every location."""
    return tuple(Action("capture", (location,)) for location in range(board.size))
