"""The registration of every game with PettingZoo and Gymnasium."""

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

import gymnasium
from pettingzoo.env_registry.registration import register as register_with_pettingzoo

from boardgames_env.envs.view import module_name
from boardgames_env.games import GameEntry, registered_games

if TYPE_CHECKING:
    from boardgames_env.envs.aec import BoardGameAECEnv

NAMESPACE = "boardgames"
_ENVS = "boardgames_env.envs"


def pettingzoo_id(entry: GameEntry) -> str:
    """Return the id of a game with PettingZoo, such as ``boardgames/tic_tac_toe-v0``."""
    return f"{NAMESPACE}/{entry.name}-v{entry.version}"


def gymnasium_id(entry: GameEntry) -> str:
    """Return the id of a game with Gymnasium, such as ``boardgames/TicTacToe-v0``."""
    return f"{NAMESPACE}/{entry.name.title().replace('_', '')}-v{entry.version}"


def register_environments(entry: GameEntry) -> None:
    """Register a game's environments; their modules are imported when one is made."""
    sys.modules[module_name(entry)] = PettingZooModule(entry)
    game = {"game": entry.name}
    register_with_pettingzoo("aec", pettingzoo_id(entry), f"{_ENVS}.aec:BoardGameAECEnv", kwargs=game)
    gymnasium.register(
        gymnasium_id(entry),
        entry_point=f"{_ENVS}.single:BoardGameEnv",
        vector_entry_point=f"{_ENVS}.vector:make_vector_env",
        kwargs=game,
    )


class PettingZooModule(ModuleType):
    """A game in the form of PettingZoo's modules, as in ``from boardgames_env import achi_v0``.

    Its docstring is the game's page.
    """

    def __init__(self, entry: GameEntry) -> None:
        super().__init__(module_name(entry))
        self._entry = entry

    @property
    def __doc__(self) -> str:  # type: ignore[override]
        return self._entry.page

    def __reduce__(self) -> tuple[Any, ...]:
        return import_module, (self.__name__,)

    def env(self, **options: Any) -> "BoardGameAECEnv":
        """Make the game's environment, with ``render_mode`` and the game's options."""
        from boardgames_env.envs.aec import BoardGameAECEnv

        return BoardGameAECEnv(self._entry.name, **options)

    raw_env = env


def pettingzoo_modules() -> dict[str, ModuleType]:
    """Return the games as PettingZoo's modules, by names such as ``achi_v0``."""
    names = map(module_name, registered_games().values())
    return {name.rpartition(".")[2]: sys.modules[name] for name in names}
