"""Specs that come from a page: the forms that they are filled in, and what they may name.

Forms are made of what the registries say of options. Specs may name no files but those in the folder of runs.
"""

import ast
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, get_args, get_origin

from starlette.datastructures import FormData
from starlette.requests import Request

from boardgames_agents.registry import AgentEntry, registered_agents
from boardgames_agents.training.trainers import registered_trainers, trainer_spec
from boardgames_cli.web.watched_runs import Folders
from boardgames_env import make_game, registered_games
from boardgames_env.errors import BadInputError, one_of
from boardgames_env.game import Game
from boardgames_env.spec import Elsewhere, Option, Quick, Spec, demand_entry, expression_in

LONGEST_SPEC = 2000
LARGEST_NUMBER = 100_000
"""The largest number that an option may be on a page: agents think in nodes, contests and so on."""

_WORDS = re.compile(r"[\w ,+-]*")

_MOST_FIELDS = 200


class Checker:
    """Reads specs from pages; ``allowed`` are those of agents that pages may name although they connect elsewhere."""

    def __init__(self, folders: Folders, allowed: Sequence[str] = ()) -> None:
        self._folders, self.allowed = folders, allowed

    def game(self, text: str) -> Game:
        """Return the game of a spec; only those of the registry, whose options are all plain values."""
        spec, games = self._parsed(text), registered_games()
        demand_entry("game", spec.name, games)
        self._refuse(spec, games[spec.name].options)
        return make_game(spec)

    def agent(self, text: str) -> Spec:
        """Return the spec of an agent."""
        if text in self.allowed:
            return Spec.parse(text)
        spec, agents = self._folders.located(self._parsed(text)), registered_agents()
        demand_entry("agent", spec.name, agents)
        if getattr(agents[spec.name].factory, "interactive", False):
            raise BadInputError(f"{spec.name} is no agent that can be asked on a page")
        self._refuse(spec, agents[spec.name].options)
        return spec

    def offered(self) -> dict[str, AgentEntry]:
        """Return the agents that a page offers: those that are no people and name nothing elsewhere."""
        return {
            name: entry
            for name, entry in registered_agents().items()
            if not (getattr(entry.factory, "interactive", False) or _reaches_elsewhere(entry.options))
        }

    def trainer(self, text: str) -> Spec:
        """Return the spec of a trainer, or of the agent that is the opponent in every contest of a training."""
        spec, trainers = self._parsed(text, trainer_spec), registered_trainers()
        if spec.name not in trainers:
            return self.agent(text)
        self._refuse(spec, trainers[spec.name].options)
        return spec

    def _parsed(self, text: str, parse: Callable[[str], Spec] = Spec.parse) -> Spec:
        if len(text) > LONGEST_SPEC:
            raise BadInputError(f"a spec of {len(text):,} characters is too long; {LONGEST_SPEC:,} are allowed")
        return parse(text)

    def _refuse(self, spec: Spec, options: Mapping[str, Option]) -> None:
        """Raise `BadInputError` if an option is too large a number, or names a file or a host (by default, too)."""
        if _reaches_elsewhere(options):
            raise BadInputError(f"{spec.name} is not allowed on a page: it connects to another program")
        values = {name: option.default for name, option in options.items()} | dict(spec.options)
        for name, value in values.items():
            marks = options[name].marks if name in options else ()
            most = min([LARGEST_NUMBER, *(mark.most for mark in marks if isinstance(mark, Quick))])
            if isinstance(value, (int, float)) and not -LARGEST_NUMBER <= value <= most:
                raise BadInputError(f"{spec.name}: {name} is too large for a page; at most {most:,} is allowed")
            if name in options and _takes_text(options[name].type):
                for text in _texts_in(value):
                    self._refuse_file(spec, name, text)

    def _refuse_file(self, spec: Spec, option: str, text: str) -> None:
        nested = _nested(text)
        if nested is not None:
            self._refuse(*nested)
            return
        try:
            is_there = Path(text).exists() if text else False
        except (OSError, ValueError):
            is_there = True
        if self._folders.name_within(Path(text)) or (_WORDS.fullmatch(text) and not is_there):
            return
        why = f"is not allowed on a page, which may name only files in {self._folders.root.name}"
        raise BadInputError(f"{spec.name}: {option}={text!r} {why}")


