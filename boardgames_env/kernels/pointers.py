"""Pointers to kernels, as arguments of other kernels."""

from typing import Any

from numba import types
from numba.core import cgutils
from numba.experimental.function_type import FunctionModel
from numba.extending import NativeValue, register_model, unbox


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
