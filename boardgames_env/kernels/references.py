"""Functions that only borrow arrays are compiled without counting references to them.

Numba counts the references to an array's memory whenever an array is taken out of a tuple or a view of it is made, by
an atomic operation of some five nanoseconds. A function that makes no arrays and returns none need not: what it borrows
belongs to its caller for as long as it runs. In self-play by TD(λ) at backgammon the counting took a third of the time.

Only arrays, and tuples of them, are borrowed. Whatever else has memory that is counted (lists, texts, generators of
random numbers), the function that has it counts, too.
"""

from typing import Any

from numba.core import ir, types
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import AnalysisPass, register_pass
from numba.core.targetconfig import ConfigStack
from numba.core.typed_passes import AnnotateTypes
from numba.core.types.containers import BaseTuple
from numba.core.types.iterators import ArrayIterator

from boardgames_env.kernels.background import compiler

_HARMLESS = (ir.Jump, ir.Branch, ir.Return, ir.Del)

_internal_functions: dict[Any, Any] = {}
"""Functions of Numba's own, compiled without counting references."""


class BorrowingCompiler(Compiler):
    """Numba's compiler, which counts references only in functions that need it."""

    def _compile_bytecode(self) -> Any:
        compiler.demand_time()
        return super()._compile_bytecode()

    def define_pipelines(self) -> list[Any]:
        """Return Numba's passes with one more."""
        made: list[Any] = super().define_pipelines()
        for each in made:
            each.add_pass_after(_CountReferences, AnnotateTypes)
            each.finalize()
        return made


@register_pass(mutates_CFG=False, analysis_only=True)
class _CountReferences(AnalysisPass):
    """Switch the counting of references off where a function only borrows."""

    _name = "boardgames_count_references"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        """Decide it for a function whose types are known."""
        if _Analysis(state).only_borrows():
            counting = state.targetctx
            state.targetctx = counting.subtarget(enable_nrt=False)
            state.targetctx.cached_internal_func = _internal_functions
            # (what Python calls takes the arguments out of Python's objects and lets go of them: it counts)
            state.targetctx.create_cpython_wrapper = counting.create_cpython_wrapper
            state.targetctx.create_cfunc_wrapper = counting.create_cfunc_wrapper
            state.flags.nrt = ConfigStack().top().nrt = False
        return False


class _Analysis:
    """The question whether a function only borrows, given what Numba knows of it."""

    def __init__(self, state: Any) -> None:
        self._function, self._types, self._return_type = state.func_ir, state.typemap, state.return_type
        self._models = state.targetctx.data_model_manager

    def only_borrows(self) -> bool:
        """Return whether it neither makes nor returns arrays, nor leaves them to functions that might make some."""
        return (
            not self._is_counted(self._return_type)
            and all(map(self._is_borrowed, self._types.values()))
            and all(self._is_harmless(each) for block in self._function.blocks.values() for each in block.body)
        )

    def _is_counted(self, type_: Any) -> bool:
        return bool(self._models[type_].contains_nrt_meminfo())

    def _is_borrowed(self, type_: Any) -> bool:
        """Return whether values of a type are without memory that is counted, or arrays or tuples of arrays."""
        if isinstance(type_, BaseTuple):
            return all(map(self._is_borrowed, type_))
        is_array = isinstance(type_, types.Array | ArrayIterator) or _is_reshape(type_)
        return is_array or not self._is_counted(type_)

    def _holds(self, variable: Any) -> bool:
        """Return whether a variable has memory that is counted."""
        return self._is_counted(self._types[variable.name])

    def _is_harmless(self, statement: Any) -> bool:
        if isinstance(statement, ir.SetItem):
            return not (self._holds(statement.index) or self._holds(statement.value))
        if isinstance(statement, ir.StaticSetItem):
            return not self._holds(statement.value)
        if not isinstance(statement, ir.Assign):
            return isinstance(statement, _HARMLESS)
        value = statement.value
        if not isinstance(value, ir.Expr):
            return not isinstance(value, ir.Yield)
        if self._holds(statement.target):
            return self._borrows(value)
        return value.op != "call" or self._is_compiled_apart(value) or not any(map(self._holds, value.list_vars()))

    def _borrows(self, expression: Any) -> bool:
        """Return whether an expression gives an array, or a tuple of some, that belongs to something else."""
        if expression.op == "getattr":
            # (``array.imag`` may be new, and what is reshaped has to be contiguous)
            return isinstance(self._types[expression.value.name], BaseTuple) or expression.attr == "reshape"
        if expression.op == "getitem":
            return not self._holds(expression.index)  # (an array of indices makes a copy)
        if expression.op == "call":
            called = self._types[expression.func.name]
            return isinstance(called, types.NamedTupleClass) or _is_reshape(called)
        return expression.op in ("static_getitem", "getiter", "exhaust_iter", "build_tuple", "cast", "phi")

    def _is_compiled_apart(self, call: Any) -> bool:
        """Return whether a helper, a kernel or ``len`` is called: no function of Numba's that may make arrays."""
        called = self._types[call.func.name]
        if isinstance(called, types.Function):
            return called.typing_key is len
        if isinstance(called, types.ObjModeDispatcher):  # (Python keeps what it is given)
            return False
        return isinstance(called, types.Dispatcher | types.RecursiveCall | types.FunctionType)


def _is_reshape(type_: Any) -> bool:
    """Return whether it is the type of an array's method `reshape`, which makes a view."""
    return isinstance(type_, types.BoundFunction) and type_.template.key == "array.reshape"
