"""A person who is taught: the contests that were set and played, and the learner that trainers see in them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from boardgames_agents.experts.perfect import PerfectPlayer, can_be_perfect
from boardgames_agents.people.judging.cost import TurnError, exact_errors
from boardgames_agents.people.judging.mistakes import Findings
from boardgames_agents.people.session import PERSON
from boardgames_agents.policy import Distribution, Learner, MarkovPolicy, Policy, Snapshot, mixture, uniform
from boardgames_agents.record import Record
from boardgames_agents.tabular import face_of
from boardgames_env.contest import Turn
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.position import Position

Kind = Literal["lesson", "practice", "watching", "examination"]
"""Against somebody, against oneself, without playing, or against a challenger and without help."""

LEARNED = 2
"""A position counts as learned once this number of choices there in a row were right."""

Choices = dict[bytes, list[int]]
"""What was chosen in each position, both up to symmetry, the last choice last; see `faces`."""


@dataclass(frozen=True)
class Assignment:
    """A contest that a person has been set.

    Attributes:
        pupil: The person's name.
        trainer: The spec of the trainer; empty in an examination.
        number: The contest's number in the course of this trainer, or in the examination, from 0.
        kind: What kind of contest it is.
        seats: The person's seats.
        known: The number of contests that the trainer knew the person by.
        opening: The number of actions at the beginning that nobody chose.
        exam: The number of the examination, from 0; otherwise −1.
        helped: The number of hints that were given and turns that were taken back.
    """

    pupil: str
    trainer: str
    number: int
    kind: Kind
    seats: tuple[int, ...]
    known: int
    opening: int = 0
    exam: int = -1
    helped: int = 0

    def judges(self, turn: Turn) -> bool:
        """Return whether a turn is looked at: after the opening those of the person, or of both seats if it watches."""
        return turn.number >= self.opening and turn.seat in (self.seats or (0, 1))

    def errors_in(self, findings: Findings) -> tuple[TurnError, ...]:
        """Return the person's errors; there are none in a contest that was watched."""
        return findings.errors if self.seats else ()


@dataclass(frozen=True)
class PupilContest:
    """A contest that was set and is over.

    Attributes:
        assignment: How it was set.
        sitting: Where it was played: the name of the contest at the page; empty at the terminal.
        record: What was played.
        errors: The person's errors; ``None`` as long as nobody has looked for them.
    """

    assignment: Assignment
    sitting: str
    record: Record
    errors: tuple[TurnError, ...] | None = None

    @property
    def points(self) -> int | None:
        """The person's points; ``None`` where the person played both seats or none."""
        seats = self.assignment.seats
        return self.record.points_for(seats[0]) if len(seats) == 1 else None

    def turns(self, game: Game) -> list[Turn]:
        """Return the person's turns after the opening."""
        return [
            turn
            for turn in _turns_of_record(self.record, game)
            if self.assignment.judges(turn) and self.assignment.seats
        ]

    def judged(self, game: Game) -> "PupilContest":
        """Return it with the person's errors; with ``None`` where finding them would take a search."""
        return replace(self, errors=exact_errors(self.turns(game)))


@dataclass(frozen=True)
class KeyNode:
    """A position in which a person has erred, up to symmetry.

    Attributes:
        position: The position, as it came up when the person erred there last.
        played: The text of what was played then.
        contest: The number of that contest among all of the person's contests.
        number: The number of actions before it in that contest.
        seen: How often it came up.
        wrong: How often the person erred.
        cost: The points that this gave away.
        is_learned: Whether the last choices there were right.
    """

    position: Position
    played: str
    contest: int
    number: int
    seen: int
    wrong: int
    cost: float
    is_learned: bool


