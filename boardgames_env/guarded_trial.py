"""The trial of a game: its kernels run as plain Python before anything relies on its sizes.

Compiled kernels check no bounds, so that a `Game` with a wrong ``state_size``, ``num_features`` or number of actions
would corrupt memory. Python notices whoever reads or writes beyond an array. Every call is made once for each of
several contents of what the kernel has to write: one whose results differ leaves something unwritten.

What agents rely on is tried as well: the symmetries of the board are those of the rules, ``gain`` is the difference
that ``evaluate`` makes, and ``forcing`` writes legal actions.
"""

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from boardgames_env.chance import MOST_EVENTS
from boardgames_env.ending import ENDS, board_end_kernel
from boardgames_env.errors import BadInputError
from boardgames_env.kernels import ONGOING, Kernel, State, content_key
from boardgames_env.kernels.disk_cache import read_entry, write_entry
from boardgames_env.moves import MOST_ACTIONS, MOST_MOVES

if TYPE_CHECKING:
    from boardgames_env.game import Game

TRIED_ACTIONS = 300
MOST_TRIED = 3000
MOST_VALUE = 10_000
"""A trial has at least 300 actions and chance events, and ends with a contest or after 3000."""

_KEEP = (
    "the symmetries of the board are not those of the rules: give the board homes, sets of locations that each "
    "symmetry keeps"
)

_FILLS = (0, 1, 255)
"""What arrays hold before a kernel writes to them, as bytes: in a state, an empty location and a man of either seat."""


def try_out(game: "Game") -> None:
    """Raise `BadInputError` if the kernels of a game do not fit its sizes; a game that passes is not tried again."""
    guides = game.heuristics
    kernels: list[Kernel | None] = [*game.rules.kernels, board_end_kernel(game)]
    kernels += [guides.evaluate, guides.gain, guides.forcing] if guides else []
    keys = [kernel.key if kernel else "" for kernel in kernels]
    sizes = (game.state_size, game.num_actions, game.num_features, game.board.size, game.most_points, len(game.kinds))
    frame = (str(game.board.symmetries), str(game.actions))
    key = None if None in keys else content_key(["trial of all", MOST_TRIED, *keys, *sizes, *frame])
    if key is not None and read_entry(key) is not None:
        return
    _Trial(game).run()
    if key is not None:
        with suppress(OSError):  # (where nothing can be kept, compiling has warned of it)
            write_entry(key, b"")


class _Room:
    """An array for a kernel to write to.

    Attributes:
        name: What the array holds and how much, for messages.
        array: The array.
    """

    def __init__(self, name: str, shape: tuple[int, ...], dtype: type) -> None:
        self.name = name
        self.array: NDArray[Any] = np.zeros(shape, dtype=dtype)

    def fill(self, byte: int) -> None:
        """Fill the array."""
        self.array.view(np.uint8)[:] = byte


