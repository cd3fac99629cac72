"""Board games as PettingZoo and Gymnasium environments.

`make_game` gives a game's rules and positions. Importing this package registers every game as
``boardgames/<name>-v<N>`` with PettingZoo and as ``boardgames/<Name>-v<N>`` with Gymnasium;
``from boardgames_env import achi_v0`` gives PettingZoo's ``env`` and ``raw_env``.
"""

from boardgames_env.errors import BadInputError
from boardgames_env.game import Game, IllegalActionError, Move, Position
from boardgames_env.games import make_game, registered_games
from boardgames_env.history import History, Limits

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
