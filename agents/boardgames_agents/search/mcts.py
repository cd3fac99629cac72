"""Monte Carlo tree search, for any game."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numba import types

from boardgames_agents.policy import Rng
from boardgames_agents.registry import agent
from boardgames_agents.search.lookahead import LookAhead
from boardgames_env.chance import MOST_EVENTS
from boardgames_env.errors import require
from boardgames_env.game import Game
from boardgames_env.history import COUNTERS, CUT, key_length, note_position
from boardgames_env.kernels import (
    CHANCE_EVENTS,
    HAPPEN,
    LEGAL,
    ONGOING,
    OUTCOME,
    PLAY,
    READ_ONLY_STATE,
    Actions,
    State,
    announce_compilation,
    helper,
    kernel,
)
from boardgames_env.kernels.signatures import INT8_2D, INT32_1D, INT32_2D, INT64_1D, Int32s, Int64s
from boardgames_env.position import Position

# the columns of a tree, a node in each row: the action that leads to it, who plays that, its first child, the next
# child of its parent, how often it was visited, and the points that this brought who plays it; where chance decides,
# the event that leads to it, and nobody plays that
ACTION, SEAT, CHILD, NEXT, VISITS, POINTS = range(6)
COLUMNS = 6
NONE = -1


MOST_ACTIONS = 1000
"""A playout of more actions than this is given up as a draw."""


@agent("mcts")
class MonteCarlo(LookAhead):
    """Monte Carlo tree search with UCT: plays the action tried most often in so many playouts from the position.

    A playout goes down the tree of what it has tried before by the rule UCB1, adds one position to the tree, and
    plays on at random until the contest ends (Kocsis and Szepesvári, *Bandit Based Monte-Carlo Planning*, ECML
    2006). ``c`` is how much it explores: with 0 it tries what has done best. It needs no evaluation of positions.

    What is left to chance is drawn anew whenever a playout comes to it, and the tree branches by what happens.

    Raises:
        BadInputError: If an option is not allowed.
    """

    def __init__(self, game: Game, playouts: int = 1000, c: float = 1.4) -> None:
        super().__init__(game)
        require(1, 2**24, playouts=playouts)
        require(0, c=c)
        self._playouts, self._c = playouts, c

    def begin(self, game: Game, seats: tuple[int, ...], rng: Rng) -> None:
        """A contest begins."""
        super().begin(game, seats, rng)
        announce_compilation("Monte Carlo tree search", [_grow])

    def choose(self, position: Position) -> int:
        """The action tried most often."""
        visits = self.visits(position)
        most = max(visits.values())
        best = [action for action, count in visits.items() if count == most]
        return best[int(self.rng.integers(len(best)))] if len(best) > 1 else best[0]

    def visits(self, position: Position) -> dict[int, int]:
        """How often each legal action was tried."""
        rules, legal = self.game.rules, position.legal_actions
        visits = np.zeros(self.game.num_actions, dtype=np.int64)
        _grow.run(
            *(rules.legal, rules.play, rules.outcome, rules.chance_events, rules.happen, position.state, self.seen()),
            *(self.game.slot_symmetries, self.game.limits.as_array()),
            *(self._playouts, float(self._c), self.rng, visits),
        )
        return {action: int(visits[action]) for action in legal}


class Contest(NamedTuple):
    """What it takes to play a contest on.

    Attributes:
        legal: The game's kernel.
        play: The game's kernel.
        outcome: The game's kernel.
        chances: The game's kernel.
        happen: The game's kernel.
        symmetries: The board's symmetries, on states.
        limits: As `Limits.as_array` gives them.
        state: Where the contest is.
        kept: What `note_position` keeps.
        counters: What it counts.
        actions: Room for the legal actions.
        cases: Room for the cases of chance's events.
    """

    legal: Callable[[State, Actions], int]
    play: Callable[[State, int], None]
    outcome: Callable[[State], int]
    chances: Callable[[State, Actions], int]
    happen: Callable[[State, int], None]
    symmetries: Int32s
    limits: Int32s
    state: State
    kept: Int64s
    counters: Int32s
    actions: Actions
    cases: Actions


@kernel(
    types.void(
        *(LEGAL, PLAY, OUTCOME, CHANCE_EVENTS, HAPPEN, READ_ONLY_STATE, INT8_2D, INT32_2D, INT32_1D),
        *(types.int64, types.float64, types.npy_rng, INT64_1D),
    )
)
def _grow(  # type: ignore[no-untyped-def]
    legal, play, outcome, chances, happen, root, seen, symmetries, limits, playouts, c, rng, visits
) -> None:
    """Grow a tree from a position, and write how often each action was tried."""
    contest = Contest(
        *(legal, play, outcome, chances, happen, symmetries, limits, root.copy()),
        np.zeros((len(seen) + 2 + MOST_ACTIONS, key_length(len(root))), dtype=np.int64),
        np.zeros(COUNTERS, dtype=np.int32),
        np.zeros(len(visits), dtype=np.int32),
        np.zeros(MOST_EVENTS, dtype=np.int32),
    )
    contest.counters[2] = seen[0, 0] if len(seen) > 0 else root[0]
    for row in range(len(seen)):
        note_position(seen[row], contest.kept, contest.counters, symmetries, limits)
    note_position(root, contest.kept, contest.counters, symmetries, limits)
    begun = contest.counters.copy()
    tree = np.full((playouts + 1, COLUMNS), NONE, dtype=np.int64)
    tree[:, VISITS:] = 0
    path = np.zeros(MOST_ACTIONS + 1, dtype=np.int64)
    for new in range(1, playouts + 1):
        contest.state[:] = root
        contest.counters[:] = begun
        result, length = _descend(contest, tree, path, new, c, rng)
        points = _play_out(contest, result, MOST_ACTIONS - length, rng)
        for node in path[: length + 1]:
            tree[node, VISITS] += 1
            tree[node, POINTS] += points if tree[node, SEAT] == 0 else -points
    child = tree[0, CHILD]
    while child != NONE:
        visits[tree[child, ACTION]] = tree[child, VISITS]
        child = tree[child, NEXT]


@helper
def _advance(contest: Contest, action: int) -> int:
    """Play an action; the contest's result so far."""
    contest.play(contest.state, action)
    return _result(contest)


