"""The games and their registry.

A game is a function that returns a `Game`, decorated with `game`, in a file of the same name. Its keyword arguments,
or the fields of a dataclass, are the game's options; its module's docstring is the game's page, in which the board is
drawn. All modules of this package are imported. A game elsewhere is registered by importing its module; a game of an
installed package is imported through its entry point when it is first made.

A page is completed with the sections that it lacks: from the docstring of the module of the game's family, if it names
one, and from that of its package. A module may also register several games: each function's docstring is then a page,
completed from the module's.
"""

import inspect
import pkgutil
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, replace
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from types import ModuleType
from typing import Any

from boardgames_env.errors import BadInputError, described, unknown
from boardgames_env.game import Game
from boardgames_env.render.text import draw_locations
from boardgames_env.spec import Entry, Spec

HEADINGS = (
    *("Rules", "Board", "Actions", "Observation", "Rewards", "End of the contest"),
    *("Known value", "Sources", "Version history"),
)
"""The sections of every game's page."""

_REWARDS = "## Rewards\n\n+1 to the winner, −1 to the loser; 0 each for a draw.\n\n"
_FIRST_VERSION = "## Version history\n\n* v0: first version."
"""Sections that pages need not have themselves; the latter for games of version 0."""

GAMES = "boardgames_env.games"
"""The group of entry points of other packages' games: the name of each game, and the module that registers it."""


@dataclass(frozen=True)
class GameEntry(Entry[Game]):
    """A registered game.

    Attributes:
        version: The version of its environments.
        also_called: Other names that specs may use.
        family: A module whose docstring has the sections of the page that the game's own lacks.
        is_well_known: Whether most people know the game; lists for people begin with these.
    """

    REGISTERED_AS = "game"

    version: int = 0
    also_called: tuple[str, ...] = ()
    family: ModuleType | None = None
    is_well_known: bool = False

    @property
    def ways(self) -> Mapping[str, Mapping[str, Any]]:
        """Ways to play that people choose from, in words, with the options of each.

        The dataclass of the options declares them in ``WAYS: ClassVar[Mapping[str, Mapping[str, Any]]]``. An option
        that the words name in braces is filled in by people: ``{"Match to {match_length} points": {...}}``.
        """
        return getattr(self.declared, "WAYS", {})

    @property
    def page(self) -> str:
        """The page, with a diagram of the board under its heading, unless there is one."""
        text = self._text
        if (
            "## Board\n\n" not in text
            or "## Board\n\n```" in text
            or MISSING in (each.default for each in self.options.values())
        ):
            return text
        board = self.make({}).board
        return text.replace("## Board\n\n", f"## Board\n\n```text\n{draw_locations(board, board.labels)}\n```\n\n")

    @property
    def known_value(self) -> str:
        """What the page says first of the known value, without markup."""
        found = _sections(self._text).get("Known value", "")
        return re.split(r"[.:](?:\s|$)", found.strip())[0].replace("`", "")

    @property
    def _text(self) -> str:
        """The docstring, completed with the sections that the game's family and package have in common."""
        module = sys.modules[self.factory.__module__]
        own = inspect.getdoc(self.factory) or ""
        page = inspect.getdoc(module) or own
        if "\n## " in own:
            page = _merged(own, page)
        for common in (self.family, sys.modules.get(module.__package__ or "")):
            page = _merged(page, (common and inspect.getdoc(common)) or "")
        return _merged(page, _REWARDS + _FIRST_VERSION * (self.version == 0)) if "\n## " in page else page

    @property
    def summary(self) -> str:
        """The first line of the page."""
        return self._text.partition("\n")[0]


_entries: dict[str, GameEntry] = {}
_watchers: list[Callable[[GameEntry], None]] = []
_made: dict[tuple[Callable[..., Game], tuple[tuple[str, Any], ...]], Game] = {}


