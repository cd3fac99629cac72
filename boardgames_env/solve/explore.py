"""The reachable positions of a game, numbered breadth first, and the actions between them."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from boardgames_env.chance import refuse_chance
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.kernels import ONGOING, READ_ONLY_STATE, Actions, State, copy_row, helper, kernel, same_row
from boardgames_env.kernels.bundle import GAME_KERNELS, GameKernels, named_tuple_type
from boardgames_env.kernels.signatures import (
    INT8_1D,
    INT8_2D,
    INT8_2D_READONLY,
    INT32_1D,
    INT32_1D_READONLY,
    INT64_1D,
    Int8s,
    Int32s,
    Int64s,
)
from boardgames_env.position import Position

MOST_POSITIONS = 20_000_000
"""The most positions of a game that is held in memory as a whole."""


ABSENT = -1

_AT_ONCE = 2048
"""The number of positions that one call expands: plain Python does so until the machine code is there."""


class Reachable(NamedTuple):
    """The reachable positions of a game as a graph.

    Attributes:
        states: The state of each position, shape ``(n, state_size)``; row 0 is the first one.
        points: Seat 0's points in each position, `ONGOING` where the contest goes on; shape ``(n,)``, int8.
        slots: A hash table of row numbers, `ABSENT` where free; look rows up with `find_state`.
        first_child: Where each row's children begin in ``children``; shape ``(n + 1,)``, int64.
        children: The rows that one action leads to, in the order of the actions; int32.
    """

    states: Int8s
    points: Int8s
    slots: Int32s
    first_child: Int64s
    children: Int32s


_REACHABLE = named_tuple_type(Reachable, INT8_2D, INT8_1D, INT32_1D, INT64_1D, INT32_1D)


def refuse_unsolvable(game: Game) -> None:
    """Raise `BadInputError` for a game that has chance events, is won by more points than one, or is known to be large.

    The most positions are `MOST_POSITIONS`.
    """
    refuse_chance(game, "only games without chance have a value of +1, 0 or -1 everywhere")
    if game.most_points > 1:
        raise BadInputError(f"{game.spec} is won by more points than one; only games that are won by one can be solved")
    if game.positions is not None and game.positions > MOST_POSITIONS:
        raise BadInputError(_too_large(game))


def explore(
    game: Game, on_progress: Callable[[int, int], None] | None = None, start: Position | None = None
) -> Reachable:
    """Find every position that can be reached from the initial one, or from ``start``, breadth first.

    ``on_progress`` is called now and then with the number of positions that were expanded and that are known.

    Raises:
        BadInputError: If there are more than `MOST_POSITIONS`, or the game has chance events.
    """
    refuse_unsolvable(game)
    capacity, edge_capacity = 1 << 12, 1 << 14
    graph = Reachable(
        states=np.zeros((capacity, game.state_size), dtype=np.int8),
        points=np.zeros(capacity, dtype=np.int8),
        slots=np.full(4 * capacity, ABSENT, dtype=np.int32),
        first_child=np.zeros(capacity + 1, dtype=np.int64),
        children=np.zeros(edge_capacity, dtype=np.int32),
    )
    graph.states[0] = (start or game.initial).state
    graph.points[0] = game.rules.outcome(graph.states[0])
    rehash(graph.states, 1, graph.slots)
    known, done, edges = 1, 0, 0
    actions = np.zeros(game.num_actions, dtype=np.int32)
    counters = np.array([known, done, edges], dtype=np.int64)
    while done < known:
        _expand(game.kernels, graph, actions, counters)
        known, done, edges = (int(counter) for counter in counters)
        if known > MOST_POSITIONS:
            raise BadInputError(_too_large(game))
        if on_progress:
            on_progress(done, known)
        graph = _graph_with_room(game, graph, known, edges)
    states, points, slots, first_child, children = graph
    return Reachable(states[:known], points[:known], slots, first_child[: known + 1], children[:edges])


def _graph_with_room(game: Game, graph: Reachable, known: int, edges: int) -> Reachable:
    """Return the graph with room for the children of at least one more position."""
    if known + game.num_actions > len(graph.states):
        states = _doubled(graph.states)
        slots = np.full(4 * len(states), ABSENT, dtype=np.int32)
        rehash(states, known, slots)
        graph = Reachable(states, _doubled(graph.points), slots, _doubled(graph.first_child), graph.children)
    if edges + game.num_actions > len(graph.children):
        graph = graph._replace(children=_doubled(graph.children))
    return graph


def _doubled(array: NDArray[Any]) -> NDArray[Any]:
    return np.concatenate([array, np.zeros_like(array)])


def _too_large(game: Game) -> str:
    return f"{game.spec} is too large to be solved: it has more than {MOST_POSITIONS:,} positions"


@helper
def _home(state: State, size: int) -> int:
    """Return the slot where the search for a state begins, in a hash table whose size is a power of two."""
    code = 0
    for slot in range(len(state)):
        code = ((code ^ (int(state[slot]) & 0xFF)) * 1_000_003) & 0xFF_FFFF_FFFF  # no overflow, in Python or out of it
    return (code ^ (code >> 17)) & (size - 1)


@helper
def _slot_of(states: Int8s, slots: Int32s, state: State) -> int:
    """Return the slot that holds a state, or the free one where it belongs."""
    slot = _home(state, len(slots))
    while slots[slot] != ABSENT and not same_row(states[slots[slot]], state):
        slot = (slot + 1) & (len(slots) - 1)
    return slot


@kernel(types.int64(INT8_2D_READONLY, INT32_1D_READONLY, READ_ONLY_STATE))
def find_state(states: Int8s, slots: Int32s, state: State) -> int:
    """Return the row of a state, or `ABSENT`."""
    return int(slots[_slot_of(states, slots, state)])


@kernel(types.void(INT8_2D, types.int64, INT32_1D))
def rehash(states: Int8s, known: int, slots: Int32s) -> None:
    """Enter the first ``known`` states in a hash table."""
    for row in range(known):
        slots[_slot_of(states, slots, states[row])] = row


@kernel(types.void(GAME_KERNELS, _REACHABLE, INT32_1D, INT64_1D))
def _expand(kernels: GameKernels, graph: Reachable, actions: Actions, counters: Int64s) -> None:
    """Expand up to `_AT_ONCE` known positions while there is room for the children of one more."""
    states, points, slots, first_child, children = graph
    known, done, edges = counters[0], counters[1], counters[2]
    room, end = len(actions), done + _AT_ONCE
    while done < min(known, end) and known + room <= len(states) and edges + room <= len(children):
        if points[done] == ONGOING:
            for i in range(kernels.legal(states[done], actions)):
                child = states[known]
                copy_row(states[done], child)
                kernels.play(child, actions[i])
                slot = _slot_of(states, slots, child)
                if slots[slot] == ABSENT:
                    slots[slot] = known
                    points[known] = kernels.outcome(child)
                    known += 1
                children[edges] = slots[slot]
                edges += 1
        done += 1
        first_child[done] = edges
    counters[0], counters[1], counters[2] = known, done, edges


SEARCH = [_expand, rehash, find_state]
"""The kernels that find and number the positions."""
