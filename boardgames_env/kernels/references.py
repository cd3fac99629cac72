"""Functions that only borrow arrays are compiled without counting references to them.

Numba counts the references to an array's memory whenever an array is taken out of a tuple or a view of it is made, by
an atomic operation of some five nanoseconds. A function that makes no arrays and returns none need not: what it borrows
belongs to its caller for as long as it runs. In self-play by TD(λ) at backgammon the counting took a third of the time.
"""

from typing import Any

from numba.core import ir, types
from numba.core.compiler import Compiler
from numba.core.compiler_machinery import AnalysisPass, register_pass
from numba.core.targetconfig import ConfigStack
from numba.core.typed_passes import AnnotateTypes

_BORROWING = {"getattr", "static_getitem", "getitem", "getiter", "exhaust_iter", "build_tuple", "cast", "phi"}
"""The expressions that give an array, or a tuple with arrays, that belongs to something else."""
_HARMLESS = (ir.Jump, ir.Branch, ir.Return, ir.Del)

_internal_functions: dict[Any, Any] = {}
"""Functions of Numba's own, compiled without counting references."""


class BorrowingCompiler(Compiler):
    """Numba's compiler, which counts references only in functions that need it."""

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
        if _only_borrows(state):
            state.targetctx = state.targetctx.subtarget(enable_nrt=False)
            state.targetctx.cached_internal_func = _internal_functions
            state.flags.nrt = ConfigStack().top().nrt = False
        return False


def _only_borrows(state: Any) -> bool:
    """Return whether a function neither makes arrays nor returns them, nor leaves them to functions that might."""

    def is_counted(type_: Any) -> bool:
        return bool(state.targetctx.data_model_manager[type_].contains_nrt_meminfo())

    def holds(variable: Any) -> bool:
        return is_counted(state.typemap[variable.name])

    def borrows(expression: Any) -> bool:
        if expression.op == "getitem":
            return not holds(expression.index)  # (an array of indices makes a copy)
        if expression.op != "call":
            return expression.op in _BORROWING
        return False

    def is_harmless(statement: Any) -> bool:
        if isinstance(statement, ir.SetItem):
            return not (holds(statement.index) or holds(statement.value))
        if isinstance(statement, ir.StaticSetItem):
            return not holds(statement.value)
        if not isinstance(statement, ir.Assign):
            return isinstance(statement, _HARMLESS)
        value = statement.value
        if not isinstance(value, ir.Expr):
            return not isinstance(value, ir.Yield)
        if holds(statement.target):
            return borrows(value)
        return value.op != "call" or _is_compiled_apart(state, value) or not any(map(holds, value.list_vars()))

    return not is_counted(state.return_type) and all(
        is_harmless(statement) for block in state.func_ir.blocks.values() for statement in block.body
    )


def _is_compiled_apart(state: Any, call: Any) -> bool:
    """Return whether a helper, a kernel or ``len`` is called: no function of Numba's that may make arrays."""
    called = state.typemap[call.func.name]
    if isinstance(called, types.Function):
        return called.typing_key is len
    return isinstance(called, types.Dispatcher | types.RecursiveCall | types.FunctionType)
