"""Hoyle, which learns to play any game of the package (Epstein 1994; 2001; Epstein, Gelfand, Lesniak and Abadie).

Beside the learner are its decision maker, and the players that it is with learning turned off.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from boardgames_agents.hoyle.advisors import Advisor, registered_advisors
from boardgames_agents.hoyle.decision_text import explanation_of, reason_of
from boardgames_agents.hoyle.forr import Decision, Forr, ForrAdvisor, Voting
from boardgames_agents.hoyle.game_frame import frame_of
from boardgames_agents.hoyle.items import ContestTurn, Experience
from boardgames_agents.hoyle.options import DEFAULTS, HoyleOptions, HoyleProgram
from boardgames_agents.hoyle.planners import Forcing
from boardgames_agents.hoyle.position_view import Choice, PositionView, ViewCache
from boardgames_agents.hoyle.useful_knowledge import Knowledge
from boardgames_agents.hoyle.voting import PARADIGMS, WeightedVoting
from boardgames_agents.hoyle.weights import Anything
from boardgames_agents.policy import Distribution, Learner, MarkovPolicy, Policy, Rng, Snapshot, drawn, mixture, uniform
from boardgames_agents.policy.explanation import Explanation
from boardgames_agents.policy.knowledge import KnowledgeReport
from boardgames_agents.record import Record
from boardgames_agents.registry import agent
from boardgames_env.contest import is_same_turn, turns
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
        paradigm, weights = PARADIGMS.get(self.knowledge.program.voting), self.knowledge.weights
        self._votings = {places: paradigm or WeightedVoting(weights, testing, places) for places in (True, False)}
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
        return self.forr.decide(view, view.choices, voting or self._votings[view.places])

    def explain(self, position: Position) -> Decision[Choice]:
        """Return the decision in a position without advancing a plan."""
        plan = self.forr.plan
        try:
            return self.decide(position)
        finally:
            self.forr.plan = plan

    def silence(self, decision: Decision[Choice]) -> tuple[str, ...]:
        """Return sentences on the Advisors that were silent in a vote, and the knowledge that there is none of yet."""
        heard = {comment.advisor for comment in decision.comments}
        silent = [each.name for each in self.forr.third if each.name not in heard]
        empty = [item.name for item in self.knowledge.items if item.is_empty]
        sentences = (("These Advisors say nothing here", silent), ("Nothing has been learned yet of", empty))
        return tuple(f"{begin}: {', '.join(names)}." for begin, names in sentences if names)

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

        After a vote it says who was silent, and what is not known yet. ``played`` is the action taken, if any.
        """
        maker, view = self.maker, self.maker.views.view_of(position)

        def reason(advisor: str, choice: Choice) -> str:
            return maker.advisor(advisor).reason(view, choice) or reason_of(advisor)

        decision = self.explain(position)
        found = explanation_of(decision, position.game, played, reason)
        known = (region for item in maker.knowledge.items for region in item.regions(view))
        referred = (region for advisor in maker.asked for region in advisor.regions(view))
        silent = maker.silence(decision) if decision.support else ()
        return replace(found, facts=(*found.facts, *silent), regions=(*known, *referred))


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


