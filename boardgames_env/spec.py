"""Specs: ``name(option=value, ...)``, the text that names a game, an agent or a trainer, and what such names stand for.

Text is parsed once, where it comes in: `Spec.parse`. An `Entry` of a registry makes something of a spec's options after
checking them. `options_of` is where the command line, the pages and the run log read which options there are.
"""

import ast
import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, field, fields, make_dataclass
from functools import cached_property
from itertools import accumulate
from math import inf
from types import MappingProxyType, SimpleNamespace, UnionType
from typing import Any, ClassVar, Generic, Literal, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

from boardgames_env.errors import BadInputError, UnknownOptionError, did_you_mean, one_of, unknown

Made = TypeVar("Made")


@dataclass(frozen=True, eq=False)
class Spec:
    """A name with options. Specs are equal if both are; values are compared by their `repr`, so that 1 is not True.

    Attributes:
        name: The name.
        options: The options that were given, read-only.
        text: The text as it was written; by default ``name(option=value, ...)``.
    """

    name: str
    options: Mapping[str, Any] = field(default_factory=dict)
    text: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "options", MappingProxyType(dict(self.options)))
        if not self.text:
            written = ", ".join(f"{key}={value!r}" for key, value in self.options.items())
            object.__setattr__(self, "text", f"{self.name}({written})" if written else self.name)

    @classmethod
    def parse(cls, text: "str | Spec") -> "Spec":
        """Read a spec such as ``fallible(e=0.1)``; raise `BadInputError` for other text. Values are Python literals.

        A hyphen within the name is read as an underscore, so ``tic-tac-toe`` names ``tic_tac_toe``.
        """
        if isinstance(text, Spec):
            return text
        text = underscored(text)
        return cls(*_parsed_spec(text), text)

    def with_options(self, **options: Any) -> "Spec":
        """Return this spec with options added or replaced."""
        return Spec(self.name, {**self.options, **options})

    def __str__(self) -> str:
        return self.text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Spec) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def __reduce__(self) -> tuple[type, tuple[Any, ...]]:
        return Spec, (self.name, dict(self.options), self.text)

    @property
    def _key(self) -> tuple[str, frozenset[tuple[str, str]]]:
        return self.name, frozenset((key, repr(value)) for key, value in self.options.items())


def underscored(text: str) -> str:
    """Return the text of a spec with underscores for the hyphens within its name; other text is left as it is."""
    return _HYPHENATED.sub(lambda name: name[0].replace("-", "_"), text) if isinstance(text, str) else text


_HYPHENATED = re.compile(r"\A\s*[A-Za-z]\w*(?:-\w+)+(?=\s*(?:\(|\Z))")


_STRING = re.compile(r"""([A-Za-z]*)('(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*")""", re.DOTALL)
_ESCAPE = re.compile(r"\\([4-7][0-7]{2}|.)", re.DOTALL)
_ESCAPES = frozenset("\\'\"abfnrtvxuUN01234567\n")
_NUMBER_THEN_WORD = re.compile(r"\b\d[\w.]*(?:and|else|for|if|in|is|not|or)\b")


def expression_in(text: str) -> ast.expr:
    r"""Return the syntax tree of an expression; raise `SyntaxError` also where Python warns, as of ``'C:\data'``.

    (Catching the warning would change how other threads handle theirs.)
    """
    for prefix, string in _STRING.findall(text):
        escapes = [] if prefix.lower() == "r" else _ESCAPE.findall(string)
        if prefix.lower() not in ("", "r", "u") or not _ESCAPES.issuperset(escapes):
            raise SyntaxError(f"{prefix}{string} has an unknown escape sequence or prefix")
    if wrong := _NUMBER_THEN_WORD.search(_STRING.sub("", text)):
        raise SyntaxError(f"{wrong[0]} is a number and a word")
    return ast.parse(text, mode="eval").body


def _parsed_spec(text: str) -> tuple[str, dict[str, Any]]:
    wrong = BadInputError(
        f"{text!r} is not a spec; write a name or name(option=value, ...), such as fallible(e=0.1), with text in quotes"
        + (" and each backslash in it twice" if isinstance(text, str) and "\\" in text else "")
    )
    try:
        tree = expression_in(text.strip())
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
        if any(isinstance(each, ast.Constant) and each.value == inf for each in ast.walk(option.value)):
            raise BadInputError(f"{text!r}: the value of {option.arg} is too large a number; write a finite one")
        try:
            options[option.arg] = ast.literal_eval(option.value)
        except (ValueError, TypeError, RecursionError):
            raise BadInputError(
                f"{text!r}: the value of {option.arg} is not a literal; write a number, True, False or 'text'"
            ) from None
    return tree.func.id, options


class Quick(NamedTuple):
    """The largest value of an option with which an agent moves within seconds: ``plies: Annotated[int, Quick(3)]``.

    Pages, on which agents think in few threads for everybody, allow no larger one. It is for options that make thinking
    take many times as long, such as the depth of a search that has no budget in nodes.
    """

    most: float


