"""The strengths of the comments of heuristic Advisors.

(The papers say what such an Advisor supports and opposes, but not how strongly. Here a reason that a move either has or
has not gives `SUPPORT` or `OPPOSITION`, and a reason that can be counted gives a step of strength for each unit.)
"""

from collections.abc import Mapping

from boardgames_agents.hoyle.advisors import Opinion
from boardgames_agents.hoyle.forr import ENTHUSIASM, INDIFFERENT
from boardgames_agents.hoyle.position_view import Choice

SUPPORT, OPPOSITION = 8, 2
_STEPS = ENTHUSIASM - INDIFFERENT


def graded(gains: Mapping[Choice, int]) -> Opinion:
    """Return an opinion that supports gains and opposes losses, a step of strength per unit.

    Moves without gain or loss get no comment. If a gain or loss exceeds the scale, the largest gets the end of the
    scale, and all others are in proportion, rounded away from indifference.
    """
    largest = max([_STEPS, *map(abs, gains.values())])
    steps = {option: -(-_STEPS * abs(gain) // largest) for option, gain in gains.items() if gain}
    return {option: INDIFFERENT + (count if gains[option] > 0 else -count) for option, count in steps.items()}
