"""The meaning of a game's action numbers, and how actions are written."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from string import digits
from typing import TYPE_CHECKING

from boardgames_env.board import Board, Line

if TYPE_CHECKING:
    from boardgames_env.position import Position


@dataclass(frozen=True)
class Action:
    """One of a game's actions.

    Attributes:
        kind: ``"at"``, ``"move"``, ``"jump"``, ``"capture"``, ``"column"``, or a word of the game's own, such as
            ``"pass"``.
        locations: The one location of an ``"at"`` (a man is placed there, or moves from there to the only empty
            point) or a ``"capture"``; the origin and the target of a ``"move"``, or of a ``"jump"`` over a man of the
            other seat; all locations of a ``"column"`` from the top (a man dropped into it falls to the lowest empty
            one).
        words: What people should know of an action that is rarely possible, as sentences; shown where it is.
        told: What a seat does by an action that moves no man, such as ``passes``; ``{doubled}`` is twice the stake.
    """

    kind: str
    locations: tuple[int, ...] = ()
    words: str = field(default="", compare=False)
    told: str = field(default="", compare=False)

    def text(self, labels: Sequence[str]) -> str:
        """Return the action as it is written: ``7``, ``7-8``, ``7x14``, ``x7``, the column ``d``, or its kind alone."""
        if self.kind == "column":
            return labels[self.locations[0]].rstrip(digits)
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


_WRITTEN = {"at": "{}", "move": "{}-{}", "jump": "{}x{}", "capture": "x{}"}


def at_each(board: Board) -> tuple[Action, ...]:
    """Return an action at every location."""
    return tuple(Action("at", (location,)) for location in range(board.size))


def moves(pairs: Iterable[tuple[int, int]]) -> tuple[Action, ...]:
    """Return a move from one location to another for each of the pairs."""
    return tuple(Action("move", pair) for pair in pairs)


def jumps(pairs: Iterable[tuple[int, int]]) -> tuple[Action, ...]:
    """Return a jump from one location to another, over one between them, for each of the pairs."""
    return tuple(Action("jump", pair) for pair in pairs)


def into_columns(columns: Iterable[Line]) -> tuple[Action, ...]:
    """Return a drop into each column, given as its locations from the top; they are labelled as `squares` are."""
    return tuple(Action("column", tuple(column)) for column in columns)


def captures(board: Board) -> tuple[Action, ...]:
    """Return a capture at every location."""
    return tuple(Action("capture", (location,)) for location in range(board.size))
