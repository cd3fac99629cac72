"""Specs that come from a page: they may name no files but those in the folder of runs."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from boardgames_agents.registry import AgentEntry, registered_agents
from boardgames_agents.training.trainers import registered_trainers, trainer_spec
from boardgames_cli.web.folders import Folders
from boardgames_env import make_game, registered_games
from boardgames_env.errors import BadInputError, one_of
from boardgames_env.game import Game
from boardgames_env.spec import Elsewhere, Option, Quick, Spec

LONGEST_SPEC = 2000
LARGEST_NUMBER = 100_000
"""The largest number that an option may be on a page: agents think in nodes, contests and so on."""

_WORDS = re.compile(r"[\w ,+-]*")


class Checker:
    """Reads specs from pages."""

    def __init__(self, folders: Folders) -> None:
        self._folders = folders

    def game(self, text: str) -> Game:
        """Return the game of a spec; only those of the registry, whose options are all plain values."""
        spec = self._parsed(text)
        games = registered_games()
        if spec.name not in games:
            raise BadInputError(f"there is no game {spec.name!r}; the games are: {one_of(games)}")
        self._refuse(spec, games[spec.name].options)
        return make_game(spec)

    def agent(self, text: str) -> Spec:
        """Return the spec of an agent."""
        spec = self._parsed(text)
        agents = registered_agents()
        if spec.name not in agents:
            raise BadInputError(f"there is no agent {spec.name!r}; the agents are: {one_of(agents)}")
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
            most = _most(options.get(name))
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
        raise BadInputError(
            f"{spec.name}: {option}={text!r} is not allowed on a page, "
            f"which may name only files in {self._folders.root.name}"
        )


def _reaches_elsewhere(options: Mapping[str, Option]) -> bool:
    """Return whether an option names a host or a command."""
    return any(isinstance(mark, Elsewhere) for option in options.values() for mark in option.marks)


def _most(option: Option | None) -> float:
    """Return the largest number that an option may be on a page."""
    marks = option.marks if option else ()
    return min([LARGEST_NUMBER, *(mark.most for mark in marks if isinstance(mark, Quick))])


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
