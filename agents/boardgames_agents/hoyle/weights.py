"""PWL, Probabilistic Weight Learning: the weights of fallible Advisors (Epstein 2001, section 3.4)."""

from collections.abc import Iterable, Mapping, Sequence

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

    def is_better_than_random(self, advisor: str) -> bool:
        """Return whether an Advisor is better than random comments, or these have not been tried yet."""
        return not self.opinions.get(Anything.NAME) or self.weight(advisor) >= self.weight(Anything.NAME) + MARGIN

    def learn(self, experience: Experience) -> None:
        """Ask the Advisors about the contest's examples."""
        for advisor in self.asked:
            if isinstance(advisor, Anything):
                advisor.rng = experience.rng
        for view, correct in experience.examples:
            options = view.choices
            if len(options) < 2:
                continue
            right = {option for option in options if option.key in correct}
            for advisor in self.asked:
                if opinion := advisor.comment(view, options):
                    self.opinions[advisor.name] = self.opinions.get(advisor.name, 0) + 1
                    is_right = is_correct(opinion, options, right, advisor.supports, advisor.opposes)
                    self.correct[advisor.name] = self.correct.get(advisor.name, 0) + is_right

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

    Args:
        weights: The weights.
        testing: Whether to omit discounts, and Advisors that are no better than random comments.
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


def is_correct(
    opinion: Opinion[Option], options: Sequence[Option], right: Iterable[Option], supports: bool, opposes: bool
) -> bool:
    """Return whether an opinion distinguishes good moves from bad ones.

    Args:
        opinion: The Advisor's comments.
        options: All moves.
        right: The correct moves.
        supports: Whether the Advisor can support moves.
        opposes: Whether it can oppose moves. One that can do both must be right in both.
    """
    correct = set(right)
    strengths = {option: opinion.get(option, INDIFFERENT) for option in options}
    return (not supports or _supports_well(strengths, correct)) and (not opposes or _opposes_well(strengths, correct))


def _supports_well(strengths: Mapping[Option, int], correct: set[Option]) -> bool:
    """Return whether a correct move has the highest support, and some other move has less.

    If all moves are correct, any support counts.
    """
    highest = max(strengths.values())
    if highest <= INDIFFERENT:
        return False
    if len(correct) == len(strengths):
        return True
    return any(strengths[option] == highest for option in correct) and min(strengths.values()) < highest


def _opposes_well(strengths: Mapping[Option, int], correct: set[Option]) -> bool:
    """Return whether only incorrect moves are opposed, or a correct one least and some other one more."""
    opposed = {option: strength for option, strength in strengths.items() if strength < INDIFFERENT}
    if not correct & set(opposed):
        return True
    mildest = max(opposed.values())
    return any(opposed.get(option) == mildest for option in correct) and min(opposed.values()) < mildest
