"""A `MarkovPolicy` in many contests at once: its distributions are looked up for all positions by one kernel."""

from bisect import bisect
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numba import types

from boardgames_agents.record import Rng
from boardgames_env.game import Game
from boardgames_env.kernels import State, announce_compilation
from boardgames_env.kernels.bundle import from_template, named_tuple_type
from boardgames_env.kernels.signatures import (
    FLOAT64_1D,
    FLOAT64_2D,
    INT8_2D,
    INT32_1D,
    INT64_1D,
    Float64s,
    Int8s,
    Int32s,
    Int64s,
)
from boardgames_env.position import Position
from boardgames_env.solve.explore import ABSENT, find_state, rehash

if TYPE_CHECKING:
    from boardgames_agents.policy import MarkovPolicy

_MOST_POSITIONS = 1_000_000
_DRAWS = 64
"""How many random numbers are drawn at once."""

_FEW = 64
"""How many distributions are new at least when they are entered among those that a kernel looks up."""


class Distributions(NamedTuple):
    """Distributions by position.

    Attributes:
        states: A state in each row.
        slots: The hash table in which `find_state` finds the row of a state.
        first: Where the actions of each row begin, and those of the last end; shape ``(rows + 1,)``.
        actions: The actions of all rows.
        bounds: The probabilities of each row's actions, summed up.
    """

    states: Int8s
    slots: Int32s
    first: Int64s
    actions: Int64s
    bounds: Float64s


class Draws(NamedTuple):
    """Random numbers for each copy, shape ``(copies, _DRAWS)``, and how many of them have been used."""

    numbers: Float64s
    used: Int64s


class LookupPlayer:
    """Plays in the copies of a batch by a policy's distributions: a `boardgames_env.envs.opponent.BatchPlayer`.

    The distributions are kept: those of a million positions at most.
    """

    def __init__(self, policy: "MarkovPolicy", game: Game, copies: int) -> None:
        self._policy, self._game = policy, game.ready
        policy.begin(game, (0, 1), np.random.default_rng(0))
        self._rngs: dict[int, Rng] = {}
        self._draws = Draws(np.zeros((copies, _DRAWS)), np.full(copies, _DRAWS))
        self._clear()
        announce_compilation("lookups of actions", [_look_up, rehash])

    def seed(self, copy: int, rng: Rng) -> None:
        """Take another generator for the contests of a copy."""
        self._rngs[copy] = rng
        self._draws.used[copy] = _DRAWS

    def begin(self, copies: Int64s) -> None:
        """Do nothing: the policy remembers nothing of a contest."""

    def choose(self, states: Int8s, copies: Int64s) -> Int64s:
        """Return the actions that the policy draws with the generators of the copies."""
        actions, left = np.full(len(states), -1), np.empty(len(states), dtype=np.int64)
        for _ in range(2):  # again after more numbers are drawn
            count = _look_up.run(self._distributions, self._draws, states, copies, actions, left)
            for copy in copies[left[:count]].tolist():
                if self._draws.used[copy] == _DRAWS:
                    self._draws.numbers[copy] = self._rngs[copy].random(_DRAWS)
                    self._draws.used[copy] = 0
        for row in left[:count].tolist():
            actions[row] = self._decide(states[row], int(copies[row]))
        if len(self._new) > max(_FEW, len(self._distributions.states) // 4):
            self._enter()
        return actions

    def _decide(self, state: State, copy: int) -> int:
        """Draw an action in a position whose distribution is not among those that the kernel looks up."""
        key = state.tobytes()
        if key not in self._new:
            position = Position.unchecked(self._game, state)
            actions, probabilities = self._policy.distribution(position)
            for action in actions:
                position.check(action)
            self._new[key] = state.copy(), actions, list(accumulate(probabilities))
        _, actions, bounds = self._new[key]
        if len(actions) == 1:
            return actions[0]
        number = self._draws.numbers[copy, self._draws.used[copy]]
        self._draws.used[copy] += 1
        return actions[bisect(bounds[:-1], number)]

    def _clear(self) -> None:
        self._new: dict[bytes, tuple[State, tuple[int, ...], list[float]]] = {}
        self._distributions = Distributions(
            states=np.zeros((0, self._game.state_size), dtype=np.int8),
            slots=np.full(2, ABSENT, dtype=np.int32),
            first=np.zeros(1, dtype=np.int64),
            actions=np.zeros(0, dtype=np.int64),
            bounds=np.zeros(0),
        )

    def _enter(self) -> None:
        """Enter the new distributions among those that the kernel looks up."""
        if len(self._distributions.states) > _MOST_POSITIONS:
            self._clear()
            return
        known, new = self._distributions, list(self._new.values())
        states = np.concatenate([known.states, [state for state, _, _ in new]])
        slots = np.full(1 << (4 * len(states)).bit_length(), ABSENT, dtype=np.int32)
        rehash.run(states, len(states), slots)
        self._distributions = Distributions(
            states=states,
            slots=slots,
            first=np.concatenate([known.first, known.first[-1] + np.cumsum([len(actions) for _, actions, _ in new])]),
            actions=np.concatenate([known.actions, *(actions for _, actions, _ in new)]),
            bounds=np.concatenate([known.bounds, *(bounds for _, _, bounds in new)]),
        )
        self._new = {}


def _choose(
    distributions: Distributions, draws: Draws, states: Int8s, copies: Int64s, actions: Int64s, left: Int64s
) -> int:
    """Write the actions that are -1. Return how many are left, for want of a distribution or a random number."""
    count = 0
    for row in range(len(states)):
        if actions[row] >= 0:
            continue
        found = find_state(distributions.states, distributions.slots, states[row])
        copy = copies[row]
        used = draws.used[copy]
        if found == ABSENT or used == _DRAWS:
            left[count] = row
            count += 1
            continue
        chosen, last = distributions.first[found], distributions.first[found + 1] - 1
        if chosen < last:
            number = draws.numbers[copy, used]
            draws.used[copy] += 1
            while chosen < last and distributions.bounds[chosen] <= number:
                chosen += 1
        actions[row] = distributions.actions[chosen]
    return count


_look_up = from_template(
    _choose,
    types.int64(
        named_tuple_type(Distributions, INT8_2D, INT32_1D, INT64_1D, INT64_1D, FLOAT64_1D),
        named_tuple_type(Draws, FLOAT64_2D, INT64_1D),
        *(INT8_2D, INT64_1D, INT64_1D, INT64_1D),
    ),
    compiled_first=True,
    find_state=find_state,
)
