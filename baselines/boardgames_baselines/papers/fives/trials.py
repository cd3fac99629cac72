"""The courses of the filters' page, and how their results are written."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import isfinite
from statistics import fmean, median
from typing import Any

from boardgames_agents.experiments.estimate import Estimate, mean_of, share_of
from boardgames_agents.experiments.runner import Runner
from boardgames_agents.experiments.table import Table
from boardgames_agents.fives.coefficients import INITIAL
from boardgames_agents.fives.making import POSITIONS
from boardgames_baselines.papers.fives.jobs.examining import ExamJob, Player
from boardgames_baselines.papers.fives.jobs.teaching import TeachingJob
from boardgames_baselines.papers.jobs import repeated
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
    found = {}
    for switches in sorted(product((True, False), repeat=len(FILTERS)), key=sum):
        on = [name for name, is_on in zip(FILTERS, switches, strict=True) if is_on]
        found[" + ".join(FILTERS[name] for name in on) or "none"] = with_filters(on)
    return {name.replace("experience + domain rules + self-test", "all"): spec for name, spec in found.items()}


NONE, ALL = "no filters", "all filters"

EXAMS = {"reported": "reported exam", "own": "self-test's exam"}
"""The exams by their names in the results."""

BOTH = {NONE: with_filters(), ALL: student()}
"""The students of Figures 2 and 4."""


@dataclass(frozen=True)
class Taught:
    """The results of students of one kind, each in a set of its own.

    Attributes:
        runs: The results of `TeachingJob`, in the order of the sets.
    """

    runs: Sequence[Mapping[str, Any]]

    def scores(self, exam: str, session: int = -1) -> list[float]:
        """Return every student's score in an exam, ``reported`` or ``own``, after a session."""
        return [run[exam][session] for run in self.runs]

    def score(self, exam: str, session: int = -1) -> Estimate:
        """Return the mean score in an exam after a session."""
        return mean_of(self.scores(exam, session))

    def above(self, other: "Taught", exam: str = "reported") -> Estimate:
        """Return the difference between the last scores and those of others in the same sets."""
        pairs = zip(self.scores(exam), other.scores(exam), strict=True)
        return mean_of([mine - theirs for mine, theirs in pairs])

    def share(self, hits: Iterable[bool]) -> Estimate:
        """Return a percentage of the students, with Wilson's interval."""
        return share_of([sum(hits)], [len(self.runs)])

    def fell(self, exam: str) -> list[bool]:
        """Return whether a student ended below its own best score."""
        return [run[exam][-1] < max(run[exam]) for run in self.runs]

    def at_best(self, exam: str) -> list[float]:
        """Return every student's best score after a session."""
        return [max(run[exam][1:]) for run in self.runs]

    def counted(self, name: str) -> float:
        """Return the mean of a count of the students, 0 for those without it."""
        return fmean([run["counts"].get(name, 0) for run in self.runs])

    @property
    def coefficients(self) -> list[tuple[float, ...]]:
        """The knowledge of each student at the end."""
        return [tuple(run["coefficients"][-1]) for run in self.runs]

    @property
    def medians(self) -> tuple[float, ...]:
        """The median of each coefficient at the end."""
        return tuple(round(median(each), 1) for each in zip(*self.coefficients, strict=True))

    @property
    def unchanged(self) -> list[bool]:
        """Return whether a student has the same coefficients at the end as at first."""
        return [run["coefficients"][-1] == run["coefficients"][0] for run in self.runs]

    @property
    def seconds(self) -> float:
        """The median of the time of a course."""
        return float(median([run["seconds"] for run in self.runs]))


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
    jobs = {name: TeachingJob(spec, sessions, practice) for name, spec in students.items()}
    return {name: Taught(found) for name, found in repeated(runner, what, jobs, sets).items()}


@dataclass(frozen=True)
class Held:
    """The results of a player that does not learn in many exams."""

    exams: Sequence[Mapping[str, Any]]

    @property
    def scores(self) -> list[float]:
        """Its score in each."""
        return [each["score"] for each in self.exams]

    @property
    def score(self) -> Estimate:
        """The mean score."""
        return mean_of(self.scores)

    def reaching(self, score: float) -> Estimate:
        """In how many of the exams, in per cent, its score is as high as this."""
        return share_of([sum(each >= score for each in self.scores)], [len(self.exams)])

    @property
    def points(self) -> list[int]:
        """Its points in all contests, those of a position and its dual in a row."""
        return [points for each in self.exams for points in each["points"]]


def examined(runner: Runner, what: str, players: Mapping[str, Player], sets: int = SETS) -> dict[str, Held]:
    """Let players that do not learn sit the reported exams of all sets."""
    [found] = repeated(runner, what, {"": ExamJob(tuple(players.values()))}, sets).values()
    return {name: Held([each["players"][place] for each in found]) for place, name in enumerate(players)}


def player(values: Sequence[float] = INITIAL.values, level: int = 3, width: int = 3) -> Player:
    """A player as the paper's student, unless it says otherwise."""
    return level, width, tuple(values)


def in_words(values: Iterable[float]) -> str:
    """Coefficients in a cell."""
    return " / ".join(f"{value:.1f}".removesuffix(".0") for value in values)


def change(estimate: Estimate) -> str:
    """A difference in points, with its interval."""
    interval = f" ({estimate.low:+.1f} to {estimate.high:+.1f})" if isfinite(estimate.low) else ""
    return f"{estimate.value:+.1f}{interval}"


def sets_note(found: Mapping[str, Taught]) -> str:
    """How large the samples are."""
    sets = len(next(iter(found.values())).runs)
    return (
        f"{sets:,} sets of starting positions, the same for every student. Scores are from 0 to 100, and 50 is the "
        "tester's own. Intervals of 95 %: Student's over sets for means and for differences within sets, Wilson's for "
        "shares."
    )


def exams_note(held: Mapping[str, Held]) -> str:
    """How large the samples of `examined` are."""
    exams = next(iter(held.values())).exams
    contests = sum(len(each["points"]) for each in exams)
    return (
        f"The reported exams of {len(exams):,} sets, {contests:,} contests with the tester. Intervals of 95 %: "
        "Student's over exams for means, Wilson's for shares."
    )


def curve(found: Taught, exam: str) -> list[tuple[float, float]]:
    """The mean scores of an exam, by how many sessions went before it."""
    return [(session, found.score(exam, session).value) for session in range(len(found.runs[0][exam]))]


def by_exam(found: Mapping[str, Taught]) -> dict[str, tuple[Taught, str]]:
    """Return the students of `BOTH` with each exam, by name."""
    return {f"{name}: {called}": (found[name], exam) for name in (ALL, NONE) for exam, called in EXAMS.items()}


def finals(found: Mapping[str, Taught]) -> Table:
    """Every student's last scores, a row for each set."""
    columns = {f"{name}: {exam}": each.scores(exam) for name, each in found.items() for exam in ("reported", "own")}
    rows = [(number, *scores) for number, scores in enumerate(zip(*columns.values(), strict=True))]
    return Table("", ("set", *columns), rows)
