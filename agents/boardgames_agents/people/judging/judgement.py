"""Judgements of turns: what the position was worth before, and what the turn gave away."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import copysign, log1p

from boardgames_agents.people.judging.decisions import mark
from boardgames_agents.people.judging.hints import NODES, Hint, Hints, hint_on, hints, solution_of
from boardgames_agents.search.negamax import MOST_VALUE
from boardgames_env.position import Position

_ALL = 1_000_000


@dataclass(frozen=True)
class Judgement:
    """A turn beside the best moves, by the source of `hints`.

    Attributes:
        seat: The seat whose turn it was.
        found: The best moves; all of them in a solved game.
        played: The turn, with its value; ``None`` if nothing is known of it, or nothing has been played yet.
    """

    seat: int
    found: Hints
    played: Hint | None = None

    @property
    def best(self) -> Hint:
        """The best move."""
        return self.found.moves[0]

    @property
    def fall(self) -> float:
        """The value of the best move less that of the turn, in the unit of the source; 0 if that is not known."""
        return self.best.value - self.played.value if self.played else 0.0

    @property
    def cost(self) -> float:
        """What the turn gave away, in points; 0 if it was no mistake.

        In a solved game a mistake gives away a win or a draw; where an agent predicts points, as many as are usually
        marked (`analysis.decisions.mark`); where there is but a search, it turns a win that the search has found into
        none, or anything else into a loss.
        """
        if self.played is None or self.found.kind == "tried":
            return 0.0
        if self.found.kind == "searched":
            return max(0, _proven(self.best) - _proven(self.played))
        lost = max(0.0, self.fall)
        return 0.0 if self.found.kind == "predicted" and not mark(lost) else lost

    @property
    def points(self) -> float:
        """The value before the turn to seat 0 in points: a search's evaluations are scaled to less than a point.

        The scale is that of logarithms; a win that a search has found is 1.
        """
        value = self.best.value
        if self.found.kind == "searched":
            value = copysign(min(1.0, log1p(abs(value)) / log1p(MOST_VALUE)), value)
        return value * (1 - 2 * self.seat) + 0.0


def judgement_of(position: Position, actions: Sequence[int] = (), nodes: int = NODES) -> Judgement:
    """Judge the actions of a turn, or the position alone; ``nodes`` are those of `hints`.

    Raises:
        BadInputError: If no seat is to move, or the nodes are not at least 1.
    """
    found = hints(position, count=_ALL if solution_of(position.game) else 1, nodes=nodes)
    return Judgement(position.seat, found, hint_on(position, actions, nodes) if actions else None)


def _proven(hint: Hint) -> int:
    """Return the points that a search has proven."""
    return 0 if abs(hint.value) <= MOST_VALUE else 1 if hint.value > 0 else -1
