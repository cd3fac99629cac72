"""Hoyle, which learns to play any game of the package (Epstein 1994; 2001; Epstein, Gelfand, Lesniak and Abadie)."""

from collections.abc import Mapping

from boardgames_agents.hoyle.forr import Voting
from boardgames_agents.hoyle.game_frame import frame_of
from boardgames_agents.hoyle.items import ContestTurn, Experience
from boardgames_agents.hoyle.options import DEFAULTS, HoyleOptions
from boardgames_agents.hoyle.player import AdvisedPolicy, DecisionMaker, HoylePlayer, PlanningPlayer, first_actions
from boardgames_agents.hoyle.position_view import ViewCache
from boardgames_agents.hoyle.useful_knowledge import Knowledge
from boardgames_agents.hoyle.voting import PARADIGMS
from boardgames_agents.policy import Learner, Rng, Snapshot, drawn
from boardgames_agents.policy.knowledge import KnowledgeReport
from boardgames_agents.record import Record
from boardgames_agents.registry import agent
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.position import Position


@agent(
    "hoyle",
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
            drawn_for_seats = rng.integers(len(PARADIGMS), size=2).tolist()
            self._paradigms = [list(PARADIGMS.values())[which] for which in drawn_for_seats]

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
        turns: list[ContestTurn] = []
        begun = 0
        for number, (position, action) in enumerate(self._steps):
            reached = position.play(action)
            if reached.seat == position.seat and not reached.is_over:
                continue
            actions = tuple(step for _, step in self._steps[begun : number + 1])
            for skipped, (start, _) in enumerate(self._steps[begun : number + 1]):
                view = self.maker.views.view_of(start)
                voted = start.key in self._voted
                turns.append(ContestTurn(view, view.choice_of(actions[skipped:]), whole=skipped == 0, voted=voted))
            begun = number + 1
        return tuple(turns)

    def knowledge_report(self) -> KnowledgeReport:
        """Return the useful knowledge for people."""
        return self.useful_knowledge.report()

    def frozen(self) -> HoylePlayer | PlanningPlayer:
        """Return a player with the current knowledge; weights count as in testing."""
        maker = self.maker.copy()
        return PlanningPlayer(maker) if maker.options.planning else HoylePlayer(maker)

    def knowledge(self) -> Mapping[str, float]:
        """Return the space of each item and the Advisors' weights."""
        knowledge = self.maker.knowledge
        weights = knowledge.weights
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
