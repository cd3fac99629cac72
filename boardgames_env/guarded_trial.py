"""The trial of a game: its kernels run between guards before anything else relies on its sizes.

Compiled kernels check no bounds, so that a `Game` with a wrong ``state_size``, ``num_features`` or number of actions
would corrupt memory. In its trial, every array that a kernel gets lies between guards, and every call is made once for
each of several contents of the guards and of what the kernel has to write. A kernel that changes a guard writes beyond
its arrays; one whose results differ reads beyond them, or leaves something unwritten.
"""

import math
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from boardgames_env.chance import MOST_EVENTS
from boardgames_env.errors import BadInputError
from boardgames_env.kernels import ONGOING, State, content_key
from boardgames_env.kernels.disk_cache import read_entry, write_entry
from boardgames_env.moves import MOST_ACTIONS, MOST_MOVES

if TYPE_CHECKING:
    from boardgames_env.game import Game

TRIED_ACTIONS = 300
MOST_TRIED = 3000
"""A trial has at least 300 actions and chance events, and ends with a contest or after 3000."""

_GUARD = 4096
"""The elements on either side of an array."""

_FILLS = (0, 1, 255)
"""The contents of the guards, as bytes: in a state, an empty location and a man of either seat."""


def try_out(game: "Game") -> None:
    """Raise `BadInputError` if the kernels of a game do not fit its sizes; a game that passes is not tried again."""
    keys = [kernel.key for kernel in game.rules.kernels]
    sizes = (game.state_size, game.num_actions, game.num_features, game.board.size, game.most_points)
    key = None if None in keys else content_key(["trial", MOST_TRIED, *keys, *sizes])
    if key is not None and read_entry(key) is not None:
        return
    _Trial(game).run()
    if key is not None:
        with suppress(OSError):  # (where nothing can be kept, compiling has warned of it)
            write_entry(key, b"")


class _Guarded:
    """An array for a kernel, between guards.

    Attributes:
        name: What the array holds and how much, for messages.
        inside: The array.
    """

    def __init__(self, name: str, shape: tuple[int, ...], dtype: type) -> None:
        self.name = name
        whole: NDArray[Any] = np.zeros(math.prod(shape) + 2 * _GUARD, dtype=dtype)
        self.inside = whole[_GUARD : len(whole) - _GUARD].reshape(shape)
        self._bytes = whole.view(np.uint8)
        guard = _GUARD * whole.itemsize
        self._guards = self._bytes[:guard], self._bytes[len(self._bytes) - guard :]

    def fill(self, byte: int) -> None:
        """Fill the guards and the array."""
        self._bytes[:] = byte

    def is_intact(self, byte: int) -> bool:
        """Return whether the guards are as they were filled."""
        return all(guard.min() == guard.max() == byte for guard in self._guards)


class _Trial:
    """The trial of one game."""

    def __init__(self, game: "Game") -> None:
        self.game = game
        if game.state_size < 1 + game.board.size:
            raise self._wrong("a state is the seat to move and the men on each location, and needs room for them")
        self._state = _Guarded(f"the {game.state_size} slots of a state", (game.state_size,), np.int8)
        self._actions = _Guarded(f"room for {game.num_actions} actions", (game.num_actions,), np.int32)
        self._features = _Guarded(f"the {game.num_features} features", (game.num_features,), np.float32)
        self._cases = _Guarded(f"room for {MOST_EVENTS} chance events", (MOST_EVENTS,), np.int32)
        self._afterstates = _Guarded(f"room for {MOST_MOVES} positions", (MOST_MOVES, game.state_size), np.int8)
        self._moves = _Guarded(f"room for {MOST_MOVES} moves", (MOST_MOVES, MOST_ACTIONS + 1), np.int32)

    def run(self) -> None:
        """Play contests at random."""
        rng = np.random.default_rng(0)
        state = start = self._after("initial", None)
        for number in range(MOST_TRIED):
            if events := self._listed("chance_events", state, self._cases):
                state = self._after("happen", state, int(rng.integers(len(events))))
                continue
            self._call("encode", state, number % 2, self._features, output=self._features)
            points = self._call("outcome", state)
            if points != ONGOING:
                if abs(points) > self.game.most_points:
                    raise self._wrong(f"outcome returns {points}, but most_points is {self.game.most_points}")
                if number >= TRIED_ACTIONS:
                    return
                state = start
                continue
            legal = self._listed("legal", state, self._actions)
            if not legal or legal != sorted(set(legal)) or not 0 <= legal[0] <= legal[-1] < self.game.num_actions:
                raise self._wrong(
                    f"legal writes {legal} where the contest goes on; it must write one action or more, "
                    f"in ascending order, from 0 to {self.game.num_actions - 1}"
                )
            if self.game.rules.moves is not None:
                self._call("moves", state, self._afterstates, self._moves, output=self._afterstates)
            state = self._after("play", state, int(rng.choice(legal)))

    def _after(self, name: str, state: State | None, *arguments: int) -> State:
        """Return the state that a kernel writes in place."""
        self._call(name, state, *arguments, output=self._state)
        reached = self._state.inside.copy()
        if reached[0] not in (0, 1):
            raise self._wrong(f"{name} sets slot 0, the seat to move, to {reached[0]}; it must be 0 or 1")
        return reached

    def _listed(self, name: str, state: State, room: _Guarded) -> list[int]:
        """Return the numbers that a kernel writes and counts."""
        count = self._call(name, state, room, output=room)
        return list(room.inside[:count].tolist())

    def _call(self, name: str, state: State | None, *arguments: Any, output: _Guarded | None = None) -> Any:
        """Run a kernel for each content of the guards, and return its result.

        ``state`` is ``None`` if the kernel writes it. Of ``output``, as many rows are compared as the kernel returns;
        all, if it returns nothing.
        """
        kernel = getattr(self.game.rules, name)
        arrays = [self._state, *(each for each in arguments if isinstance(each, _Guarded))]
        inside = [each.inside if isinstance(each, _Guarded) else each for each in arguments]
        found: list[tuple[Any, bytes]] = []
        for byte in _FILLS:
            for each in arrays:
                each.fill(byte)
            if state is not None:
                self._state.inside[:] = state
            try:
                result = kernel.run(self._state.inside, *inside)
            except IndexError as error:  # (from plain Python)
                raise self._wrong(f"{name} goes beyond an array: {error}") from None
            for each in arrays:
                if not each.is_intact(byte):
                    raise self._wrong(f"{name} writes beyond {each.name}")
            written: NDArray[Any] = np.empty(0) if output is None else output.inside[:result]
            found.append((result, written.tobytes()))
        if len(set(found)) > 1:
            raise self._wrong(
                f"{name} reads beyond its arrays, or does not write all of {(output or self._state).name}"
            )
        return found[0][0]

    def _wrong(self, what: str) -> BadInputError:
        game = self.game
        return BadInputError(
            f"{game.spec or game.title} cannot be played: {what} "
            f"(state_size={game.state_size}, num_features={game.num_features}, {game.num_actions} actions, "
            f"{game.board.size} locations)"
        )
