"""The student: it learns coefficients by predicting a teacher's moves, and filters what it learns.

The update after one move of its teacher (Hasson, Markovitch and Sella, section 2.3): the student expected one move, and
the teacher played another. Δ is the difference between the contents of the board after the actual move and after the
expected one. In the teacher's judgement the features of which Δ has more (P) outweigh those of which it has less (N);
so the coefficients of P grow in proportion to the value of N:

    gain = 0.1 · Σ_N abs(Δi ki) / Σ_P Δi,   and   ki ← ki + gain   for each i in P.

If P or N is empty, nothing is learned.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal

import numpy as np

from boardgames_agents.fives.coefficients import INITIAL_BROKEN, Coefficients
from boardgames_agents.fives.exam import Exam
from boardgames_agents.fives.features import contents
from boardgames_agents.fives.minimax import FIVE_VALUE
from boardgames_agents.fives.player import FivesPlayer, FivesPlayerOptions, coefficients_of
from boardgames_agents.policy import Learner, Policy, Rng, Snapshot
from boardgames_agents.policy.explanation import Explanation
from boardgames_agents.record import Record
from boardgames_agents.registry import agent
from boardgames_agents.training.self_tested import FILTER_CURVES, Filter, Filters, SelfTest
from boardgames_agents.training.starting_positions import load_starts
from boardgames_env.errors import BadInputError, require
from boardgames_env.game import Game
from boardgames_env.kernels.signatures import Float64s, Int64s
from boardgames_env.position import Position
from boardgames_env.spec import Quick, Spec


@dataclass(frozen=True)
class FivesOptions(FivesPlayerOptions):
    """The options of `fives`; the student plays by those of `fives_student`.

    Attributes:
        teacher_level: The number of plies that its teacher searches.
        teacher_width: The number of moves that its teacher searches.
        broken: Whether broken fours and threes count too, if no coefficients are given.
        experience: Whether only significantly wrong predictions are learned from.
        threshold: The smallest significant difference between the evaluations of the actual and the predicted board.
        rules: Whether the order that must hold between coefficients is kept.
        self_test: Whether new coefficients must pass an exam.
        practice_exam: The starting positions of that exam: a file, or a set of the package.
        exam: The starting positions of the reported exam, from which nothing is learned; empty for none.
        shared: Whether the teacher plays by the student's coefficients.
        viewer: The side from which contents are counted.
        asks: Whether the student asks its own teacher for a move where no expert plays.

    Raises:
        BadInputError: If the threshold is not allowed.
    """

    teacher_level: Annotated[int, Quick(6)] = 5
    teacher_width: Annotated[int, Quick(15)] = 10
    broken: bool = False
    experience: bool = True
    threshold: float = 100
    rules: bool = True
    self_test: bool = True
    practice_exam: str = "self_test-1"
    exam: str = "exam-1"
    shared: bool = True
    viewer: Literal["teacher", "student"] = "teacher"
    asks: bool = False

    def __post_init__(self) -> None:
        require(0, threshold=self.threshold)


@agent(
    "fives",
    for_people="Learner of five in a row: tries to guess an expert's moves, and learns from that",
    options=FivesOptions,
    curves={
        "predictions": "number of the expert's moves that it has predicted",
        "right": "number of predictions that were the move played",
        "exam score": "score in the reported exam, from which nothing is learned",
        **FILTER_CURVES,
        "{feature}": "coefficient of the feature in the evaluation",
    },
)
class FivesLearner(Learner):
    """A student at five in a row: it predicts an expert's moves, and learns coefficients that pass its filters.

    Raises:
        BadInputError: If the game is of another kind, or a number or file is not allowed.
    """

    def __init__(self, game: Game, options: FivesOptions) -> None:
        given = options.coefficients
        first = INITIAL_BROKEN if options.broken and given == "" else coefficients_of(given)
        self._game, self._options = game, options
        self._first = self.coefficients = first
        self._student = FivesPlayer(game, options.level, options.width, first, options.ties)
        self._teacher = FivesPlayer(game, options.teacher_level, options.teacher_width, first, options.ties)
        teacher = {"level": options.teacher_level, "width": options.teacher_width}
        self._teacher.spec = str(Spec("fives_teacher", teacher))
        self._reported = Exam(game, load_starts(options.exam, game)) if options.exam else None
        self._filters = self._make_filters()
        self._tally = dict.fromkeys(("contests", "predictions", "right"), 0)

    def _make_filters(self) -> Filters:
        options = self._options
        experience: list[Filter[float]] = []
        if options.experience:
            experience.append(Filter("significance", lambda difference: abs(difference) >= options.threshold))
        acquisition: list[Filter[Coefficients]] = []
        if options.rules:
            acquisition.append(Filter("domain rules", is_in_order))
        if options.self_test:
            exam = Exam(self._game, load_starts(options.practice_exam, self._game))
            acquisition.append(SelfTest(lambda each: self._score(exam, each), lambda: self._first))
        return Filters(experience=experience, acquisition=acquisition)

    def _score(self, exam: Exam, coefficients: Coefficients) -> float:
        """Return the student's score in an exam with other coefficients."""
        return exam.score(self._student.with_coefficients(coefficients).search)

    @property
    def teacher(self) -> Policy:
        """The student's teacher."""
        return self._teacher

    def begin(self, game: Game, seats: tuple[int, ...], rng: Rng) -> None:
        """Start a contest of the student and of its teacher."""
        super().begin(game, seats, rng)
        self._student.begin(game, seats, rng)
        self._teacher.begin(game, seats, rng)

    def choose(self, position: Position) -> int:
        """Return the student's best action."""
        return self._student.choose(position)

    def saw(self, position: Position, action: int) -> None:
        """Learn from an expert's move, or, without an expert and if it asks, from its own teacher's choice."""
        if position.seat in self.experts:
            self._learn(position, action)
        elif self._options.asks and not self.experts:
            self._learn(position, self._teacher.choose(position))

    def _learn(self, position: Position, actual: int) -> None:
        """Predict the teacher's move, and learn if the prediction is wrong."""
        expected = self._student.choose(position)
        self._tally["predictions"] += 1
        if expected == actual:
            self._tally["right"] += 1
            return
        boards = position.play(actual), position.play(expected)
        scores = [self._student.search.score(board.state, 0) for board in boards]  # (for the other seat)
        if not self._filters.admit("experience", scores[1] - scores[0]):
            return
        # Contents are seat 0's less seat 1's; the seat to move is the teacher's.
        viewer = position.seat if self._options.viewer == "teacher" else 1 - position.seat
        values = np.array(self.coefficients.values)
        delta = (1 - 2 * viewer) * (contents(boards[0]) - contents(boards[1]))[: len(values)]
        learned = updated(values, delta)
        if gain(values, delta) and np.abs(learned).max() < FIVE_VALUE:
            proposed = Coefficients(tuple(learned.tolist()))
            if self._filters.admit("acquisition", proposed):
                self._use(proposed)

    def _use(self, coefficients: Coefficients) -> None:
        """Play by other coefficients from now on; so does the teacher, if it shares them."""
        self.coefficients = coefficients
        for player in (self._student, self._teacher) if self._options.shared else (self._student,):
            player.coefficients = coefficients
            player.search = player.with_coefficients(coefficients).search

    def end(self, record: Record) -> None:
        """Count the contest; nothing is learned from its outcome."""
        self._tally["contests"] += 1

    def frozen(self) -> FivesPlayer:
        """Return a player with the student's current coefficients."""
        return self._student.with_coefficients(self.coefficients)

    def explanation(self, position: Position, played: int | None = None) -> Explanation:
        """Return the student's explanation; see `FivesPlayer.explanation`."""
        return self._student.explanation(position, played)

    def knowledge(self) -> Mapping[str, float]:
        """Return the coefficients, the counts of predictions and of the filters, and the reported exam's score."""
        tally = {name: float(self._tally[name]) for name in ("predictions", "right")}
        exam = {"exam score": self._score(self._reported, self.coefficients)} if self._reported else {}
        return {**self.coefficients.named, **tally, **self._filters.knowledge(), **exam}

    def snapshot(self) -> Snapshot:
        """Return the coefficients and all counts."""
        values = np.array(self.coefficients.values)
        return Snapshot({"coefficients": values}, {**self._tally, "filters": self._filters.snapshot()})

    def restore(self, snapshot: Snapshot) -> None:
        """Restore a snapshot."""
        data: dict[str, Any] = dict(snapshot.data)
        values = snapshot.arrays.get("coefficients")
        if values is None or values.shape != (len(self._first.values),) or set(data) != {*self._tally, "filters"}:
            raise BadInputError(f"the snapshot holds no {len(self._first.values)} coefficients of such a learner")
        self._filters.restore(data.pop("filters"))
        self._use(Coefficients(tuple(values.tolist())))
        self._tally = {name: int(count) for name, count in data.items()}


