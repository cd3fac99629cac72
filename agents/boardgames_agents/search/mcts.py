"""Monte Carlo tree search, for any game."""

from copy import copy, deepcopy
from typing import NamedTuple

import numpy as np
from numba import types

from boardgames_agents.policy import Rng
from boardgames_agents.policy.explanation import (
    ConsideredMove,
    Explanation,
    alternatives,
    explanation_of_moves,
    points_in_words,
    signed,
)
from boardgames_agents.registry import agent
from boardgames_agents.search import LookAhead
from boardgames_env.contest import ContestArrays, make_arrays
from boardgames_env.errors import require
from boardgames_env.game import Game
from boardgames_env.history import CUT, note_position
from boardgames_env.kernels import (
    ONGOING,
    READ_ONLY_STATE,
    State,
    announce_compilation,
    copy_row,
    helper,
    inlined,
    kernel,
)
from boardgames_env.kernels.bundle import GAME_KERNELS, GameKernels, named_tuple_type
from boardgames_env.kernels.signatures import INT8_2D, INT64_2D, Int8s, Int64s
from boardgames_env.position import Position, demand_turn

# the columns of a tree, a node in each row: the action (or chance event) that leads to it, its first child, the next
# child of its parent, the number of its visits, and the points of seat 0 in all of these; the number of its actions (or
# events) without a child, NONE before the first, and of those that are not proven; and its proven points of seat 0, or
# ONGOING
ACTION, CHILD, NEXT, VISITS, POINTS, UNTRIED, OPEN, VALUE = range(8)
COLUMNS = 8
NONE = -1
CHANCE = NONE

MOST_ACTIONS = 1000
"""The most actions of a playout; a longer one counts as a draw."""

FEW_PLAYOUTS = 50
"""The playouts of a search that waits for no machine code."""


