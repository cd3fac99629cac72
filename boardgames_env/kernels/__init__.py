"""Kernels: rules and algorithms compiled by Numba, with the same signatures in every game.

A game's rules are five functions over a flat ``int8`` state whose slot 0 is the seat to move:

============ =========================================== ==============================================
kernel       signature                                   effect
============ =========================================== ==============================================
``initial``  ``(state)``                                 write the initial state
``legal``    ``(state, actions) -> n``                   write the legal actions in ascending order
``play``     ``(state, action)``                         play one action in place
``outcome``  ``(state) -> points``                       return `ONGOING`, or the points of seat 0
``encode``   ``(state, viewer, features)``               write every feature, from the seat ``viewer``
============ =========================================== ==============================================

``legal`` and ``play`` are called only for positions in which the contest goes on and no chance event is due. A game
with dice has two more kernels. A turn begins when all its chance events have happened:

================= ========================================= ===========================================
``chance_events`` ``(state, cases) -> n``                   write the number of equally likely cases of
                                                            each event; 0 events if none is due
``happen``        ``(state, event)``                        apply an event in place
================= ========================================= ===========================================

A game that can list its whole moves faster than by playing action by action has one more:

=========== ============================================ ==============================================
``moves``   ``(state, afterstates, actions) -> n``       write the distinct positions that whole moves
                                                         lead to, and for each the actions of one such
                                                         move, followed by -1
=========== ============================================ ==============================================

A search may use three more, which are called only for positions in which the contest goes on:

============ =========================================== ==============================================
``evaluate`` ``(state) -> value``                        return the heuristic value for the seat to move
``gain``     ``(state, action) -> difference``           return how much an action raises that value
``forcing``  ``(state, actions) -> n``                   write the legal actions that a search must not
                                                         stop before
============ =========================================== ==============================================

Values are whole numbers between -10,000 and 10,000, in units of the game. Each function is marked with the decorator
of its name, and the functions that it calls with `helper`. A kernel runs as plain Python until it is worth compiling
(`boardgames_env.kernels.compiling`); machine code is kept on disk by its content (`boardgames_env.kernels.disk_cache`).

An algorithm for every game takes kernels as arguments, as function pointers: ``@kernel(void(PLAY, ...))``. So it is
compiled once for all games. With ``NUMBA_DISABLE_JIT=1`` everything is plain Python, for a debugger.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import types
from numpy.typing import NDArray

from boardgames_env.errors import BadInputError
from boardgames_env.kernels.compiling import Kernel, announce_compilation, kernel
from boardgames_env.kernels.content_key import content_key
from boardgames_env.kernels.helpers import helper, inlined
from boardgames_env.kernels.signatures import (
    FLOAT32_1D,
    INT8_1D,
    INT8_1D_READONLY,
    INT8_2D,
    INT32_1D,
    INT32_2D,
    Float32s,
    Int8s,
    Int32s,
    PointerType,
)

__all__ = ["Kernel", "announce_compilation", "content_key", "helper", "inlined", "kernel"]

State = Int8s
Actions = Int32s
Features = Float32s

ONGOING = 127
"""The result of ``outcome`` while a contest goes on."""

STATE = INT8_1D
READ_ONLY_STATE = INT8_1D_READONLY
FEATURES = FLOAT32_1D

# types of function pointers, for the signatures of kernels that take kernels as arguments
INITIAL = PointerType(types.void(STATE))
LEGAL = PointerType(types.int64(READ_ONLY_STATE, INT32_1D))
PLAY = PointerType(types.void(STATE, types.int64))
OUTCOME = PointerType(types.int64(READ_ONLY_STATE))
ENCODE = PointerType(types.void(READ_ONLY_STATE, types.int64, FEATURES))
CHANCE_EVENTS = PointerType(types.int64(READ_ONLY_STATE, INT32_1D))
HAPPEN = PointerType(types.void(STATE, types.int64))
MOVES = PointerType(types.int64(READ_ONLY_STATE, INT8_2D, INT32_2D))
EVALUATE = PointerType(types.int64(READ_ONLY_STATE))
GAIN = PointerType(types.int64(READ_ONLY_STATE, types.int64))

initial = kernel(INITIAL.signature)
legal = kernel(LEGAL.signature)
play = kernel(PLAY.signature)
outcome = kernel(OUTCOME.signature)
encode = kernel(ENCODE.signature)
chance_events = kernel(CHANCE_EVENTS.signature)
happen = kernel(HAPPEN.signature)
moves = kernel(MOVES.signature)
evaluate = kernel(EVALUATE.signature)
gain = kernel(GAIN.signature)
forcing = kernel(LEGAL.signature)


def demand_kernels(of: object, **forms: PointerType) -> None:
    """Raise `BadInputError` if an attribute, by its name, is neither None nor a kernel of the form that is given."""
    for name, form in forms.items():
        given = getattr(of, name)
        if given is not None and not (isinstance(given, Kernel) and given.pointer_type == form):
            raise BadInputError(
                f"{name} of {type(of).__name__} is {getattr(given, '__name__', repr(given))}, which is not a kernel of "
                f"the form {form.signature}; the decorators in boardgames_env.kernels, ending and encoding make kernels"
            )


def markable(function: Callable[..., int]) -> Kernel:
    """Make a ``legal`` kernel that writes every action by `write_action`, so that it can write masks, too."""
    made = legal(function)
    made.can_mark = True
    return made


_MASK = np.dtype(np.int8)


@inlined
def write_action(actions: Actions, number: int, action: int, is_legal: bool) -> int:
    """Write an action if it is legal, as number ``number`` of the legal actions. Return how many there are now.

    ``actions`` is a list of actions, or a mask of int8. The next action takes the place of one that is not legal.
    """
    if actions.dtype == _MASK:
        actions[action] = is_legal
    else:
        actions[number] = action
    return number + int(is_legal)


@helper
def copy_row(source: NDArray[Any], target: NDArray[Any]) -> None:
    """Copy an array to another of the same length. (``target[:] = source`` does so, but takes seconds to compile.)"""
    for i in range(len(target)):
        target[i] = source[i]


@helper
def same_row(one: NDArray[Any], other: NDArray[Any]) -> bool:
    """Return whether two arrays of the same length are equal."""
    for i in range(len(one)):
        if one[i] != other[i]:
            return False
    return True


@helper
def is_new(rows: NDArray[Any], row: int) -> bool:
    """Return whether a row differs from all the rows before it."""
    for earlier in range(row):
        if same_row(rows[earlier], rows[row]):
            return False
    return True
