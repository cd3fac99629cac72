"""A match equity table: the probability of winning a match at every score, computed from gammon rates.

The recursion is Zadeh's ("On doubling in tournament backgammon", Management Science 23, 1977; known here as others
describe it, such as T. Keith, "How to compute a match equity table", bkgm.com): the value of a score is that of one
game between equals, whose outcomes lead to scores of which the value is known. With ``s1, s2, s3`` the shares of single
games, gammons and backgammons, ``E(a, b)`` the probability of the seat that needs ``a`` points, and ``E = 1`` or ``0``
where the match is over:

* Crawford game, and matches without a cube: ``E(a, b) = 1/2 Σ s_k [E(a - k, b) + E(a, b - k)]``, at later scores
  post-Crawford.
* Post-Crawford, the seat that needs ``a > 1`` doubles at once, and the other takes or drops, as is better for it:
  ``E(a, 1) = min(1/2 Σ s_k E(a - 2k, 1), E(a - 1, 1)) - f(a)``. The *free drop* f is what it is worth to drop after a
  bad opening roll where ``a`` is even: 0.015 at 2 and 0.004 at 4. (These are GNU Backgammon's constants as far as we
  know; they have not been compared with its source.)
* Before that the value is that of a cube in the middle, with a probability of 1/2 of winning the game, by Janowski's
  interpolation between the live and the dead cube (`MatchCube`). (Zadeh's own interpolation has two other constants.)
"""

from collections.abc import Callable
from dataclasses import replace
from functools import cache

from boardgames_agents.lookahead.cube.formulas import Janowski, Prospects, Shares
from boardgames_agents.lookahead.cube.models import MatchCube
from boardgames_env.match_score import MatchScore

GAMMONS, BACKGAMMONS = 0.27, 0.01
"""The shares of gammons and of backgammons among games that are played to their end, of players who are equals."""

SHARES: Shares = (1 - GAMMONS - BACKGAMMONS, GAMMONS, BACKGAMMONS)

_FREE_DROP = {2: 0.015, 4: 0.004}
_EQUALS = Prospects(0.5, won=SHARES, lost=SHARES)


class MatchEquities:
    """The probability that seat 0 wins a match, by score.

    Args:
        has_cube: Whether the match is played with a doubling cube.
    """

    def __init__(self, has_cube: bool = True) -> None:
        self._has_cube = has_cube
        self._known: dict[tuple[tuple[int, int], bool], float] = {}

    def of(self, score: MatchScore) -> float:
        """Return the probability at a score; 1 or 0 where the match is over."""
        if score.winner is not None:
            return 1.0 - score.winner
        key = score.away, score.is_crawford
        if key not in self._known:
            self._learn(score)
        return self._known[key]

    def after(self, score: MatchScore) -> Callable[[int], float]:
        """Return the function of seat 0's probability after a game at a score that gave it some points."""
        return cache(lambda points: self.of(score.after(points)))

    def _learn(self, score: MatchScore) -> None:
        """Compute the values at a score, after those of all scores at which a match can go on from there.

        (In this order, because a recursion through a long match would be too deep.)
        """
        one, other = score.away
        for a in range(1, one + 1):
            for b in range(1, other + 1):
                reached = MatchScore(max(one, other), (max(one, other) - a, max(one, other) - b))
                for crawford in (False, True) if min(a, b) == 1 else (False,):
                    here = replace(reached, is_crawford=crawford)
                    if (here.away, crawford) not in self._known:
                        self._known[here.away, crawford] = self._value(here)

    def _value(self, score: MatchScore) -> float:
        after = self.after(score)
        if score.is_crawford or not self._has_cube or score.away == (1, 1):
            return sum(share * (after(k) + after(-k)) for k, share in enumerate(SHARES, start=1)) / 2
        if score.is_post_crawford:
            one, other = score.away
            return 1 - self._trailing(score.turned, other) if one == 1 else self._trailing(score, one)
        return MatchCube(Janowski(), 1, after).centred_chance(_EQUALS)

    def _trailing(self, score: MatchScore, away: int) -> float:
        """Return the probability of seat 0, which trails after the Crawford game."""
        after = self.after(score)
        taken = sum(share * after(2 * k) for k, share in enumerate(SHARES, start=1)) / 2
        return min(taken, after(1)) - _FREE_DROP.get(away, 0.0)


equities_with_cube, equities_without_cube = MatchEquities(), MatchEquities(has_cube=False)


def win_after(score: MatchScore, seat: int, has_cube: bool) -> Callable[[int], float]:
    """Return the function of a seat's probability of winning the match after a game that gave it some points."""
    table = equities_with_cube if has_cube else equities_without_cube
    return table.after(score if seat == 0 else score.turned)
