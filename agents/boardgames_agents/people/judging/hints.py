"""The best moves of a position, with what is known of their values, and where that is from."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from threading import get_ident
from typing import Literal

import numpy as np

from boardgames_agents.experts.perfect import can_be_perfect, exact_move, exact_moves
from boardgames_agents.lookahead.cube.doubler import Doubler
from boardgames_agents.lookahead.cube.formulas import Janowski
from boardgames_agents.lookahead.evaluator import evaluator_of
from boardgames_agents.lookahead.expectimax import Candidate, Expectimax
from boardgames_agents.lookahead.predictions import cubeful_equity
from boardgames_agents.people.judging.cube_advice import prospects_of
from boardgames_agents.people.judging.plays import after, evaluated_deeply
from boardgames_agents.people.levels import predictor_of
from boardgames_agents.policy.explanation import signed
from boardgames_agents.search.alpha_beta import AlphaBeta, value_text
from boardgames_agents.search.mcts import MonteCarlo
from boardgames_env.contest import turn_text
from boardgames_env.errors import require
from boardgames_env.game import Game
from boardgames_env.position import Position, demand_turn
from boardgames_env.solve import Solution, solve

NODES = 20_000
"""The positions that a search for hints looks at for each of the best moves, unless fewer are asked for."""

PLAYOUTS = 2_000
"""The random contests of a search for hints in a game of chance that no agent predicts."""

_SEED = 0

Kind = Literal["exact", "predicted", "searched", "tried"]
"""What values are: those of a solved game, predicted points, a search's evaluations, or means of random contests."""


@dataclass(frozen=True)
class Hint:
    """A whole move, or the rest of a turn.

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


@dataclass(frozen=True)
class Hints:
    """The best moves of a position.

    Attributes:
        moves: The moves, the best one first.
        source: Where their values are from, in words.
        as_good: The number of further moves that are exactly as good as the best one.
        kind: What the values are.
    """

    moves: tuple[Hint, ...]
    source: str
    as_good: int = 0
    kind: Kind = "exact"


def hints(position: Position, count: int = 3, nodes: int = NODES) -> Hints:
    """Return the best moves of a position, the best first, with what is known of their values.

    Nothing is known of the contest before the position: a draw by repetition or by a number of plies is not foreseen.

    Args:
        position: The position.
        count: The number of moves.
        nodes: The positions that a search looks at for each move, where the source is a search.

    Raises:
        BadInputError: If no seat is to move, or the count or the nodes are not at least 1.
    """
    demand_turn(position, position.game)
    require(1, count=count, nodes=nodes)
    game = position.game
    if (table := solution_of(game)) is not None:
        return _exact(position, count, table)
    if not game.rules.has_chance:
        return _searched(position, count, nodes)
    predictor = predictor_of(game)
    return _predicted(position, count, predictor) if predictor else _by_playouts(position, count)


def has_values(game: Game) -> bool:
    """Return whether moves of a game have values here, and not shares of random contests alone."""
    return bool(solution_of(game)) or not game.rules.has_chance or predictor_of(game) is not None


def hint_on(position: Position, actions: Sequence[int], nodes: int = NODES) -> Hint | None:
    """Return what is known of the value of one whole move, by the source of `hints`; ``None`` where nothing is."""
    game, played = position.game, tuple(actions)
    if (table := solution_of(game)) is not None:
        move = exact_move(table, position, played)
        return _hint(position, played, move.value, move.text)
    if not game.rules.has_chance:
        last = played[-1]
        found = _search(game, nodes).values(after(position, played[:-1]), [last])[last]
        return _hint(position, played, found, value_text(found))
    predictor = predictor_of(game)
    if predictor is None:
        return None
    search, doubler = _expectimax(game, predictor), Doubler(game, Janowski())
    if doubler.is_asked(position):
        equity = doubler.values(position, prospects_of(search, doubler, position))[played[0]]
        return _hint(position, played, equity, _of_the_stake(equity))
    candidate = evaluated_deeply(search, position, played)
    return _hint(position, played, candidate.equity, _points(doubler, position, candidate))


@lru_cache(maxsize=4)
def solution_of(game: Game) -> Solution | None:
    """Return the tables of a game, which is solved for this if it can be; they are kept, since loading them is slow."""
    return solve(game) if can_be_perfect(game) else None


def _exact(position: Position, count: int, table: Solution) -> Hints:
    """Return the moves by the tables of a solved game: sooner wins and later losses are better."""
    ordered = exact_moves(table, position)
    has_plies = any(" pl" in move.text for move in ordered[:count])
    return Hints(
        tuple(_hint(position, move.actions, move.value, move.text) for move in ordered[:count]),
        "exact values of the solved game: if both sides play perfectly from there"
        + ("; a ply is a turn of either side" if has_plies else ""),
        sum(move.rank == ordered[0].rank for move in ordered[count:]),
    )


def _predicted(position: Position, count: int, predictor: str) -> Hints:
    """Return the moves by an agent's predictions, and cube actions by a doubling formula."""
    game = position.game
    search, doubler = _expectimax(game, predictor), Doubler(game, Janowski())
    if doubler.is_asked(position):
        values = doubler.values(position, prospects_of(search, doubler, position))
        ordered = sorted(values.items(), key=lambda each: -each[1])[:count]
        moves = tuple(_hint(position, (action,), value, _of_the_stake(value)) for action, value in ordered)
        source = f"expected points by the predictions of {predictor} and Janowski's formula for the cube"
        return Hints(moves, source, kind="predicted")
    candidates = search.candidates(position)[:count]
    moves = tuple(_hint(position, each.actions, each.equity, _points(doubler, position, each)) for each in candidates)
    source = f"expected points by the predictions of {predictor}, for the best moves three plies deep"
    return Hints(moves, source, kind="predicted")


