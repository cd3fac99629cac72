"""Array types, signatures, and the decorators of a game's kernels."""

import numpy as np
from numba import types
from numpy.typing import NDArray

from boardgames_env.kernels.compiling import kernel

State = NDArray[np.int8]
Actions = NDArray[np.int32]
Features = NDArray[np.float32]

ONGOING = 127
"""What ``outcome`` answers while a contest goes on."""

STATE = types.Array(types.int8, 1, "C")
READ_ONLY_STATE = types.Array(types.int8, 1, "C", readonly=True)
STATES = types.Array(types.int8, 2, "C")
INDICES = types.Array(types.int32, 1, "C")
TABLE = types.Array(types.int32, 2, "C")
FEATURES = types.Array(types.float32, 1, "C")

_INITIAL = types.void(STATE)
_LEGAL = types.int64(READ_ONLY_STATE, INDICES)
_PLAY = types.void(STATE, types.int64)
_OUTCOME = types.int64(READ_ONLY_STATE)
_ENCODE = types.void(READ_ONLY_STATE, types.int64, FEATURES)
_CHANCE_EVENTS = types.int64(READ_ONLY_STATE, INDICES)
_HAPPEN = types.void(STATE, types.int64)
_MOVES = types.int64(READ_ONLY_STATE, STATES, TABLE)
_EVALUATE = types.int64(READ_ONLY_STATE)
_GAIN = types.int64(READ_ONLY_STATE, types.int64)

# what a generic algorithm's signature calls a kernel that it is passed
INITIAL = types.FunctionType(_INITIAL)
LEGAL = types.FunctionType(_LEGAL)
PLAY = types.FunctionType(_PLAY)
OUTCOME = types.FunctionType(_OUTCOME)
ENCODE = types.FunctionType(_ENCODE)
CHANCE_EVENTS = types.FunctionType(_CHANCE_EVENTS)
HAPPEN = types.FunctionType(_HAPPEN)
MOVES = types.FunctionType(_MOVES)
EVALUATE = types.FunctionType(_EVALUATE)
GAIN = types.FunctionType(_GAIN)

initial = kernel(_INITIAL)
legal = kernel(_LEGAL)
play = kernel(_PLAY)
outcome = kernel(_OUTCOME)
encode = kernel(_ENCODE)
chance_events = kernel(_CHANCE_EVENTS)
happen = kernel(_HAPPEN)
moves = kernel(_MOVES)
evaluate = kernel(_EVALUATE)
gain = kernel(_GAIN)
forcing = kernel(_LEGAL)