@agent("mcts", for_people="Trial games: plays many games to the end in its head, and does what went best")
class MonteCarlo(LookAhead):
    """Monte Carlo tree search with UCT: plays the action tried most often in ``playouts`` playouts from the position.

    A playout descends the tree of earlier playouts by the rule UCB1, adds one position to it, and plays on at random
    until the contest ends (Kocsis and Szepesvári, *Bandit Based Monte-Carlo Planning*, ECML 2006). No evaluation of
    positions is needed.

    Chance events are drawn anew in every playout, and the tree branches by event.

    A position whose contest is over has a proven value, and so has one with an action that is proven to win, or all of
    whose actions are proven (Winands, Björnsson and Saito, *Monte-Carlo Tree Search Solver*, CG 2008; draws as in
    OpenSpiel). A playout ends in a proven position. Once the position to be played is proven, the playouts that are
    left are shared among its best actions. An action that wins is played whatever the visits, and one that loses only
    if all do.

    Args:
        game: The game.
        playouts: Number of playouts for each choice.
        c: Weight of exploration; with 0, a playout follows the best results so far.
        solve: Whether it proves values; without, it is plain UCT.

    Raises:
        BadInputError: If an option is not allowed.
    """

    def __init__(self, game: Game, playouts: int = 1000, c: float = 1.4, solve: bool = True) -> None:
        super().__init__(game)
        require(1, 2**24, playouts=playouts)
        require(0, c=c)
        self._playouts, self._c, self._solve = playouts, c, solve

    def choose(self, position: Position) -> int:
        """Return the action tried most often, of those that win if there is one, and of those that do not lose."""
        best = self._best(self.tried(position))
        return best[int(self.rng.integers(len(best)))] if len(best) > 1 else best[0]

    def tried(self, position: Position) -> dict[int, "Tried"]:
        """Return how often each legal action was tried, and what that says of the points of the seat to move."""
        demand_turn(position, self.game)
        found = np.tile(np.array([0, 0, ONGOING], dtype=np.int64), (self.game.num_actions, 1))
        search = PlayoutOptions(self._playouts, float(self._c), self.game.most_points if self._solve else 0)
        is_short = self._playouts <= FEW_PLAYOUTS
        if not is_short:
            announce_compilation("Monte Carlo tree search", [_grow])
        _grow.run_for(is_short)(self.game.kernels, search, position.state, self.seen(), self.rng, found)
        rows = ((action, *found[action].tolist()) for action in position.legal_actions)
        return {
            action: Tried(visits, points / visits if visits else 0.0, None if value == ONGOING else value)
            for action, visits, points, value in rows
        }

    def _facts(self, tried: dict[int, "Tried"]) -> tuple[str, ...]:
        """Return what decides, and how many actions are proven, if any are."""
        proven = sum(each.value is not None for each in tried.values())
        counted = (f"{proven} of {len(tried)} actions are proven",) if proven else ()
        return ("the action tried most often is played, unless another is proven to win or this one to lose", *counted)

    def _best(self, tried: dict[int, "Tried"]) -> list[int]:
        """Return the actions that may be played."""

        def rank(action: int) -> tuple[int, int]:
            visits, _, value = tried[action]
            return 0 if value is None or abs(value) < self.game.most_points else value, visits

        best = max(map(rank, tried))
        return [action for action in tried if rank(action) == best]

    def explanation(self, position: Position, played: int | None = None) -> Explanation:
        """Return how often each action was tried, with the mean of the points. An arrow marks the action played."""
        apart = copy(self)  # (explaining must not change what is played afterwards)
        apart.rng = deepcopy(self.rng)
        found = apart.tried(position)
        best = self._best(found)
        tried = sorted(found.items(), key=lambda item: (item[0] not in best, -item[1].visits, item[0]))
        most = max(each.visits for each in found.values())
        text = position.game.action_text
        shares = [f"{each.visits / self._playouts:.0%}" for _, each in tried]
        moves = [
            ConsideredMove(
                text(action),
                (f"{each.visits:,}", share, signed(each.points, 2) if each.visits else ""),
                mark=share,
                weight=each.visits / most,
                is_chosen=action in best,
                alike=((action,),),
            )
            for (action, each), share in zip(tried, shares, strict=True)
        ]
        return explanation_of_moves(
            f"decided by {self._playouts:,} playouts",
            moves,
            numbers=("visits", "share", "mean"),
            played=played,
            facts=self._facts(found),
            glossary=(
                "mean: the mean points of the seat to move in the playouts that began with the action; "
                "its value once that is proven",
            ),
            legend="the share of its trial games that began so",
            verdict=f"after {self._playouts:,} trial games prefers {alternatives([text(action) for action in best])}: "
            f"{points_in_words(position, max(found[action].points for action in best))}",
        )


class Tried(NamedTuple):
    """How often an action was tried, and the points of the seat that plays it: their mean, and their proven value."""

    visits: int
    mean: float
    value: int | None

    @property
    def points(self) -> float:
        """The value if it is proven, otherwise the mean."""
        return self.mean if self.value is None else float(self.value)


class PlayoutOptions(NamedTuple):
    """Options of a search; ``wins`` is the number of points that no outcome exceeds, 0 if nothing is to be proven."""

    playouts: int
    c: float
    wins: int


_PLAYOUT_OPTIONS = named_tuple_type(PlayoutOptions, types.int64, types.float64, types.int64)