@helper
def _leave_to_chance(contest: Contest, events: int, rng: np.random.Generator) -> tuple[int, int]:
    """Draw one of some events, by ``contest.cases``, and let it happen; the event, and the contest's result so far."""
    left = int(rng.random() * contest.cases[:events].sum())
    event = 0
    while left >= contest.cases[event]:
        left -= contest.cases[event]
        event += 1
    contest.happen(contest.state, event)
    return event, _result(contest)


@helper
def _result(contest: Contest) -> int:
    """The contest's result so far, as `History.add` has it, which is asked once chance has decided all it must."""
    points = contest.outcome(contest.state)
    unlimited = contest.limits[0] == 0 and contest.limits[2] == 0
    if points != ONGOING or unlimited or contest.chances(contest.state, contest.cases) > 0:
        return int(points)
    return note_position(contest.state, contest.kept, contest.counters, contest.symmetries, contest.limits)


@helper
def _descend(
    contest: Contest, tree: Int64s, path: Int64s, new: int, c: float, rng: np.random.Generator
) -> tuple[int, int]:
    """Go down the tree to where it has not been, and add a node there; the contest's result so far, and how deep.

    ``path`` is where the nodes are written that it went through.
    """
    node, length, result = 0, 0, ONGOING
    while result == ONGOING and length < MOST_ACTIONS and node != new:
        events = contest.chances(contest.state, contest.cases)
        if events > 0:
            event, result = _leave_to_chance(contest, events, rng)
            node = _child_by(tree, node, event, new)
        else:
            untried = _untried(contest, tree, node)
            if untried > 0:
                seat, action = contest.state[0], contest.actions[int(rng.random() * untried)]
                node = _add(tree, node, new, seat, action)
            else:
                node = _most_promising(tree, node, c)
            result = _advance(contest, tree[node, ACTION])
        length += 1
        path[length] = node
    return result, length


@helper
def _add(tree: Int64s, node: int, new: int, seat: int, action: int) -> int:
    """Add a child to a node; the child."""
    tree[new, ACTION] = action
    tree[new, SEAT] = seat
    tree[new, NEXT] = tree[node, CHILD]
    tree[node, CHILD] = new
    return new


@helper
def _child_by(tree: Int64s, node: int, event: int, new: int) -> int:
    """The child that an event leads to; the new one, if it never happened before."""
    child = tree[node, CHILD]
    while child != NONE:
        if tree[child, ACTION] == event:
            return int(child)
        child = tree[child, NEXT]
    return _add(tree, node, new, NONE, event)


@helper
def _untried(contest: Contest, tree: Int64s, node: int) -> int:
    """Leave in ``contest.actions`` the legal ones that a node has no child for; how many they are."""
    actions = contest.actions
    count = int(contest.legal(contest.state, actions))
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
    """The child that UCB1 tries next."""
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
def _play_out(contest: Contest, result: int, most: int, rng: np.random.Generator) -> int:
    """Play on at random; the points of seat 0."""
    while result == ONGOING and most > 0:
        events = contest.chances(contest.state, contest.cases)
        if events > 0:
            _, result = _leave_to_chance(contest, events, rng)
            continue
        count = contest.legal(contest.state, contest.actions)
        result = _advance(contest, contest.actions[int(rng.random() * count)])
        most -= 1
    return 0 if result in (CUT, ONGOING) else result
