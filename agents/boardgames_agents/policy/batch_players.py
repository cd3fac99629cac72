"""Policies that choose by the position alone, in many contests at once: kernels look their choices up in tables."""

from bisect import bisect
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import accumulate
from typing import TYPE_CHECKING, Any, NamedTuple, TypeGuard

import numpy as np
from numba import types
from numpy.typing import NDArray

from boardgames_agents.record import Distribution, Rng
from boardgames_env.game import Game
from boardgames_env.kernels import State, announce_compilation, copy_row, helper, kernel
from boardgames_env.kernels.bundle import named_tuple_type
from boardgames_env.kernels.signatures import (
    FLOAT64_1D,
    FLOAT64_2D,
    INT8_2D,
    INT8_2D_READONLY,
    INT32_1D,
    INT64_1D,
    Float64s,
    Int8s,
    Int32s,
    Int64s,
)
from boardgames_env.position import Position
from boardgames_env.solve.explore import ABSENT, _slot_of, rehash

if TYPE_CHECKING:
    from boardgames_agents.policy import MarkovPolicy

_MOST_POSITIONS = 1_000_000
_DRAWS = 64
"""How many random numbers are drawn at once."""

_FEW = 64
"""How many distributions are new at least when they are entered among those that a kernel looks up."""


_ROUNDING = 1e-6
"""What the sum of probabilities may differ from 1."""

_LISTS = (tuple, Sequence, np.ndarray)
_WHOLE = frozenset((int, *(np.dtype(code).type for code in np.typecodes["AllInteger"])))
_REAL = _WHOLE | {float, *(np.dtype(code).type for code in np.typecodes["Float"])}
"""The types of actions and of probabilities: those of truth values and complex numbers are not among them."""

BY_PROBABILITY, BY_NUMBER, ANY_LEGAL = range(3)
"""How an action is drawn where there are several: by a random number and the sums of their probabilities; by the number
of one of them; or like that by probability, all legal actions being equally likely, without a table."""


class Distributions(NamedTuple):
    """Distributions by position, with room for more.

    Attributes:
        states: A state in each row.
        slots: The hash table in which `find_row` finds the row of a state.
        first: Where the actions of each row begin, and those of the last end; shape ``(rows + 1,)``.
        actions: The actions of all rows.
        bounds: The probabilities of each row's actions, summed up.
        drawn: How actions are drawn: see `BY_PROBABILITY`.
    """

    states: Int8s
    slots: Int32s
    first: Int64s
    actions: Int64s
    bounds: Float64s
    drawn: int


DISTRIBUTIONS = named_tuple_type(Distributions, INT8_2D, INT32_1D, INT64_1D, INT64_1D, FLOAT64_1D, types.int64)

NewDistribution = tuple[State, tuple[int, ...], list[float]]
"""A state, the actions that may be chosen there, and the sums of their probabilities."""


def is_distribution(found: Any) -> TypeGuard[Distribution]:
    """Return whether something is a tuple of different actions and one of their probabilities, which add up to 1."""
    match found:
        case (actions, probabilities) if isinstance(actions, _LISTS) and isinstance(probabilities, _LISTS):
            with suppress(TypeError):  # (of an array without a length)
                return (
                    0 < len({*actions}) == len(actions) == len(probabilities)
                    and _WHOLE.issuperset(map(type, actions))
                    and _REAL.issuperset(map(type, probabilities))
                    and 0 <= min(probabilities) <= max(probabilities) <= 1 + _ROUNDING
                    and bool(abs(sum(probabilities) - 1) < _ROUNDING)
                )
    return False


