"""OpenSpiel's Monte Carlo tree search as an agent, for comparison with `mcts`."""

from typing import Annotated, Any

from boardgames_agents.policy import Policy, Rng
from boardgames_agents.registry import agent
from boardgames_env.errors import require
from boardgames_env.game import Game
from boardgames_env.position import Position
from boardgames_env.spec import Quick

_MEGABYTES = 1000
"""The memory limit of its tree."""


class SpielMCTS(Policy):
    """A player that searches with OpenSpiel's ``MCTSBot``; see `open_spiel_mcts`."""

    def __init__(self, game: Game, simulations: int, c: float, rollouts: int, solve: bool) -> None:
        from boardgames_baselines.open_spiel import spiel_game

        self._game = spiel_game(game)
        self._settings = (c, simulations, _MEGABYTES, solve)
        self._rollouts = rollouts
        self._bot: Any = None

    def begin(self, game: Game, seats: tuple[int, ...], rng: Rng) -> None:
        """Make the bot, seeded by the generator's next numbers."""
        import pyspiel

        super().begin(game, seats, rng)
        first, second = rng.integers(2**31, size=2).tolist()
        evaluator = pyspiel.RandomRolloutEvaluator(self._rollouts, first)
        self._bot = pyspiel.MCTSBot(self._game, evaluator, *self._settings, second, False)

    def choose(self, position: Position) -> int:
        """Return the bot's action, as if the contest began in the position."""
        # (`step` releases Python's lock and crashes at states written in Python)
        action: int = self._bot.step_with_policy(self._game.state_at(position))[1]
        return action


@agent("open_spiel_mcts", for_people="Trial games of OpenSpiel: plays games to the end in its head", needs="OpenSpiel")
def open_spiel_mcts(
    game: Game,
    simulations: Annotated[int, Quick(2_000)] = 200,
    c: float = 2.0,
    rollouts: Annotated[int, Quick(10)] = 1,
    solve: bool = True,
) -> Policy:
    """OpenSpiel's Monte Carlo tree search on our rules; needs the extra `open_spiel`.

    Args:
        game: The game.
        simulations: Simulations of each choice.
        c: The exploration constant of UCT.
        rollouts: Random contests that evaluate a position.
        solve: Whether it proves wins and losses.
    """
    require(2, simulations=simulations)
    require(1, rollouts=rollouts)
    require(0, c=c)
    return SpielMCTS(game, simulations, c, rollouts, solve)
