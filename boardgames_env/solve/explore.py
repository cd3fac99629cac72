"""Every position that can be reached, numbered in the order of their plies, and the actions between them."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numba import types

from boardgames_env.chance import refuse_chance
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.kernels import (
    LEGAL,
    ONGOING,
    OUTCOME,
    PLAY,
    READ_ONLY_STATE,
    State,
    announce_compilation,
    helper,
    kernel,
)
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

MOST_POSITIONS = 20_000_000
"""Beyond this many positions a game is not one to be held in memory whole."""


ABSENT = -1


@dataclass(frozen=True)
class Reachable:
    """All reachable positions of a game as a graph.

    Attributes:
        states: Their states, shape ``(n, state_size)``; row 0 is the initial one.
        points: Seat 0's points in each, `ONGOING` where the contest goes on; shape ``(n,)``, int8.
        slots: A hash table of row numbers, `ABSENT` where free; look rows up with `find_state`.
        first_child: Where each row's children begin in ``children``; shape ``(n + 1,)``, int64.
        children: The rows that one action leads to, in the order of the actions; int32.
    """

    states: Int8s
    points: Int8s
    slots: Int32s
    first_child: Int64s
    children: Int32s


def explore(game: Game, on_progress: Callable[[int, int], None] | None = None) -> Reachable:
    """Find every reachable position of a game, breadth first.

    Args:
        game: The game.
        on_progress: Told now and then how many positions were looked at and how many are known.

    Raises:
        BadInputError: If there are more than `MOST_POSITIONS`, or anything is left to chance.
    """
    refuse_chance(game, "only games without chances are solved and played perfectly")
    if game.positions is not None and game.positions > MOST_POSITIONS:
        raise BadInputError(_too_large(game))
    announce_compilation("the solver's search", SEARCH)
    capacity, edge_capacity = 1 << 12, 1 << 14
    states = np.zeros((capacity, game.state_size), dtype=np.int8)
    points = np.zeros(capacity, dtype=np.int8)
    first_child = np.zeros(capacity + 1, dtype=np.int64)
    children = np.zeros(edge_capacity, dtype=np.int32)
    slots = np.full(4 * capacity, ABSENT, dtype=np.int32)
    states[0] = game.initial.state
    points[0] = game.rules.outcome(game.initial.state)
    _rehash(states, 1, slots)
    known, done, edges = 1, 0, 0
    actions = np.zeros(game.num_actions, dtype=np.int32)
    counters = np.array([known, done, edges], dtype=np.int64)
    rules = game.rules
    while done < known:
        _expand(rules.legal, rules.play, rules.outcome, states, points, slots, first_child, children, actions, counters)
        known, done, edges = (int(counter) for counter in counters)
        if known > MOST_POSITIONS:
            raise BadInputError(_too_large(game))
        if on_progress:
            on_progress(done, known)
        if known + game.num_actions > len(states):
            states = np.concatenate([states, np.zeros_like(states)])
            points = np.concatenate([points, np.zeros_like(points)])
            first_child = np.concatenate([first_child, np.zeros(len(points) - len(first_child) + 1, dtype=np.int64)])
            slots = np.full(4 * len(states), ABSENT, dtype=np.int32)
            _rehash(states, known, slots)
        if edges + game.num_actions > len(children):
            children = np.concatenate([children, np.zeros_like(children)])
    return Reachable(states[:known], points[:known], slots, first_child[: known + 1], children[:edges])


def _too_large(game: Game) -> str:
    return f"{game.spec} is too large to be solved: it has more than {MOST_POSITIONS:,} positions"


@helper
def _home(state: State, size: int) -> int:
    """Where a state is looked for first in a hash table whose size is a power of two."""
    code = 0
    for slot in range(len(state)):
        code = ((code ^ (int(state[slot]) & 0xFF)) * 1_000_003) & 0xFF_FFFF_FFFF  # no overflow, in Python or out of it
    return (code ^ (code >> 17)) & (size - 1)


@helper
def _same_row(states: Int8s, row: int, state: State) -> bool:
    for slot in range(len(state)):
        if states[row, slot] != state[slot]:
            return False
    return True


@helper
def _slot_of(states: Int8s, slots: Int32s, state: State) -> int:
    """The slot that holds a state, or the free one where it belongs."""
    slot = _home(state, len(slots))
    while slots[slot] != ABSENT and not _same_row(states, slots[slot], state):
        slot = (slot + 1) & (len(slots) - 1)
    return slot


@kernel(types.int64(INT8_2D_READONLY, INT32_1D_READONLY, READ_ONLY_STATE))
def find_state(states: Int8s, slots: Int32s, state: State) -> int:
    """The row of a state, or `ABSENT`."""
    return int(slots[_slot_of(states, slots, state)])


@kernel(types.void(INT8_2D, types.int64, INT32_1D))
def _rehash(states: Int8s, known: int, slots: Int32s) -> None:
    for row in range(known):
        slots[_slot_of(states, slots, states[row])] = row


@kernel(types.void(LEGAL, PLAY, OUTCOME, INT8_2D, INT8_1D, INT32_1D, INT64_1D, INT32_1D, INT32_1D, INT64_1D))
def _expand(  # type: ignore[no-untyped-def]
    legal, play, outcome, states, points, slots, first_child, children, actions, counters
) -> None:
    """Look at known positions in turn until all are done or there may be no room for one more's children."""
    known, done, edges = counters[0], counters[1], counters[2]
    room = len(actions)
    while done < known and known + room <= len(states) and edges + room <= len(children):
        if points[done] == ONGOING:
            for i in range(legal(states[done], actions)):
                child = states[known]
                child[:] = states[done]
                play(child, actions[i])
                slot = _slot_of(states, slots, child)
                if slots[slot] == ABSENT:
                    slots[slot] = known
                    points[known] = outcome(child)
                    known += 1
                children[edges] = slots[slot]
                edges += 1
        done += 1
        first_child[done] = edges
    counters[0], counters[1], counters[2] = known, done, edges


SEARCH = [_expand, _rehash, find_state]
"""The kernels that find and number the positions."""
