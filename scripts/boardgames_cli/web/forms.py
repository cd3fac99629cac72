"""Forms for the options of games and agents, made of what the registries say of them, and what people fill in."""

import ast
from collections.abc import Mapping
from dataclasses import MISSING, dataclass
from typing import Any, Literal, get_args, get_origin

from starlette.datastructures import FormData
from starlette.requests import Request

from boardgames_env.errors import BadInputError
from boardgames_env.spec import Option, Spec

_MOST_FIELDS = 200


@dataclass(frozen=True)
class Field:
    """A field of a form.

    Attributes:
        name: Its name in the form.
        label: The name of the option.
        help: What the option means, and which values are allowed.
        value: The default as text; empty if there is none.
        allowed: The texts to choose from; empty if any may be written.
    """

    name: str
    label: str
    help: str
    value: str
    allowed: tuple[str, ...] = ()


async def posted(request: Request) -> FormData:
    """Return what a form has sent."""
    return await request.form(max_files=1, max_fields=_MOST_FIELDS)


def text_of(form: Mapping[str, Any], name: str, default: str | None = None) -> str:
    """Return a text of a form; raise `BadInputError` if it is missing, or something else."""
    value = form.get(name, default)
    if not isinstance(value, str):
        raise BadInputError(f"the form lacks {name}")
    return value


def number_of(form: Mapping[str, Any], name: str, default: int | None = None) -> int:
    """Return a whole number of a form, at least 0; raise `BadInputError` if it is none."""
    text = text_of(form, name, None if default is None else str(default))
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise BadInputError(f"{name} is not a whole number")
    return int(text)


def numbers_of(form: Mapping[str, Any], name: str) -> tuple[int, ...]:
    """Return whole numbers, written such as ``4-0-8``; none if the form lacks them."""
    parts = [part for part in text_of(form, name, "").split("-") if part]
    if any(not (part.isascii() and part.isdigit() and len(part) <= 9) for part in parts):
        raise BadInputError(f"{name} are not whole numbers such as 4-0-8")
    return tuple(map(int, parts))


def fields_of(options: Mapping[str, Option], prefix: str) -> list[Field]:
    """Return the fields for options; their names in the form begin with ``prefix`` and a dot."""
    return [
        Field(
            name=f"{prefix}.{name}",
            label=name.replace("_", " "),
            help=option.help or option.kind,
            value="" if option.default is MISSING or option.default is None else _written(option.default),
            allowed=_allowed(option.type),
        )
        for name, option in options.items()
    ]


def spec_of(form: Mapping[str, Any], name: str, options: Mapping[str, Option], prefix: str) -> Spec:
    """Return the spec of a name with the options that were filled in and are not the defaults."""
    given = {}
    for option in options.values():
        text = text_of(form, f"{prefix}.{option.name}", "").strip()
        if text:
            value = _read(text, option)
            if option.default is MISSING or repr(value) != repr(option.default):
                given[option.name] = value
    return Spec(name, given)


def _allowed(hint: Any) -> tuple[str, ...]:
    if hint is bool:
        return ("True", "False")
    return tuple(map(_written, get_args(hint))) if get_origin(hint) is Literal else ()


def _written(value: object) -> str:
    return value if isinstance(value, str) else repr(value)


def _read(text: str, option: Option) -> Any:
    for value in get_args(option.type) if get_origin(option.type) is Literal else ():
        if text == _written(value):
            return value
    if option.type is str:
        return text
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        if str in get_args(option.type):
            return text
        raise BadInputError(f"{option.name} must be {option.kind}, not {text!r}") from None
    try:
        return float(value) if option.type is float and isinstance(value, int) else value
    except OverflowError:
        raise BadInputError(f"{option.name} is too large a number") from None
