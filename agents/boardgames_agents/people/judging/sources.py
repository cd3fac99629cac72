"""What moves are worth, by the best source that there is for a game.

Values are exact in solved games, predicted by an agent where there is chance, elsewhere those of a search, with a
network if the package has one, and means of random contests where nothing predicts. Nothing is known of the contest
before a position: a draw by repetition or by a number of plies is not foreseen.
"""

from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import replace
from functools import lru_cache, partial
from threading import get_ident
from typing import ClassVar
from weakref import WeakKeyDictionary

import numpy as np

from boardgames_agents.alpha_zero.network import load_network
from boardgames_agents.alpha_zero.player import leading_network
from boardgames_agents.alpha_zero.search import SearchOptions, TreeSearch
from boardgames_agents.experts.exact_points import exact_points
from boardgames_agents.experts.perfect import can_be_perfect, exact_move, exact_moves
from boardgames_agents.lookahead.cube.doubler import Doubler
from boardgames_agents.lookahead.cube.formulas import Janowski
from boardgames_agents.lookahead.evaluator import evaluator_of
from boardgames_agents.lookahead.expectimax import Candidate, Expectimax
from boardgames_agents.lookahead.player import cubeful_equity
from boardgames_agents.people.judging.valued_moves import (
    BestMoves,
    Source,
    ValuedMove,
    ValueKind,
    completed,
    valued_move,
)
from boardgames_agents.people.levels import predictor_of
from boardgames_agents.policy.explanation import signed
from boardgames_agents.registry import demand_agent
from boardgames_agents.search.alpha_beta import FEW_NODES, AlphaBeta, value_text
from boardgames_agents.search.mcts import FEW_PLAYOUTS, MonteCarlo
from boardgames_agents.search.negamax import MOST_VALUE
from boardgames_env.errors import require
from boardgames_env.game import Game
from boardgames_env.kernels.background import compiler
from boardgames_env.position import Position, demand_turn
from boardgames_env.solve import Solution, is_searched, solve
from boardgames_env.solve.few_men_tables import is_few_men_known

NODES = 20_000
"""The positions that a search looks at for each of the best moves, unless fewer are asked for."""

_NODES_A_SIMULATION = 100
"""How many positions a search looks at while a simulation with a network is made, by and large."""

PLAYOUTS = 2_000
"""The random contests in a game of chance that no agent predicts."""

_SEED = 0

_DEPTH = 64
"""The greatest depth of a search, in plies."""


def best_moves(position: Position, count: int = 3, nodes: int = NODES) -> BestMoves:
    """Return the best moves of a position, the best first, with what is known of their values.

    Args:
        position: The position.
        count: The number of moves.
        nodes: The positions that a search looks at for each move, where the source is a search; with a network, once
            for all moves.

    Raises:
        BadInputError: If no seat is to move, or the count or the nodes are not at least 1.
    """
    demand_turn(position, position.game)
    require(1, count=count, nodes=nodes)
    return source_of(position, nodes).best_moves(position, count)


def hints(position: Position, count: int = 3) -> BestMoves:
    """Return `best_moves` for somebody who waits: what plain Python finds, as long as the search is being compiled.

    For errors see `best_moves`.
    """
    demand_turn(position, position.game)
    game, find = position.game, partial(best_moves, position, count)
    first = _first_searches.get(game)
    if first is None:
        first = _first_searches[game] = compiler.call(find)
        if compiler.is_done(first):
            return first.result()
    if first.done():
        return find()
    found = source_of(position).at_once.best_moves(position, count)
    return replace(found, source=f"{found.source}{_MEANWHILE}")


_first_searches: WeakKeyDictionary[Game, "Future[BestMoves]"] = WeakKeyDictionary()

_MEANWHILE = "; a deeper search is still being compiled, so ask again later"


def source_of(position: Position, nodes: int = NODES) -> Source:
    """Return the best source of values for the moves of a position; ``nodes`` are those of `best_moves`."""
    game = position.game
    if (table := solution_of(game)) is not None and table.knows(position):
        return _ExactValues(table)
    if not game.rules.has_chance:
        return _EstimatedValues(game, nodes) if leading_network(game) else _SearchedValues(game, nodes)
    if is_few_men_known(game):
        return _ExactPoints(game)
    predictor = predictor_of(game)
    return _PredictedValues(game, predictor) if predictor else _TriedValues(game)


