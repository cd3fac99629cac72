"""Monte Carlo tree search, for any game."""

from copy import copy, deepcopy
from typing import NamedTuple

import numpy as np
from numba import types

from boardgames_agents.policy import Rng
from boardgames_agents.policy.explanation import ConsideredMove, Explanation, explanation_of_moves, signed
from boardgames_agents.registry import agent
from boardgames_agents.search import LookAhead
from boardgames_env.contest import ContestArrays, make_arrays
from boardgames_env.errors import require
from boardgames_env.game import Game
from boardgames_env.history import CUT, note_position
from boardgames_env.kernels import ONGOING, READ_ONLY_STATE, State, announce_compilation, copy_row, helper, kernel
from boardgames_env.kernels.bundle import GAME_KERNELS, GameKernels
from boardgames_env.kernels.signatures import INT8_2D, INT64_2D, Int8s, Int64s
from boardgames_env.position import Position, demand_turn

# the columns of a tree, a node in each row: the action (or chance event) that leads to it, the seat that plays it (NONE
# for chance), its first child, the next child of its parent, the number of its visits, and the points of that seat in
# all of these
ACTION, SEAT, CHILD, NEXT, VISITS, POINTS = range(6)
COLUMNS = 6
NONE = -1

MOST_ACTIONS = 1000
"""The most actions of a playout; a longer one counts as a draw."""


@agent("mcts")
class MonteCarlo(LookAhead):
    """Monte Carlo tree search with UCT: plays the action tried most often in ``playouts`` playouts from the position.

    A playout descends the tree of earlier playouts by the rule UCB1, adds one position to it, and plays on at random
    until the contest ends (Kocsis and Szepesvári, *Bandit Based Monte-Carlo Planning*, ECML 2006). No evaluation of
    positions is needed.

    Chance events are drawn anew in every playout, and the tree branches by event.

    Args:
        game: The game.
        playouts: Number of playouts for each choice.
        c: Weight of exploration; with 0, a playout follows the best results so far.

    Raises:
        BadInputError: If an option is not allowed.
    """

    def __init__(self, game: Game, playouts: int = 1000, c: float = 1.4) -> None:
        super().__init__(game)
        require(1, 2**24, playouts=playouts)
        require(0, c=c)
        self._playouts, self._c = playouts, c

    def choose(self, position: Position) -> int:
        """Return the action tried most often."""
        visits = self.visits(position)
        most = max(visits.values())
        best = [action for action, count in visits.items() if count == most]
        return best[int(self.rng.integers(len(best)))] if len(best) > 1 else best[0]

    def visits(self, position: Position) -> dict[int, int]:
        """Return how often each legal action was tried."""
        return {action: tried.visits for action, tried in self.tried(position).items()}

    def tried(self, position: Position) -> dict[int, "Tried"]:
        """Return how often each legal action was tried, and the mean points of the seat to move."""
        demand_turn(position, self.game)
        found = np.zeros((self.game.num_actions, 2), dtype=np.int64)
        announce_compilation("Monte Carlo tree search", [_grow])
        _grow.run(self.game.kernels, position.state, self.seen(), self._playouts, float(self._c), self.rng, found)
        rows = ((action, *found[action].tolist()) for action in position.legal_actions)
        return {action: Tried(visits, points / visits if visits else 0.0) for action, visits, points in rows}

    def explanation(self, position: Position, played: int | None = None) -> Explanation:
        """Return how often each action was tried, with the mean of the points. An arrow marks the action played."""
        apart = copy(self)  # (explaining must not change what is played afterwards)
        apart.rng = deepcopy(self.rng)
        tried = sorted(apart.tried(position).items(), key=lambda item: (-item[1].visits, item[0]))
        most = tried[0][1].visits
        text = position.game.action_text
        shares = [f"{each.visits / self._playouts:.0%}" for _, each in tried]
        moves = [
            ConsideredMove(
                text(action),
                (f"{each.visits:,}", share, signed(each.mean, 2) if each.visits else ""),
                mark=share,
                weight=each.visits / most,
                is_chosen=each.visits == most,
                alike=((action,),),
            )
            for (action, each), share in zip(tried, shares, strict=True)
        ]
        return explanation_of_moves(
            f"decided by {self._playouts:,} playouts",
            moves,
            numbers=("visits", "share", "mean"),
            played=played,
            facts=("the action tried most often is played",),
            glossary=("mean: the mean points of the seat to move in the playouts that began with the action",),
        )


class Tried(NamedTuple):
    """How often an action was tried, and the mean points of the seat that plays it."""

    visits: int
    mean: float


