"""Players by Hoyle's Advisors: the decision maker, and Hoyle with learning turned off."""

from collections.abc import Sequence
from dataclasses import replace

from boardgames_agents.hoyle.advisors import Advisor, registered_advisors
from boardgames_agents.hoyle.decision_text import explanation_of, reason_of
from boardgames_agents.hoyle.forr import Decision, Forr, ForrAdvisor, Voting
from boardgames_agents.hoyle.options import HoyleOptions, HoyleProgram
from boardgames_agents.hoyle.planners import Forcing
from boardgames_agents.hoyle.position_view import Choice, PositionView, ViewCache
from boardgames_agents.hoyle.useful_knowledge import Knowledge
from boardgames_agents.hoyle.voting import PARADIGMS, WeightedVoting
from boardgames_agents.hoyle.weights import Anything
from boardgames_agents.policy import Distribution, MarkovPolicy, Policy, Rng, drawn, mixture, uniform
from boardgames_agents.policy.explanation import Explanation
from boardgames_env.errors import BadInputError, one_of
from boardgames_env.game import Game
from boardgames_env.position import Position


class DecisionMaker:
    """FORR with the Advisors of Hoyle and the knowledge that they refer to; weights may count as in ``testing``.

    Attributes:
        asked: The Advisors that the options select. Those that are learned are not among them.

    Raises:
        BadInputError: If an option names an Advisor that does not exist.
    """

    def __init__(self, views: ViewCache, options: HoyleOptions, testing: bool = False) -> None:
        self.views = views
        self.options = options
        self.knowledge = Knowledge(views, options)
        advisors = [made(self.knowledge) for made in registered_advisors()]
        self.asked = _selected(advisors, options, self.knowledge.program)
        self.forr: Forr[PositionView, Choice] = Forr(
            [each for each in self.asked if each.tier == 1],
            [Forcing()] if options.planning else [],
            [],
            WeightedVoting(self.knowledge.weights, testing),
        )
        self._paradigm = PARADIGMS.get(self.knowledge.program.voting)
        self._votings = {places: WeightedVoting(self.knowledge.weights, testing, places) for places in (True, False)}
        self.refresh()

    def refresh(self) -> None:
        """Add the learned Advisors to tier 3."""
        learned = [] if self.options.only else [each for item in self.knowledge.items for each in item.advisors()]
        self.forr.third = (*(each for each in self.asked if each.tier == 3), *learned)
        self.knowledge.weights.asked = (*self.forr.third, self.knowledge.weights.anything)

    def advisor(self, name: str) -> ForrAdvisor[PositionView, Choice]:
        """Return the Advisor of a name among those that are asked."""
        return next(each for each in (*self.asked, *self.knowledge.weights.asked) if each.name == name)

    def decide(self, position: Position, voting: Voting | None = None) -> Decision[Choice]:
        """Return the decision in a position; a plan advances by a step."""
        view = self.views.view_of(position)
        return self.forr.decide(view, view.choices, voting or self._voting_on(view))

    def _voting_on(self, view: PositionView) -> Voting:
        return self._paradigm or self._votings[view.places]

    def explain(self, position: Position) -> Decision[Choice]:
        """Return the decision in a position without advancing a plan."""
        plan = self.forr.plan
        try:
            return self.decide(position)
        finally:
            self.forr.plan = plan

    def copy(self) -> "DecisionMaker":
        """Return a decision maker with the same knowledge for testing."""
        copied = DecisionMaker(self.views, self.options, testing=True)
        copied.knowledge.men_lookahead = self.knowledge.men_lookahead
        copied.knowledge.restore(self.knowledge.snapshot())
        copied.refresh()
        return copied


def _selected(advisors: Sequence[Advisor], options: HoyleOptions, program: HoyleProgram) -> list[Advisor]:
    """Return the Advisors that the options select."""
    only, also, without = (
        {name.strip() for name in names.split(",") if name.strip()}
        for names in (options.only, options.also, options.without)
    )
    known = [*(advisor.name for advisor in advisors), Anything.name]
    if unknown := sorted((only | also | without) - set(known)):
        raise BadInputError(f"Hoyle has no Advisor {unknown[0]!r}; its Advisors are: {one_of(known)}")
    asked = also | (only or {each.name for each in advisors if each.belongs_to(program)})
    return [each for each in advisors if each.name in asked - without]


def first_actions(decision: Decision[Choice]) -> Distribution:
    """Return the first actions of the best moves and their probabilities.

    The best moves are equally likely, and so are, within each, the moves that are equal up to symmetry.
    """
    alike = [tuple(actions[0] for actions in choice.alike) for choice in decision.best]
    return mixture([(1 / (len(alike) * len(same)), uniform((action,))) for same in alike for action in same])


class AdvisedPolicy(Policy):
    """A policy that plays and explains the decisions of a `DecisionMaker`."""

    maker: DecisionMaker

    def explain(self, position: Position) -> Decision[Choice]:
        """Return the decision in a position with all comments, tier by tier."""
        return self.maker.explain(position)

    def explanation(self, position: Position, played: int | None = None) -> Explanation:
        """Return the decision as a table of moves with the comments on each, and the known patterns, forks and zones.

        ``played`` is the action taken, if any.
        """
        maker, view = self.maker, self.maker.views.view_of(position)

        def reason(advisor: str, choice: Choice) -> str:
            return maker.advisor(advisor).reason(view, choice) or reason_of(advisor)

        found = explanation_of(self.explain(position), position.game, played, reason)
        known = (region for item in maker.knowledge.items for region in item.regions(view))
        referred = (region for advisor in maker.asked for region in advisor.regions(view))
        return replace(found, regions=(*known, *referred))


class HoylePlayer(MarkovPolicy, AdvisedPolicy):
    """Hoyle with learning turned off: its choice depends on the position alone."""

    def __init__(self, maker: DecisionMaker) -> None:
        super().__init__()
        self.maker = maker

    def distribution(self, position: Position) -> Distribution:
        """Return the first actions of the best moves and their probabilities."""
        return first_actions(self.maker.decide(position))


class PlanningPlayer(AdvisedPolicy):
    """Hoyle with learning turned off that follows plans from one decision to the next."""

    def __init__(self, maker: DecisionMaker) -> None:
        self.maker = maker

    def begin(self, game: Game, seats: tuple[int, ...], rng: Rng) -> None:
        """Start a contest without a plan."""
        super().begin(game, seats, rng)
        self.maker.forr.plan = None

    def choose(self, position: Position) -> int:
        """Return the first action of a best move."""
        return drawn(first_actions(self.maker.decide(position)), self.rng)
