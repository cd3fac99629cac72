"""The Advisor that comments at random, a baseline for the others."""

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from boardgames_agents.hoyle.advisors import Advisor, Opinion, advisor
from boardgames_agents.hoyle.position_view import Choice, PositionView
from boardgames_agents.policy import Rng

_STRENGTHS = (0, 1, 2, 3, 4, 6, 7, 8, 9, 10)


@advisor
class Anything(Advisor):
    """Say anything. It comments while weights are learned, and never votes."""

    opposes = True
    votes = False

    @cached_property
    def rng(self) -> Rng:
        """Its random generator, that of the contest when weights are learned."""
        return np.random.default_rng(0)

    def comment(self, case: PositionView, options: Sequence[Choice]) -> Opinion:
        """Comment on n moves with probability 1/2ⁿ, with random strengths."""
        count = min(int(self.rng.geometric(0.5)), len(options))
        chosen = self.rng.permutation(len(options))[:count].tolist()
        return {options[which]: _STRENGTHS[int(self.rng.integers(len(_STRENGTHS)))] for which in chosen}
