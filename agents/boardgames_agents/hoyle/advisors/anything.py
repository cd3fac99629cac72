"""The Advisor that comments at random, a baseline for the others."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from boardgames_agents.hoyle.advisors import Advisor, Opinion, advisor
from boardgames_agents.hoyle.position_view import Choice, PositionView

if TYPE_CHECKING:
    from boardgames_agents.hoyle.useful_knowledge import Knowledge

_STRENGTHS = (0, 1, 2, 3, 4, 6, 7, 8, 9, 10)


@advisor
class Anything(Advisor):
    """Say anything. It comments while weights are learned, and never votes."""

    opposes = True
    votes = False

    def __init__(self, knowledge: "Knowledge") -> None:
        super().__init__(knowledge)
        self.rng = np.random.default_rng(0)

    def comment(self, case: PositionView, options: Sequence[Choice]) -> Opinion:
        """Comment on n moves with probability 1/2ⁿ, with random strengths."""
        count = min(int(self.rng.geometric(0.5)), len(options))
        chosen = self.rng.permutation(len(options))[:count].tolist()
        return {options[which]: _STRENGTHS[int(self.rng.integers(len(_STRENGTHS)))] for which in chosen}
