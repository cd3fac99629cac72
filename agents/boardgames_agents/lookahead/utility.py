"""The utility of outcomes: what they are worth in points, or at the score of a match.

A utility is an array of shape ``(2, 6)``: for each seat, the value of winning 1, 2, 3 times the stake and of losing as
much, in units in which the stake counts 1. What one seat gains the other loses.
"""

import numpy as np

from boardgames_agents.lookahead.cube.match_equity import win_after
from boardgames_agents.lookahead.evaluator import OTHER_SEAT, POINTS
from boardgames_env.game import Game
from boardgames_env.kernels import State
from boardgames_env.kernels.signatures import Float64s
from boardgames_env.match_score import MatchScore

_POINTS = np.array([POINTS, POINTS])
_SINGLE_POINTS = np.sign(_POINTS)


class Utility:
    """The utility by which the seats choose in a game.

    In money play it is the points, in units of the stake. By the Jacoby rule gammons do not count while the cube is in
    the middle; but if a double is taken they do.

    At the score of a match it is the probability of winning the match, scaled so that the stake counts 1. After the
    Crawford game, while the cube is in the middle, outcomes count at twice the stake: the seat that trails doubles as
    soon as it can.

    Args:
        game: The game.
        to_double: Whether it is for decisions with the cube, for which gammons count by the Jacoby rule, too.

    Attributes:
        has_jacoby: Whether there are positions in which gammons do not count.
    """

    def __init__(self, game: Game, to_double: bool = False) -> None:
        self._game = game
        is_money = game.score is None and game.stake is not None
        self.has_jacoby = is_money and bool(game.options.get("jacoby")) and not to_double
        self._known: dict[tuple[MatchScore, int], Float64s] = {}

    def of(self, state: State) -> Float64s:
        """Return the utility at the stakes and the score of a state; it must not be changed."""
        game = self._game
        stake = game.stake(state) if game.stake else 1
        if game.score is None:
            return _SINGLE_POINTS if self.has_jacoby and stake == 1 else _POINTS
        score = game.score(state)
        if (score, stake) not in self._known:
            self._known[score, stake] = self._at(score, stake)
        return self._known[score, stake]

    def _at(self, score: MatchScore, stake: int) -> Float64s:
        has_cube = self._game.stake is not None
        is_doubled_next = has_cube and stake == 1 and score.is_post_crawford and max(score.away) > 1
        chance = win_after(score, 0, has_cube)
        after = np.array([chance(int(points) * stake * (1 + is_doubled_next)) for points in POINTS])
        won, lost = chance(stake), chance(-stake)
        own = (2 * after - won - lost) / (won - lost)
        return np.array([own, -own[OTHER_SEAT]])
