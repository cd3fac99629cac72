"""PWL, Probabilistic Weight Learning: the weights of fallible Advisors (Epstein 2001, section 3.4)."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardgames_agents.hoyle.forr import INDIFFERENT, ForrAdvisor, Opinion
from boardgames_agents.hoyle.items import Experience, Item
from boardgames_agents.hoyle.position_view import Choice, PositionView
from boardgames_agents.policy import Rng, Snapshot

FIRST_WEIGHT = 0.05
DISCOUNT = 0.1
MARGIN = 0.01
"""The margin over `Anything` that an Advisor needs to be asked in testing."""

_STAGES = (" (placing)", " (sliding)")
"""What follows an Advisor's name in the name of a weight that is of one stage."""


_STRENGTHS = (0, 1, 2, 3, 4, 6, 7, 8, 9, 10)


class Anything(ForrAdvisor[PositionView, Choice]):
    """Say anything, a baseline for the other Advisors: it comments while weights are learned, and never votes."""

    opposes = True

    @cached_property
    def rng(self) -> Rng:
        """Its random generator, that of the contest when weights are learned."""
        return np.random.default_rng(0)

    def comment(self, case: PositionView, options: Sequence[Choice]) -> Opinion[Choice]:
        """Comment on n moves with probability 1/2ⁿ, with random strengths."""
        count = min(int(self.rng.geometric(0.5)), len(options))
        chosen = self.rng.permutation(len(options))[:count].tolist()
        return {options[which]: _STRENGTHS[int(self.rng.integers(len(_STRENGTHS)))] for which in chosen}


class Weights(Item):
    """The share of correct opinions among all opinions of each Advisor of tier 3.

    After all other items have learned, every Advisor is asked about every position whose correct moves have become
    known.

    Args:
        corrected: Whether the weight is (correct − expected) / (opinions − expected), with the number of opinions that
            would be expected to be correct if each Advisor's comments were permuted at random; 0 if that is negative.
            (This is ours. By equation 1 an Advisor that likes half of the moves is right half of the time.)
        staged: Whether each stage, placing and sliding, has weights of its own. (This is ours.)
    """

    name = "Advisor weights"

    def __init__(self, corrected: bool = False, staged: bool = False) -> None:
        self._corrected = corrected
        self._staged = staged
        self.opinions: dict[str, int] = {}
        self.correct: dict[str, int] = {}
        self._expected: dict[str, float] = {}
        self.anything = Anything()
        self.asked: tuple[ForrAdvisor[PositionView, Choice], ...] = ()

    def title(self, advisor: str, places: bool) -> str:
        """Return the name of an Advisor's weight in a placing stage or another."""
        return advisor + _STAGES[not places] if self._staged else advisor

    def titles(self, advisor: str) -> tuple[str, ...]:
        """Return the names of an Advisor's weights, of each stage."""
        return tuple(dict.fromkeys(self.title(advisor, places) for places in (True, False)))

    def weight(self, title: str) -> float:
        """Return equation 1, or the corrected share; an Advisor without opinions so far has the first weight."""
        opinions = self.opinions.get(title, 0)
        if not opinions:
            return FIRST_WEIGHT
        expected = self._expected[title] if self._corrected else 0.0
        return max(0.0, (self.correct[title] - expected) / (opinions - expected)) if opinions > expected else 0.0

    def discount(self, title: str) -> float:
        """Return the discount factor of equation 2: 0.1 for an Advisor's first opinion, 1 from the tenth on."""
        return min(1.0, DISCOUNT * (self.opinions.get(title, 0) + 1))

    def threshold(self, title: str) -> float | None:
        """Return the weight from which an Advisor is better than random comments; ``None`` if these were not tried."""
        stage = next((stage for stage in _STAGES if self._staged and title.endswith(stage)), "")
        random = Anything.name + stage
        return self.weight(random) + MARGIN if self.opinions.get(random) else None

    def is_better_than_random(self, title: str) -> bool:
        """Return whether an Advisor is better than random comments, or these have not been tried yet."""
        threshold = self.threshold(title)
        return threshold is None or self.weight(title) >= threshold

    def learn(self, experience: Experience) -> None:
        """Ask the Advisors about the contest's examples."""
        self.anything.rng = experience.rng
        for view, correct in experience.examples:
            options = view.choices
            if len(options) < 2:
                continue
            heard = {each: opinion for each in self.asked if (opinion := each.comment(view, options))}
            if not heard:
                continue
            strengths = np.array([[opinion.get(each, INDIFFERENT) for opinion in heard.values()] for each in options])
            right = np.array([option.key in correct for option in options])
            supports, opposes = np.array([(each.supports, each.opposes) for each in heard]).T
            verdicts = are_correct(strengths, right, supports, opposes)
            for column, (advisor, is_correct) in enumerate(zip(heard, verdicts.tolist(), strict=True)):
                title = self.title(advisor.name, view.places)
                self.opinions[title] = self.opinions.get(title, 0) + 1
                self.correct[title] = self.correct.get(title, 0) + is_correct
                if self._corrected:
                    chance = expected_correct(strengths[:, column], int(right.sum()), advisor.supports, advisor.opposes)
                    self._expected[title] = self._expected.get(title, 0.0) + chance

    @property
    def space(self) -> int:
        """Zero: weights are not counted as pieces of knowledge."""
        return 0

    @property
    def is_empty(self) -> bool:
        """Whether no Advisor has given an opinion yet."""
        return not self.opinions

    def snapshot(self) -> Snapshot:
        """Return the numbers of opinions and of correct ones by Advisor."""
        more = {name: [each] for name, each in self._expected.items()}
        counts = {name: [self.opinions[name], self.correct[name], *more.get(name, ())] for name in self.opinions}
        return Snapshot({}, {"counts": counts})

    def restore(self, snapshot: Snapshot) -> None:
        """Restore the counts of a snapshot."""
        counts = snapshot.data["counts"]
        if not isinstance(counts, Mapping) or not all(map(_are_counts, counts.values())):
            raise ValueError("the counts of an Advisor are not its numbers of opinions and of correct ones")
        size = 3 if self._corrected else 2
        if not all(len(each) == size and name.endswith(_STAGES) == self._staged for name, each in counts.items()):
            raise ValueError("they were learned by another program; before version 0.3 `hoyle` was program='2001'")
        self.opinions = {name: each[0] for name, each in counts.items()}
        self.correct = {name: each[1] for name, each in counts.items()}
        self._expected = {name: float(each[2]) for name, each in counts.items() if self._corrected}