@kernel(
    types.void(GAME_KERNELS, _PLAYOUT_OPTIONS, READ_ONLY_STATE, INT8_2D, types.npy_rng, INT64_2D), compiled_first=True
)
def _grow(
    kernels: GameKernels, search: PlayoutOptions, root: State, seen: Int8s, rng: np.random.Generator, tried: Int64s
) -> None:
    """Grow a tree from a position, and write of each action its visits, the sum of its points and its value."""
    contest = make_arrays(kernels, len(seen) + 2 + MOST_ACTIONS)
    contest.counters[2] = seen[0, 0] if len(seen) > 0 else root[0]
    for row in range(len(seen)):
        note_position(seen[row], contest.kept, contest.counters, kernels.symmetries, kernels.limits)
    note_position(root, contest.kept, contest.counters, kernels.symmetries, kernels.limits)
    begun = contest.counters.copy()
    tree = np.empty((search.playouts + 1, COLUMNS), dtype=np.int64)
    _make_node(tree, 0, NONE, NONE)
    path = np.zeros((MOST_ACTIONS + 1, 2), dtype=np.int64)
    new, left = 1, search.playouts
    while left > 0 and tree[0, VALUE] == ONGOING:
        copy_row(root, contest.state)
        copy_row(begun, contest.counters)
        length = _descend(kernels, search, contest, tree, path, new, rng)
        node = path[length, 0]
        points = tree[node, VALUE]
        if points == ONGOING:
            points = _play_out(kernels, contest, MOST_ACTIONS - length, rng)
        for row in range(length + 1):
            tree[path[row, 0], VISITS] += 1
            tree[path[row, 0], POINTS] += points
        if search.wins > 0 and node == new and tree[node, VALUE] != ONGOING:
            _prove(tree, path, length, search.wins)
        new += int(node == new)
        left -= 1
    _share(tree, left)
    sign = 1 - 2 * int(root[0])
    child = tree[0, CHILD]
    while child != NONE:
        found = tried[tree[child, ACTION]]
        found[0], found[1] = tree[child, VISITS], sign * tree[child, POINTS]
        if search.wins > 0 and tree[child, VALUE] != ONGOING:
            found[2] = sign * tree[child, VALUE]
        child = tree[child, NEXT]


@inlined
def _make_node(tree: Int64s, node: int, action: int, following: int) -> None:
    """Make a node to which an action leads, and after which another child of its parent follows."""
    tree[node, ACTION] = action
    tree[node, CHILD] = NONE
    tree[node, NEXT] = following
    tree[node, VISITS] = 0
    tree[node, POINTS] = 0
    tree[node, UNTRIED] = NONE
    tree[node, OPEN] = 0
    tree[node, VALUE] = ONGOING


@inlined
def _descend(
    kernels: GameKernels, search: PlayoutOptions, contest: ContestArrays, tree: Int64s, path: Int64s, new: int, rng: Rng
) -> int:
    """Descend the tree to a node of known value, or to an action or event not tried yet, and add its node ``new``.

    Returns:
        The number of nodes below the root that are written to ``path``, each with the seat that plays its action.
    """
    node, length = 0, 0
    while tree[node, VALUE] == ONGOING and length < MOST_ACTIONS and node != new:
        seat, action = int(contest.state[0]), NONE
        events = kernels.chance_events(contest.state, contest.cases) if kernels.has_chance else 0
        if events > 0:
            seat, action = CHANCE, _draw_event(contest, events, rng)
            child = _child_by(tree, node, action)
            untried = events if child == NONE else 0
        else:
            untried = 0 if tree[node, UNTRIED] == 0 else _untried(kernels, contest, tree, node)
            child = NONE if untried > 0 else _most_promising(tree, node, 1 - 2 * seat, search)
            action = contest.actions[int(rng.random() * untried)] if untried > 0 else int(tree[child, ACTION])
        if child == NONE:
            child = new
            if tree[node, UNTRIED] == NONE:
                tree[node, UNTRIED] = tree[node, OPEN] = untried
            tree[node, UNTRIED] -= 1
            _make_node(tree, new, action, tree[node, CHILD])
            tree[node, CHILD] = new
        if seat == CHANCE:
            kernels.happen(contest.state, action)
        else:
            kernels.play(contest.state, action)
        node = child
        if node == new:
            result = _result(kernels, contest)
            tree[node, VALUE] = 0 if result == CUT else result
        elif kernels.is_limited:  # (the result is known)
            _note(kernels, contest)
        length += 1
        path[length, 0] = node
        path[length, 1] = seat
    return length


@inlined
def _draw_event(contest: ContestArrays, events: int, rng: np.random.Generator) -> int:
    """Draw one of the events by ``contest.cases``."""
    left = int(rng.random() * contest.cases[:events].sum())
    event = 0
    while left >= contest.cases[event]:
        left -= contest.cases[event]
        event += 1
    return event


