"""How strong the comments of heuristic Advisors are.

The papers say what such an Advisor supports and opposes, but not how strongly. Here a reason that a move has or has not
gives `SUPPORT`; one that can be counted gives a step of strength for each unit.
"""

from collections.abc import Mapping

from boardgames_agents.hoyle.advisors import Opinion
from boardgames_agents.hoyle.forr import ENTHUSIASM, INDIFFERENT
from boardgames_agents.hoyle.position_view import Choice

SUPPORT = 8
_STEPS = ENTHUSIASM - INDIFFERENT


def graded(gains: Mapping[Choice, int]) -> Opinion:
    """Supports moves that gain and opposes those that lose, a step of strength a unit; no comment on the others.

    If that leaves the scale, the largest gain or loss gets its end, and all others are in proportion, rounded away
    from indifference.

    Args:
        gains: What each move gains, in units of any kind.
    """
    largest = max(_STEPS, *map(abs, gains.values())) if gains else _STEPS
    return {option: INDIFFERENT + _steps(gain, largest) for option, gain in gains.items() if gain}


def _steps(gain: int, largest: int) -> int:
    steps = -(-_STEPS * abs(gain) // largest)
    return steps if gain > 0 else -steps
