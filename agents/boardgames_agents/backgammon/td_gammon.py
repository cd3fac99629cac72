"""The networks that come with the package: TD-Gammon, trained by TD(λ), expert iteration and batch TD(λ).

The page about the backgammon networks says how each was made, and the page about backgammon how strong it is;
`boardgames_agents.td.network_file.describe_file` reads the description in its file.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from boardgames_agents.backgammon.race_evaluator import RaceEvaluator
from boardgames_agents.backgammon.race_network import shipped_weights
from boardgames_agents.lookahead.cube.formulas import make_formula
from boardgames_agents.lookahead.evaluator import Evaluator
from boardgames_agents.lookahead.player import LookaheadPolicy
from boardgames_agents.registry import agent
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.games.backgammon.rules.backgammon_board import BackgammonRules
from boardgames_env.games.backgammon.rules.legality import demand_backgammon
from boardgames_env.solve.bearoff import MEN
from boardgames_env.spec import Quick

if TYPE_CHECKING:
    from boardgames_agents.td.network import Network

NETS = Path(__file__).parent / "nets"
"""The folder of the networks' files."""

_KEPT = 6
"""Replies to a roll that are compared at the last of several plies, those that td_gammon_raw values most.

Two plies then take half of the time; the page about backgammon says what they lose.
"""


@agent("td_gammon", for_people="Trained network: learned by playing against itself, over a million games")
def td_gammon(
    game: Game,
    plies: Annotated[int, Quick(3)] = 1,
    candidates: Annotated[int, Quick(50)] = 8,
    margin: float = 0.16,
    doubling: str = "janowski",
    tables: bool = True,
) -> LookaheadPolicy:
    """Play by a network trained by self-play and by its own look-ahead.

    Backgammon's has expert features. At the last of several plies a faster network filters its replies.

    Args:
        game: Backgammon or hypergammon, which has a network of its own.
        plies: Plies of look-ahead, from 1.
        candidates: Most moves that are examined more deeply.
        margin: Largest difference of these from the best move, in points.
        doubling: The formula for the doubling cube: ``janowski`` or ``zadeh_kobliska``, with options.
        tables: Whether it plays races by exact bear-off tables, which are computed once, in a few seconds, and those
            of backgammon by a network of their own until all men are home.

    Raises:
        BadInputError: If the game is another, or an option is out of range.
    """
    from boardgames_agents.td.network import FilteredNetwork

    network, has_all_men = _network("td_gammon", game), _men(game) == MEN
    evaluator: Evaluator = FilteredNetwork(network, _network("td_gammon_raw", game), _KEPT) if has_all_men else network
    races = shipped_weights() if has_all_men else None
    evaluator = RaceEvaluator(evaluator, game, races) if tables else evaluator
    return LookaheadPolicy(game, evaluator, plies, candidates, margin, make_formula(doubling))


@agent(
    "td_gammon_1995", for_people="Trained network as in 1995: a smaller one, which learned by playing against itself"
)
def td_gammon_1995(game: Game, plies: Annotated[int, Quick(3)] = 1) -> LookaheadPolicy:
    """Play by a network like that of Tesauro 1995: 80 hidden units, expert features, trained by self-play alone.

    One network plays all positions, races too. The cube is handled by the formula of Zadeh and Kobliska, as there.

    Args:
        game: Backgammon.
        plies: Plies of look-ahead, from 1.

    Raises:
        BadInputError: If the game is another, or an option is out of range.
    """
    formula = make_formula("zadeh_kobliska")
    return LookaheadPolicy(game, _network("td_gammon_1995", game), plies, doubling=formula)


@agent(
    "td_gammon_raw",
    for_people="Trained network without advice: was given the rules alone, and learned the rest by itself",
)
def td_gammon_raw(game: Game, plies: Annotated[int, Quick(3)] = 1) -> LookaheadPolicy:
    """Play by a network trained by self-play from the bare board, without expert features.

    Args:
        game: Backgammon.
        plies: Plies of look-ahead, from 1.

    Raises:
        BadInputError: If the game is another, or an option is out of range.
    """
    return LookaheadPolicy(game, _network("td_gammon_raw", game), plies)


def _network(name: str, game: Game) -> "Network":
    from boardgames_agents.td.network_file import load_network

    demand_backgammon(game)
    men = _men(game)
    file = NETS / (f"{name}.safetensors" if men == MEN else f"{name}_{men}_men.safetensors")
    if not file.exists():
        run = f"runs/{game.name}"
        raise BadInputError(
            f"{name} has learned backgammon with {MEN} men a seat, not {game.spec}; a network of your own can: "
            f"boardgames train {game.name} 'td(outputs=6)' --contests 100000 --run {run}, and then trained(run='{run}')"
        )
    return load_network(file, game)


def _men(game: Game) -> int:
    """Return the number of men of each seat in a game on the board of backgammon."""
    return game.family.men if isinstance(game.family, BackgammonRules) else 0
