"""Maximal power: how often a perfect player beats a challenger (Epstein 1994, Table 1)."""

from collections.abc import Callable
from dataclasses import dataclass

from boardgames_agents.arena.tournament import tournament
from boardgames_agents.policy import MarkovPolicy
from boardgames_agents.registry import make_agent
from boardgames_env.errors import require
from boardgames_env.game import Game
from boardgames_env.position import Position
from boardgames_env.solve import solve
from boardgames_env.spec import Spec

Chances = tuple[float, float, float]
"""Probabilities of a win, a draw and a loss."""


@dataclass(frozen=True)
class Optimum:
    """A perfect player's power against a challenger, in percent.

    Attributes:
        player: The perfect player's spec.
        challenger: The challenger's spec.
        power: Percent of contests won.
        low: Lower end of its 95 % interval; the power itself if that is exact.
        high: Upper end.
        contests: How many contests were played to find it; 0 if it is exact.
    """

    player: str
    challenger: str
    power: float
    low: float
    high: float
    contests: int


def optimum(game: Game, player: str | Spec, challenger: str | Spec, contests: int, seed: int, jobs: int = 1) -> Optimum:
    """The power of a player against a challenger, each going first half of the time.

    Exact, by dynamic programming, where the game cannot cycle and both go by the position alone; otherwise from a
    tournament.

    Args:
        game: A game that can be solved.
        player: The player's spec.
        challenger: The challenger's spec.
        contests: Contests of the tournament.
        seed: Seed of the tournament.
        jobs: Processes that play it.

    Raises:
        BadInputError: For a number or a spec that is not allowed.
    """
    require(1, contests=contests, jobs=jobs)
    require(0, seed=seed)
    one, other = make_agent(player, game), make_agent(challenger, game)
    if solve(game).acyclic and isinstance(one, MarkovPolicy) and isinstance(other, MarkovPolicy):
        power = 100 * exact_chances(game, one, other)[0]
        return Optimum(str(player), str(challenger), power, power, power, 0)
    score = tournament(game, player, challenger, contests, seed, jobs=jobs).score
    low, high = score.power_interval
    return Optimum(str(player), str(challenger), score.power, low, high, contests)


def exact_chances(game: Game, player: MarkovPolicy, other: MarkovPolicy) -> Chances:
    """How likely the player wins, draws and loses, each going first half of the time.

    Args:
        game: A game without cycles: in any other this would not end.
        player: Whose chances they are.
        other: The opponent.
    """
    first = _chances_of_seat_0(game, (player, other))
    second = _chances_of_seat_0(game, (other, player))
    return (first[0] + second[2]) / 2, (first[1] + second[1]) / 2, (first[2] + second[0]) / 2


def _chances_of_seat_0(game: Game, players: tuple[MarkovPolicy, MarkovPolicy]) -> Chances:
    known: dict[bytes, Chances] = {}
    certain: Callable[[int], Chances] = {1: (1.0, 0.0, 0.0), 0: (0.0, 1.0, 0.0), -1: (0.0, 0.0, 1.0)}.__getitem__

    def chances(position: Position) -> Chances:
        if position.outcome is not None:
            return certain(position.outcome)
        if position.key not in known:
            win = draw = loss = 0.0
            for action, probability in zip(*players[position.seat].distribution(position), strict=True):
                reached = chances(position.after(action))
                win += probability * reached[0]
                draw += probability * reached[1]
                loss += probability * reached[2]
            known[position.key] = (win, draw, loss)
        return known[position.key]

    return chances(game.initial)