class ChoiceTable:
    """The choices of a policy by position, those of a million positions at most, for kernels.

    Args:
        game: The game.
        distribution: The function that is asked for the choice at a position; it returns ``None`` where no action drawn
            from a distribution is that choice.
        drawn: How actions are drawn: see `BY_PROBABILITY`.

    Attributes:
        distributions: The choices that have been entered.
        rows: The number of positions among them.
    """

    def __init__(
        self, game: Game, distribution: Callable[[Position], Distribution | None], drawn: int = BY_PROBABILITY
    ) -> None:
        self._game, self._distribution, self._drawn = game.ready, distribution, drawn
        self.clear()

    def clear(self) -> None:
        """Forget all choices."""
        self.rows = 0
        self.distributions = Distributions(
            states=np.zeros((_FEW, self._game.state_size), dtype=np.int8),
            slots=np.full(4 * _FEW, ABSENT, dtype=np.int32),
            first=np.zeros(_FEW + 1, dtype=np.int64),
            actions=np.zeros(_FEW, dtype=np.int64),
            bounds=np.zeros(_FEW),
            drawn=self._drawn,
        )

    def ask(self, states: Sequence[State]) -> bool:
        """Enter the choices at states that are not entered; return whether all of them are legal actions to draw."""
        new: list[NewDistribution] = []
        for state in states:
            position = Position.unchecked(self._game, state.copy())
            distribution = self._distribution(position)
            if not is_distribution(distribution) or not set(distribution[0]) <= set(position.legal_actions):
                return False
            new.append((position.state, distribution[0], list(accumulate(distribution[1]))))
        self.enter(new)
        return True

    def enter(self, new: Sequence[NewDistribution]) -> None:
        """Enter choices at states that are not entered; more than a million are all forgotten first."""
        if self.rows > _MOST_POSITIONS:
            self.clear()
        known, rows = self.distributions, self.rows + len(new)
        ends = known.first[self.rows] + np.cumsum([len(actions) for _, actions, _ in new])
        if rows > len(known.states):
            room = 1 << rows.bit_length()
            known = known._replace(
                states=_with_room(known.states, room),
                first=_with_room(known.first, room + 1),
                slots=np.full(4 * room, ABSENT, dtype=np.int32),
            )
            rehash.run(known.states, self.rows, known.slots)
        if ends[-1] > len(known.actions):
            room = 1 << int(ends[-1]).bit_length()
            known = known._replace(actions=_with_room(known.actions, room), bounds=_with_room(known.bounds, room))
        begin = known.first[self.rows]
        known.first[self.rows + 1 : rows + 1] = ends
        known.actions[begin : ends[-1]] = np.concatenate([actions for _, actions, _ in new])
        known.bounds[begin : ends[-1]] = np.concatenate([bounds for _, _, bounds in new])
        _enter_states.run(known.states, known.slots, np.array([state for state, _, _ in new]), self.rows)
        self.distributions, self.rows = known, rows


def _with_room(array: NDArray[Any], room: int) -> NDArray[Any]:
    larger = np.zeros((room, *array.shape[1:]), dtype=array.dtype)
    larger[: len(array)] = array
    return larger


@kernel(types.void(INT8_2D, INT32_1D, INT8_2D_READONLY, types.int64))
def _enter_states(states: Int8s, slots: Int32s, new: Int8s, known: int) -> None:
    """Enter new states after the first ``known``."""
    for row in range(len(new)):
        copy_row(new[row], states[known + row])
        slots[_slot_of(states, slots, new[row])] = known + row


@helper
def find_row(distributions: Distributions, state: State) -> int:
    """Return the row of a state, or `ABSENT`."""
    return int(distributions.slots[_slot_of(distributions.states, distributions.slots, state)])


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
        self._table = ChoiceTable(game, policy.distribution)
        self._new: dict[bytes, NewDistribution] = {}
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
            count = _look_up.run(self._table.distributions, self._draws, states, copies, actions, left)
            for copy in copies[left[:count]].tolist():
                if self._draws.used[copy] == _DRAWS:
                    self._draws.numbers[copy] = self._rngs[copy].random(_DRAWS)
                    self._draws.used[copy] = 0
        for row in left[:count].tolist():
            actions[row] = self._decide(states[row], int(copies[row]))
        if len(self._new) > max(_FEW, self._table.rows // 4):
            self._table.enter(list(self._new.values()))
            self._new = {}
        return actions

    def _decide(self, state: State, copy: int) -> int:
        """Draw an action in a position whose distribution is not among those that the kernel looks up."""
        key = state.tobytes()
        if key not in self._new:
            position = Position.unchecked(self._game, state)
            actions, probabilities = self._policy.legal_distribution(position)
            self._new[key] = state.copy(), actions, list(accumulate(probabilities))
        _, actions, bounds = self._new[key]
        if len(actions) == 1:
            return actions[0]
        number = self._draws.numbers[copy, self._draws.used[copy]]
        self._draws.used[copy] += 1
        return actions[bisect(bounds[:-1], number)]


@kernel(
    types.int64(DISTRIBUTIONS, named_tuple_type(Draws, FLOAT64_2D, INT64_1D), *(INT8_2D, INT64_1D, INT64_1D, INT64_1D)),
    compiled_first=True,
)
def _look_up(
    distributions: Distributions, draws: Draws, states: Int8s, copies: Int64s, actions: Int64s, left: Int64s
) -> int:
    """Write the actions that are -1. Return how many are left, for want of a distribution or a random number."""
    count = 0
    for row in range(len(states)):
        if actions[row] >= 0:
            continue
        found = find_row(distributions, states[row])
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
