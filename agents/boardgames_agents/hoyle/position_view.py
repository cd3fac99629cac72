"""The view of a position that Advisors refer to: its symmetrically distinct moves and what may follow them.

A `PositionView` is a position from the perspective of the seat to move, a `Choice` one of its moves, and
``choice.then`` the other seat's view after that move. What follows is computed when it is first asked for.
Views do not depend on what has been learned, so a `ViewCache` keeps them.

One kernel writes all moves of a state, for any game. `boardgames_env.moves` writes distinct afterstates only; Hoyle
also needs every sequence of actions that leads to one, the key of each afterstate under the symmetries that it has
induced, and the points.
"""

from functools import cached_property
from itertools import islice
from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from boardgames_agents.hoyle.game_frame import GameFrame
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.history import least_image
from boardgames_env.kernels import ONGOING, READ_ONLY_STATE, Actions, State, copy_row, helper, kernel
from boardgames_env.kernels.bundle import GAME_KERNELS, GameKernels, named_tuple_type
from boardgames_env.kernels.signatures import INT8_1D, INT8_2D, INT32_1D, INT32_2D, Int8s, Int32s
from boardgames_env.position import Position, demand_turn

LONGEST = 9
"""The largest number of actions in a turn: a king at draughts jumps over nine men at most."""

NO_ROOM = -1
TOO_LONG = -2


class MoveRows(NamedTuple):
    """The moves of a state, a row each.

    Attributes:
        states: The states after the moves.
        keys: The canonical forms of these states.
        actions: The actions, shape ``(rows, LONGEST)``; -1 after the last one.
        points: `ONGOING`, or the points of seat 0.
    """

    states: Int8s
    keys: Int8s
    actions: Int32s
    points: Int32s


_MOVE_ROWS = named_tuple_type(MoveRows, INT8_2D, INT8_2D, INT32_2D, INT32_1D)


def make_rows(count: int, state_size: int) -> MoveRows:
    """Return empty rows."""
    return MoveRows(
        np.empty((count, state_size), dtype=np.int8),
        np.empty((count, state_size), dtype=np.int8),
        np.empty((count, LONGEST), dtype=np.int32),
        np.empty(count, dtype=np.int32),
    )


@helper
def _write_key(state: State, symmetries: Int32s, key: State) -> None:
    least = least_image(state, symmetries)
    for slot in range(len(state)):
        key[slot] = state[symmetries[least, slot]]


@kernel(types.void(READ_ONLY_STATE, INT32_2D, INT8_1D))
def find_key(state: State, symmetries: Int32s, key: State) -> None:
    """Write the canonical form of a state, the first of its images under the symmetries."""
    _write_key(state, symmetries, key)


@kernel(types.int64(GAME_KERNELS, READ_ONLY_STATE, INT32_2D, INT32_1D, _MOVE_ROWS))
def expand(game: GameKernels, state: State, symmetries: Int32s, buffer: Actions, rows: MoveRows) -> int:
    """Write every way to complete the turn from a state that is not over to the rows.

    The buffer is as long as the number of actions of the game, times `LONGEST`; the first symmetry is the identity.

    Returns:
        The number of moves; `NO_ROOM` if there are more of them than rows, `TOO_LONG` if a turn has more actions than
        `LONGEST`.
    """
    seat = state[0]
    width = len(buffer) // LONGEST
    reached = np.empty((LONGEST + 1, len(state)), dtype=np.int8)
    counts = np.zeros(LONGEST, dtype=np.int64)
    tried = np.zeros(LONGEST, dtype=np.int64)
    taken = np.full(LONGEST, -1, dtype=np.int32)
    copy_row(state, reached[0])
    counts[0] = game.legal(reached[0], buffer[:width])
    found = 0
    depth = 0
    while depth >= 0:
        if tried[depth] == counts[depth]:
            taken[depth] = -1
            depth -= 1
            continue
        action = buffer[depth * width + tried[depth]]
        tried[depth] += 1
        taken[depth] = action
        after = reached[depth + 1]
        copy_row(reached[depth], after)
        game.play(after, action)
        result = game.outcome(after)
        if result != ONGOING or after[0] != seat:
            if found == len(rows.points):
                return NO_ROOM
            copy_row(after, rows.states[found])
            _write_key(after, symmetries, rows.keys[found])
            copy_row(taken, rows.actions[found])
            rows.points[found] = result
            found += 1
        else:
            depth += 1
            if depth == LONGEST:
                return TOO_LONG
            tried[depth] = 0
            counts[depth] = game.legal(after, buffer[depth * width : (depth + 1) * width])
    return found