@agent(
    "hoyle",
    for_people="Hoyle: listens to many advisors, and learns what matters in each game",
    options=HoyleOptions,
    curves={
        "space": 'Σ of the spaces of all items of useful knowledge ("space" in Epstein 1994, Tables 2 and 3)',
        "average contest length": "moves / contests, of those that were not cut short",
        "going first": "(contests won by the seat that moved first − by the other) / contests",
        "weight of {Advisor}": (
            "(correct opinions − expected ones) / (opinions − expected ones) of the Advisor, in each stage apart where "
            "`staged_weights` is set; `expected` is 0 unless `corrected_weights` is; its first weight without opinions"
        ),
        "{item}": "number of pieces of knowledge that the item keeps",
    },
)
class Hoyle(Learner, AdvisedPolicy):
    """Epstein's Hoyle: many good reasons in three tiers, and useful knowledge learned from contests.

    Raises:
        BadInputError: If the game is one of chance, or an option is not allowed.
    """

    def __init__(self, game: Game, options: HoyleOptions = DEFAULTS) -> None:
        self.maker = DecisionMaker(ViewCache(frame_of(game)), options)
        self._contests = 0

    @property
    def useful_knowledge(self) -> Knowledge:
        """The useful knowledge of the game."""
        return self.maker.knowledge

    def begin(self, game: Game, seats: tuple[int, ...], rng: Rng) -> None:
        """Start a contest. In practice against itself, a voting paradigm is drawn for each seat.

        Source: Epstein 1994, section 4.
        """
        super().begin(game, seats, rng)
        self.maker.forr.plan = None
        self._seats = seats
        self._steps: list[tuple[Position, int]] = []
        self._voted: set[bytes] = set()
        self._paradigms: list[Voting | None] = [None, None]
        if self.practice and len(seats) == 2:
            self._paradigms = [list(PARADIGMS.values())[which] for which in rng.integers(len(PARADIGMS), size=2)]

    def choose(self, position: Position) -> int:
        """Return the first action of a best move."""
        decision = self.maker.decide(position, self._paradigms[position.seat])
        if decision.tier == 3:
            self._voted.add(position.key)
        return drawn(first_actions(decision), self.rng)

    def saw(self, position: Position, action: int) -> None:
        """Record the action."""
        self._steps.append((position, action))

    def end(self, record: Record) -> None:
        """Learn every item of useful knowledge from the contest."""
        outcome = None if record.cut else record.outcome
        experience = Experience(self._turns(), outcome, self._seats, self.experts, self.rng)
        self.maker.knowledge.learn(experience)
        self.maker.refresh()
        self._contests += 1
        self._steps = []

    def _turns(self) -> tuple[ContestTurn, ...]:
        """Return the contest's moves. The rest of a turn after each of its actions is a move too."""
        made: list[ContestTurn] = []
        actions = [action for _, action in self._steps]
        for turn in turns(self._steps[0][0], actions) if self._steps else ():
            if is_same_turn(turn.seat, turn.after):
                continue  # a limit cut it short
            for skipped in range(len(turn.actions)):
                start, _ = self._steps[turn.number + skipped]
                view, voted = self.maker.views.view_of(start), start.key in self._voted
                choice = view.choice_of(turn.actions[skipped:])
                made.append(ContestTurn(view, choice, whole=skipped == 0, voted=voted))
        return tuple(made)

    def knowledge_report(self) -> KnowledgeReport:
        """Return the useful knowledge for people."""
        return self.useful_knowledge.report()

    def frozen(self) -> HoylePlayer | PlanningPlayer:
        """Return a player with the current knowledge; weights count as in testing."""
        maker = self.maker.copy()
        return PlanningPlayer(maker) if maker.options.planning else HoylePlayer(maker)

    def knowledge(self) -> Mapping[str, float]:
        """Return the space of each item and the Advisors' weights."""
        knowledge, weights = self.maker.knowledge, self.maker.knowledge.weights
        return {
            "space": knowledge.space,
            **{item.name: item.space for item in knowledge.items if item is not weights},
            "average contest length": knowledge.tallies.average_length,
            "going first": knowledge.tallies.going_first,
            **{f"weight of {name}": weights.weight(name) for name in weights.opinions},
        }

    def snapshot(self) -> Snapshot:
        """Return the useful knowledge."""
        saved = self.maker.knowledge.snapshot()
        return Snapshot(saved.arrays, {**saved.data, "contests": self._contests})

    def restore(self, snapshot: Snapshot) -> None:
        """Restore the useful knowledge of a snapshot."""
        contests = snapshot.data.get("contests")
        if type(contests) is not int or contests < 0:
            raise BadInputError(f"the snapshot is damaged: contests={contests!r} is not a number of contests")
        self.maker.knowledge.restore(snapshot)
        self.maker.refresh()
        self._contests = contests