class Pupil(Learner):
    """A person as trainers see one: a learner that has played some contests, and chooses elsewhere.

    Args:
        game: The game.
        contests: The contests so far.
    """

    interactive = True

    def __init__(self, game: Game, contests: Sequence[PupilContest] = ()) -> None:
        self.spec = PERSON
        self._game, self._contests = game, contests
        self._choices: Choices = {}
        for assignment, turn in (
            (each.assignment, turn) for each in contests for turn in _turns_of_record(each.record, game)
        ):
            position = turn.before
            for number, action in enumerate(turn.actions, start=turn.number):
                if turn.seat in assignment.seats and number >= assignment.opening:
                    face = face_of(position)
                    colour = next(colour for colour, actions in face.colours.items() if action in actions)
                    self._choices.setdefault(face.box, []).append(colour)
                position = position.after(action)

    def choose(self, position: Position) -> int:
        """Refuse: a person is asked elsewhere."""
        raise BadInputError("a person is to move, and nobody has asked the person")

    def frozen(self) -> Policy:
        """Return what the person is expected to play."""
        return PupilPrediction(self._game, self._choices)

    def openings_to_errors(self, seat: int) -> tuple[tuple[int, ...], ...]:
        """Return the actions that led to the positions in which the person errs in a seat, the costliest first."""
        return tuple(
            self._contests[node.contest].record.actions[: node.number]
            for node in key_nodes_of(self._game, self._contests)
            if node.position.seat == seat and not node.is_learned
        )

    def knowledge(self) -> Mapping[str, float]:
        """Return the number of positions in which the person has chosen, and of errors."""
        errors = sum(len(contest.errors or ()) for contest in self._contests)
        return {"positions": len(self._choices), "errors": errors}

    def snapshot(self) -> Snapshot:
        """Return what was chosen in each position."""
        return Snapshot(data={box.hex(): list(chosen) for box, chosen in self._choices.items()})

    def restore(self, snapshot: Snapshot) -> None:
        """Replace what was chosen in each position; the contests stay as they are."""
        try:
            self._choices = {bytes.fromhex(box): list(map(int, chosen)) for box, chosen in snapshot.data.items()}
        except (TypeError, ValueError):
            raise BadInputError("the snapshot is not one of a person") from None


class PupilPrediction(MarkovPolicy):
    """What a person is expected to play: the last choices in the same position up to symmetry, each as likely.

    Where the person has never been, correct actions are expected. So errors are expected in those positions alone in
    which the person has erred, until they are learned.
    """

    def __init__(self, game: Game, choices: Choices) -> None:
        super().__init__()
        self._choices = choices
        self._perfect = PerfectPlayer(game) if can_be_perfect(game) else None

    def distribution(self, position: Position) -> Distribution:
        """Return the actions that the person may choose and their probabilities."""
        face = face_of(position)
        if last := self._choices.get(face.box, [])[-LEARNED:]:
            return mixture([(1 / len(last), uniform(face.colours[colour])) for colour in last])
        return self._perfect.distribution(position) if self._perfect else uniform(position.legal_actions)


def key_nodes_of(game: Game, contests: Sequence[PupilContest]) -> list[KeyNode]:
    """Return the positions in which a person has erred: those not yet learned first, the costliest first among them.

    Contests in which nobody has looked for errors are left out.
    """
    found: dict[bytes, KeyNode] = {}
    streaks: dict[bytes, int] = {}
    seen: dict[bytes, int] = {}
    for index, contest in enumerate(contests):
        costs = {error.number: error.cost for error in contest.errors or ()}
        for turn in contest.turns(game) if contest.errors is not None else ():
            number, box = turn.number, turn.before.canonical
            seen[box] = seen.get(box, 0) + 1
            streaks[box] = 0 if number in costs else streaks.get(box, 0) + 1
            if number in costs:
                before = found.get(box)
                wrong, cost = (before.wrong, before.cost) if before else (0, 0.0)
                found[box] = KeyNode(
                    turn.before, turn.text, index, number, 0, wrong + 1, cost + costs[number], is_learned=False
                )
    nodes = [replace(node, seen=seen[box], is_learned=streaks[box] >= LEARNED) for box, node in found.items()]
    return sorted(nodes, key=lambda node: (node.is_learned, -node.cost))


@lru_cache(maxsize=1024)
def _turns_of_record(record: Record, game: Game) -> tuple[Turn, ...]:
    return record.turns(game)
