"""What decides: the Advisors in FORR's tiers, with the knowledge they refer to."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from boardgames_agents.hoyle.advisors import Advisor, registered_advisors
from boardgames_agents.hoyle.forr import Decision, Forr, Voting
from boardgames_agents.hoyle.knowledge import Knowledge, Program, Settings
from boardgames_agents.hoyle.paradigms import PARADIGMS
from boardgames_agents.hoyle.planners import Forcing
from boardgames_agents.hoyle.position_view import Choice, PositionView, ViewCache
from boardgames_agents.hoyle.weights import WeightedVoting
from boardgames_agents.policy import Distribution, mixture, uniform
from boardgames_env.errors import BadInputError, one_of
from boardgames_env.position import Position

VotingName = Literal["usual", "pwl", "tally", "smooth", "limit", "both"]
_USUAL: dict[Program, VotingName] = {"2001": "pwl", "1994": "tally"}


@dataclass(frozen=True)
class Roster:
    """Which Advisors are asked, by their names.

    Attributes:
        only: These, and no others; if there are none, those that are usual in the program.
        also: These besides.
        without: Not these.
    """

    only: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    without: tuple[str, ...] = ()

    def has(self, advisor: Advisor, program: Program) -> bool:
        """Whether an Advisor is asked in a program."""
        usual = advisor.name in self.only if self.only else program in advisor.programs
        return (usual or advisor.name in self.also) and advisor.name not in self.without

    def check(self, known: Sequence[str]) -> None:
        """Every name must be one of those known.

        Raises:
            BadInputError: If one is not.
        """
        if strange := sorted({*self.only, *self.also, *self.without} - set(known)):
            raise BadInputError(f"Hoyle has no Advisor {strange[0]!r}; its Advisors are: {one_of(known)}")


class Mind:
    """What decides: the Advisors, with the knowledge they refer to, in FORR's tiers.

    Args:
        views: Makes views.
        settings: What knowledge there is.
        voting: How tier 3 votes.
        testing: Whether weights count as in testing.
        roster: Which Advisors are asked.
    """

    def __init__(
        self,
        views: ViewCache,
        settings: Settings,
        voting: VotingName,
        testing: bool,
        roster: Roster,
    ) -> None:
        self.views = views
        self.settings = settings
        self.voting_name: VotingName = _USUAL[settings.program] if voting == "usual" else voting
        self.roster = roster
        self.knowledge = Knowledge(views, settings)
        advisors = [made(self.knowledge) for made in registered_advisors()]
        roster.check([advisor.name for advisor in advisors])
        self._asked = [each for each in advisors if roster.has(each, settings.program)]
        self._anything = [each for each in advisors if not each.votes]
        weighted = self.voting_name == "pwl"
        self.voting = WeightedVoting(self.knowledge.weights, testing) if weighted else PARADIGMS[self.voting_name]
        self.forr: Forr[PositionView, Choice] = Forr(
            [each for each in self._asked if each.tier == 1], [Forcing()] if settings.planning else [], [], self.voting
        )
        self.refresh()

    def refresh(self) -> None:
        """Give the Advisors that have been learned their places in tier 3."""
        learned = [] if self.roster.only else [each for item in self.knowledge.items for each in item.advisors()]
        third: list[Advisor] = [each for each in self._asked if each.tier == 3 and each.votes] + learned
        self.forr.third = tuple(third)
        self.knowledge.weights.asked = (*third, *(each for each in self._anything if each not in third))

    def decide(self, position: Position, voting: Voting | None = None) -> Decision[Choice]:
        """What is best in a position, and why; a plan goes on."""
        view = self.views.view_of(position)
        return self.forr.decide(view, view.choices, voting)

    def explain(self, position: Position) -> Decision[Choice]:
        """The same without consequence: a plan stays where it is."""
        plan = self.forr.plan
        try:
            return self.decide(position)
        finally:
            self.forr.plan = plan

    def copy(self) -> "Mind":
        """The same knowledge once more, to be played with and not to be learned any more."""
        copied = Mind(self.views, self.settings, self.voting_name, True, self.roster)
        copied.knowledge.restore(self.knowledge.snapshot())
        copied.refresh()
        return copied


def first_actions(decision: Decision[Choice]) -> Distribution:
    """The actions that begin a best move, and how likely each is played.

    The best moves are equally likely, and so are, within each, those that are the same but for symmetry.
    """
    alike = [tuple(actions[0] for actions in choice.alike) for choice in decision.best]
    return mixture([(1 / (len(alike) * len(same)), uniform((action,))) for same in alike for action in same])
