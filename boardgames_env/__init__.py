"""Board games as PettingZoo and Gymnasium environments.

`make_game` gives a game's rules and positions. Importing this package registers every game as
``boardgames/<name>-v<N>`` with PettingZoo and as ``boardgames/<Name>-v<N>`` with Gymnasium;
``from boardgames_env import achi_v0`` gives PettingZoo's ``env`` and ``raw_env``.
"""

from boardgames_env.envs.registration import PettingZooModule, pettingzoo_modules, register_environments
from boardgames_env.errors import BadInputError, one_of
from boardgames_env.game import Game
from boardgames_env.games import make_game, on_registration, registered_games
from boardgames_env.history import History, Limits
from boardgames_env.position import IllegalActionError, Move, Position

__version__ = "0.1.0"

__all__ = [
    "BadInputError",
    "Game",
    "History",
    "IllegalActionError",
    "Limits",
    "Move",
    "Position",
    "make_game",
    "registered_games",
]

on_registration(register_environments)


def __getattr__(name: str) -> PettingZooModule:
    """The games in the form of PettingZoo's modules, such as ``achi_v0``."""
    modules = pettingzoo_modules()
    if name not in modules:
        raise AttributeError(
            f"module {__name__!r} has no attribute {name!r}; as environments it has: {one_of(modules)}"
        )
    return modules[name]


def __dir__() -> list[str]:
    return sorted([*globals(), *pettingzoo_modules()])
