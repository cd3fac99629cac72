"""The history of a contest: how often positions have come up, how many plies were played, and the limits on both."""

from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from numba import types

from boardgames_env.errors import BadInputError, one_of, require
from boardgames_env.kernels import ONGOING, READ_ONLY_STATE, State, helper, kernel
from boardgames_env.kernels.signatures import INT32_1D, INT32_2D, INT64_2D, Int32s, Int64s

if TYPE_CHECKING:
    from boardgames_env.game import Game

CUT = 126
"""The result of a contest that a limit has cut short where no rule makes it a draw."""

RecurrenceKey = Literal["position", "board", "symmetry"]
_KEYS: tuple[RecurrenceKey, ...] = ("position", "board", "symmetry")

COUNTERS = 3
"""Length of the counter array: positions kept, plies played, seat to move."""

MOST_RECURRENCES = 1000
MOST_PLIES = 1_000_000
"""The highest limits allowed: a contest would not reach higher ones in a lifetime."""


@dataclass(frozen=True)
class Limits:
    """The limits that end a contest which the board does not end.

    Attributes:
        recurrences: How often a position comes up until the contest is drawn; 0 for no limit.
        key: What counts as the same position: the ``position`` (board and seat to move), the ``board`` alone, or the
            position up to the board's ``symmetry``.
        plies: The number of plies after which a contest ends; 0 for no limit.
        plies_draw: Whether that is a draw by rule; otherwise the contest is cut short (a truncation).
    """

    recurrences: int = 0
    key: RecurrenceKey = "position"
    plies: int = 0
    plies_draw: bool = True

    def __post_init__(self) -> None:
        if self.key not in _KEYS:
            raise BadInputError(f"key={self.key!r} is not allowed; it is one of: {one_of(_KEYS)}")
        for name, most in (("recurrences", MOST_RECURRENCES), ("plies", MOST_PLIES)):
            value = getattr(self, name)
            if not isinstance(value, int):
                raise BadInputError(f"{name}={value!r} is not allowed; it must be a whole number")
            require(0, most, **{name: value})
        if self.recurrences == 1:
            raise BadInputError("recurrences=1 is not allowed; it must be 0 (no limit) or at least 2")

    def as_array(self) -> Int32s:
        """Return the limits as an array for kernels."""
        return np.array(self.numbers, dtype=np.int32)

    @property
    def numbers(self) -> tuple[int, int, int, int]:
        """The limits as kernels read them."""
        return self.recurrences, _KEYS.index(self.key), self.plies, int(self.plies_draw)


@helper
def key_length(state_size: int) -> int:
    """Return the length of a kept position: a mark, and seven slots to a number."""
    return 1 + (state_size + 6) // 7


@helper
def doubled(kept: Int64s) -> Int64s:
    """Return the kept positions with room for twice as many."""
    larger = np.zeros((kept.shape[0], 2 * kept.shape[1]), dtype=np.int64)
    for word in range(len(kept)):
        for number in range(kept.shape[1]):
            larger[word, number] = kept[word, number]
    return larger


@helper
def note_position(
    state: State, kept: Int64s, counters: Int32s, symmetries: Int32s, limits: Int32s | tuple[int, int, int, int]
) -> int:
    """Note the position just reached. Return the result by the limits: `ONGOING`, 0 (a draw) or `CUT`.

    Args:
        state: The position.
        kept: The positions that may recur, shape ``(key_length, room)``: a column for each, with a free one.
        counters: See `COUNTERS`.
        symmetries: `Game.slot_symmetries`.
        limits: `Limits.numbers`, as a tuple or an array.
    """
    if state[0] != counters[2]:
        counters[1] += 1
        counters[2] = state[0]
    if limits[0] > 0:
        number = counters[0]
        counters[0] += 1
        _write_key(kept, number, state, symmetries, limits[1])
        if _comes_up(kept, number, limits[0]):
            return 0
    if limits[2] > 0 and counters[1] >= limits[2]:
        return 0 if limits[3] else CUT
    return ONGOING


