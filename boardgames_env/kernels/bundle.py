"""How an algorithm for every game gets the game's kernels.

It takes them as one argument, with the numbers that it needs (`GameKernels`); or it is a template, a function some of
whose global names stand for a game's own kernels.
"""

from collections.abc import Callable
from types import FunctionType
from typing import Any, NamedTuple

from numba import types
from numba.extending import typeof_impl
from numpy.typing import NDArray

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
    Kernel,
    State,
)
from boardgames_env.kernels.helpers import unaliased
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
    a kernel that is an argument of its own. The first seven are described in `boardgames_env.kernels`;
    ``symmetries`` is `Game.slot_symmetries`, and ``limits`` is what `Limits.numbers` returns.
    """

    initial: Callable[[State], None]
    legal: Callable[[State, Actions], int]
    play: Callable[[State, int], None]
    outcome: Callable[[State], int]
    encode: Callable[[State, int, Features], None]
    chance_events: Callable[[State, Actions], int]
    happen: Callable[[State, int], None]
    symmetries: Int32s
    limits: tuple[int, int, int, int, int, int, int]
    is_limited: bool
    has_chance: bool
    state_size: int
    num_actions: int


GAME_KERNELS = named_tuple_type(
    GameKernels,
    *(INITIAL, LEGAL, PLAY, OUTCOME, ENCODE, CHANCE_EVENTS, HAPPEN),
    *(INT32_2D, types.UniTuple(types.int64, 7), types.boolean, types.boolean, types.int64, types.int64),
)


def rule(*_: Any) -> Any:
    """Stand in a template for a kernel that `from_template` puts there."""
    raise AssertionError("a template must not be called")


def from_template(
    template: Callable[..., Any],
    signature: Any,
    parallel: bool = False,
    compiled_first: bool = False,
    **names: Callable[..., Any] | int | NDArray[Any],
) -> Kernel:
    """Make a kernel from a template, with kernels, helpers, numbers and arrays in place of some of its global names.

    The kernels are compiled into it: a call through a pointer would cost as much as a whole rule of a small game.
    """
    assert isinstance(template, FunctionType)
    given = {name: unaliased(value.function) if isinstance(value, Kernel) else value for name, value in names.items()}
    made = FunctionType(template.__code__, {**template.__globals__, **given}, template.__name__)
    return Kernel(made, signature, parallel, compiled_first)