class Label(NamedTuple):
    """What an option is called where people choose: ``swap: Annotated[bool, Label("Stones may be swapped")]``.

    Attributes:
        text: The label. Options without one are details for researchers.
        values: Words for the values, in order, of an option whose type lists them.
        on: The value of a number that people switch on, as ``fly_at: Annotated[int, Label("Men fly", on=3)] = 0``.
        way: The way to play that the option belongs to, where a game has several (`GameEntry.ways`); by default to all.
    """

    text: str
    values: tuple[str, ...] = ()
    on: Any = None
    way: str = ""


class Elsewhere(NamedTuple):
    """The mark of an option that names a host or a command: ``host: Annotated[str, Elsewhere()]``.

    Pages do not offer agents that have such an option.
    """


class Option(NamedTuple):
    """An option of an agent, a trainer or a game; without a default, `dataclasses.MISSING`, it must be given.

    ``marks`` is what the type is annotated with, such as `Quick`.
    """

    name: str
    type: Any
    default: Any
    help: str
    marks: tuple[Any, ...] = ()

    @property
    def label(self) -> Label | None:
        """What it is called for people, if it is for them."""
        return next((mark for mark in self.marks if isinstance(mark, Label)), None)

    @property
    def kind(self) -> str:
        """The allowed values in words, such as "a whole number or None"."""
        return _describe(self.type)

    def __str__(self) -> str:
        return f"{self.name}={'...' if self.default is MISSING else repr(self.default)}"


class Recipe(NamedTuple):
    """Settings under a name: values of options that belong together.

    A dataclass of options declares its recipes in ``RECIPES: ClassVar[Mapping[str, Recipe]]``, by name. A name
    keeps its values for ever, because runs remember the name alone.

    Attributes:
        summary: What it is, and its source.
        options: The values of options; the others have their defaults.
    """

    summary: str
    options: Mapping[str, Any]


RECIPE = "recipe"
"""The option that takes the name of a recipe, of whatever has recipes."""


def options_of(declared: type) -> dict[str, Option]:
    """Return the options that a dataclass declares, by name."""
    plain, annotated = get_type_hints(declared), get_type_hints(declared, include_extras=True)
    texts: dict[str, str] = {}
    for each in reversed(declared.__mro__):
        texts |= _documented(each.__doc__ or "")
    return {
        each.name: Option(
            each.name,
            plain[each.name],
            each.default if each.default_factory is MISSING else each.default_factory(),
            each.metadata.get("help") or texts.get(each.name, ""),
            getattr(annotated[each.name], "__metadata__", ()),
        )
        for each in fields(declared)
        if each.init
    }


def options_dataclass(factory: Callable[..., Any], skip: int = 0) -> type:
    """Derive the dataclass of a factory's options from its keyword arguments, after the first ``skip``.

    Raises:
        BadInputError: If it has fewer arguments than that.
    """
    parameters = list(inspect.signature(factory).parameters.values())
    if len(parameters) < skip:
        raise BadInputError(
            f"{factory.__name__} takes too few arguments; an agent or a trainer takes the game first, as in "
            "def __init__(self, game)"
        )
    if len(parameters) == skip:
        return make_dataclass(f"{factory.__name__}_options", [], frozen=True, kw_only=True)
    texts, hints = _documented(factory.__doc__ or ""), _parameter_hints(factory)
    declared = []
    for parameter in parameters[skip:]:
        held: Any = {"metadata": {"help": texts.get(parameter.name, "")}}
        if parameter.default is not parameter.empty:
            held["default_factory"] = lambda value=parameter.default: value  # (a default may be a list)
        declared.append((parameter.name, hints.get(parameter.name, Any), field(**held)))
    return make_dataclass(f"{factory.__name__}_options", declared, frozen=True, kw_only=True)


_SECTION = re.compile(r"^(?:Args|Attributes|Raises|Returns):\n(?:[ ]+.*(?:\n|\Z)|\n)+", re.MULTILINE)
"""A section of a docstring that is a list."""