_MOST_VIEWS = 50_000
_MOST_CHOICES = 500_000
"""The limits of the cache; choices need most of the memory, about half a kilobyte each."""


class Choice:
    """A move, together with the moves that are equal up to symmetry.

    Attributes:
        actions: The move's actions.
        alike: The actions of all moves to the same position up to symmetry, this one's first.
        state: The state after the move, as bytes.
        key: The canonical form of that state under the symmetries.
        points: The mover's points if the contest is over then, otherwise ``None``.
        own: The locations of the mover's men after the move, as a bit mask.
        enemy: The locations of the other seat's men after the move.
        kinds: For each further kind of men (`Game.kinds`), the locations of those of both seats.
    """

    __slots__ = ("_cache", "_then", "actions", "alike", "enemy", "key", "kinds", "own", "points", "state")

    def __init__(
        self,
        cache: "ViewCache",
        actions: tuple[int, ...],
        state: bytes,
        key: bytes,
        points: int | None,
        men: tuple[int, ...],
    ) -> None:
        self._cache = cache
        self._then: PositionView | None = None
        self.actions, self.alike = actions, [actions]
        self.state, self.key, self.points = state, key, points
        self.own, self.enemy, *kinds = men
        self.kinds = tuple(kinds)

    @property
    def then(self) -> "PositionView":
        """The view after the move for the other seat, if the contest goes on."""
        if self._then is None:
            self._then = self._cache.view(self.state, self.key, (self.enemy, self.own, *self.kinds))
        return self._then

    @property
    def replies(self) -> "tuple[Choice, ...]":
        """The other seat's moves after this one; none if the contest is over."""
        return () if self.points is not None else self.then.choices

    @property
    def is_safe(self) -> bool:
        """Whether neither the move nor a reply to it loses at once."""
        return (self.points is None or self.points >= 0) and not any((r.points or 0) > 0 for r in self.replies)

    def mobility(self, mine: bool) -> int:
        """Return the number of legal actions that the mover or the other seat would have next if it were to move."""
        return 0 if self.points is not None else self._cache.mobility(self.state, to_move=not mine)


class PositionView:
    """A position from the perspective of the seat to move.

    Attributes:
        frame: The game's frame.
        state: The state, as bytes.
        key: The canonical form of the state under the symmetries; the seat to move is part of it.
        seat: The seat to move.
        own: The locations of its men, as a bit mask.
        enemy: The locations of the other seat's men.
        kinds: For each further kind of men (`Game.kinds`), the locations of those of both seats.
    """

    def __init__(self, cache: "ViewCache", state: bytes, key: bytes, men: tuple[int, ...] | None = None) -> None:
        self._cache, self.frame = cache, cache.frame
        self.state, self.key, self.seat = state, key, state[0]
        if men is None:
            (men,) = _men_of(self.frame.game, np.frombuffer(state, dtype=np.int8)[np.newaxis], self.seat)
        self.own, self.enemy, *kinds = men
        self.kinds = tuple(kinds)

    @cached_property
    def choices(self) -> tuple[Choice, ...]:
        """The symmetrically distinct moves."""
        return self._cache.choices(self)

    @cached_property
    def empty(self) -> int:
        """The empty locations, as a bit mask."""
        return ~(self.own | self.enemy) & ((1 << self.frame.game.board.size) - 1)

    @cached_property
    def places(self) -> bool:
        """Whether this is a placing stage, in which some move puts a man on the board."""
        return any(choice.own.bit_count() > self.own.bit_count() for choice in self.choices)

    @cached_property
    def is_forced(self) -> bool:
        """Whether at most one move loses neither at once nor by a reply to it."""
        safe = (choice for choice in self.choices if choice.is_safe)
        return len(tuple(islice(safe, 2))) < 2

    @property
    def canonical(self) -> "PositionView":
        """The view of the canonical form of the position."""
        return self._cache.view(self.key, self.key)

    @property
    def lines(self) -> tuple[int, ...]:
        """The lines that the seat to move plays for, as bit masks."""
        return self.frame.goals[self.seat]

    @property
    def enemy_lines(self) -> tuple[int, ...]:
        """The lines that the other seat plays for, as bit masks."""
        return self.frame.goals[1 - self.seat]

    def mobility(self, mine: bool) -> int:
        """Return the number of legal actions that the seat to move has, or the other would have if it were to move."""
        return self._cache.mobility(self.state, to_move=mine)

    @property
    def position(self) -> Position:
        """The position."""
        return Position.unchecked(self.frame.game, np.frombuffer(self.state, dtype=np.int8).copy())

    def choice_of(self, actions: tuple[int, ...]) -> Choice:
        """Return the choice to which a move belongs."""
        return next(choice for choice in self.choices if actions in choice.alike)


