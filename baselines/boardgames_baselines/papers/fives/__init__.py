"""Hasson, Markovitch and Sella, *Using Filters to Improve the Efficiency of Game-playing Learning Procedures*.

The figures and tables are in `experiments`, and the jobs in `courses`. This is what the experiments share: students,
players, and their results.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean, median
from typing import Any

from boardgames_agents.experiments.estimate import Estimate, mean_of, share_of
from boardgames_agents.experiments.report import Report
from boardgames_agents.experiments.runner import Runner
from boardgames_agents.experiments.table import Chart, Table
from boardgames_agents.fives.coefficients import INITIAL
from boardgames_agents.fives.making import POSITIONS
from boardgames_baselines.papers.fives.courses import ExamJob, FivesCourse, Player
from boardgames_baselines.papers.job import repeated
from boardgames_env.spec import Spec

SETS = 300
"""Sets of starting positions; each is five for lessons, five for self-tests and five for the reported exam."""

SESSIONS = 5

FILTERS = {"experience": "experience", "rules": "domain rules", "self_test": "self-test"}
"""The names of the filters, by the options that switch them."""


def student(**options: Any) -> str:
    """Return the spec of a student, by default with all filters."""
    return str(Spec("fives", options))


def with_filters(on: Iterable[str] = (), **options: Any) -> str:
    """Return the spec of a student with some of the filters."""
    off = {name: False for name in FILTERS if name not in set(on)}
    return student(**off, **options)


def subsets() -> dict[str, str]:
    """Return a student for every combination of filters, by name, the fewest filters first."""
    some = [on for number in (1, 2) for on in combinations(FILTERS, number)]
    named = {" + ".join(FILTERS[name] for name in on): with_filters(on) for on in some}
    return {"none": with_filters(), **named, "all": student()}


NONE, ALL = "no filters", "all filters"

REPORTED, OWN = "reported exam", "self-test's exam"
"""The exams."""

BOTH = {NONE: with_filters(), ALL: student()}
"""The students of Figures 2 and 4."""


@dataclass(frozen=True)
class ExamScores:
    """The scores of students of one kind in one exam.

    Attributes:
        courses: Each student's scores before the first session and after each.
    """

    courses: Sequence[Sequence[float]]

    def after(self, session: int = -1) -> list[float]:
        """Return every student's score after a session."""
        return [course[session] for course in self.courses]

    def mean(self, session: int = -1) -> Estimate:
        """Return the mean score after a session."""
        return mean_of(self.after(session))

    def above(self, other: "ExamScores") -> Estimate:
        """Return the difference between the last scores and those of others in the same sets."""
        return mean_of([mine - theirs for mine, theirs in zip(self.after(), other.after(), strict=True)])

    @property
    def fell(self) -> list[bool]:
        """Whether each student ended below its own best score."""
        return [course[-1] < max(course) for course in self.courses]

    @property
    def best(self) -> list[float]:
        """Every student's best score after a session."""
        return [max(course[1:]) for course in self.courses]

    @property
    def curve(self) -> list[tuple[float, float]]:
        """The mean scores by the number of sessions before them."""
        return [(session, self.mean(session).value) for session in range(len(self.courses[0]))]


@dataclass(frozen=True)
class Taught:
    """The results of students of one kind, each in a set of its own.

    Attributes:
        runs: The results of `FivesCourse`, in the order of the sets.
    """

    runs: Sequence[Mapping[str, Any]]

    @property
    def reported(self) -> ExamScores:
        """The scores in the reported exam."""
        return ExamScores(self._tested("reported"))

    @property
    def own(self) -> ExamScores:
        """The scores in the self-test's exam."""
        return ExamScores(self._tested("own"))

    def _tested(self, name: str) -> list[list[Any]]:
        """Return what every student's tests have under a name, before the first session and after each."""
        return [[test[name] for test in run["tests"]] for run in self.runs]

    def counted(self, name: str) -> float:
        """Return the mean of a count of the students, 0 for those without it."""
        return fmean([run["knowledge"].get(name, 0) for run in self.runs])

    @property
    def medians(self) -> tuple[float, ...]:
        """The median of each coefficient at the end."""
        ends = [coefficients[-1] for coefficients in self._tested("coefficients")]
        return tuple(round(median(each), 1) for each in zip(*ends, strict=True))

    @property
    def unchanged(self) -> list[bool]:
        """Whether each student has the same coefficients at the end as at first."""
        return [coefficients[-1] == coefficients[0] for coefficients in self._tested("coefficients")]

    @property
    def milliseconds(self) -> float:
        """The median of the time of a course."""
        return float(1000 * median(seconds[-1] for seconds in self._tested("seconds")))


