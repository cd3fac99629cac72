"""Array types, signatures, and the decorators of a game's kernels."""

import numpy as np
from numba import types
from numpy.typing import NDArray

from boardgames_env.kernels.compiling import kernel

# what kernels and methods take, for mypy: the arrays of games by their role, others by what they hold
State = NDArray[np.int8]
Actions = NDArray[np.int32]
Features = NDArray[np.float32]
Bools = NDArray[np.bool_]
Int8s = NDArray[np.int8]
Int16s = NDArray[np.int16]
Int32s = NDArray[np.int32]
Int64s = NDArray[np.int64]
UInt16s = NDArray[np.uint16]
UInt64s = NDArray[np.uint64]
Float32s = NDArray[np.float32]
Float64s = NDArray[np.float64]

ONGOING = 127
"""The result of ``outcome`` while a contest goes on."""

# Numba's array types: type of the elements, number of dimensions, and whether the kernel only reads it
BOOL_1D = types.Array(types.boolean, 1, "C")
INT8_1D = types.Array(types.int8, 1, "C")
INT8_1D_READONLY = types.Array(types.int8, 1, "C", readonly=True)
INT8_2D = types.Array(types.int8, 2, "C")
INT8_2D_READONLY = types.Array(types.int8, 2, "C", readonly=True)
INT16_1D = types.Array(types.int16, 1, "C")
INT16_1D_READONLY = types.Array(types.int16, 1, "C", readonly=True)
INT32_1D = types.Array(types.int32, 1, "C")
INT32_1D_READONLY = types.Array(types.int32, 1, "C", readonly=True)
INT32_2D = types.Array(types.int32, 2, "C")
INT32_3D = types.Array(types.int32, 3, "C")
INT64_1D = types.Array(types.int64, 1, "C")
INT64_2D = types.Array(types.int64, 2, "C")
INT64_3D = types.Array(types.int64, 3, "C")
UINT64_1D = types.Array(types.uint64, 1, "C")
FLOAT32_1D = types.Array(types.float32, 1, "C")
FLOAT32_2D = types.Array(types.float32, 2, "C")
FLOAT32_2D_READONLY = types.Array(types.float32, 2, "C", readonly=True)
FLOAT32_3D = types.Array(types.float32, 3, "C")
FLOAT64_1D = types.Array(types.float64, 1, "C")
FLOAT64_2D = types.Array(types.float64, 2, "C")
FLOAT64_4D = types.Array(types.float64, 4, "C")

STATE = INT8_1D
READ_ONLY_STATE = INT8_1D_READONLY
FEATURES = FLOAT32_1D

_INITIAL = types.void(STATE)
_LEGAL = types.int64(READ_ONLY_STATE, INT32_1D)
_PLAY = types.void(STATE, types.int64)
_OUTCOME = types.int64(READ_ONLY_STATE)
_ENCODE = types.void(READ_ONLY_STATE, types.int64, FEATURES)
_CHANCE_EVENTS = types.int64(READ_ONLY_STATE, INT32_1D)
_HAPPEN = types.void(STATE, types.int64)
_MOVES = types.int64(READ_ONLY_STATE, INT8_2D, INT32_2D)
_EVALUATE = types.int64(READ_ONLY_STATE)
_GAIN = types.int64(READ_ONLY_STATE, types.int64)

# types of function pointers, for the signatures of kernels that take kernels as arguments
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