@lru_cache(maxsize=4)
def solution_of(game: Game) -> Solution | None:
    """Return the solution of a game, which is solved for this if it can be; it is kept, since loading it is slow.

    It may not know every position; see `Solution.knows`.
    """
    return solve(game) if can_be_perfect(game) or is_searched(game) else None


class _ExactValues(Source):
    """The tables of a solved game: sooner wins and later losses are better."""

    kind = "exact"

    def __init__(self, table: Solution) -> None:
        self._table = table

    def best_moves(self, position: Position, count: int) -> BestMoves:
        ordered = exact_moves(self._table, position)
        moves = [valued_move(position, each.actions, each.value, each.text) for each in ordered]
        source = "exact values of the solved game: if both sides play perfectly from there"
        if any(" pl" in move.words for move in moves):
            source += "; a ply is a turn of either side"
        return BestMoves.first_of(moves, count, source, self.kind)

    def valued(self, position: Position, actions: tuple[int, ...]) -> ValuedMove:
        move = exact_move(self._table, position, actions)
        return valued_move(position, actions, move.value, move.text)


class _ExactPoints(Source):
    """The table of a solved game with dice, with the doubling cube or without."""

    kind = "predicted"  # (its values are expected points, as a prediction's are)

    def __init__(self, game: Game) -> None:
        self._points = exact_points(game)

    def best_moves(self, position: Position, count: int) -> BestMoves:
        values = self._points.values(position)
        best = sorted(values, key=lambda move: -values[move])
        moves = [self._move(position, actions, values[actions]) for actions in best]
        return BestMoves.first_of(moves, count, EXACT_POINTS, self.kind)

    def valued(self, position: Position, actions: tuple[int, ...]) -> ValuedMove:
        return self._move(position, actions, self._points.value_after(position, actions))

    def _move(self, position: Position, actions: tuple[int, ...], value: float) -> ValuedMove:
        unit = "points" if position.game.stake is None else "of the stake"
        return valued_move(position, actions, value, f"{signed(value, 3)} {unit}")


EXACT_POINTS = "exact expected points of the solved game: if both sides play perfectly from there"


class _PredictedValues(Source):
    """The predictions of an agent with look-ahead, and for cube actions a doubling formula."""

    kind = "predicted"

    def __init__(self, game: Game, predictor: str, plies: int = 3) -> None:
        self._game, self._predictor, self._plies = game, predictor, plies
        self._search = _expectimax(get_ident(), game, predictor, plies)
        self._doubler = Doubler(game, Janowski())

    @property
    def at_once(self) -> Source:
        return _PredictedValues(self._game, self._predictor, plies=1)

    def best_moves(self, position: Position, count: int) -> BestMoves:
        by = f"expected points, as predicted by: {demand_agent(self._predictor).title}"
        if self._doubler.is_asked(position):
            values = self._cube_values(position)
            best = sorted(values, key=lambda action: -values[action])[:count]
            moves = tuple(self._cube_action(position, action, values[action]) for action in best)
            return BestMoves(moves, f"{by}; with Janowski's formula for the cube", self.kind)
        candidates = self._search.candidates(position)
        as_deep = sum(each.plies == candidates[0].plies for each in candidates)
        plays = [self._play(position, each) for each in candidates[: max(count, as_deep)]]
        return BestMoves.first_of(plays, count, f"{by}; {_DEPTHS[self._plies]}", self.kind)

    def valued(self, position: Position, actions: tuple[int, ...]) -> ValuedMove:
        if self._doubler.is_asked(position):
            return self._cube_action(position, actions[0], self._cube_values(position)[actions[0]])
        return self._play(position, self._search.candidate(position, actions))

    def _cube_values(self, position: Position) -> dict[int, float]:
        return self._doubler.values(position, self._doubler.prospects(self._search.to_double, position))

    def _cube_action(self, position: Position, action: int, equity: float) -> ValuedMove:
        return valued_move(position, (action,), equity, f"{signed(equity, 3)} of the stake")

    def _play(self, position: Position, move: Candidate) -> ValuedMove:
        """Return a move with its points, and those with the cube; at the score of a match, normalized ones."""
        words = f"{signed(move.equity, 3)} {'points' if position.game.score is None else 'points at this score'}"
        if self._doubler.has_cube:
            words += f" ({signed(cubeful_equity(self._doubler, position, move), 3)} with the cube)"
        return valued_move(position, move.actions, move.equity, words)