def share(hits: Sequence[bool]) -> Estimate:
    """Return how many of the students are hits, in per cent, with Wilson's interval."""
    return share_of([sum(hits)], [len(hits)])


def taught(
    runner: Runner,
    what: str,
    students: Mapping[str, str],
    sessions: int = SESSIONS,
    sets: int = SETS,
    practice: int = POSITIONS,
) -> dict[str, Taught]:
    """Teach students, given as specs by name, all of them in the same sets.

    The runner's options may set another number of sets. Self-tests have ``practice`` starting positions.
    """
    jobs = {name: FivesCourse.of(spec, sessions, practice) for name, spec in students.items()}
    return {name: Taught(found) for name, found in repeated(runner, what, jobs, sets).items()}


@dataclass(frozen=True)
class Held:
    """The results of a player that does not learn in many exams.

    Attributes:
        scores: Its score in each.
        points: Its points in all contests, those of a position and its dual in a row.
    """

    scores: list[float]
    points: list[int]

    @property
    def score(self) -> Estimate:
        """The mean score."""
        return mean_of(self.scores)


def examined(runner: Runner, what: str, players: Mapping[str, Player], sets: int = SETS) -> dict[str, Held]:
    """Let players that do not learn sit the reported exams of all sets."""
    [found] = repeated(runner, what, {"": ExamJob(tuple(players.values()))}, sets).values()
    sat = {name: [each["players"][place] for each in found] for place, name in enumerate(players)}
    return {
        name: Held([each["score"] for each in exams], [points for each in exams for points in each["points"]])
        for name, exams in sat.items()
    }


def player(values: Sequence[float] = INITIAL.values, level: int = 3, width: int = 3) -> Player:
    """Return a player that is the paper's student but for what is given."""
    return level, width, tuple(values)


def in_words(values: Iterable[float]) -> str:
    """Format coefficients in a cell."""
    return " / ".join(f"{value:.1f}".removesuffix(".0") for value in values)


def exams_note(held: Mapping[str, Held]) -> str:
    """Return a note on the sample sizes of `examined`."""
    first = next(iter(held.values()))
    return (
        f"The reported exams of {len(first.scores):,} sets, {len(first.points):,} contests with the tester. Intervals "
        "of 95 %: Student's over exams for means, Wilson's for shares."
    )


def by_exam(found: Mapping[str, Taught]) -> dict[str, ExamScores]:
    """Return the scores of the students of `BOTH` in each exam, by name."""
    return {
        f"{name}: {exam}": scores
        for name in (ALL, NONE)
        for exam, scores in ((REPORTED, found[name].reported), (OWN, found[name].own))
    }


def report_on(
    found: Mapping[str, Taught], tables: tuple[Table, ...], notes: tuple[str, ...] = (), charts: tuple[Chart, ...] = ()
) -> Report:
    """Return a report on students, with a note on their number, and every student's last scores as its data."""
    sets = len(next(iter(found.values())).runs)
    sample = (
        f"{sets:,} sets of starting positions, the same for every student. Scores are from 0 to 100, and 50 is the "
        "tester's own. Intervals of 95 %: Student's over sets for means and for differences within sets, Wilson's for "
        "shares."
    )
    columns: dict[str, list[float]] = {}
    for name, each in found.items():
        columns |= {f"{name}: reported": each.reported.after(), f"{name}: own": each.own.after()}
    rows = [(number, *scores) for number, scores in enumerate(zip(*columns.values(), strict=True))]
    return Report(tables, charts, (sample, *notes), data=Table("", ("set", *columns), rows))
