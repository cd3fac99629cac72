"""Maximal power: the power of a perfect player against a challenger (Epstein 1994, Table 1)."""

from contextlib import suppress
from dataclasses import dataclass

from boardgames_agents.arena.exact_outcomes import exact_outcomes
from boardgames_agents.arena.position_graph import TooManyPositionsError
from boardgames_agents.arena.tournament import tournament
from boardgames_agents.experiments.estimate import Estimate
from boardgames_agents.policy import MarkovPolicy
from boardgames_agents.registry import make_agent
from boardgames_env.errors import require
from boardgames_env.game import Game
from boardgames_env.solve import solve
from boardgames_env.spec import Spec


@dataclass(frozen=True)
class Optimum:
    """Power and reliability of a player in per cent, estimated from ``contests`` contests, or exact if these are 0."""

    power: Estimate
    reliability: Estimate
    contests: int = 0


def optimum(game: Game, player: str | Spec, challenger: str | Spec, contests: int, seed: int, jobs: int = 1) -> Optimum:
    """Return power and reliability of a player who has each seat in half of the contests, at a game that can be solved.

    They are exact if the game cannot cycle and has at most `MOST_POSITIONS`, and both agents are Markov policies. They
    are estimated from a tournament with ``contests``, ``seed`` and ``jobs`` otherwise.

    Raises:
        BadInputError: If a number or a spec is not allowed.
    """
    require(1, contests=contests, jobs=jobs)
    require(0, seed=seed)
    one, other = make_agent(player, game), make_agent(challenger, game)
    if solve(game).acyclic and isinstance(one, MarkovPolicy) and isinstance(other, MarkovPolicy):
        with suppress(TooManyPositionsError):
            win, draw, _ = exact_outcomes(game, one, other)
            power, reliability = [Estimate(*(100 * share,) * 3) for share in (win, win + draw)]
            return Optimum(power, reliability)
    score = tournament(game, player, challenger, contests, seed, jobs=jobs).score
    return Optimum(
        Estimate(score.power, *score.power_interval), Estimate(score.reliability, *score.reliability_interval), contests
    )
