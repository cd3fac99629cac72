"""A solved game: positions of it, and what moves are worth there."""

from collections.abc import Iterator, Sequence

import numpy as np

from boardgames_agents.arena.contest import play_contest
from boardgames_agents.arena.position_graph import TooManyPositionsError, graph_of
from boardgames_agents.experts.exact_points import exact_points
from boardgames_agents.policy import Rng
from boardgames_agents.registry import make_agent
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.position import Position
from boardgames_env.solve import SearchedGame, Solution, demand_solvable, solve
from boardgames_env.solve.placings import is_of_few_men

_MOST_CONTESTS = 10
"""The random contests in which a position is looked for, for each one that is wanted."""


class SolvedGame:
    """A game with the value of every position.

    Values are +1, 0 or −1; with dice they are the points that a seat expects, in units of the stake.

    Args:
        game: The game.

    Raises:
        BadInputError: If it cannot be solved, or has dice and has not been solved yet.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self._table: Solution | None = None
        if is_of_few_men(game):
            self._points = exact_points(game)
            return
        try:
            demand_solvable(game)
        except BadInputError as error:
            raise BadInputError(
                f"the values of moves are known at games that can be solved only, and {game.spec} is not one"
            ) from error
        self._table = solve(game)

    def values(self, position: Position) -> dict[int, float]:
        """Return the value of each legal action to the seat to move, under best play afterwards."""
        return {action: self.value_after(position, (action,)) for action in position.legal_actions}

    def value_after(self, position: Position, actions: Sequence[int]) -> float:
        """Return the value of a move, the whole of it or its beginning, to the seat that makes it."""
        if self._table is None:
            return self._points.value_after(position, actions)
        return self._table.value_for(position.after(*actions), position.seat)

    def distance(self, position: Position) -> int | None:
        """Return the plies to the end under best play; ``None`` for a draw, and with dice."""
        return self._table.distance(position) if self._table else None

    def reward(self, position: Position, actions: Sequence[int]) -> float:
        """Return minus the points that a move gives away under best play, from 0 to −2; more can be lost with dice.

        Without a move (no actions), it is one point less than that of a move that loses: −3 in a position that is won,
        −2 in a draw and −1 in one that is lost; with dice, than that of one that loses 3 points. So every legal move
        has a greater one.

        Raises:
            BadInputError: If the contest is over in the position.
        """
        if not position.legal_actions:
            raise BadInputError(f"the contest is over in this position of {self.game.spec}; nobody can move")
        after = self.value_after(position, actions) if actions else -2 if self._table else -4
        return float(after - max(self.values(position).values()))

    def positions(self, wanted: int, rng: Rng, choices: int = 2) -> Iterator[Position]:
        """Yield positions, no two of them the same.

        Where the game is small, they are drawn from all that can be reached, equally likely; elsewhere they are those
        of random contests, which may be fewer than wanted: one of each contest, but none whose value takes a search of
        seconds. Memory holds the states alone.

        Args:
            wanted: The number of positions; 0 for all of a small game.
            rng: What draws them.
            choices: The least number of legal actions in them.

        Raises:
            BadInputError: If all are wanted, and they are too many.
        """
        try:
            graph = graph_of(self.game) if self._table else None
        except TooManyPositionsError:
            graph = None
        if graph is None:
            yield from self._of_contests(wanted, rng, choices)
            return
        rows = np.flatnonzero(np.diff(graph.first_edge) >= choices)
        if 0 < wanted < len(rows):
            rows = np.sort(rng.choice(rows, wanted, replace=False))
        for row in rows:
            yield Position.unchecked(self.game, graph.states[row].copy())

    def _of_contests(self, wanted: int, rng: Rng, choices: int) -> Iterator[Position]:
        if wanted == 0:
            raise BadInputError(f"{self.game.spec} has too many positions to ask in all; give a number of them")
        found: set[bytes] = set()
        for _ in range(_MOST_CONTESTS * wanted):
            player = make_agent("random", self.game)  # (which remembers the positions that it has met)
            record = play_contest(self.game, (player, player), rng.integers(2**32, size=2).tolist())
            fitting = [each for each in record.positions(self.game) if self._is_fit(each, choices)]
            position = fitting[int(rng.integers(len(fitting)))] if fitting else None
            if position is not None and position.key not in found:
                found.add(position.key)
                yield position
            if len(found) == wanted:
                break

    def _is_fit(self, position: Position, choices: int) -> bool:
        is_quick = not isinstance(self._table, SearchedGame) or self._table.is_quick(position)
        return is_quick and len(position.legal_actions) >= choices
