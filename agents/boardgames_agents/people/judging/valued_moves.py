"""Moves with their values, and what a source of values is asked."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from boardgames_env.contest import is_same_turn, turn_text
from boardgames_env.position import Position

ValueKind = Literal["exact", "predicted", "searched", "estimated", "tried"]
"""What values are: those of a solved game, predicted points, a search's evaluations, points that a search with
a network finds, or means of random contests."""


@dataclass(frozen=True)
class ValuedMove:
    """A whole move, or the rest of a turn, with its value.

    Attributes:
        actions: Its actions, in order.
        text: Their text, in the game's notation.
        value: Its value to the seat to move; the unit depends on the source.
        words: Its value in words, such as ``wins in 3 plies`` or ``+0.123 points``.
    """

    actions: tuple[int, ...]
    text: str
    value: float
    words: str

    @property
    def clause(self) -> str:
        """Its value after the word ``which``, such as ``wins in 3 plies`` or ``is worth +0.123 points``."""
        return self.words if self.words[:1].isalpha() else f"is worth {self.words}"

    def ties_with(self, other: "ValuedMove") -> bool:
        """Return whether the source tells no difference from another move, to three digits."""
        return (round(self.value, 3), self.words) == (round(other.value, 3), other.words)


@dataclass(frozen=True)
class BestMoves:
    """The best moves of a position.

    Attributes:
        moves: The moves, the best one first.
        source: Where their values are from, in words.
        kind: What the values are.
        as_good: The texts of further moves that tie with the best one, beyond those in ``moves``, as far as the source
            has looked at them as closely.
    """

    moves: tuple[ValuedMove, ...]
    source: str
    kind: ValueKind
    as_good: tuple[str, ...] = ()

    @property
    def ranks(self) -> list[int]:
        """The places of the moves, from 1; moves that tie share one."""
        return [
            1 + sum(not better.ties_with(move) for better in self.moves[:number])
            for number, move in enumerate(self.moves)
        ]

    def are_all_alike(self, position: Position) -> bool:
        """Return whether a position has several moves, and all of them tie."""
        if self.ranks[-1] != 1:  # (listing all moves may take long)
            return False
        return 1 < len({move.afterstate for move in position.moves()}) <= len(self.moves) + len(self.as_good)

    @classmethod
    def first_of(cls, moves: Sequence[ValuedMove], count: int, source: str, kind: ValueKind) -> "BestMoves":
        """Return the first moves of a list from the best to the worst, and the texts of others that tie."""
        as_good = tuple(move.text for move in moves[count:] if move.ties_with(moves[0]))
        return cls(tuple(moves[:count]), source, kind, as_good)


class Source(ABC):
    """A source of the values of moves.

    Attributes:
        kind: What the values are.
    """

    kind: ClassVar[ValueKind]

    @abstractmethod
    def best_moves(self, position: Position, count: int) -> BestMoves:
        """Return the best moves of a position."""

    @property
    def at_once(self) -> "Source":
        """A source, perhaps a rougher one, that plain Python asks within a second."""
        return self

    @abstractmethod
    def valued(self, position: Position, actions: tuple[int, ...]) -> ValuedMove | None:
        """Return a whole move with its value; ``None`` where nothing is known of it."""


def completed(position: Position, action: int, best: Callable[[Position], int]) -> tuple[tuple[int, ...], Position]:
    """Return the whole move that begins with an action and goes on with the best ones, and the position after it."""
    actions: tuple[int, ...] = (action,)
    reached = position.after(action)
    while is_same_turn(position.seat, reached):
        following = best(reached)
        actions, reached = (*actions, following), reached.after(following)
    return actions, reached


def valued_move(position: Position, actions: tuple[int, ...], value: float, words: str) -> ValuedMove:
    """Return a whole move with its value."""
    return ValuedMove(actions, turn_text(position, actions), value, words)