_DEPTHS = {1: "it looks at the moves alone", 3: "it looks three turns ahead after the best moves"}


@lru_cache(maxsize=8)
def _expectimax(thread: int, game: Game, predictor: str, plies: int) -> Expectimax:
    """Return the look-ahead by an agent's predictions: one for each thread, since it overwrites its arrays."""
    return Expectimax(game, evaluator_of(predictor, game), plies)


class _SearchedValues(Source):
    """Alpha-beta: first of all actions together, then of the best ones each on its own."""

    kind: ClassVar[ValueKind] = "searched"

    def __init__(self, game: Game, nodes: int) -> None:
        self._game, self._nodes = game, nodes

    @property
    def at_once(self) -> Source:
        return _SearchedValues(self._game, FEW_NODES)

    def best_moves(self, position: Position, count: int) -> BestMoves:
        found: dict[bytes, ValuedMove] = {}
        values: dict[bytes, int] = {}  # by what symmetric positions share
        promising = self._most_promising(position, count)
        alike = {position.after(action).canonical for action in promising}
        others = [action for action in position.legal_actions if position.after(action).canonical in alike]
        for action in dict.fromkeys([*promising, *others]):
            key = position.after(action).canonical
            if key not in values:
                values[key] = self._value_of(position, action)
            value = values[key]
            actions, reached = completed(position, action, self._best_by_search)
            found[reached.key] = valued_move(position, actions, value, _searched_text(value))
        best = sorted(found.values(), key=lambda move: -move.value)
        source = f"a search of {self._nodes:,} positions for each move, the best move first"
        return BestMoves.first_of(best, count, source, self.kind)

    def valued(self, position: Position, actions: tuple[int, ...]) -> ValuedMove:
        *begun, last = actions
        reached = position.after(*begun) if begun else position
        value = self._value_of(reached, last)
        return valued_move(position, actions, value, _searched_text(value))

    def _value_of(self, position: Position, action: int) -> int:
        """Return the value of one action. (In plain Python it is looked at one ply deep.)"""
        return self._search(_DEPTH if self._nodes > FEW_NODES else 1).values(position, [action])[action]

    def _most_promising(self, position: Position, count: int) -> list[int]:
        """Return the actions that a search of all of them finds best; a few more than asked for."""
        values = self._search().values(position)
        return sorted(values, key=lambda action: -values[action])[: count + 2]

    def _best_by_search(self, position: Position) -> int:
        return self._most_promising(position, 1)[0]

    def _search(self, depth: int = _DEPTH) -> AlphaBeta:
        search = AlphaBeta(self._game, nodes=self._nodes, depth=depth)
        search.begin(self._game, (), np.random.default_rng(_SEED))
        return search