def _of_the_stake(equity: float) -> str:
    return f"{signed(equity, 3)} of the stake"


def _points(doubler: Doubler, position: Position, move: Candidate) -> str:
    """Return the points that a move is worth, and those with the cube; at the score of a match, normalized ones."""
    unit = "points" if position.game.score is None else "points at this score"
    with_cube = f" ({signed(cubeful_equity(doubler, position, move), 3)} with the cube)" if doubler.has_cube else ""
    return f"{signed(move.equity, 3)} {unit}{with_cube}"


def _expectimax(game: Game, predictor: str) -> Expectimax:
    """Return the look-ahead by an agent's predictions: one for each thread, since it overwrites its arrays."""
    return _expectimax_of(get_ident(), game, predictor)


@lru_cache(maxsize=8)
def _expectimax_of(thread: int, game: Game, predictor: str) -> Expectimax:
    return Expectimax(game, evaluator_of(predictor, game), plies=3)


def _searched(position: Position, count: int, nodes: int) -> Hints:
    """Return the moves by alpha-beta: first all actions together, then the best ones each on its own."""
    game = position.game
    found: dict[bytes, Hint] = {}
    for action in _most_promising(position, count, nodes):
        value = _search(game, nodes).values(position, [action])[action]
        actions, reached = _completed(position, action, nodes)
        found[reached.key] = _hint(position, actions, value, value_text(value))
    best = sorted(found.values(), key=lambda hint: -hint.value)[:count]
    unit = "in units of the game's own evaluation" if game.heuristics else "0 where the contest is open"
    return Hints(tuple(best), f"values of a search of {nodes:,} positions for each move, {unit}", kind="searched")


def _most_promising(position: Position, count: int, nodes: int) -> list[int]:
    """Return the actions that a search of all of them finds best; a few more than asked for."""
    values = _search(position.game, nodes).values(position)
    return sorted(values, key=lambda action: -values[action])[: count + 2]


def _completed(position: Position, action: int, nodes: int) -> tuple[tuple[int, ...], Position]:
    """Return the best whole move that begins with an action, by searches, and the position after it."""
    actions: tuple[int, ...] = (action,)
    reached = position.after(action)
    while not reached.is_over and reached.seat == position.seat and reached.legal_actions:
        following, *_ = _most_promising(reached, 1, nodes)
        actions, reached = (*actions, following), reached.after(following)
    return actions, reached


def _search(game: Game, nodes: int) -> AlphaBeta:
    search = AlphaBeta(game, nodes=nodes)
    search.begin(game, (), np.random.default_rng(_SEED))
    return search


def _by_playouts(position: Position, count: int) -> Hints:
    """Return the moves that Monte Carlo tree search tries most often."""
    search = MonteCarlo(position.game, playouts=PLAYOUTS)
    search.begin(position.game, (), np.random.default_rng(_SEED))
    tried = search.tried(position)
    found: dict[bytes, Hint] = {}
    for action in sorted(tried, key=lambda action: -tried[action].visits):
        actions: tuple[int, ...] = (action,)
        reached = position.after(action)
        while reached.seat == position.seat and reached.legal_actions:
            visits = search.visits(reached)
            following = max(visits, key=lambda each: visits[each])
            actions, reached = (*actions, following), reached.after(following)
        words = (
            f"begins {tried[action].visits / PLAYOUTS:.0%} of them, {signed(tried[action].mean, 2)} points on average"
        )
        found.setdefault(reached.key, _hint(position, actions, tried[action].mean, words))
        if len(found) == count:
            break
    source = f"{PLAYOUTS:,} random contests, which try what looks better more often"
    return Hints(tuple(found.values()), source, kind="tried")


def _hint(position: Position, actions: tuple[int, ...], value: float, words: str) -> Hint:
    return Hint(actions, turn_text(position, actions), value, words)
