"""Specs: ``name(option=value, ...)``, the text that names a game, an agent or a training regime."""

import ast
import inspect
from collections.abc import Callable, Mapping
from types import SimpleNamespace, UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from boardgames_env.errors import BadInputError, UnknownOptionError, one_of

Made = TypeVar("Made")


def parse_spec(text: str) -> tuple[str, dict[str, Any]]:
    """Split ``"fallible(e=0.1)"`` into ``("fallible", {"e": 0.1})``. Option values are Python literals.

    Raises:
        BadInputError: If the text is not a name, or a name with named options in brackets.
    """
    wrong = BadInputError(
        f"{text!r} is not a spec; write a name or name(option=value, ...), such as fallible(e=0.1), with text in quotes"
    )
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, AttributeError, TypeError, RecursionError, MemoryError):
        raise wrong from None
    if isinstance(tree, ast.Name):
        return tree.id, {}
    if not isinstance(tree, ast.Call) or not isinstance(tree.func, ast.Name) or tree.args:
        raise wrong
    options = {}
    for option in tree.keywords:
        if option.arg is None:
            raise wrong
        if option.arg in options:
            raise BadInputError(f"{text!r} gives the option {option.arg} twice; give it once")
        try:
            options[option.arg] = ast.literal_eval(option.value)
        except (ValueError, TypeError, RecursionError):
            raise BadInputError(
                f"{text!r}: the value of {option.arg} is not a literal; write a number, True, False or 'text'"
            ) from None
    return tree.func.id, options


def format_spec(name: str, options: Mapping[str, Any]) -> str:
    """The text that `parse_spec` reads back."""
    return f"{name}({', '.join(f'{key}={value!r}' for key, value in options.items())})" if options else name


def call_factory(factory: Callable[..., Made], name: str, options: Mapping[str, Any], *given: Any) -> Made:
    """Call ``factory(*given, **options)`` after checking the options against its signature.

    Raises:
        BadInputError: For an option it does not take, a value of another type than it is annotated with, or an option
            that is missing and has no default.
    """
    parameters = list(inspect.signature(factory).parameters.values())[len(given) :]
    hints = _parameter_hints(factory)
    known = {parameter.name: hints.get(parameter.name, Any) for parameter in parameters}
    for option, value in options.items():
        if option not in known:
            raise UnknownOptionError(f"{name} has no option {option!r}; its options are: {one_of(known)}", option)
        if not _fits(value, known[option]):
            raise BadInputError(
                f"{name}: {option}={value!r} is not allowed; {option} must be {_describe(known[option])}"
            )
    for parameter in parameters:
        if parameter.default is parameter.empty and parameter.name not in options:
            raise BadInputError(f"{name} needs the option {parameter.name}; write {name}({parameter.name}=...)")
    return factory(*given, **options)


def _parameter_hints(factory: Callable[..., Any]) -> dict[str, Any]:
    """The annotations of the parameters; what is returned may be a type that is imported only to check types."""
    function: Any = factory.__init__ if inspect.isclass(factory) else factory
    annotations = {name: hint for name, hint in function.__annotations__.items() if name != "return"}
    return get_type_hints(SimpleNamespace(__annotations__=annotations), function.__globals__)


def defaults(factory: Callable[..., Any], skip: int = 0) -> dict[str, Any]:
    """A factory's options and their defaults, leaving out its first ``skip`` parameters."""
    parameters = list(inspect.signature(factory).parameters.values())[skip:]
    return {parameter.name: parameter.default for parameter in parameters}


def _fits(value: object, hint: Any) -> bool:
    if hint is Any:
        return True
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        return any(_fits(value, option) for option in get_args(hint))
    if origin is Literal:
        return any(value == option and type(value) is type(option) for option in get_args(hint))
    if hint is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, origin or hint)


def _describe(hint: Any) -> str:
    if get_origin(hint) in (Union, UnionType):
        return " or ".join(_describe(option) for option in get_args(hint))
    if get_origin(hint) is Literal:
        return "one of " + one_of(repr(option) for option in get_args(hint))
    words = {bool: "True or False", int: "a whole number", float: "a number", str: "text", type(None): "None"}
    words |= {tuple: "values in brackets, with a comma after each"}
    return words.get(get_origin(hint) or hint, getattr(hint, "__name__", str(hint)))