def _reaches_elsewhere(options: Mapping[str, Option]) -> bool:
    """Return whether an option names a host or a command."""
    return any(isinstance(mark, Elsewhere) for option in options.values() for mark in option.marks)


def _takes_text(hint: Any) -> bool:
    """Return whether an option takes any text, at any depth of its type."""
    return hint is str or hint is Any or (get_origin(hint) is not Literal and any(map(_takes_text, get_args(hint))))


def _texts_in(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, (list, tuple, set, frozenset)):
        return [text for each in value for text in _texts_in(each)]
    if isinstance(value, dict):
        return [text for pair in value.items() for each in pair for text in _texts_in(each)]
    return [value.decode("latin-1")] if isinstance(value, bytes) else []


def _nested(text: str) -> tuple[Spec, Mapping[str, Option]] | None:
    """Return the spec of an agent or a trainer that a text is, if it is one, and the options that there are."""
    try:
        spec = trainer_spec(text)
    except BadInputError:
        return None
    for entries in (registered_agents(), registered_trainers()):
        if spec.name in entries:
            return spec, entries[spec.name].options
    return None


@dataclass(frozen=True)
class Field:
    """A field of a form."""

    name: str  # its name in the form
    label: str  # what the option is called for people, or its name
    help: str  # what the option means, and which values are allowed; empty if the label says it
    value: str  # the value as text; empty if there is none
    allowed: tuple[tuple[str, str], ...] = ()  # the texts to choose from, and their words; empty if any may be written
    switch: tuple[str, str] | None = None  # the texts of the values of a switch that is off, and on
    is_labelled: bool = False  # whether it is one that people choose
    way: str = ""  # the only way to play that it belongs to; empty if it belongs to all


def fields_of(
    options: Mapping[str, Option], prefix: str, given: Mapping[str, Any] = MappingProxyType({})
) -> list[Field]:
    """Return the fields for options; their names in the form begin with ``prefix`` and a dot.

    They show the values that are given, and the defaults of others.
    """
    return [_field(option, f"{prefix}.{name}", given.get(name, option.default)) for name, option in options.items()]


def _field(option: Option, name: str, value: Any) -> Field:
    label, values = option.label, _literals(option)
    switch = (False, True) if option.type is bool else (option.default, label.on) if label and label.on else None
    words = label.values if label and label.values else map(_written_value, values)
    return Field(
        name=name,
        label=label.text if label else option.name.replace("_", " "),
        help="" if label else plain(option.help or option.kind),
        value="" if value is MISSING or value is None else _written_value(value),
        allowed=tuple(zip(map(_written_value, values), words, strict=True)),
        switch=(repr(switch[0]), repr(switch[1])) if switch and value in switch else None,
        is_labelled=label is not None,
        way=label.way if label else "",
    )


def plain(text: str) -> str:
    """Return a text of a docstring without its markup."""
    return text.replace("`", "")


def game_of(form: Mapping[str, Any], checker: Checker) -> Game:
    """Return the game that a form names, with the options that are filled in, and those of the way to play chosen.

    Options that only other ways have are not in force.
    """
    game = checker.game(text_of(form, "game"))
    entry = registered_games()[game.name]
    filled, before = _filled(form, entry.options, "game"), game.options
    chosen = text_of(form, "way", "")
    if chosen:
        if chosen not in entry.ways:
            raise BadInputError(f"there is no way to play {chosen!r}; there are: {one_of(entry.ways)}")
        if empty := [name for name in entry.ways[chosen] if f"{{{name}}}" in chosen and name not in filled]:
            raise BadInputError(f"{empty[0].replace('_', ' ')} is empty; fill it in, or choose another way to play")
        # (fields of other ways are hidden, whatever they hold)
        others = {
            name for name, option in entry.options.items() if option.label and option.label.way not in ("", chosen)
        }
        before = {name: value for name, value in before.items() if name not in others}
        filled = {
            **{name: value for name, value in filled.items() if name not in others},
            **{name: value for name, value in entry.ways[chosen].items() if f"{{{name}}}" not in chosen},
        }
    return checker.game(str(Spec(game.name, {**before, **filled}))) if filled else game


