"""The history of a contest: how often positions have come up, how many plies were played, and the limits on both."""

from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, cast

import numpy as np
from numba import types

from boardgames_env.ending import ENDS, End
from boardgames_env.errors import BadInputError, one_of, require
from boardgames_env.kernels import ONGOING, READ_ONLY_STATE, State, copy_row, helper, kernel, same_row
from boardgames_env.kernels.bundle import named_tuple_type
from boardgames_env.kernels.signatures import INT8_2D, INT16_1D, INT32_1D, INT32_2D, Int8s, Int16s, Int32s

if TYPE_CHECKING:
    from boardgames_env.game import Game

CUT = 126
"""The result of a contest that a limit has cut short where no rule makes it a draw."""

RecurrenceKey = Literal["position", "board", "symmetry"]
_KEYS: tuple[RecurrenceKey, ...] = ("position", "board", "symmetry")

_RECURRENCE, _NO_PROGRESS, _PLIES = map(ENDS.index, ("recurrence", "no_progress", "plies"))

Progress = Literal["man", "capture"]
_PROGRESS: tuple[Progress, ...] = ("man", "capture")

COUNTERS = 6
"""Length of the counter array: positions kept, plies played, seat to move, which limit has ended the contest,
`progress_mark`, and plies at progress."""

LimitNumbers = tuple[int, int, int, int, int, int, int]
"""The limits as kernels read them: the fields of `Limits` in order, by number, and the locations of the board."""

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
        quiet_plies: The number of plies in a row without progress after which a contest is drawn; 0 for no limit.
        progress: What is progress: a ``capture``, which changes how many locations hold men; or that and any move of a
            ``man``, one of the first kind in a game that has several (`Game.kinds`).
    """

    recurrences: int = 0
    key: RecurrenceKey = "position"
    plies: int = 0
    plies_draw: bool = True
    quiet_plies: int = 0
    progress: Progress = "man"

    def __post_init__(self) -> None:
        for name, choices in (("key", _KEYS), ("progress", _PROGRESS)):
            if getattr(self, name) not in choices:
                raise BadInputError(f"{name}={getattr(self, name)!r} is not allowed; it is one of: {one_of(choices)}")
        for name, most in (("recurrences", MOST_RECURRENCES), ("plies", MOST_PLIES), ("quiet_plies", MOST_PLIES)):
            value = getattr(self, name)
            if not isinstance(value, int):
                raise BadInputError(f"{name}={value!r} is not allowed; it must be a whole number")
            require(0, most, **{name: value})
        if self.recurrences == 1:
            raise BadInputError("recurrences=1 is not allowed; it must be 0 (no limit) or at least 2")

    @property
    def are_set(self) -> bool:
        """Whether there is any limit."""
        return bool(self.recurrences or self.plies or self.quiet_plies)

    def sentences(self, men: str = "men", crowned: str = "kings") -> list[str]:
        """Return the limits in words, a sentence each, with the words for men and for those of another kind."""
        found = []
        if self.recurrences:
            found.append(f"When the same situation comes up {self.recurrences} times, nobody has won.")
        if self.plies:
            found.append(f"After {self.plies} turns nobody has won.")
        if self.quiet_plies:
            what = f"no {men} are removed{f' and only {crowned} moved' if self.progress == 'man' else ''}"
            found.append(f"After {self.quiet_plies} turns, one after the other, in which {what}, nobody has won.")
        return found

    def numbers(self, locations: int) -> LimitNumbers:
        """Return the limits as kernels read them, for a board of some locations."""
        recurrences = self.recurrences, _KEYS.index(self.key)
        plies = self.plies, int(self.plies_draw)
        return *recurrences, *plies, self.quiet_plies, _PROGRESS.index(self.progress), locations


class KeptPositions(NamedTuple):
    """The positions of a contest that may recur, in the order in which they came up, with room for more.

    Attributes:
        marks: A number for each that few positions share, so that the others' keys need not be read, shape ``(room,)``.
        keys: States that stand for them, shape ``(room, state_size)``; positions with equal keys are the same.
    """

    marks: Int16s
    keys: Int8s


KEPT = named_tuple_type(KeptPositions, INT16_1D, INT8_2D)


@helper
def doubled(kept: KeptPositions) -> KeptPositions:
    """Return the kept positions with room for twice as many."""
    marks = np.zeros(2 * len(kept.marks), dtype=np.int16)
    keys = np.zeros((2 * len(kept.marks), kept.keys.shape[1]), dtype=np.int8)
    copy_row(kept.marks, marks[: len(kept.marks)])
    for number in range(len(kept.marks)):
        copy_row(kept.keys[number], keys[number])
    return KeptPositions(marks, keys)


@helper
def note_position(
    state: State, kept: KeptPositions, counters: Int32s, symmetries: Int32s, limits: Int32s | LimitNumbers
) -> int:
    """Note the position just reached. Return the result by the limits: `ONGOING`, 0 (a draw) or `CUT`.

    Args:
        state: The position.
        kept: The positions that may recur, with room for another.
        counters: See `COUNTERS`.
        symmetries: `Game.slot_symmetries`.
        limits: What `Limits.numbers` returns, as a tuple or an array.
    """
    if state[0] != counters[2]:
        counters[1] += 1
        counters[2] = state[0]
    counters[3] = 0
    if limits[0] > 0:
        number = counters[0]
        counters[0] += 1
        kept.marks[number] = _write_key(kept.keys[number], state, symmetries, limits[1])
        if _comes_up(kept, number, limits[0]):
            counters[3] = _RECURRENCE
            return 0
    if limits[4] > 0:
        mark = progress_mark(state, limits[5], limits[6])
        if mark != counters[4] or counters[1] == 0:
            counters[4], counters[5] = mark, counters[1]
        elif counters[1] - counters[5] >= limits[4]:
            counters[3] = _NO_PROGRESS
            return 0
    if limits[2] > 0 and counters[1] >= limits[2]:
        counters[3] = _PLIES
        return 0 if limits[3] else CUT
    return ONGOING


@helper
def progress_mark(state: State, progress: int, locations: int) -> int:
    """Return a number that every ply with progress changes, and no other."""
    mark = 0
    for slot in range(1, locations + 1):
        men = abs(int(state[slot]))
        mark += 4096 * int(men > 0)  # (more than the slots of the men that a ply moves and takes)
        if progress == 0:
            mark += slot * int(men == 1)
    return mark


@helper
def _comes_up(kept: KeptPositions, number: int, times: int) -> bool:
    """Return whether kept position ``number`` has come up this many times, itself included."""
    marks, mark = kept.marks, kept.marks[number]
    is_marked = False
    for earlier in range(number):  # (without branches, so that sixteen are read at once)
        is_marked |= marks[earlier] == mark
    if not is_marked:
        return False
    found = 1
    for earlier in range(number):
        if marks[earlier] == mark and same_row(kept.keys[earlier], kept.keys[number]):
            found += 1
    return found >= times


@helper
def _write_key(row: Int8s, state: State, symmetries: Int32s, key: int) -> int:
    """Write the key of a position. Return its mark."""
    mark = 0
    if key == 2:
        symmetry = symmetries[least_image(state, symmetries)]
        for slot in range(len(state)):
            row[slot] = state[symmetry[slot]]
            mark += int(state[symmetry[slot]]) << (5 * slot & 31)
    else:
        for slot in range(len(state)):
            row[slot] = state[slot]
            mark += int(state[slot]) << (5 * slot & 31)
    if key == 1:  # without the seat to move
        mark -= int(state[0])
        row[0] = 0
    return mark % 65_521  # (a prime number)


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


_note_position = kernel(types.int64(READ_ONLY_STATE, KEPT, INT32_1D, INT32_2D, INT32_1D))(note_position)


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
            self._limits = np.array(game.kernels.limits, dtype=np.int32)
            room = 64 if game.limits.recurrences else 1
            self._kept = KeptPositions(np.zeros(room, dtype=np.int16), np.zeros((room, game.state_size), dtype=np.int8))
            self._counters = np.zeros(COUNTERS, dtype=np.int32)

    def __deepcopy__(self, memo: object) -> "History":
        """Copy the history; what no contest changes is shared."""
        twin = copy(self)
        if self._is_limited:
            twin._kept = KeptPositions._make([array.copy() for array in self._kept])
            twin._counters = self._counters.copy()
        return twin

    def begin(self, state: State) -> None:
        """Begin a contest at a state of the game; of another length, it raises `BadInputError`."""
        self._check(state)
        self.plies = 0
        self._seat = state.item(0)
        if self._is_limited:
            self._counters[:] = 0
            self._counters[2] = self._seat
            self._note(state)

    def add(self, state: State) -> int:
        """Note the state just reached, and return the result: `ONGOING`, the points of seat 0, or `CUT`."""
        self._check(state)
        return self.add_played(np.ascontiguousarray(state))

    def add_played(self, state: State) -> int:
        """Do what `add` does for a state that play has made (not checked)."""
        seat = state.item(0)
        if seat != self._seat:
            self.plies += 1
            self._seat = seat
        points: int = self._game.rules.outcome.trusting(state)
        if points != ONGOING or not self._is_limited:
            return points
        if self._counters[0] == len(self._kept.marks):
            self._kept = KeptPositions._make([np.concatenate([array, np.zeros_like(array)]) for array in self._kept])
        return self._note(state)

    @property
    def limit(self) -> End | Literal[""]:
        """The limit that has ended the contest; empty if none has."""
        return cast(End, ENDS[self._counters[3]]) if self._is_limited else ""

    def _check(self, state: State) -> None:
        if len(state) != self._state_size:
            raise BadInputError(f"a state of {self._game.spec} has {self._state_size} slots, not {len(state)}")

    def _note(self, state: State) -> int:
        symmetries = self._game.kernels.symmetries
        result: int = _note_position.run(state, self._kept, self._counters, symmetries, self._limits)
        return result
