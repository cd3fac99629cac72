"""The utility of outcomes: what they are worth in points, or at the score of a match.

A utility is an array of shape ``(2, 6)``: for each seat, the value of winning 1, 2, 3 times the stake and of losing as
much, in units in which the stake counts 1. What one seat gains the other loses.
"""

from typing import Protocol

import numpy as np

from boardgames_agents.lookahead.cube.match_equity import win_after
from boardgames_agents.lookahead.evaluator import OTHER_SEAT, POINTS
from boardgames_env.game import Game
from boardgames_env.kernels import State
from boardgames_env.kernels.signatures import Float64s
from boardgames_env.match_score import MatchScore


class Utility(Protocol):
    """The utility of the outcomes of a contest; it can be pickled."""

    def of(self, state: State) -> Float64s:
        """Return the utility at the stakes and the score of a state; it must not be changed."""


class PointsUtility:
    """The points, in units of the stake, as in money play."""

    _values = np.array([POINTS, POINTS])

    def of(self, state: State) -> Float64s:
        """Return the points."""
        return self._values


class JacobyUtility:
    """The points where gammons do not count while the cube is in the middle.

    Moves are chosen by it. Cube decisions are made by `PointsUtility`, because gammons count if a double is taken.
    """

    _values = np.sign(PointsUtility._values)

    def __init__(self, game: Game) -> None:
        self._stake = game.stake

    def of(self, state: State) -> Float64s:
        """Return the points, those of single games if the cube has not been turned."""
        return PointsUtility._values if self._stake is None or self._stake(state) > 1 else self._values


class MatchUtility:
    """The probability of winning the match, scaled so that the stake counts 1.

    After the Crawford game, while the cube is in the middle, outcomes count at twice the stake: the seat that trails
    doubles as soon as it can.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._known: dict[tuple[MatchScore, int], Float64s] = {}

    def of(self, state: State) -> Float64s:
        """Return the utility at a score and stake."""
        game = self._game
        assert game.score is not None
        score, stake = game.score(state), game.stake(state) if game.stake else 1
        found = self._known.get((score, stake))
        if found is None:
            found = self._known[score, stake] = self._computed(score, stake)
        return found

    def _computed(self, score: MatchScore, stake: int) -> Float64s:
        has_cube = self._game.stake is not None
        is_doubled_next = has_cube and stake == 1 and score.is_post_crawford and max(score.away) > 1
        chance = win_after(score, 0, has_cube)
        after = np.array([chance(int(points) * stake * (1 + is_doubled_next)) for points in POINTS])
        won, lost = chance(stake), chance(-stake)
        own = (2 * after - won - lost) / (won - lost)
        return np.array([own, -own[OTHER_SEAT]])


def utility_of(game: Game) -> Utility:
    """Return the utility by which moves are chosen in a game."""
    if game.score is not None:
        return MatchUtility(game)
    if game.options.get("jacoby") and game.stake is not None:
        return JacobyUtility(game)
    return PointsUtility()
