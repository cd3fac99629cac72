"""Board games as PettingZoo and Gymnasium environments.

`make_game` makes a game, `solve` solves it. Importing this package registers every game as ``boardgames/<name>-v<N>``
with PettingZoo and as ``boardgames/<Name>-v<N>`` with Gymnasium; ``from boardgames_env import achi_v0`` imports a
module with PettingZoo's ``env`` and ``raw_env``.
"""

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from boardgames_env.contest import Contest
from boardgames_env.envs.registration import pettingzoo_modules, register_environments
from boardgames_env.errors import BadInputError, one_of
from boardgames_env.game import Game
from boardgames_env.games import make_game, on_registration, registered_games
from boardgames_env.history import History, Limits
from boardgames_env.position import IllegalActionError, Move, Position

if TYPE_CHECKING:
    from boardgames_env.solve import solve  # (at run time the module, which can be called: it is imported when needed)

__version__ = "0.3.0.dev0"
"""The version of the source; the build reads it here."""

__all__ = [
    "BadInputError",
    "Contest",
    "Game",
    "History",
    "IllegalActionError",
    "Limits",
    "Move",
    "Position",
    "make_game",
    "registered_games",
    "solve",
]

on_registration(register_environments)


def __getattr__(name: str) -> ModuleType:
    """Return the solver, or a game in the form of a PettingZoo module, such as ``achi_v0``."""
    if name == "solve":
        return import_module(f"{__name__}.solve")
    modules = pettingzoo_modules()
    if name not in modules:
        raise AttributeError(
            f"module {__name__!r} has no attribute {name!r}; as environments it has: {one_of(modules)}"
        )
    return modules[name]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *pettingzoo_modules()})
