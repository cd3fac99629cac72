"""Hoyle, which learns to play any game of the package (Epstein 1994; 2001; Epstein, Gelfand, Lesniak and Abadie)."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

from agents.hoyle.advisors import Advisor, registered_advisors
from agents.hoyle.forr import Decision, Forr, Voting
from agents.hoyle.frame import frame_of
from agents.hoyle.item import Experience, Turn
from agents.hoyle.knowledge import Knowledge, Settings
from agents.hoyle.paradigms import PARADIGMS
from agents.hoyle.view import Choice, Lookout, View
from agents.hoyle.weights import WeightedVoting
from agents.policy import Learner, Policy, Rng, Snapshot, agent
from boardgames_env.errors import BadInputError, one_of
from boardgames_env.game import Game
from boardgames_env.position import Position

if TYPE_CHECKING:
    from agents.arena.contest import Record

VotingName = Literal["pwl", "tally", "smooth", "limit", "both"]
_MOST_NODES = 1_000_000


class Mind:
    """What decides: the Advisors, with the knowledge they refer to, in FORR's tiers.

    Args:
        lookout: Makes views.
        settings: What knowledge there is.
        voting: How tier 3 votes.
        testing: Whether weights count as in testing.
        only: The names of the Advisors that are asked; all if there are none.
        without: The names of Advisors that are not asked.
    """

    def __init__(
        self,
        lookout: Lookout,
        settings: Settings,
        voting: VotingName,
        testing: bool,
        only: tuple[str, ...],
        without: tuple[str, ...],
    ) -> None:
        self.lookout = lookout
        self.settings = settings
        self.voting_name: VotingName = voting
        self.only, self.without = only, without
        self.knowledge = Knowledge(lookout, settings)
        advisors = [made(self.knowledge) for made in registered_advisors()]
        _check_names({*only, *without}, [advisor.name for advisor in advisors])
        self._asked = [each for each in advisors if each.name not in without and (not only or each.name in only)]
        self._anything = [each for each in advisors if not each.votes]
        self.voting: Voting = WeightedVoting(self.knowledge.weights, testing) if voting == "pwl" else PARADIGMS[voting]
        self.forr: Forr[View, Choice] = Forr([each for each in self._asked if each.tier == 1], [], [], self.voting)
        self.refresh()

    def refresh(self) -> None:
        """Give the Advisors that have been learned their places in tier 3."""
        learned = [advisor for item in self.knowledge.items for advisor in item.advisors()]
        third: list[Advisor] = [each for each in self._asked if each.tier == 3 and each.votes] + learned
        self.forr.third = tuple(third)
        self.knowledge.weights.asked = (*third, *(each for each in self._anything if each not in third))

    def decide(self, position: Position, voting: Voting | None = None) -> Decision[Choice]:
        """What is best in a position, and why."""
        view = self.lookout.view_of(position)
        return self.forr.decide(view, view.choices, voting)

    def copy(self) -> "Mind":
        """The same knowledge once more, to be played with and not to be learned any more."""
        copied = Mind(self.lookout, self.settings, self.voting_name, True, self.only, self.without)
        copied.knowledge.restore(self.knowledge.snapshot())
        copied.refresh()
        return copied


def _check_names(names: set[str], known: list[str]) -> None:
    if strange := sorted(names - set(known)):
        raise BadInputError(f"Hoyle has no Advisor {strange[0]!r}; its Advisors are: {one_of(known)}")


def _draw(decision: Decision[Choice], rng: Rng) -> int:
    """The first action of one of the best moves; moves that are the same but for symmetry are equally likely."""
    best = decision.best
    choice = best[int(rng.integers(len(best)))] if len(best) > 1 else best[0]
    alike = choice.alike
    return (alike[int(rng.integers(len(alike)))] if len(alike) > 1 else alike[0])[0]


@agent("hoyle")
class Hoyle(Learner):
    """Epstein's Hoyle: many good reasons, in three tiers, and useful knowledge learned from contests.

    Args:
        game: The game.
        voting: How the fallible Advisors vote: by learned weights (``pwl``), or by one of the older program's move
            selection paradigms, ``tally``, ``smooth``, ``limit`` or ``both``.
        budget: How many positions a search for a loser's error may expand.
        only: The Advisors that are asked, by name with commas between; all if empty.
        without: Advisors that are not asked, by name with commas between.

    Raises:
        BadInputError: If an option is not allowed.
    """

    def __init__(
        self, game: Game, voting: VotingName = "pwl", budget: int = 500, only: str = "", without: str = ""
    ) -> None:
        if not 1 <= budget <= _MOST_NODES:
            raise BadInputError(f"budget={budget} is not allowed; it is from 1 to {_MOST_NODES:,} positions")
        lookout = Lookout(frame_of(game))
        self._mind = Mind(lookout, Settings(budget), voting, False, _names(only), _names(without))
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
        self._seats = seats
        self._steps: list[tuple[Position, int]] = []
        self._paradigms: list[Voting | None] = [None, None]
        if len(seats) == 2:
            drawn = rng.integers(len(PARADIGMS), size=2).tolist()
            self._paradigms = [list(PARADIGMS.values())[which] for which in drawn]

    def choose(self, position: Position) -> int:
        """The move that the Advisors decide on."""
        return _draw(self._mind.decide(position, self._paradigms[position.seat]), self.rng)

    def explain(self, position: Position) -> Decision[Choice]:
        """What it would do in a position, and why: who said what, tier by tier."""
        return self._mind.decide(position)

    def saw(self, position: Position, action: int) -> None:
        """Remember the action."""
        self._steps.append((position, action))

    def end(self, record: "Record") -> None:
        """Learn every item of useful knowledge from the contest."""
        outcome = None if record.cut else record.outcome
        experience = Experience(self._turns(), outcome, self._seats, self.experts, self.rng)
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
                view = self._mind.lookout.view_of(start)
                turns.append(Turn(view, view.choice_of(actions[skipped:]), whole=skipped == 0))
            begun = number + 1
        return tuple(turns)

    def frozen(self) -> "HoylePlayer":
        """Plays with what is known by now; weights count as in testing."""
        return HoylePlayer(self._mind.copy())

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
        self._mind.knowledge.restore(snapshot)
        self._mind.refresh()
        self._contests = int(snapshot.data["contests"])


class HoylePlayer(Policy):
    """Hoyle with learning turned off."""

    def __init__(self, mind: Mind) -> None:
        self._mind = mind
        self._decisions: dict[bytes, Decision[Choice]] = {}

    def choose(self, position: Position) -> int:
        """The move that the Advisors decide on."""
        return _draw(self.explain(position), self.rng)

    def explain(self, position: Position) -> Decision[Choice]:
        """What it does in a position, and why: who said what, tier by tier."""
        if position.key not in self._decisions:
            if len(self._decisions) >= _MOST_DECISIONS:
                self._decisions.clear()
            self._decisions[position.key] = self._mind.decide(position)
        return self._decisions[position.key]


_MOST_DECISIONS = 20_000


def _names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())