STABILITY = 0.1
"""The share of the correction that is made at once, "to stabilize the learning process"."""


def gain(values: Float64s, delta: Int64s) -> float:
    """Return the growth of each coefficient of P; 0 if P or N is empty."""
    more, less = delta > 0, delta < 0
    if not more.any():
        return 0.0
    return float(np.abs(delta[less] * values[less]).sum() / delta[more].sum() * STABILITY)


def updated(values: Float64s, delta: Int64s) -> Float64s:
    """Return the coefficients after a lesson as a new array.

    (500, 400, 300, 200, 100) with Δ = (1, -1, 2, -1, 0) become (520, 400, 320, 200, 100).
    """
    return np.where(delta > 0, values + gain(values, delta), values)


ORDER = (
    ("full open four", "half open four"),
    ("full open four", "full open three"),
    ("half open four", "quarter open three"),
    ("full open three", "half open three"),
    ("half open three", "quarter open three"),
    ("full open four", "broken four"),
    ("broken four", "quarter open three"),
    ("full open three", "broken three"),
    ("broken three", "quarter open three"),
)
"""Pairs of features of which the first is at least as good as the second (section 4).

The first has as many marks and more ways to grow, or it can be grown from the second. (The paper names
only the rule of half open four and quarter open three. Features that such reasons do not compare, like half open four
and full open three, are left to learning.)"""


def is_in_order(coefficients: Coefficients) -> bool:
    """Return whether coefficients agree with `ORDER`."""
    named = coefficients.named
    return all(named[better] >= named[worse] for better, worse in ORDER if better in named and worse in named)
