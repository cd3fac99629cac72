"""Maximal power: the power of a perfect player against a challenger (Epstein 1994, Table 1)."""

from dataclasses import dataclass
from functools import cache

from boardgames_agents.arena.tournament import tournament
from boardgames_agents.experiments.estimate import Estimate
from boardgames_agents.policy import MarkovPolicy
from boardgames_agents.registry import make_agent
from boardgames_env.errors import require
from boardgames_env.game import Game
from boardgames_env.position import Position
from boardgames_env.solve import solve
from boardgames_env.spec import Spec

Outcomes = tuple[float, float, float]
"""Probabilities of a win, a draw and a loss."""

_CERTAIN: dict[int, Outcomes] = {1: (1.0, 0.0, 0.0), 0: (0.0, 1.0, 0.0), -1: (0.0, 0.0, 1.0)}


@dataclass(frozen=True)
class Optimum:
    """Power and reliability of a player in per cent, estimated from ``contests`` contests, or exact if these are 0."""

    power: Estimate
    reliability: Estimate
    contests: int = 0


def optimum(game: Game, player: str | Spec, challenger: str | Spec, contests: int, seed: int, jobs: int = 1) -> Optimum:
    """Return power and reliability of a player who has each seat in half of the contests, at a game that can be solved.

    They are exact, by dynamic programming, if the game cannot cycle and both agents are Markov policies, and estimated
    from a tournament with ``contests``, ``seed`` and ``jobs`` otherwise.

    Raises:
        BadInputError: If a number or a spec is not allowed.
    """
    require(1, contests=contests, jobs=jobs)
    require(0, seed=seed)
    one, other = make_agent(player, game), make_agent(challenger, game)
    if solve(game).acyclic and isinstance(one, MarkovPolicy) and isinstance(other, MarkovPolicy):
        win, draw, _ = exact_outcomes(game, one, other)
        power, reliability = [Estimate(*(100 * share,) * 3) for share in (win, win + draw)]
        return Optimum(power, reliability)
    score = tournament(game, player, challenger, contests, seed, jobs=jobs).score
    return Optimum(
        Estimate(score.power, *score.power_interval), Estimate(score.reliability, *score.reliability_interval), contests
    )


def exact_outcomes(game: Game, player: MarkovPolicy, other: MarkovPolicy) -> Outcomes:
    """Return the player's probabilities of a result, with each seat in half of the contests, without cycles."""
    first = _outcomes_of_seat_0(game, (player, other))
    second = _outcomes_of_seat_0(game, (other, player))
    return (first[0] + second[2]) / 2, (first[1] + second[1]) / 2, (first[2] + second[0]) / 2


def _outcomes_of_seat_0(game: Game, players: tuple[MarkovPolicy, MarkovPolicy]) -> Outcomes:
    @cache
    def outcomes(position: Position) -> Outcomes:
        if position.outcome is not None:
            return _CERTAIN[position.outcome]
        win = draw = loss = 0.0
        for action, probability in zip(*players[position.seat].distribution(position), strict=True):
            reached = outcomes(position.play(action))
            win += probability * reached[0]
            draw += probability * reached[1]
            loss += probability * reached[2]
        return win, draw, loss

    return outcomes(game.initial)