def spec_of(form: Mapping[str, Any], name: str, options: Mapping[str, Option], prefix: str) -> Spec:
    """Return the spec of a name with the options that were filled in and are not the defaults."""
    filled = _filled(form, options, prefix)
    return Spec(name, {key: value for key, value in filled.items() if repr(value) != repr(options[key].default)})


def _filled(form: Mapping[str, Any], options: Mapping[str, Option], prefix: str) -> dict[str, Any]:
    """Return the values of the options that were filled in."""
    texts = {name: text_of(form, f"{prefix}.{name}", "").strip() for name in options}
    return {name: _read_value(text, options[name]) for name, text in texts.items() if text}


def _literals(option: Option) -> tuple[Any, ...]:
    """Return the values that an option may have, if its type lists them."""
    return get_args(option.type) if get_origin(option.type) is Literal else ()


def _written_value(value: object) -> str:
    return value if isinstance(value, str) else repr(value)


def _read_value(text: str, option: Option) -> Any:
    for value in _literals(option):
        if text == _written_value(value):
            return value
    if option.type is str:
        return text
    if str(option.type).startswith("tuple["):  # (people write a score such as 2-3)
        text = re.sub(r"(\d)\s*[-–:]\s*(?=\d)", r"\1, ", text)
    try:
        value = ast.literal_eval(expression_in(text))
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        if str in get_args(option.type):
            return text
        raise BadInputError(f"{option.name} must be {option.kind}, not {text!r}") from None
    try:
        return float(value) if option.type is float and isinstance(value, int) else value
    except OverflowError:
        raise BadInputError(f"{option.name} is too large a number") from None


async def posted(request: Request) -> FormData:
    """Return what a form has sent."""
    return await request.form(max_files=1, max_fields=_MOST_FIELDS)


def text_of(form: Mapping[str, Any], name: str, default: str | None = None) -> str:
    """Return a text of a form; raise `BadInputError` if it is missing, or something else."""
    value = form.get(name, default)
    if not isinstance(value, str):
        raise BadInputError(f"the form lacks {name}")
    return value


def is_number(text: str) -> bool:
    """Return whether a text is a whole number of at most nine digits."""
    return text.isascii() and text.isdigit() and len(text) <= 9


def number_of(form: Mapping[str, Any], name: str, default: int | None = None) -> int:
    """Return a whole number of a form, at least 0; raise `BadInputError` if it is none."""
    text = text_of(form, name, None if default is None else str(default))
    if not is_number(text):
        is_large = text.isascii() and text.isdigit()
        raise BadInputError(f"{name} is too large a number" if is_large else f"{name} is not a whole number from 0 on")
    return int(text)


def actions_in(form: Mapping[str, Any]) -> tuple[int, ...]:
    """Return the actions that a board's form has sent: one, the rest of a turn, or some of its steps."""
    return numbers_of(form, "actions") or numbers_of(form, "steps") or (number_of(form, "action"),)


def numbers_of(form: Mapping[str, Any], name: str) -> tuple[int, ...]:
    """Return whole numbers, written such as ``4-0-8``; none if the form lacks them."""
    parts = [part for part in text_of(form, name, "").split("-") if part]
    if not all(map(is_number, parts)):
        raise BadInputError(f"{name} are not whole numbers such as 4-0-8")
    return tuple(map(int, parts))
