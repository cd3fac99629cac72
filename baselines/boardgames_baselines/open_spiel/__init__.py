"""Our games and agents in OpenSpiel; importing this package registers the games, and nothing else imports it.

* Our games are games of OpenSpiel (`boardgames_baselines.open_spiel.games`): ``pyspiel.load_game("boardgames_achi")``.
* Our agents are bots of OpenSpiel (`open_spiel.bots`), at its own version of a game that both have, too
  (`boardgames_baselines.open_spiel.counterparts`).

OpenSpiel: M. Lanctot et al., *OpenSpiel: A Framework for Reinforcement Learning in Games*, arXiv:1908.09453 (2019).
"""

from boardgames_env.errors import MissingLibraryError

try:
    import pyspiel  # noqa: F401  (all modules of this package do; this one says how to have it)
except ImportError as error:
    raise MissingLibraryError("this needs OpenSpiel", "open_spiel") from error

from boardgames_baselines.open_spiel.bots import PolicyBot
from boardgames_baselines.open_spiel.counterparts import Counterpart, counterpart
from boardgames_baselines.open_spiel.games import spiel_game

__all__ = ["Counterpart", "PolicyBot", "counterpart", "spiel_game"]