@kernel(
    types.void(GAME_KERNELS, READ_ONLY_STATE, INT8_2D, types.int64, types.float64, types.npy_rng, INT64_2D),
    compiled_first=True,
)
def _grow(
    kernels: GameKernels, root: State, seen: Int8s, playouts: int, c: float, rng: np.random.Generator, tried: Int64s
) -> None:
    """Grow a tree from a position, and write how often each action was tried and the sum of its points."""
    contest = make_arrays(kernels, len(seen) + 2 + MOST_ACTIONS)
    contest.counters[2] = seen[0, 0] if len(seen) > 0 else root[0]
    for row in range(len(seen)):
        note_position(seen[row], contest.kept, contest.counters, kernels.symmetries, kernels.limits)
    note_position(root, contest.kept, contest.counters, kernels.symmetries, kernels.limits)
    begun = contest.counters.copy()
    tree = np.full((playouts + 1, COLUMNS), NONE, dtype=np.int64)
    tree[:, VISITS:] = 0
    path = np.zeros(MOST_ACTIONS + 1, dtype=np.int64)
    for new in range(1, playouts + 1):
        copy_row(root, contest.state)
        copy_row(begun, contest.counters)
        result, length = _descend(kernels, contest, tree, path, new, c, rng)
        points = _play_out(kernels, contest, result, MOST_ACTIONS - length, rng)
        for node in path[: length + 1]:
            tree[node, VISITS] += 1
            tree[node, POINTS] += points if tree[node, SEAT] == 0 else -points
    child = tree[0, CHILD]
    while child != NONE:
        tried[tree[child, ACTION], 0] = tree[child, VISITS]
        tried[tree[child, ACTION], 1] = tree[child, POINTS]
        child = tree[child, NEXT]


@helper
def _advance(kernels: GameKernels, contest: ContestArrays, action: int) -> int:
    """Play an action, without settling chance, and return the result."""
    kernels.play(contest.state, action)
    return _result(kernels, contest)


@helper
def _draw_event(kernels: GameKernels, contest: ContestArrays, events: int, rng: np.random.Generator) -> tuple[int, int]:
    """Draw one of the events by ``contest.cases`` and make it happen. Return the event and the result."""
    left = int(rng.random() * contest.cases[:events].sum())
    event = 0
    while left >= contest.cases[event]:
        left -= contest.cases[event]
        event += 1
    kernels.happen(contest.state, event)
    return event, _result(kernels, contest)


@helper
def _result(kernels: GameKernels, contest: ContestArrays) -> int:
    """Return the result so far; a position is noted once nothing in it is left to chance."""
    points = kernels.outcome(contest.state)
    if points != ONGOING or not kernels.is_limited or kernels.chance_events(contest.state, contest.cases) > 0:
        return int(points)
    return note_position(contest.state, contest.kept, contest.counters, kernels.symmetries, kernels.limits)


@helper
def _descend(
    kernels: GameKernels, contest: ContestArrays, tree: Int64s, path: Int64s, new: int, c: float, rng: Rng
) -> tuple[int, int]:
    """Descend the tree to an action or event not tried yet, and add its node ``new``.

    Returns:
        The result so far, and the number of nodes below the root that are written to ``path``.
    """
    node, length, result = 0, 0, ONGOING
    while result == ONGOING and length < MOST_ACTIONS and node != new:
        events = kernels.chance_events(contest.state, contest.cases) if kernels.has_chance else 0
        if events > 0:
            event, result = _draw_event(kernels, contest, events, rng)
            node = _child_by(tree, node, event, new)
        else:
            untried = _untried(kernels, contest, tree, node)
            if untried > 0:
                seat, action = contest.state[0], contest.actions[int(rng.random() * untried)]
                node = _add(tree, node, new, seat, action)
            else:
                node = _most_promising(tree, node, c)
            result = _advance(kernels, contest, tree[node, ACTION])
        length += 1
        path[length] = node
    return result, length


@helper
def _add(tree: Int64s, node: int, new: int, seat: int, action: int) -> int:
    """Add a child to a node, and return the child."""
    tree[new, ACTION] = action
    tree[new, SEAT] = seat
    tree[new, NEXT] = tree[node, CHILD]
    tree[node, CHILD] = new
    return new


@helper
def _child_by(tree: Int64s, node: int, event: int, new: int) -> int:
    """Return the child that an event leads to: the node ``new`` if it has not happened before."""
    child = tree[node, CHILD]
    while child != NONE:
        if tree[child, ACTION] == event:
            return int(child)
        child = tree[child, NEXT]
    return _add(tree, node, new, NONE, event)


@helper
def _untried(kernels: GameKernels, contest: ContestArrays, tree: Int64s, node: int) -> int:
    """Write the legal actions that a node has no child for to ``contest.actions``, and return their number."""
    actions = contest.actions
    count = int(kernels.legal(contest.state, actions))
    child = tree[node, CHILD]
    while child != NONE:
        for i in range(count):
            if actions[i] == tree[child, ACTION]:
                count -= 1
                actions[i] = actions[count]
                break
        child = tree[child, NEXT]
    return count


@helper
def _most_promising(tree: Int64s, node: int, c: float) -> int:
    """Return the child that UCB1 tries next."""
    best, most = NONE, -np.inf
    log = np.log(tree[node, VISITS])
    child = tree[node, CHILD]
    while child != NONE:
        promise = (tree[child, POINTS] + c * np.sqrt(log * tree[child, VISITS])) / tree[child, VISITS]
        if promise > most:
            best, most = child, promise
        child = tree[child, NEXT]
    return int(best)


@helper
def _play_out(kernels: GameKernels, contest: ContestArrays, result: int, most: int, rng: np.random.Generator) -> int:
    """Play on at random, and return the points of seat 0."""
    while result == ONGOING and most > 0:
        events = kernels.chance_events(contest.state, contest.cases) if kernels.has_chance else 0
        if events > 0:
            _, result = _draw_event(kernels, contest, events, rng)
            continue
        count = kernels.legal(contest.state, contest.actions)
        result = _advance(kernels, contest, contest.actions[int(rng.random() * count)])
        most -= 1
    return 0 if result in (CUT, ONGOING) else result
