"""The four move selection paradigms of the older program (Epstein 1994, section 4).

One tallies the strengths of the comments on each move; one first smoothes them to "yes", "no" or "don't care"; one
limits each Advisor to its strongest comment; and one does both. Strengths are relative to indifference: an Advisor
without a comment on a move neither helps nor harms it, and one that opposes a move reduces its tally.
"""

from collections.abc import Mapping, Sequence

from boardgames_agents.hoyle.forr import INDIFFERENT, Opinion, Option, Voting


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
                from_indifference = strength - INDIFFERENT
                if self._limit and abs(from_indifference) < strongest:
                    continue
                tallies[option] += _sign(from_indifference) if self._smooth else from_indifference
        return tallies


PARADIGMS: dict[str, Voting] = {
    "tally": TallyVoting(),
    "smooth": TallyVoting(smooth=True),
    "limit": TallyVoting(limit=True),
    "both": TallyVoting(smooth=True, limit=True),
}
"""The paradigms by name."""


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