class _EstimatedValues(_SearchedValues):
    """The network of the game that comes with the package: a tree search of what each move leads to.

    Where alpha-beta proves a win or a loss, that is what the move is worth.
    """

    kind = "estimated"

    def __init__(self, game: Game, nodes: int) -> None:
        super().__init__(game, nodes)
        self._tree_search = _tree_search(get_ident(), game, max(1, nodes // _NODES_A_SIMULATION))

    def best_moves(self, position: Position, count: int) -> BestMoves:
        proven = self._search().values(position)
        turns = [
            completed(position, action, self._best if abs(value) <= MOST_VALUE else self._best_by_search)
            for action, value in proven.items()
        ]
        estimates = self._estimates([reached for _, reached in turns], position.seat)
        found = {
            reached.key: (proven[actions[0]] if abs(proven[actions[0]]) > MOST_VALUE else 0, actions, estimate)
            for (actions, reached), estimate in zip(turns, estimates, strict=True)
        }
        moves = [
            (searched, _estimated(position, actions, searched, estimate))
            for searched, actions, estimate in found.values()
        ]
        best = [move for _, move in sorted(moves, key=lambda each: (-each[1].value, -each[0]))]
        simulations = self._tree_search.options.simulations
        source = (
            f"expected points, by the network of the game and {simulations:,} simulations for each move; wins and "
            f"losses by a search of {self._nodes:,} positions"
        )
        return BestMoves.first_of(best, count, source, self.kind)

    def valued(self, position: Position, actions: tuple[int, ...]) -> ValuedMove:
        (estimate,) = self._estimates([position.after(*actions)], position.seat)
        return _estimated(position, actions, int(super().valued(position, actions).value), estimate)

    def _best(self, position: Position) -> int:
        return int(self._tree_search.search(position.state[None]).actions[0])

    def _estimates(self, positions: Sequence[Position], seat: int) -> list[float]:
        """Return the points of a seat after its moves; positions that are symmetric have the same."""
        found = {each.canonical: float(each.points_for(seat) or 0) for each in positions if each.is_over}
        going = list({each.canonical for each in positions} - found.keys())
        states = np.frombuffer(b"".join(going), dtype=np.int8).reshape(-1, self._game.state_size)
        signs = np.where(states[:, 0] == seat, 1, -1)
        found |= dict(zip(going, (signs * self._tree_search.search(states).values).tolist(), strict=True))
        return [found[each.canonical] for each in positions]


def _estimated(position: Position, actions: tuple[int, ...], searched: int, estimate: float) -> ValuedMove:
    """Return a move with its points: those that are proven by the value of a search, or an estimate."""
    if abs(searched) > MOST_VALUE:
        return valued_move(position, actions, float(np.sign(searched)), value_text(searched))
    return valued_move(position, actions, estimate, f"{signed(estimate, 2)} points")


@lru_cache(maxsize=8)
def _tree_search(thread: int, game: Game, simulations: int) -> TreeSearch:
    """Return the search with the network of a game: one for each thread, since it overwrites its arrays."""
    file = leading_network(game)
    assert file is not None
    return TreeSearch(game, load_network(file, game), SearchOptions(simulations=simulations))


class _TriedValues(Source):
    """Random contests, of which Monte Carlo tree search plays more with moves that look better."""

    kind = "tried"

    def __init__(self, game: Game, playouts: int = PLAYOUTS) -> None:
        self._game, self._playouts = game, playouts

    @property
    def at_once(self) -> Source:
        return _TriedValues(self._game, FEW_PLAYOUTS)

    def best_moves(self, position: Position, count: int) -> BestMoves:
        search = MonteCarlo(self._game, playouts=self._playouts)
        search.begin(self._game, (), np.random.default_rng(_SEED))
        tried = search.tried(position)

        def most_tried(position: Position) -> int:
            replies = search.tried(position)
            return max(replies, key=lambda action: replies[action].visits)

        found: dict[bytes, ValuedMove] = {}
        for action in sorted(tried, key=lambda action: -tried[action].visits):
            actions, reached = completed(position, action, most_tried)
            visits, points = tried[action].visits, tried[action].points
            words = f"begins {visits / self._playouts:.0%} of them, {signed(points, 2)} points on average"
            found.setdefault(reached.key, valued_move(position, actions, points, words))
            if len(found) == count:
                break
        source = f"{self._playouts:,} random contests, which try what looks better more often"
        return BestMoves(tuple(found.values()), source, self.kind)

    def valued(self, position: Position, actions: tuple[int, ...]) -> None:
        return None  # (random contests say little of one move)


def _searched_text(value: int) -> str:
    """Return the value of a search in words; of a contest that it has not decided, what it looks like to the mover."""
    if abs(value) > MOST_VALUE:
        return value_text(value)
    return f"looks {'good' if value > 0 else 'bad' if value < 0 else 'even'}"
