"""The functions that kernels call: their decorators, and how they are compiled into kernels."""

from collections.abc import Callable, Mapping, MutableMapping
from functools import partial
from typing import Any, TypeVar, cast
from weakref import WeakValueDictionary

import numba
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.environment import lookup_environment
from numba.core.registry import CPUDispatcher

from boardgames_env.kernels.interpreted import interpreted, interpreted_function, stand_in
from boardgames_env.kernels.references import BorrowingCompiler

Function = TypeVar("Function", bound=Callable[..., Any])

# kernels never divide by 0; with Numba's own check for it, the compiler could not vectorize divisions
OPTIONS = {"nogil": True, "error_model": "numpy"}


class _LinkedLibrary(JITCodeLibrary):
    """A library that is linked into those of kernels, without machine code until `link_helpers` asks for it."""

    def _optimize_final_module(self) -> None:
        """Leave most of the optimization to the kernels into which the library is linked, which would repeat it."""
        options = {"opt": 0, "loop_vectorize": False, "slp_vectorize": False}
        made = self._codegen._module_pass_manager(cost="cheap", **options)
        passes, *builder = made if isinstance(made, tuple) else (made,)  # (older versions of Numba have no builder)
        passes.run(self._final_module, *builder)

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    @global_compiler_lock
    def make_machine_code(self) -> None:
        """Make machine code for the functions of the library."""
        self._ensure_finalized()
        super()._optimize_final_module()
        super()._finalize_final_module()


_without_machine_code: MutableMapping[str, _LinkedLibrary] = WeakValueDictionary()
"""The libraries of compiled helpers, by the names of the helpers in machine code."""


class _HelperCompiler(BorrowingCompiler):
    """A compiler whose result is a `_LinkedLibrary`."""

    def _compile_bytecode(self) -> Any:
        self.state.library = _LinkedLibrary(self.state.targetctx.codegen(), self.state.func_id.func_qualname)
        return super()._compile_bytecode()


class _Helper(CPUDispatcher):
    """A function that kernels call, compiled into them alone.

    Machine code of its own, and the wrappers through which Python and C would call that, would take a third of the time
    of compiling.
    """

    def __init__(self, function: Callable[..., Any], is_unaliased: bool = False, **options: Any) -> None:
        without = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
        all_options = {"nopython": True, **OPTIONS, **without, **options}
        self._has_machine_code = _asks_python(function)
        compiler = BorrowingCompiler if self._has_machine_code else _HelperCompiler
        super().__init__(function, targetoptions=all_options, pipeline_class=compiler)
        self._compiler._customize_flags = partial(self._set_flags, noalias=is_unaliased)

    def _set_flags(self, flags: Any, noalias: bool) -> Any:
        """Set flags for which Numba has no options."""
        flags.no_compile = not self._has_machine_code
        flags.noalias = noalias
        return flags

    def add_overload(self, compiled: Any) -> None:
        """Keep what was compiled for kernels; Numba would offer it to Python, too."""
        if not self._has_machine_code:  # Numba would register that; any object of the overload's own will do
            compiled = compiled._replace(entry_point=object())
            self.targetctx.insert_user_function(compiled.entry_point, compiled.fndesc, [compiled.library])
            _without_machine_code[compiled.fndesc.mangled_name] = compiled.library
        self.overloads[tuple(compiled.signature.args)] = compiled

    def __call__(self, *args: Any) -> Any:
        """Run the function as plain Python: only kernels call what is compiled."""
        return interpreted_function(self.py_func)(*map(interpreted, args))


@interpreted.register
def _helper_in_python(value: _Helper) -> Any:
    return interpreted_function(value.py_func)


def _helper(function: Function, **options: Any) -> Function:
    return cast(Function, _Helper(function, **options))


def stands_for(helper_: Callable[..., Any]) -> Callable[[Callable[..., Any]], None]:
    """Return a decorator for what computes the same as a helper, to the last bit, but faster in plain Python."""
    return partial(stand_in, cast(_Helper, helper_).py_func)


def _asks_python(function: Any) -> bool:
    """Return whether a function has blocks that run in Python; these need machine code that Python knows."""
    names = function.__code__.co_names
    return "objmode" in names or any(function.__globals__.get(name) is numba.objmode for name in names)


def helper(function: Function) -> Function:
    """Mark a function that kernels call; it is compiled into them."""
    return _helper(function)


def inlined(function: Function) -> Function:
    """Mark a helper that is inlined, because passing its arrays takes longer than running."""
    return _helper(function, forceinline=True)


def unaliased(function: Function) -> Function:
    """Mark a helper that is inlined and whose arrays share no memory, so that the compiler can vectorize its loops."""
    return _helper(function, forceinline=True, is_unaliased=True)


def link_helpers(library: Any) -> None:
    """Tell a kernel's machine code where the helpers are that it calls by their address, and make theirs.

    These are helpers that call themselves with arguments of other types, or by way of other helpers.
    """
    _connect_environments(library)
    unresolved: Mapping[str, object] = library.codegen._rtlinker._unresolved
    while called := next((name for name in unresolved if name in _without_machine_code), None):
        helpers = _without_machine_code.pop(called)
        helpers.make_machine_code()
        _connect_environments(helpers)


def _connect_environments(library: Any) -> None:
    """Tell machine code where its functions' Python objects are, such as the texts that they print.

    Numba does so for functions with machine code of their own, and for all of a kernel that it loads.
    """
    for variable in library._final_module.global_variables:
        environment = lookup_environment(variable.name)
        if environment is not None:
            library.codegen.set_env(variable.name, environment)
