"""PWL, Probabilistic Weight Learning: the weights of fallible Advisors (Epstein 2001, section 3.4)."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgames_agents.hoyle.advisors import Advisor
from boardgames_agents.hoyle.advisors.anything import Anything
from boardgames_agents.hoyle.forr import INDIFFERENT, Opinion, Option, Voting
from boardgames_agents.hoyle.item import Experience, Item
from boardgames_agents.policy import Snapshot

FIRST_WEIGHT = 0.05
DISCOUNT = 0.1
MARGIN = 0.01
"""The margin over `Anything` that an Advisor needs to be asked in testing."""


class Weights(Item):
    """The share of correct opinions among all opinions of each Advisor of tier 3.

    After all other items have learned, every Advisor is asked about every position whose correct moves have become
    known.
    """

    name = "Advisor weights"

    def __init__(self) -> None:
        self.opinions: dict[str, int] = {}
        self.correct: dict[str, int] = {}
        self.asked: tuple[Advisor, ...] = ()

    def weight(self, advisor: str) -> float:
        """Return equation 1; an Advisor without opinions so far has the first weight."""
        opinions = self.opinions.get(advisor, 0)
        return self.correct[advisor] / opinions if opinions else FIRST_WEIGHT

    def discount(self, advisor: str) -> float:
        """Return the discount factor of equation 2: 0.1 for an Advisor's first opinion, 1 from the tenth on."""
        return min(1.0, DISCOUNT * (self.opinions.get(advisor, 0) + 1))

    @property
    def threshold(self) -> float | None:
        """The weight from which an Advisor is better than random comments; ``None`` if these have not been tried."""
        return self.weight(Anything.name) + MARGIN if self.opinions.get(Anything.name) else None

    def is_better_than_random(self, advisor: str) -> bool:
        """Return whether an Advisor is better than random comments, or these have not been tried yet."""
        threshold = self.threshold
        return threshold is None or self.weight(advisor) >= threshold

    def learn(self, experience: Experience) -> None:
        """Ask the Advisors about the contest's examples."""
        for advisor in self.asked:
            if isinstance(advisor, Anything):
                advisor.rng = experience.rng
        for view, correct in experience.examples:
            options = view.choices
            if len(options) < 2:
                continue
            heard = {each: opinion for each in self.asked if (opinion := each.comment(view, options))}
            if not heard:
                continue
            strengths = [[opinion.get(option, INDIFFERENT) for opinion in heard.values()] for option in options]
            right = np.array([option.key in correct for option in options])
            supports, opposes = np.array([(each.supports, each.opposes) for each in heard]).T
            verdicts = are_correct(np.array(strengths), right, supports, opposes)
            for advisor, is_correct in zip(heard, verdicts.tolist(), strict=True):
                self.opinions[advisor.name] = self.opinions.get(advisor.name, 0) + 1
                self.correct[advisor.name] = self.correct.get(advisor.name, 0) + is_correct

    @property
    def space(self) -> int:
        """Zero: weights are not counted as pieces of knowledge."""
        return 0

    def snapshot(self) -> Snapshot:
        """Return the numbers of opinions and of correct ones by Advisor."""
        return Snapshot({}, {"counts": {name: [self.opinions[name], self.correct[name]] for name in self.opinions}})

    def restore(self, snapshot: Snapshot) -> None:
        """Restore the counts of a snapshot."""
        counts = snapshot.data["counts"]
        if not isinstance(counts, Mapping) or not all(_are_counts(both) for both in counts.values()):
            raise ValueError("the counts of an Advisor are not its numbers of opinions and of correct ones")
        self.opinions = {name: both[0] for name, both in counts.items()}
        self.correct = {name: both[1] for name, both in counts.items()}


def _are_counts(both: object) -> bool:
    """Return whether a saved value consists of a number of opinions and a number of correct ones."""
    match both:
        case [int(opinions), int(correct)]:
            return 0 <= correct <= opinions > 0
    return False


class WeightedVoting(Voting):
    """Equation 2: strengths are multiplied by the learned weights.

    In ``testing`` there are no discounts, and Advisors that are no better than random comments are omitted.
    """

    def __init__(self, weights: Weights, testing: bool) -> None:
        self._weights = weights
        self._testing = testing

    def weight(self, advisor: str) -> float:
        """Return the learned weight, discounted while learning."""
        weight = self._weights.weight(advisor)
        if self._testing:
            return weight if self._weights.is_better_than_random(advisor) else 0.0
        return weight * self._weights.discount(advisor)

    def support(self, opinions: Mapping[str, Opinion[Option]], options: Sequence[Option]) -> dict[Option, float]:
        """Return the sums of the weighted strengths; without a comment the strength is indifference."""
        support = dict.fromkeys(options, 0.0)
        for name, opinion in opinions.items():
            weight = self.weight(name)
            for option, strength in opinion.items():
                support[option] += weight * (strength - INDIFFERENT)
        return support


def are_correct(
    strengths: NDArray[np.integer[Any]],
    right: NDArray[np.bool_],
    supports: NDArray[np.bool_] | bool = True,
    opposes: NDArray[np.bool_] | bool = True,
) -> NDArray[np.bool_]:
    """Return whether the opinions of some Advisors distinguish good moves from bad ones.

    An Advisor that can support moves must support a correct one most, and some other less; if all are correct, any
    support will do. One that can oppose moves must oppose only incorrect ones, or a correct one least and some other
    more. One that can do both must be right in both.

    Args:
        strengths: The strengths of the comments on all moves, shape ``(moves, Advisors)``.
        right: Whether each move is correct.
        supports: Whether the Advisors, or each of them, can support moves.
        opposes: Whether they can oppose moves.
    """
    highest, lowest = strengths.max(axis=0), strengths.min(axis=0)
    praises = (strengths == highest)[right].any(axis=0) & (lowest < highest)
    supports_well = (highest > INDIFFERENT) & (praises | right.all())
    opposed = strengths < INDIFFERENT
    mildest = np.where(opposed, strengths, -1).max(axis=0)
    excuses = (strengths == mildest)[right].any(axis=0) & (lowest < mildest)
    opposes_well = ~opposed[right].any(axis=0) | excuses
    correct: NDArray[np.bool_] = (supports_well | np.logical_not(supports)) & (opposes_well | np.logical_not(opposes))
    return correct
