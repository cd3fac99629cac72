"""The networks that come with the package: TD-Gammon, trained by this package's own TD(λ).

The command that made each, and how strong it is, stand on the page about Tesauro's paper; what a file says of itself
is told by `boardgames_agents.td.files.describe_file`.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from boardgames_agents.lookahead.bearing_off import with_tables
from boardgames_agents.lookahead.cube.formulas import make_formula
from boardgames_agents.lookahead.policy import LookaheadPolicy
from boardgames_agents.registry import agent
from boardgames_env.game import Game

if TYPE_CHECKING:
    from boardgames_agents.td.network import Network

NETS = Path(__file__).parent / "td" / "nets"
"""Where the files are."""


@agent("td_gammon")
def td_gammon(
    game: Game,
    plies: int = 1,
    candidates: int = 8,
    margin: float = 0.16,
    doubling: str = "janowski",
    tables: bool = True,
) -> LookaheadPolicy:
    """A network that has taught itself backgammon, with expert features among its inputs, after Tesauro 1995.

    Args:
        game: Backgammon.
        plies: How many plies it looks ahead, from 1.
        candidates: How many of the moves that look best it looks at more deeply.
        margin: How much worse than the best they may look, in points.
        doubling: The doubling formula: ``janowski`` or ``zadeh_kobliska``, with options.
        tables: Whether it bears off by exact tables, which are computed once, in a few seconds.

    Raises:
        BadInputError: If the game is another, or an option is out of range.
    """
    network = _network("td_gammon", game)
    evaluator = with_tables(network, game) if tables else network
    return LookaheadPolicy(game, evaluator, plies, candidates, margin, make_formula(doubling))


@agent("td_gammon_raw")
def td_gammon_raw(game: Game, plies: int = 1) -> LookaheadPolicy:
    """A network that has taught itself backgammon from the bare board, with no knowledge of the game in its inputs.

    Args:
        game: Backgammon.
        plies: How many plies it looks ahead, from 1.

    Raises:
        BadInputError: If the game is another, or an option is out of range.
    """
    return LookaheadPolicy(game, _network("td_gammon_raw", game), plies)


def _network(name: str, game: Game) -> "Network":
    from boardgames_agents.td.files import load_network

    return load_network(NETS / f"{name}.safetensors", game)