def game(
    version: int,
    also_called: tuple[str, ...] = (),
    family: ModuleType | None = None,
    options: type | None = None,
    is_well_known: bool = False,
) -> Callable[[Callable[..., Game]], Callable[..., Game]]:
    """Register a function that makes a game, under the function's name. The arguments are fields of `GameEntry`.

    ``options`` is the frozen dataclass of the game's options, of which the function takes one object. By default the
    function's keyword arguments are the options.
    """

    def register(factory: Callable[..., Game]) -> Callable[..., Game]:
        entry = GameEntry(factory.__name__, factory, options, version, also_called, family, is_well_known)
        for name in (entry.name, *also_called):
            other = _find(name)
            # (a module that is loaded again may replace its games)
            if other and other.factory.__module__ != factory.__module__:
                raise BadInputError(
                    f"a game {name!r} is registered already, by {other.factory.__module__}; choose another name"
                )
        _entries[entry.name] = entry
        for watcher in _watchers:
            watcher(entry)
        return factory

    return register


def _find(name: str) -> GameEntry | None:
    """Return the entry with a name or a further name, or `None`."""
    return _entries.get(name) or next((entry for entry in _entries.values() if name in entry.also_called), None)


def _installed(name: str) -> GameEntry | None:
    """Import a game of another installed package and return its entry, or `None` if there is none."""
    for found in entry_points(group=GAMES, name=name):
        try:
            found.load()
        except BadInputError:
            raise
        except Exception as error:
            raise BadInputError(f"the game {name!r} of {found.value} cannot be imported: {described(error)}") from error
        if _find(name) is None:
            raise BadInputError(f"{found.value} registers no game {name!r}, as its package says it does")
    return _find(name)


def _sections(page: str) -> dict[str, str]:
    """Return the sections of a page by heading; the text before the first has the heading ``""``."""
    parts = re.split(r"^## (.+)\n", page, flags=re.MULTILINE)
    return {"": parts[0], **dict(zip(parts[1::2], parts[2::2], strict=True))}


def _merged(own: str, common: str) -> str:
    """Return a page with the sections that it lacks taken from another, in the order of the `HEADINGS`."""
    sections = {**_sections(common), **_sections(own)}
    order = [heading for heading in HEADINGS if heading in sections]
    order[-1:-1] = [heading for heading in sections if heading and heading not in HEADINGS]
    body = (f"## {each}\n\n{sections[each].strip()}\n" for each in order)
    return "\n".join([sections[""].strip(), "", *body]).strip()


def on_registration(watcher: Callable[[GameEntry], None]) -> None:
    """Call ``watcher`` with every registered game, now and later."""
    for entry in registered_games().values():
        watcher(entry)
    _watchers.append(watcher)


def registered_games() -> dict[str, GameEntry]:
    """Return all registered games by name."""
    _import_all_games()
    return dict(sorted(_entries.items()))


@cache
def _import_all_games() -> None:
    for module in pkgutil.walk_packages(__path__, f"{__name__}."):
        import_module(module.name)


def make_game(spec: str | Spec, **options: Any) -> Game:
    """Make a game from its name or a spec such as ``"achi(adjacent=True)"``, and further options.

    An unknown game or option, or a value that is not allowed, raises `BadInputError`.
    """
    spec = Spec.parse(spec)
    name = spec.name
    games = registered_games()
    entry = _find(name) or _installed(name)
    if entry is None:
        also = (other for each in games.values() for other in each.also_called)
        names = sorted({*games, *also, *entry_points(group=GAMES).names})
        raise unknown("game", name, names, {each: entry.summary for each, entry in games.items()})
    return make_registered(entry.factory, {**spec.options, **options})


def make_registered(factory: Callable[..., Game], options: dict[str, Any]) -> Game:
    """Make the game of a registered function: the same object for the same options."""
    entry = _entries[factory.__name__]
    usual = {option.name: repr(option.default) for option in entry.options.values()}
    # repr() tells True from 1, which are equal as keys
    changed = {key: options[key] for key in sorted(options) if repr(options[key]) != usual.get(key)}
    wanted = (factory, tuple((key, repr(value)) for key, value in changed.items()))
    if wanted not in _made:
        made = entry.make(changed)
        _made[wanted] = replace(made, name=entry.name, version=entry.version, options=changed, factory=factory)
    return _made[wanted]
