"""All kernels of a game, and the numbers that algorithms for every game need, as one argument of a kernel."""

from collections.abc import Callable
from typing import Any, NamedTuple

from numba import types
from numba.extending import typeof_impl

from boardgames_env.kernels import (
    CHANCE_EVENTS,
    ENCODE,
    HAPPEN,
    INITIAL,
    LEGAL,
    OUTCOME,
    PLAY,
    Actions,
    Features,
    State,
)
from boardgames_env.kernels.signatures import INT32_2D, Int32s


def named_tuple_type(cls: type[tuple[Any, ...]], *fields: Any) -> Any:
    """Return the Numba type of a named tuple with fields of the given types.

    It is registered for the class: otherwise Numba would work it out anew, field by field, at every call from Python.
    """
    made = types.NamedTuple(fields, cls)

    @typeof_impl.register(cls)
    def _type_of(value: object, context: object) -> Any:
        return made

    return made


class GameKernels(NamedTuple):
    """The kernels of a game and what generic algorithms need beside them; made by `Game.kernels`.

    A kernel declares it as ``GAME_KERNELS`` in its signature. A call of a function in it costs as much as a call of
    a kernel that is an argument of its own.

    Attributes:
        initial: See `boardgames_env.kernels` for this and the next six.
        legal: Writes the legal actions.
        play: Plays an action.
        outcome: Returns the points of seat 0, or `ONGOING`.
        encode: Writes the features.
        chance_events: Writes the number of cases of each chance event.
        happen: Makes a chance event happen.
        symmetries: `Game.slot_symmetries`.
        limits: The numbers of `Limits.as_array`.
        is_limited: Whether any limit can end a contest.
        has_chance: Whether anything is left to chance.
        state_size: Length of a state.
        num_actions: Number of actions.
    """

    initial: Callable[[State], None]
    legal: Callable[[State, Actions], int]
    play: Callable[[State, int], None]
    outcome: Callable[[State], int]
    encode: Callable[[State, int, Features], None]
    chance_events: Callable[[State, Actions], int]
    happen: Callable[[State, int], None]
    symmetries: Int32s
    limits: tuple[int, int, int, int]
    is_limited: bool
    has_chance: bool
    state_size: int
    num_actions: int


GAME_KERNELS = named_tuple_type(
    GameKernels,
    *(INITIAL, LEGAL, PLAY, OUTCOME, ENCODE, CHANCE_EVENTS, HAPPEN),
    *(INT32_2D, types.UniTuple(types.int64, 4), types.boolean, types.boolean, types.int64, types.int64),
)
