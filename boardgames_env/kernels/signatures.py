"""The types of arrays, and of pointers to kernels, in the signatures of kernels."""

from typing import Any

import numpy as np
from numba import types
from numba.core import cgutils
from numba.experimental.function_type import FunctionModel
from numba.extending import NativeValue, register_model, unbox
from numpy.typing import NDArray

# for mypy
Bools = NDArray[np.bool_]
Int8s = NDArray[np.int8]
Int16s = NDArray[np.int16]
Int32s = NDArray[np.int32]
Int64s = NDArray[np.int64]
UInt16s = NDArray[np.uint16]
UInt64s = NDArray[np.uint64]
Float32s = NDArray[np.float32]
Float64s = NDArray[np.float64]

# Numba's array types: type of the elements, number of dimensions, and whether the kernel only reads it
BOOL_1D = types.Array(types.boolean, 1, "C")
INT8_1D = types.Array(types.int8, 1, "C")
INT8_1D_READONLY = types.Array(types.int8, 1, "C", readonly=True)
INT8_2D = types.Array(types.int8, 2, "C")
INT8_2D_READONLY = types.Array(types.int8, 2, "C", readonly=True)
INT8_3D = types.Array(types.int8, 3, "C")
INT16_1D = types.Array(types.int16, 1, "C")
INT16_1D_READONLY = types.Array(types.int16, 1, "C", readonly=True)
INT16_2D = types.Array(types.int16, 2, "C")
INT32_1D = types.Array(types.int32, 1, "C")
INT32_1D_READONLY = types.Array(types.int32, 1, "C", readonly=True)
INT32_2D = types.Array(types.int32, 2, "C")
INT32_3D = types.Array(types.int32, 3, "C")
INT64_1D = types.Array(types.int64, 1, "C")
INT64_2D = types.Array(types.int64, 2, "C")
UINT64_1D = types.Array(types.uint64, 1, "C")
UINT64_3D = types.Array(types.uint64, 3, "C")
FLOAT32_1D = types.Array(types.float32, 1, "C")
FLOAT32_2D = types.Array(types.float32, 2, "C")
FLOAT32_2D_READONLY = types.Array(types.float32, 2, "C", readonly=True)
FLOAT32_3D = types.Array(types.float32, 3, "C")
FLOAT64_1D = types.Array(types.float64, 1, "C")
FLOAT64_2D = types.Array(types.float64, 2, "C")
FLOAT64_3D = types.Array(types.float64, 3, "C")
FLOAT64_4D = types.Array(types.float64, 4, "C")


class PointerType(types.FunctionType):
    """The Numba type of a pointer to a kernel with a signature.

    For its own type of pointers, Numba runs several functions in Python whenever a kernel is called from Python, which
    takes longer than most kernels. For this one it reads an attribute of the kernel, its ``address``.
    """


register_model(PointerType)(FunctionModel)


@unbox(PointerType)
def _unpack(pointer_type: PointerType, kernel: Any, context: Any) -> Any:
    """Generate the code that makes a pointer of a kernel."""
    builder, python = context.builder, context.pyapi
    address = python.object_getattr_string(kernel, "address")
    with builder.if_then(cgutils.is_null(builder, address), likely=False):
        builder.ret(python.get_null_object())
    pointer = cgutils.create_struct_proxy(pointer_type)(context.context, builder)
    # the machine code and the Python object; what the fields are called depends on the version of Numba
    pointer[0] = python.long_as_voidptr(address)
    pointer[1] = builder.bitcast(kernel, context.context.get_value_type(types.voidptr))
    python.decref(address)
    return NativeValue(pointer._getvalue())