@inlined
def _result(kernels: GameKernels, contest: ContestArrays) -> int:
    """Return the result so far; a position is noted once nothing in it is left to chance."""
    points = int(kernels.outcome(contest.state))
    return points if points != ONGOING or not kernels.is_limited else _note(kernels, contest)


@inlined
def _note(kernels: GameKernels, contest: ContestArrays) -> int:
    """Note a position in which the board leaves the contest open. Return the result by the limits."""
    if kernels.has_chance and kernels.chance_events(contest.state, contest.cases) > 0:
        return ONGOING
    return note_position(contest.state, contest.kept, contest.counters, kernels.symmetries, kernels.limits)


@inlined
def _child_by(tree: Int64s, node: int, event: int) -> int:
    """Return the child that an event leads to, or NONE if it has not happened before."""
    child = tree[node, CHILD]
    while child != NONE and tree[child, ACTION] != event:
        child = tree[child, NEXT]
    return int(child)


@inlined
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


@inlined
def _most_promising(tree: Int64s, node: int, sign: int, search: PlayoutOptions) -> int:
    """Return the child that UCB1 tries next; of a proven one, the value is all that counts.

    ``sign`` is 1 if seat 0 is to move, otherwise -1.
    """
    best, most = NONE, -np.inf
    log = np.log(tree[node, VISITS])
    child = tree[node, CHILD]
    while child != NONE:
        if search.wins > 0 and tree[child, VALUE] != ONGOING:
            promise = float(sign * tree[child, VALUE])
        else:
            visits = tree[child, VISITS]
            promise = (sign * tree[child, POINTS] + search.c * np.sqrt(log * visits)) / visits
        if promise > most:
            best, most = child, promise
        child = tree[child, NEXT]
    return int(best)


@inlined
def _play_out(kernels: GameKernels, contest: ContestArrays, most: int, rng: np.random.Generator) -> int:
    """Play on at random for at most ``most`` actions, and return the points of seat 0."""
    state, actions = contest.state, contest.actions
    result = ONGOING
    while result == ONGOING and most > 0:
        events = kernels.chance_events(state, contest.cases) if kernels.has_chance else 0
        if events > 0:
            kernels.happen(state, _draw_event(contest, events, rng))
        else:
            kernels.play(state, actions[int(rng.random() * kernels.legal(state, actions))])
            most -= 1
        result = _result(kernels, contest)
    return 0 if result in (CUT, ONGOING) else result


@helper
def _prove(tree: Int64s, path: Int64s, length: int, wins: int) -> None:
    """Write which nodes of a path are proven, now that its last one is."""
    for row in range(length, 0, -1):
        parent, seat = path[row - 1, 0], path[row, 1]
        value = tree[path[row, 0], VALUE]
        tree[parent, OPEN] -= 1
        if seat == CHANCE or (1 - 2 * seat) * value < wins:
            if tree[parent, OPEN] > 0:
                return
            child = tree[parent, CHILD]
            while child != NONE:
                if seat == CHANCE and tree[child, VALUE] != value:  # (nor is their mean a number of points)
                    return
                value = min(value, tree[child, VALUE]) if seat == 1 else max(value, tree[child, VALUE])
                child = tree[child, NEXT]
        tree[parent, VALUE] = value


@helper
def _share(tree: Int64s, playouts: int) -> None:
    """Share playouts that are left evenly among the actions that prove the root's value."""
    child, best = tree[0, CHILD], 0
    while child != NONE:
        best += int(tree[child, VALUE] == tree[0, VALUE])
        child = tree[child, NEXT]
    child = tree[0, CHILD]
    while child != NONE and playouts > 0:
        if tree[child, VALUE] == tree[0, VALUE]:
            more = (playouts + best - 1) // best
            tree[child, VISITS] += more
            tree[child, POINTS] += more * tree[child, VALUE]
            playouts -= more
            best -= 1
        child = tree[child, NEXT]
