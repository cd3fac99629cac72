"""Votes of tier 3: how comments become the support of moves.

Either by learned weights (Epstein 2001, section 3.4), or by one of the four move selection paradigms of the older
program (Epstein 1994, section 4).

One paradigm tallies the strengths of the comments on each move; one first smoothes them to "yes", "no" or "don't
care"; one limits each Advisor to its strongest comment; and one does both. Strengths are relative to indifference: an
Advisor without a comment on a move neither helps nor harms it, and one that opposes a move reduces its tally.
"""

from collections.abc import Mapping, Sequence

from boardgames_agents.hoyle.forr import INDIFFERENT, Opinion, Option, Voting
from boardgames_agents.hoyle.weights import Weights


class WeightedVoting(Voting):
    """Equation 2: strengths are multiplied by the learned weights.

    In ``testing`` there are no discounts, and Advisors that are no better than random comments are omitted; the weights
    must not change then. ``places`` is whether the stage is that of placing, for weights learned for each stage.
    """

    def __init__(self, weights: Weights, testing: bool, places: bool = True) -> None:
        self._weights = weights
        self._testing = testing
        self._places = places
        self._known: dict[str, float] = {}

    def weight(self, advisor: str) -> float:
        """Return the learned weight, discounted while learning."""
        title = self._weights.title(advisor, self._places)
        if not self._testing:
            return self._weights.weight(title) * self._weights.discount(title)
        if advisor not in self._known:
            self._known[advisor] = self._weights.weight(title) if self._weights.is_better_than_random(title) else 0.0
        return self._known[advisor]

    def support(self, opinions: Mapping[str, Opinion[Option]], options: Sequence[Option]) -> dict[Option, float]:
        """Return the sums of the weighted strengths; without a comment the strength is indifference."""
        support = dict.fromkeys(options, 0.0)
        for name, opinion in opinions.items():
            weight = self.weight(name)
            for option, strength in opinion.items():
                support[option] += weight * (strength - INDIFFERENT)
        return support


class TallyVoting(Voting):
    """The sum of the strengths.

    Args:
        smooth: Whether only the sign of a strength counts.
        limit: Whether only an Advisor's strongest comment counts, the one farthest from indifference, or several
            equally strong ones.
    """

    def __init__(self, smooth: bool = False, limit: bool = False) -> None:
        self._smooth, self._limit = smooth, limit

    def support(self, opinions: Mapping[str, Opinion[Option]], options: Sequence[Option]) -> dict[Option, float]:
        """Return the tally of each option."""
        tallies = dict.fromkeys(options, 0.0)
        for opinion in opinions.values():
            strongest = max((abs(strength - INDIFFERENT) for strength in opinion.values()), default=0)
            for option, strength in opinion.items():
                lead = strength - INDIFFERENT
                if abs(lead) == strongest or not self._limit:
                    tallies[option] += (lead > 0) - (lead < 0) if self._smooth else lead
        return tallies


PARADIGMS: dict[str, Voting] = {
    "tally": TallyVoting(),
    "smooth": TallyVoting(smooth=True),
    "limit": TallyVoting(limit=True),
    "both": TallyVoting(smooth=True, limit=True),
}
"""The paradigms by name."""