@helper
def _comes_up(kept: Int64s, number: int, times: int) -> bool:
    """Return whether kept position ``number`` has come up this many times, itself included."""
    mark, alike = kept[0, number], 0
    # (A loop without branches reads the marks, which lie side by side, several at once. The keys are seldom needed.)
    for earlier in range(number + 1):
        alike += int(kept[0, earlier] == mark)
    if alike < times:
        return False
    for earlier in range(number):
        for word in range(1, len(kept)):
            if kept[word, earlier] != kept[word, number]:
                alike -= int(kept[0, earlier] == mark)
                break
    return alike >= times


@helper
def _write_key(kept: Int64s, number: int, state: State, symmetries: Int32s, key: int) -> None:
    """Write the key of a position, seven slots to a number; positions with equal keys are the same.

    It begins with a mark that few positions share: most comparisons end there.
    """
    symmetry = symmetries[least_image(state, symmetries) if key == 2 else 0]
    mark = 0
    for word in range(1, len(kept)):
        packed = 0
        first = 7 * (word - 1)
        if key != 2 and first + 7 <= len(state):
            for slot in range(7):  # (a loop of constant length, which is unrolled)
                packed = (packed << 8) | (int(state[first + slot]) & 0xFF)
        else:
            for slot in range(first, min(first + 7, len(state))):
                packed = (packed << 8) | (int(state[symmetry[slot]]) & 0xFF)
        if word == 1 and key == 1:  # without the seat to move
            packed &= (1 << 8 * (min(7, len(state)) - 1)) - 1
        kept[word, number] = packed
        mark ^= packed ^ (packed >> (5 * word % 56))
    kept[0, number] = mark


@helper
def least_image(state: State, symmetries: Int32s) -> int:
    """Return the symmetry that gives a state's least image, in the order of tuples."""
    least = 0
    for which in range(1, len(symmetries)):
        for slot in range(len(state)):
            here, there = state[symmetries[which, slot]], state[symmetries[least, slot]]
            if here != there:
                if here < there:
                    least = which
                break
    return least


_note_position = kernel(types.int64(READ_ONLY_STATE, INT64_2D, INT32_1D, INT32_2D, INT32_1D))(note_position)


class History:
    """The history of one contest, which decides when it is over. Call `begin`, then `add` after every action.

    Attributes:
        plies: Number of plies played.
    """

    def __init__(self, game: "Game") -> None:
        self._game = game
        self._state_size = game.state_size
        self.plies = 0
        self._seat = 0
        self._is_limited = game.kernels.is_limited
        if self._is_limited:  # (arrays take longer to make than a short contest takes to play)
            self._limits = game.limits.as_array()
            self._kept = np.zeros((key_length(game.state_size), 64 if game.limits.recurrences else 1), dtype=np.int64)
            self._counters = np.zeros(COUNTERS, dtype=np.int32)

    def __deepcopy__(self, memo: object) -> "History":
        """Copy the history; what no contest changes is shared."""
        twin = copy(self)
        if self._is_limited:
            twin._kept, twin._counters = self._kept.copy(), self._counters.copy()
        return twin

    def begin(self, state: State) -> None:
        """Begin a contest at a state of the game; of another length, it raises `BadInputError`."""
        self._check(state)
        self.plies = 0
        self._seat = state.item(0)
        if self._is_limited:
            self._counters[:] = (0, 0, self._seat)
            self._note(state)

    def add(self, state: State) -> int:
        """Note the state just reached, and return the result: `ONGOING`, the points of seat 0, or `CUT`."""
        self._check(state)
        seat = state.item(0)
        if seat != self._seat:
            self.plies += 1
            self._seat = seat
        points: int = self._game.rules.outcome.run(state)
        if points != ONGOING or not self._is_limited:
            return points
        if self._counters[0] == self._kept.shape[1]:
            self._kept = np.pad(self._kept, ((0, 0), (0, self._kept.shape[1])))
        return self._note(state)

    def _check(self, state: State) -> None:
        if len(state) != self._state_size:
            raise BadInputError(f"a state of {self._game.spec} has {self._state_size} slots, not {len(state)}")

    def _note(self, state: State) -> int:
        symmetries = self._game.kernels.symmetries
        result: int = _note_position.run(state, self._kept, self._counters, symmetries, self._limits)
        return result
