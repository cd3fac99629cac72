"""The games, and the registry they enter themselves in.

A game is a function that returns a `Game`, marked with `game`; its keyword arguments are the game's options and
its module's docstring is the game's page. Every module of this package is looked at; a game elsewhere is
registered by importing its module.
"""

import inspect
import pkgutil
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from typing import Any

from boardgames_env.errors import BadInputError, one_of
from boardgames_env.game import Game
from boardgames_env.spec import call_factory, defaults, parse_spec


@dataclass(frozen=True)
class GameEntry:
    """A registered game, not made yet."""

    name: str
    version: int
    factory: Callable[..., Game]

    @property
    def page(self) -> str:
        """The page about the game: the docstring of its function if it is long, else of its module."""
        own = inspect.getdoc(self.factory) or ""
        return own if "\n" in own else inspect.getdoc(sys.modules[self.factory.__module__]) or own

    @property
    def summary(self) -> str:
        """The first line of the page."""
        return self.page.splitlines()[0] if self.page else ""

    @property
    def options(self) -> dict[str, Any]:
        """The game's options and their defaults."""
        return defaults(self.factory)


_entries: dict[str, GameEntry] = {}
_watchers: list[Callable[[GameEntry], None]] = []
_made: dict[tuple[Callable[..., Game], tuple[tuple[str, Any], ...]], Game] = {}


def game(version: int) -> Callable[[Callable[..., Game]], Callable[..., Game]]:
    """Register a function that makes a game, under the function's name."""

    def register(factory: Callable[..., Game]) -> Callable[..., Game]:
        entry = GameEntry(factory.__name__, version, factory)
        other = _entries[entry.name].factory.__module__ if entry.name in _entries else factory.__module__
        if other != factory.__module__:  # a module that is loaded again may replace its games
            raise BadInputError(f"a game {entry.name!r} is registered already, by {other}; choose another name")
        _entries[entry.name] = entry
        for watcher in _watchers:
            watcher(entry)
        return factory

    return register


def on_registration(watcher: Callable[[GameEntry], None]) -> None:
    """Call ``watcher`` with every registered game, now and later."""
    for entry in registered_games().values():
        watcher(entry)
    _watchers.append(watcher)


def registered_games() -> dict[str, GameEntry]:
    """All registered games by name."""
    _import_all()
    return dict(sorted(_entries.items()))


@cache
def _import_all() -> None:
    for module in pkgutil.iter_modules(__path__):
        import_module(f"{__name__}.{module.name}")


def make_game(spec: str, **options: Any) -> Game:
    """Make a game.

    Args:
        spec: A game's name, or a spec such as ``"achi(adjacent=True)"``.
        **options: Options on top of those in the spec.

    Raises:
        BadInputError: For an unknown game or option, or an option's value that is not allowed.
    """
    name, written = parse_spec(spec)
    games = registered_games()
    if name not in games:
        raise BadInputError(f"there is no game {name!r}; the games are: {one_of(games)}")
    return make_registered(games[name].factory, {**written, **options})


def make_registered(factory: Callable[..., Game], options: dict[str, Any]) -> Game:
    """Make the game of a registered function: the same object for the same options."""
    entry = _entries[factory.__name__]
    usual = defaults(factory)
    # repr() tells True from 1, which are equal as keys
    changed = {key: options[key] for key in sorted(options) if repr(options[key]) != repr(usual.get(key, ...))}
    wanted = (factory, tuple((key, repr(value)) for key, value in changed.items()))
    if wanted not in _made:
        made = call_factory(factory, entry.name, changed)
        _made[wanted] = replace(made, name=entry.name, version=entry.version, options=changed, factory=factory)
    return _made[wanted]