def _are_counts(counts: object) -> bool:
    """Return whether a saved value is the numbers of opinions and of correct ones, and perhaps of expected ones."""
    match counts:
        case [int(opinions), int(correct)]:
            return 0 <= correct <= opinions > 0
        case [int(opinions), int(correct), float(expected) | int(expected)]:
            return 0 <= correct <= opinions > 0 and 0 <= expected <= opinions
    return False


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


def expected_correct(
    strengths: NDArray[np.integer[Any]], right: int, supports: bool = True, opposes: bool = True
) -> float:
    """Return the probability that an opinion is correct if its comments are permuted at random among the moves.

    "Correct" is what `are_correct` says.

    Args:
        strengths: The strengths of the comments on all moves, shape ``(moves,)``.
        right: The number of correct moves.
        supports: Whether the Advisor can support moves.
        opposes: Whether it can oppose moves.
    """
    moves, highest, lowest = len(strengths), int(strengths.max()), int(strengths.min())

    def misses(count: int) -> float:
        """Return the probability that none of ``count`` moves is correct."""
        return comb(moves - right, count) / comb(moves, count)

    praised = int((strengths == highest).sum())
    if supports and (highest <= INDIFFERENT or (lowest == highest and right < moves)):
        return 0.0
    against = strengths[strengths < INDIFFERENT]
    opposed = len(against) if opposes else 0
    mildest = int((against == against.max()).sum()) if opposed and lowest < against.max() else 0
    # an opinion is wrong if no praised move is correct, or if an opposed one is and none of the mildest
    opposes_badly = misses(mildest) - misses(opposed)
    if not supports:
        return 1 - opposes_badly
    return 1 - misses(praised) - opposes_badly + misses(mildest + praised) - misses(opposed + praised)
