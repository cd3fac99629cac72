"""Hoyle, which learns to play any game of the package (Epstein 1994; 2001; Epstein, Gelfand, Lesniak and Abadie)."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from boardgames_agents.hoyle.explain import Explains
from boardgames_agents.hoyle.forr import Decision, Voting
from boardgames_agents.hoyle.game_frame import frame_of
from boardgames_agents.hoyle.item import Experience, Turn
from boardgames_agents.hoyle.knowledge import Knowledge, Program, Settings
from boardgames_agents.hoyle.mind import Mind, Roster, VotingName, first_actions
from boardgames_agents.hoyle.paradigms import PARADIGMS
from boardgames_agents.hoyle.player import HoylePlayer, PlanningPlayer
from boardgames_agents.hoyle.position_view import Choice, ViewCache
from boardgames_agents.policy import Learner, Rng, Snapshot, drawn
from boardgames_agents.registry import agent
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.position import Position

if TYPE_CHECKING:
    from boardgames_agents.record import Record


@agent("hoyle")
class Hoyle(Learner, Explains):
    """Epstein's Hoyle: many good reasons, in three tiers, and useful knowledge learned from contests.

    Args:
        game: The game.
        program: Which program it is, that of Epstein 2001 or that of Epstein 1994. The older one votes by ``tally`` as
            a rule. It keeps less: of experts' moves those of contests that the expert won ("moves that expert
            opposition appears to have found valuable"), of its own those of contests it lost, and of significant
            states those that came up in the contest ("selective retrograde analysis"). So the space it takes is close
            to what the paper's Tables 2 and 3 report.
        voting: How the fallible Advisors vote: as is ``usual`` in the program, by learned weights (``pwl``), or by one
            of the older program's move selection paradigms, ``tally``, ``smooth``, ``limit`` or ``both``.
        budget: How many positions a search for a loser's error may expand.
        patterns: Whether it learns patterns (Epstein 2001, section 4.1; Visual Cues, sections 3 and 4).
        zones: Whether it learns zones (Epstein 2001, section 4.2).
        planning: Whether tier 2 plans. That planner is ours; the papers leave a place for one.
        field_of_view: How far apart two locations of a pattern may be, in metric units of the board.
        pattern_cache: How many patterns it keeps, the least recently used going first; 0 for any number.
        forget: What the strengths of patterns are multiplied by after each contest; 1 keeps them.
        consistency: The share of the contests with a pattern that must have ended alike, from 0.5 to 1.
        only: The Advisors that are asked, by name with commas between; those usual in the program if empty.
        also: Advisors that are asked besides.
        without: Advisors that are not asked, by name with commas between.

    Raises:
        BadInputError: If the game is one of chance, or an option is not allowed.
    """

    def __init__(
        self,
        game: Game,
        program: Program = "2001",
        voting: VotingName = "usual",
        budget: int = 500,
        patterns: bool = False,
        zones: bool = False,
        planning: bool = False,
        field_of_view: int = 4,
        pattern_cache: int = 0,
        forget: float = 1.0,
        consistency: float = 0.9,
        only: str = "",
        also: str = "",
        without: str = "",
    ) -> None:
        settings = Settings(
            budget=budget,
            program=program,
            patterns=patterns,
            field_of_view=field_of_view,
            pattern_cache=pattern_cache,
            forget=forget,
            consistency=consistency,
            zones=zones,
            planning=planning,
        )
        self._mind = Mind(
            ViewCache(frame_of(game)), settings, voting, False, Roster(_names(only), _names(also), _names(without))
        )
        self._contests = 0

    @property
    def useful_knowledge(self) -> Knowledge:
        """What it knows of the game."""
        return self._mind.knowledge

    def begin(self, game: Game, seats: tuple[int, ...], rng: Rng) -> None:
        """A contest begins. In practice against itself, each side votes by a paradigm drawn for it.

        Source: Epstein 1994, section 4.
        """
        super().begin(game, seats, rng)
        self._mind.forr.plan = None
        self._seats = seats
        self._steps: list[tuple[Position, int]] = []
        self._voted: set[bytes] = set()
        self._paradigms: list[Voting | None] = [None, None]
        if self.lesson.practice and len(seats) == 2:
            sides = rng.integers(len(PARADIGMS), size=2).tolist()
            self._paradigms = [list(PARADIGMS.values())[which] for which in sides]

    def choose(self, position: Position) -> int:
        """The move that the Advisors decide on."""
        decision = self._mind.decide(position, self._paradigms[position.seat])
        if decision.tier == 3:
            self._voted.add(position.key)
        return drawn(first_actions(decision), self.rng)

    def explain(self, position: Position) -> Decision[Choice]:
        """What it would do in a position, and why: who said what, tier by tier."""
        return self._mind.explain(position)

    def saw(self, position: Position, action: int) -> None:
        """Remember the action."""
        self._steps.append((position, action))

    def end(self, record: "Record") -> None:
        """Learn every item of useful knowledge from the contest."""
        outcome = None if record.cut else record.outcome
        experience = Experience(self._turns(), outcome, self._seats, self.lesson.experts, self.rng)
        self._mind.knowledge.learn(experience)
        self._mind.refresh()
        self._contests += 1
        self._steps = []

    def _turns(self) -> tuple[Turn, ...]:
        """The contest as moves: a turn of several actions also as what was left of it after each."""
        turns: list[Turn] = []
        begun = 0
        for number, (position, action) in enumerate(self._steps):
            reached = position.after(action)
            if reached.seat == position.seat and not reached.is_over:
                continue
            actions = tuple(step for _, step in self._steps[begun : number + 1])
            for skipped, (start, _) in enumerate(self._steps[begun : number + 1]):
                view = self._mind.views.view_of(start)
                voted = start.key in self._voted
                turns.append(Turn(view, view.choice_of(actions[skipped:]), whole=skipped == 0, voted=voted))
            begun = number + 1
        return tuple(turns)

    def frozen(self) -> HoylePlayer | PlanningPlayer:
        """Plays with what is known by now; weights count as in testing."""
        mind = self._mind.copy()
        return PlanningPlayer(mind) if mind.settings.planning else HoylePlayer(mind)

    def knowledge(self) -> Mapping[str, float]:
        """How much is kept of each item, and the Advisors' weights."""
        knowledge = self._mind.knowledge
        weights = knowledge.weights
        return {
            "space": knowledge.space,
            **{item.name: item.space for item in knowledge.items if item is not weights},
            "average contest length": knowledge.tallies.average_length,
            "going first": knowledge.tallies.going_first,
            **{f"weight of {name}": weights.weight(name) for name in weights.opinions},
        }

    def snapshot(self) -> Snapshot:
        """The useful knowledge."""
        saved = self._mind.knowledge.snapshot()
        return Snapshot(saved.arrays, {**saved.data, "contests": self._contests})

    def restore(self, snapshot: Snapshot) -> None:
        """Know what a snapshot says."""
        contests = snapshot.data.get("contests")
        if type(contests) is not int or contests < 0:
            raise BadInputError(f"the snapshot is damaged: contests={contests!r} is not a number of contests")
        self._mind.knowledge.restore(snapshot)
        self._mind.refresh()
        self._contests = contests


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())
