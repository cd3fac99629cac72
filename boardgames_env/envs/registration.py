"""The registration of every game with PettingZoo and Gymnasium."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import gymnasium
from pettingzoo.env_registry.registration import register as register_with_pettingzoo

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
    game = {"game": entry.name}
    register_with_pettingzoo("aec", pettingzoo_id(entry), f"{_ENVS}.aec:BoardGameAECEnv", kwargs=game)
    gymnasium.register(
        gymnasium_id(entry),
        entry_point=f"{_ENVS}.single:BoardGameEnv",
        vector_entry_point=f"{_ENVS}.vector:make_vector_env",
        kwargs=game,
    )


@dataclass(frozen=True)
class PettingZooModule:
    """A game in the form of PettingZoo's modules, as in ``from boardgames_env import achi_v0``."""

    game: str

    def env(self, **options: Any) -> "BoardGameAECEnv":
        """Make the game's environment, with ``render_mode`` and the game's options."""
        from boardgames_env.envs.aec import BoardGameAECEnv

        return BoardGameAECEnv(self.game, **options)

    raw_env = env


def pettingzoo_modules() -> dict[str, PettingZooModule]:
    """Return the games as PettingZoo's modules, by names such as ``achi_v0``."""
    return {f"{entry.name}_v{entry.version}": PettingZooModule(entry.name) for entry in registered_games().values()}
