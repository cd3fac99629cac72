"""Kernels made from templates: functions some of whose global names stand for a game's own kernels."""

from collections.abc import Callable
from types import FunctionType
from typing import Any

from boardgames_env.kernels import Kernel
from boardgames_env.kernels.compiling import unaliased


def rule(*_: Any) -> Any:
    """Stand in a template for a kernel that `from_template` puts there."""
    raise AssertionError("a template must not be called")


def from_template(
    template: Callable[..., Any], signature: Any, parallel: bool = False, **names: Kernel | int
) -> Kernel:
    """Make a kernel from a template, with kernels and numbers in the place of some of its global names.

    The kernels are compiled into it: a call through a pointer would cost as much as a whole rule of a small game.
    """
    assert isinstance(template, FunctionType)
    given = {name: unaliased(value.function) if isinstance(value, Kernel) else value for name, value in names.items()}
    made = FunctionType(template.__code__, {**template.__globals__, **given}, template.__name__)
    return Kernel(made, signature, parallel=parallel)
