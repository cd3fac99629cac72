"""What turns cost: the value of the best move less that of the one played, and the usual marks of errors."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import copysign, log1p

from boardgames_agents.experts.perfect import can_be_perfect
from boardgames_agents.people.judging.sources import NODES, best_moves, solution_of, source_of
from boardgames_agents.people.judging.valued_moves import BestMoves, ValuedMove, ValueKind
from boardgames_agents.policy.explanation import listed
from boardgames_agents.search.negamax import MOST_VALUE
from boardgames_env.contest import Turn
from boardgames_env.position import Position

DOUBTFUL, BAD, VERY_BAD = 0.04, 0.08, 0.16
"""The least errors that GNU Backgammon marks by default; a very bad play is a blunder."""

_OF_ESTIMATES = (0.1, 0.2, 0.3)
"""The same where a network estimates the points, and errs itself: those that lichess marks in chess."""

_MOST_LISTED = 6


def mark(error: float, least: tuple[float, float, float] = (DOUBTFUL, BAD, VERY_BAD)) -> str:
    """Return the usual mark of an error: ``?!`` doubtful, ``?`` bad, ``??`` very bad, by the least errors of each."""
    doubtful, bad, very_bad = least
    return "??" if error >= very_bad else "?" if error >= bad else "?!" if error >= doubtful else ""


_MARKED: Mapping[ValueKind, Callable[[float], str]] = {
    "predicted": mark,
    "estimated": partial(mark, least=_OF_ESTIMATES),
}
"""The marks of errors where moves have expected points."""


@dataclass(frozen=True)
class Judgement:
    """A turn beside the best moves, by the source of `best_moves`.

    Attributes:
        seat: The seat whose turn it was.
        known: The best move, and the others that tie with it.
        played: The turn, with its value; ``None`` if nothing is known of it, or nothing has been played yet.
    """

    seat: int
    known: BestMoves
    played: ValuedMove | None = None

    @property
    def best(self) -> ValuedMove:
        """The best move."""
        return self.known.moves[0]

    @property
    def as_good(self) -> tuple[str, ...]:
        """Further moves that tie with the best one, by the source; none where it only tries moves."""
        return self.known.as_good if self.known.kind != "tried" else ()

    @property
    def fall(self) -> float:
        """The value of the best move less that of the turn, in the unit of the source; 0 if that is not known."""
        return self.best.value - self.played.value if self.played else 0.0

    @property
    def cost(self) -> float:
        """What the turn gave away, in points; 0 if it was no mistake.

        In a solved game a mistake gives away a win or a draw; where points are predicted or estimated, as many as are
        usually marked (`mark`); where there is but a search, it turns a win that the search has found into none, or
        anything else into a loss.
        """
        if self.played is None or self.known.kind == "tried":
            return 0.0
        if self.known.kind == "searched":
            return max(0, _proven(self.best) - _proven(self.played))
        lost = max(0.0, self.fall)
        marked = _MARKED.get(self.known.kind)
        return 0.0 if marked and not marked(lost) else lost

    @property
    def mark(self) -> str:
        """The usual mark of the turn: by its points if moves have some, else ``??`` if a win became a loss."""
        if marked := _MARKED.get(self.known.kind):
            return marked(self.cost)
        if not self.cost:
            return ""
        return "??" if self.cost > 1 else "?"

    @property
    def lost(self) -> str:
        """What the turn gave away and what would have been better, in words; empty if it was no mistake."""
        if self.played is None or not self.cost:
            return ""
        return f"{self.played.words}; best was {self.best.text}, which {self.best.clause}{as_well(self.as_good)}"

    @property
    def points(self) -> float:
        """The value before the turn to seat 0 in points: a search's evaluations are scaled to less than a point.

        The scale is that of logarithms; a win that a search has found is 1.
        """
        value = self.best.value
        if self.known.kind == "searched":
            value = copysign(min(1.0, log1p(abs(value)) / log1p(MOST_VALUE)), value)
        return value * (1 - 2 * self.seat) + 0.0


def judgement_of(position: Position, actions: Sequence[int] = (), nodes: int = NODES) -> Judgement:
    """Judge the actions of a turn, or the position alone; ``nodes`` are those of `best_moves`.

    Raises:
        BadInputError: If no seat is to move, or the nodes are not at least 1.
    """
    source = source_of(position, nodes)
    known = best_moves(position, count=1, nodes=nodes)
    played = source.valued(position, tuple(actions)) if actions else None
    return Judgement(position.seat, known, played)


def as_well(moves: Sequence[str]) -> str:
    """Return that further moves are as good as the one of a sentence: ``; as good: 4, 5 and 7``; of many only some."""
    return f"; as good: {some_of(moves)}" if moves else ""


def some_of(moves: Sequence[str]) -> str:
    """Return moves as a list in words; of many only the first, and how many more there are."""
    shown = list(moves)
    if len(shown) > _MOST_LISTED:
        shown = [*shown[: _MOST_LISTED - 1], f"{len(shown) - _MOST_LISTED + 1} more"]
    return listed(shown)


@dataclass(frozen=True)
class TurnError:
    """A turn that gave something away.

    Attributes:
        number: The number of actions before it in the contest.
        cost: What it gave away, in points. Where a search proves that a win became none, or a loss came up, that is 1,
            or 2 if it was both.
    """

    number: int
    cost: float


def exact_cost(turn: Turn) -> int | None:
    """Return the points that a turn gave away, or ``None`` where no solution of the game knows that."""
    table = solution_of(turn.before.game)
    if table is None or not (table.knows(turn.before) and table.knows(turn.after)):
        return None
    return max(0, table.value_for(turn.before, turn.seat) - table.value_for(turn.after, turn.seat))


def exact_errors(turns: Sequence[Turn]) -> tuple[TurnError, ...] | None:
    """Return the errors among the turns of a solved game; ``None`` where that would take a search."""
    if turns and not can_be_perfect(turns[0].before.game):
        return None
    return tuple(TurnError(turn.number, cost) for turn in turns if (cost := exact_cost(turn)))


def _proven(move: ValuedMove) -> int:
    """Return the points that a search has proven."""
    return 0 if abs(move.value) <= MOST_VALUE else 1 if move.value > 0 else -1