@dataclass(frozen=True)
class Entry(Generic[Made]):
    """A name of a registry: what it makes, and from which options.

    Attributes:
        name: The name in specs.
        factory: What makes it: a function or class of what is given and of the options.
        declared: The frozen dataclass of the options, of which the factory takes one object. Without it the factory's
            keyword arguments are the options.
    """

    given: ClassVar[int] = 0
    """The number of the factory's first parameters that are not options."""

    REGISTERED_AS: ClassVar[str] = ""
    """What messages call it and what it makes, such as an agent."""

    name: str
    factory: Callable[..., Made]
    declared: type | None = None

    @property
    def summary(self) -> str:
        """The first line of the factory's docstring."""
        return (self.factory.__doc__ or "").strip().partition("\n")[0]

    @property
    def description(self) -> str:
        """The factory's docstring without the sections on its arguments, attributes and errors."""
        return _SECTION.sub("", inspect.cleandoc(self.factory.__doc__ or "")).strip()

    @property
    def recipes(self) -> Mapping[str, Recipe]:
        """The recipes by name; those that are better known come first."""
        return getattr(self.declared, "RECIPES", {})

    @cached_property
    def options(self) -> dict[str, Option]:
        """The options by name."""
        own = options_of(self.declared or options_dataclass(self.factory, self.given))
        if not self.recipes:
            return own
        text = "The recipe whose values the options have that are not given; without one, their defaults."
        return {**own, RECIPE: Option(RECIPE, Literal[("", *self.recipes)], "", text)}

    def in_force(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return the value of every option: the given one, or else the recipe's, or else the default."""
        recipe = self.recipes.get(options.get(RECIPE, ""))
        defaults = {name: option.default for name, option in self.options.items()}
        return {**defaults, **(recipe.options if recipe else {}), **options}

    def differing(self, options: Mapping[str, Any]) -> dict[str, Any]:
        """Return the options that have another value than they would have if they were not given."""
        usual = self.in_force({name: value for name, value in options.items() if name == RECIPE}) | {RECIPE: ""}
        order = (RECIPE, *self.options)
        return {name: options[name] for name in order if name in options and options[name] != usual[name]}

    def check(self, options: Mapping[str, Any]) -> None:
        """Raise `BadInputError` for an unknown option, or a value of another type than declared."""
        for name, value in options.items():
            if name not in self.options:
                hint = did_you_mean(name, self.options)
                raise UnknownOptionError(
                    f"{self.name} has no option {name!r}{hint}; its options are: {one_of(self.options)}", name
                )
            if not _fits(value, self.options[name].type):
                raise BadInputError(
                    f"{self.name}: {name}={value!r} is not allowed; {name} must be {self.options[name].kind}"
                )

    def make(self, options: Mapping[str, Any], *given: Any) -> Made:
        """Make it from options and the factory's first arguments.

        `BadInputError` is raised for an unknown option, a value of another type than declared, or one that is missing,
        and for a class that lacks methods.
        """
        if inspect.isabstract(self.factory):
            missing = ", ".join(sorted(self.factory.__abstractmethods__))  # type: ignore[attr-defined]
            raise BadInputError(f"{self.name} cannot be used yet: {self.factory.__name__} has not defined {missing}")
        self.check(options)
        values = self.in_force(options)
        for name, value in values.items():
            if value is MISSING:
                raise BadInputError(f"{self.name} needs the option {name}; write {self.name}({name}=...)")
        if self.declared is None:
            return self.factory(*given, **options)
        own = values if self.recipes else options
        return self.factory(*given, self.declared(**{name: own[name] for name in own if name != RECIPE}))

    def label(self, options: Mapping[str, Any]) -> str:
        """Return a short text for people: the recipe, or the closest one, and the options that differ from it.

        Options for which a line has no room are left out, and ``…`` shows that.
        """
        same = [options]
        if self.recipes and not options.get(RECIPE):
            values = self.in_force(options)
            same = [{**values, RECIPE: name} for name in ("", *self.recipes)]
        texts = [f"{name}={value!r}" for name, value in min(map(self.differing, same), key=len).items()]
        room = accumulate(len(text) + 2 for text in texts)
        shown = [text for text, length in zip(texts, room, strict=True) if length <= _LONGEST_LABEL]
        written = ", ".join([*shown, *["…"] * (len(shown) < len(texts))])
        return f"{self.name}({written})" if written else self.name


_LONGEST_LABEL = 48
"""Characters of the options in a label."""


def demand_entry(what: str, name: str, entries: Mapping[str, Entry[Any]]) -> None:
    """Raise `BadInputError`, which suggests other names or lists all, for a name that no entry has."""
    if name not in entries:
        raise unknown(what, name, entries, {each: entry.summary for each, entry in entries.items()})


def _parameter_hints(factory: Callable[..., Any]) -> dict[str, Any]:
    """Return the annotations of the parameters, not that of the result, whose type may be imported for mypy only."""
    function: Any = factory.__init__ if inspect.isclass(factory) else factory
    annotations = {name: hint for name, hint in function.__annotations__.items() if name != "return"}
    return get_type_hints(SimpleNamespace(__annotations__=annotations), function.__globals__, include_extras=True)


def _documented(text: str) -> dict[str, str]:
    """Return the entries of the sections ``Args:`` and ``Attributes:`` of a docstring, by name."""
    text = f"{inspect.cleandoc(text)}\n"
    sections = re.findall(r"^(?:Args|Attributes):\n((?:[ ]+.*\n|\n)+)", text, re.MULTILINE)
    entries = re.findall(r"^[ ]{4}(\w+): ((?:.*\n)(?:[ ]{5,}.*\n)*)", "".join(sections), re.MULTILINE)
    return {name: " ".join(entry.split()) for name, entry in entries}


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