class ViewCache:
    """The views of a game's positions, made on demand and kept."""

    def __init__(self, frame: GameFrame) -> None:
        self.frame = frame
        game = frame.game
        self._buffer = np.empty(game.num_actions * LONGEST, dtype=np.int32)
        self._rows = make_rows(256, game.state_size)
        self._key = np.empty(game.state_size, dtype=np.int8)
        self._views: dict[bytes, PositionView] = {}
        self._choices = 0
        self._mobility: dict[tuple[bytes, bool], int] = {}

    def __reduce__(self) -> "tuple[type[ViewCache], tuple[GameFrame]]":
        # Views lead to views, deeper than Python's stack: a copy makes its own.
        return ViewCache, (self.frame,)

    def view_of(self, position: Position) -> PositionView:
        """Return the view of a position that is not over; others raise `BadInputError`."""
        demand_turn(position, self.frame.game)
        return self.view_of_state(position.key)

    def view_of_state(self, state: bytes) -> PositionView:
        """Return the view of a state that is not over."""
        if state not in self._views:
            find_key.run(np.frombuffer(state, dtype=np.int8), self.frame.slots, self._key)
            return self.view(state, self._key.tobytes())
        return self._views[state]

    def view(self, state: bytes, key: bytes, men: tuple[int, ...] | None = None) -> PositionView:
        """Return the view of a state whose key is known, and perhaps its own men, the enemy's, and their kinds."""
        known = self._views.get(state)
        if known is None:
            if len(self._views) >= _MOST_VIEWS or self._choices >= _MOST_CHOICES:
                self._views.clear()
                self._choices = 0
            known = self._views[state] = PositionView(self, state, key, men)
        return known

    def choices(self, view: PositionView) -> tuple[Choice, ...]:
        """Return the symmetrically distinct moves of a view, in ascending order of their actions."""
        game = self.frame.game
        found = NO_ROOM
        state = np.frombuffer(view.state, dtype=np.int8)
        while found == NO_ROOM:
            found = expand.run(game.kernels, state, self.frame.slots, self._buffer, self._rows)
            if found == NO_ROOM:
                self._rows = make_rows(2 * len(self._rows.points), game.state_size)
            elif found == TOO_LONG:
                raise BadInputError(f"Hoyle cannot play {game.spec}: a turn of it has more than {LONGEST} actions")
        rows = self._rows
        men = _men_of(game, rows.states[:found], view.seat)
        states, keys = _bytes_of_rows(rows.states[:found]), _bytes_of_rows(rows.keys[:found])
        points, actions = rows.points[:found].tolist(), rows.actions[:found].tolist()
        distinct: dict[bytes, Choice] = {}
        for row, key in enumerate(keys):
            taken = tuple(action for action in actions[row] if action >= 0)
            if key in distinct:
                distinct[key].alike.append(taken)
                continue
            result = None if points[row] == ONGOING else points[row] if view.seat == 0 else -points[row]
            distinct[key] = Choice(self, taken, states[row], key, result, men[row])
        self._choices += len(distinct)
        return tuple(distinct.values())

    def mobility(self, state: bytes, to_move: bool) -> int:
        """Return the number of legal actions of the seat to move, or of the other one if it were to move."""
        known = self._mobility.get((state, to_move))
        if known is None:
            array = np.frombuffer(state, dtype=np.int8).copy()
            if not to_move:
                array[0] = 1 - array[0]
            known = int(self.frame.game.rules.legal.run(array, self._buffer))
            if len(self._mobility) >= _MOST_VIEWS:
                self._mobility.clear()
            self._mobility[state, to_move] = known
        return known


def _bytes_of_rows(array: NDArray[np.int8] | NDArray[np.uint8]) -> list[bytes]:
    """Return the rows of an array as bytes."""
    whole, width = array.tobytes(), array.shape[1]
    return [whole[start : start + width] for start in range(0, len(whole), width)]


def _men_of(game: Game, states: NDArray[np.int8], seat: int) -> list[tuple[int, ...]]:
    """Return for each state the locations of a seat's men, of the other's, and of each further kind, as bit masks."""
    men = states[:, 1 : 1 + game.board.size] * (1 - 2 * seat)
    kinds = (abs(men) == kind for kind in range(2, 2 + len(game.kinds)))
    return list(zip(*map(_masks, (men > 0, men < 0, *kinds)), strict=True))


def _masks(there: NDArray[np.bool_]) -> list[int]:
    """Return each row of an array as a bit mask."""
    packed = np.packbits(there, axis=1, bitorder="little")
    return [int.from_bytes(row, "little") for row in _bytes_of_rows(packed)]
