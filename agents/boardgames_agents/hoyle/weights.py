"""PWL, Probabilistic Weight Learning: how much each fallible Advisor's comments count (Epstein 2001, section 3.4)."""

from collections.abc import Iterable, Mapping, Sequence

from boardgames_agents.hoyle.advisors import Advisor
from boardgames_agents.hoyle.advisors.anything import Anything
from boardgames_agents.hoyle.forr import INDIFFERENT, Opinion, Option, Voting
from boardgames_agents.hoyle.item import Experience, Item
from boardgames_agents.policy import Snapshot

FIRST_WEIGHT = 0.05
DISCOUNT = 0.1
MARGIN = 0.01
"""How much better than `Anything` an Advisor must be to be asked in testing."""


class Weights(Item):
    """The share of correct opinions among all an Advisor has had, for each Advisor of tier 3.

    Every position in which the correct moves have become known is put to every Advisor, after all else has been
    learned.
    """

    name = "Advisor weights"

    def __init__(self) -> None:
        self.opinions: dict[str, int] = {}
        self.correct: dict[str, int] = {}
        self.asked: tuple[Advisor, ...] = ()

    def weight(self, advisor: str) -> float:
        """Equation 1; an Advisor that has had no opinion yet has the first weight."""
        opinions = self.opinions.get(advisor, 0)
        return self.correct[advisor] / opinions if opinions else FIRST_WEIGHT

    def discount(self, advisor: str) -> float:
        """The discount factor of equation 2: 0.1 for an Advisor's first opinion, 1 from its tenth on."""
        return min(1.0, DISCOUNT * (self.opinions.get(advisor, 0) + 1))

    def is_worth_asking(self, advisor: str) -> bool:
        """Whether an Advisor is better than random comments, as far as these have been tried."""
        return not self.opinions.get(Anything.NAME) or self.weight(advisor) >= self.weight(Anything.NAME) + MARGIN

    def learn(self, experience: Experience) -> None:
        """Put the contest's examples to the Advisors."""
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
        """None: weights are not counted among the pieces of knowledge."""
        return 0

    def snapshot(self) -> Snapshot:
        """The counts by Advisor, opinions and correct ones."""
        return Snapshot({}, {"counts": {name: [self.opinions[name], self.correct[name]] for name in self.opinions}})

    def restore(self, snapshot: Snapshot) -> None:
        """Know the counts of a snapshot."""
        counts = snapshot.data["counts"]
        if not isinstance(counts, Mapping) or not all(_are_counts(both) for both in counts.values()):
            raise ValueError("the counts of an Advisor are not how many opinions it has had and how many were correct")
        self.opinions = {name: both[0] for name, both in counts.items()}
        self.correct = {name: both[1] for name, both in counts.items()}


def _are_counts(both: object) -> bool:
    """Whether something saved says how many opinions an Advisor has had, and how many of them were correct."""
    match both:
        case [int(opinions), int(correct)]:
            return 0 <= correct <= opinions > 0
    return False


class WeightedVoting(Voting):
    """Equation 2: strengths count as much as the learned weights say.

    Args:
        weights: The weights.
        testing: Whether to leave out discounts, and Advisors that are no better than random comments.
    """

    def __init__(self, weights: Weights, testing: bool) -> None:
        self._weights = weights
        self._testing = testing

    def weight(self, advisor: str) -> float:
        """The learned weight, discounted while learning."""
        weight = self._weights.weight(advisor)
        if self._testing:
            return weight if self._weights.is_worth_asking(advisor) else 0.0
        return weight * self._weights.discount(advisor)

    def support(self, opinions: Mapping[str, Opinion[Option]], options: Sequence[Option]) -> dict[Option, float]:
        """The sum of the weighted strengths; of an option without a comment, the strength is indifference."""
        support = dict.fromkeys(options, 0.0)
        for name, opinion in opinions.items():
            weight = self.weight(name)
            for option, strength in opinion.items():
                support[option] += weight * (strength - INDIFFERENT)
        return support


def is_correct(
    opinion: Opinion[Option], options: Sequence[Option], right: Iterable[Option], supports: bool, opposes: bool
) -> bool:
    """Whether an opinion tells good moves from bad ones.

    Args:
        opinion: The Advisor's comments.
        options: All moves that it could comment on.
        right: Those that are correct.
        supports: Whether such an Advisor can support.
        opposes: Whether it can oppose. One that can do both must be right in both.
    """
    correct = set(right)
    strengths = {option: opinion.get(option, INDIFFERENT) for option in options}
    return (not supports or _supports_well(strengths, correct)) and (not opposes or _opposes_well(strengths, correct))


def _supports_well(strengths: Mapping[Option, int], correct: set[Option]) -> bool:
    """Whether a correct move is supported as highly as any other, and some other is liked less.

    If all moves are equally good, any support will do.
    """
    highest = max(strengths.values())
    if highest <= INDIFFERENT:
        return False
    if len(correct) == len(strengths):
        return True
    return any(strengths[option] == highest for option in correct) and min(strengths.values()) < highest


def _opposes_well(strengths: Mapping[Option, int], correct: set[Option]) -> bool:
    """Whether only incorrect moves are opposed; or a correct one as little as any, and some other is disliked more."""
    opposed = {option: strength for option, strength in strengths.items() if strength < INDIFFERENT}
    if not correct & set(opposed):
        return True
    mildest = max(opposed.values())
    return any(opposed.get(option) == mildest for option in correct) and min(opposed.values()) < mildest