class _Trial:
    """The trial of one game."""

    def __init__(self, game: "Game") -> None:
        self.game = game
        if game.state_size < 1 + game.board.size:
            raise self._wrong("a state is the seat to move and the men on each location, and needs room for them")
        self._state = _Room(f"the {game.state_size} slots of a state", (game.state_size,), np.int8)
        self._actions = _Room(f"room for {game.num_actions} actions", (game.num_actions,), np.int32)
        self._features = _Room(f"the {game.num_features} features", (game.num_features,), np.float32)
        self._cases = _Room(f"room for {MOST_EVENTS} chance events", (MOST_EVENTS,), np.int32)
        self._afterstates = _Room(f"room for {MOST_MOVES} positions", (MOST_MOVES, game.state_size), np.int8)
        self._moves = _Room(f"room for {MOST_MOVES} moves", (MOST_MOVES, MOST_ACTIONS + 1), np.int32)

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
                if not 1 <= (end := self._call("board_end", state)) < len(ENDS):
                    raise self._wrong(f"board_end returns {end}; it must return a number of ENDS, 1 to {len(ENDS) - 1}")
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
            action = int(rng.choice(legal))
            after = self._after("play", state, action)
            self._try_symmetry(number, state, legal, action, after)
            self._try_heuristics(state, legal, action, after)
            state = after

    def _try_symmetry(self, number: int, state: State, legal: list[int], action: int, after: State) -> None:
        """Refuse a symmetry of the board under which a state has other legal actions, or an action another result.

        The symmetries are tried in turn, one with each action of the trial.
        """
        if len(self.game.board.symmetries) == 1:
            return
        which = 1 + number % (len(self.game.board.symmetries) - 1)
        try:
            slots, actions = self.game.slot_symmetries[which], self.game.action_symmetries[which]
        except KeyError as error:
            raise self._wrong(f"a symmetry of the board carries an action to {error}, which is none; {_KEEP}") from None
        there = self.game.board.symmetries[which]
        moved = next(location for location, image in enumerate(there) if location != image)
        turned = f"with the board turned so that location {moved} is at {there[moved]}"
        image = state[slots]
        if self._call("outcome", image) != ONGOING:
            raise self._wrong(f"{turned}, a contest that goes on is over; {_KEEP}")
        if self._listed("legal", image, self._actions) != sorted(actions[legal].tolist()):
            raise self._wrong(f"{turned}, other actions are legal; {_KEEP}")
        if (self._after("play", image, int(actions[action])) != after[slots]).any():
            raise self._wrong(f"{turned}, action {action} has another result; {_KEEP}")

    def _try_heuristics(self, state: State, legal: list[int], action: int, after: State) -> None:
        """Refuse an evaluation out of bounds, a gain that is not its difference, and illegal forcing actions."""
        guides = self.game.heuristics
        if guides is None:
            return
        before, later = (self._call("evaluate", each) for each in (state, after))
        if not -MOST_VALUE < before < MOST_VALUE:
            raise self._wrong(f"evaluate returns {before}; values are between -{MOST_VALUE:,} and {MOST_VALUE:,}")
        raised = (later if after[0] == state[0] else -later) - before
        if guides.gain and (found := self._call("gain", state, action)) != raised:
            raise self._wrong(f"gain returns {found} for an action that raises the value by {raised}, by evaluate")
        if guides.forcing:
            urgent = self._listed("forcing", state, self._actions)
            if urgent != sorted(set(urgent)) or not set(urgent) <= set(legal):
                raise self._wrong(f"forcing writes {urgent} where {legal} are legal; it writes some of them, ascending")

    def _after(self, name: str, state: State | None, *arguments: int) -> State:
        """Return the state that a kernel writes in place."""
        self._call(name, state, *arguments, output=self._state)
        reached = self._state.array.copy()
        if reached[0] not in (0, 1):
            raise self._wrong(f"{name} sets slot 0, the seat to move, to {reached[0]}; it must be 0 or 1")
        if why := self.game.wrong_kind(reached):
            raise self._wrong(f"after {name}, {why}")
        return reached

    def _listed(self, name: str, state: State, room: _Room) -> list[int]:
        """Return the numbers that a kernel writes and counts."""
        count = self._call(name, state, room, output=room)
        return list(room.array[:count].tolist())

    def _call(self, name: str, state: State | None, *arguments: Any, output: _Room | None = None) -> Any:
        """Run a kernel over each content of the arrays, and return its result.

        ``state`` is ``None`` if the kernel writes it. Of ``output``, as many rows are compared as the kernel returns;
        all, if it returns nothing.
        """
        if name == "board_end":
            run = board_end_kernel(self.game).as_python
        else:
            run = getattr(self.game.rules if hasattr(self.game.rules, name) else self.game.heuristics, name).as_python
        rooms = [self._state, *(each for each in arguments if isinstance(each, _Room))]
        arrays = [each.array if isinstance(each, _Room) else each for each in arguments]
        found: list[tuple[Any, bytes]] = []
        for byte in _FILLS:
            for each in rooms:
                each.fill(byte)
            if state is not None:
                self._state.array[:] = state
            try:
                result = run(self._state.array, *arrays)
            except IndexError as error:
                raise self._wrong(f"{name} writes beyond its arrays, or reads beyond them: {error}") from None
            written: NDArray[Any] = np.empty(0) if output is None else output.array[:result]
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
