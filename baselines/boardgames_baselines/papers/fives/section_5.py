"""Section 5: what the authors ask for, every filter alone, every combination and more features; and what we ask."""

from collections.abc import Callable, Mapping, Sequence
from statistics import fmean
from typing import Any

from boardgames_agents.experiments.estimate import mean_of
from boardgames_agents.experiments.report import Report
from boardgames_agents.experiments.runner import Runner
from boardgames_agents.experiments.table import Cell, Chart, Row, Table, table_of
from boardgames_baselines.papers.experiment import experiment
from boardgames_baselines.papers.fives.jobs.others import SelfTrainingJob
from boardgames_baselines.papers.fives.trials import (
    ALL,
    BOTH,
    NONE,
    OWN,
    REPORTED,
    Taught,
    by_exam,
    examined,
    exams_note,
    player,
    report_on,
    share,
    student,
    subsets,
    taught,
    with_filters,
)
from boardgames_baselines.papers.jobs import repeated
from boardgames_env.spec import Spec

Options = Mapping[str, Any]
Columns = Mapping[str, Callable[[Taught], Cell]]

_LONG, _FEWER = 20, 150
"""More sessions than the paper's, and fewer sets where there is more to compute."""


@experiment("filters")
def filters(runner: Runner) -> Report:
    """Every filter alone and every combination, with what they cost."""
    found = taught(runner, "students with every combination of filters", subsets())
    none = found["none"]

    def per_point(cost: float, each: Taught) -> float | None:
        gained = each.reported.above(none.reported)
        return cost / gained.value if gained.low > 0 and cost else None

    costs: Columns = {
        REPORTED: lambda each: each.reported.mean(),
        "above none": lambda each: None if each is none else each.reported.above(none.reported).signed(1),
        OWN: lambda each: each.own.mean(),
        "ends below its own best %": lambda each: share(each.reported.fell),
        "exams held": lambda each: round(each.counted("exams"), 1),
        "ms": lambda each: round(each.milliseconds),
        "exams a point": lambda each: per_point(each.counted("exams"), each),
        "ms a point": lambda each: per_point(each.milliseconds, each),
    }
    names = [f"{did} by {name}" for name in _FILTERS for did in ("accepted", "refused")]
    passed: Columns = {name: _counter(name) for name in ("predictions", "right", *names)}
    tables = (
        table_of("Every combination of filters, five sessions", found, costs, "filters"),
        table_of(
            "Items judged by the filters, means of five sessions",
            found,
            {**passed, "learned nothing %": lambda each: share(each.unchanged)},
            "filters",
        ),
    )
    note = (
        "Exams held are those of the self-test, including the one before learning. Times are medians over sets of five "
        "learning sessions with teacher and self-tests; only they differ from run to run. The cost of a point is shown "
        "where the score in the reported exam is above that without filters."
    )
    return report_on(found, tables, (note,))


_FILTERS = ("significance", "domain rules", "self-test")


def _counter(count: str) -> Callable[[Taught], Cell]:
    """Return the column of a count, empty for students that do not have it."""
    return lambda each: round(each.counted(count), 1) if count in each.runs[0]["counts"] else None


def _in_both(runner: Runner, what: str, title: str, options: Mapping[str, Options], *notes: str) -> Report:
    """Return a report on kinds of students without filters and with all, compared with the first kind."""
    students = {f"{name}: {NONE}": with_filters((), **chosen) for name, chosen in options.items()}
    students |= {f"{name}: {ALL}": student(**chosen) for name, chosen in options.items()}
    found = taught(runner, what, students, sets=_FEWER)
    first = next(iter(options))
    rows: list[Row] = []
    for name in options:
        cells: list[Cell] = [found[f"{name}: {NONE}"].reported.mean(0)]
        for filtered in (NONE, ALL):
            each, beside = found[f"{name}: {filtered}"], found[f"{first}: {filtered}"]
            gained = each.reported.above(beside.reported).signed(1) if name != first else None
            cells += [each.reported.mean(), gained, each.own.mean()]
        rows.append((name, *cells, round(found[f"{name}: {ALL}"].counted("exams"), 1)))
    columns = [f"{filtered}: {each}" for filtered in (NONE, ALL) for each in (REPORTED, "beside the first row", OWN)]
    return report_on(found, (Table(title, ("", "exam 0", *columns, "exams held"), rows),), notes)


@experiment("features")
def features(runner: Runner) -> Report:
    """More board features: broken fours and threes, with and without."""
    return _in_both(
        *(runner, "students with more features", "With broken fours and threes, five sessions"),
        {"the paper's five features": {}, "broken fours and threes, too": {"broken": True}},
        "The tester never counts broken ones. A student that does is another player before it has learned anything, so "
        "its exam 0 is not 50.",
    )


@experiment("readings")
def readings(runner: Runner) -> Report:
    """The effect of other readings of the paper, where its text allows them."""
    options: dict[str, Options] = {
        "as the defaults": {},
        "contents from the student's side": {"viewer": "student"},
        "the teacher keeps the initial coefficients": {"shared": False},
        "both": {"viewer": "student", "shared": False},
        "ties broken at random in lessons": {"ties": "random"},
        **{f"significant from {threshold}": {"threshold": threshold} for threshold in (0, 50, 200)},
    }
    return _in_both(runner, "readings of the paper", "Readings of the paper, five sessions", options)


@experiment("teachers")
def teachers(runner: Runner) -> Report:
    """The effect of the teacher's depth and width."""
    sizes: dict[str, Options] = {"level 5, width 10 (the paper's)": {}}
    for level, width in ((3, 10), (5, 3), (5, 5), (5, 20), (6, 10)):
        sizes[f"level {level}, width {width}"] = {"teacher_level": level, "teacher_width": width}
    return _in_both(runner, "students of other teachers", "Other teachers, five sessions", sizes)


@experiment("more-sessions")
def more_sessions(runner: Runner) -> Report:
    """The scores of students after many more sessions than five."""
    found = taught(runner, "students with many sessions", BOTH, _LONG, _FEWER)
    kinds = by_exam(found)
    title = f"{_LONG} learning sessions"
    chart = Chart(title, "learning sessions", "exam score", {name: each.curve for name, each in kinds.items()})
    shown = (0, 5, 10, 15, _LONG)
    rows: list[Row] = [(name, *map(each.mean, shown)) for name, each in kinds.items()]
    table = Table(f"{title}: mean scores", ("", *(f"exam {at}" for at in shown)), rows)
    return report_on(found, (table,), (), (chart,))


@experiment("exam-size")
def exam_size(runner: Runner) -> Report:
    """The scores of students whose self-test has more starting positions than five."""
    found: dict[str, Taught] = {}
    for size in (5, 20, 80):
        name = f"{size} starting positions"
        found |= taught(runner, f"self-tests with {name}", {name: student()}, _LONG, _FEWER, size)
    first = found["5 starting positions"]
    columns: Columns = {
        "it": lambda each: each.own.mean(),
        REPORTED: lambda each: each.reported.mean(),
        "above five": lambda each: None if each is first else each.reported.above(first.reported).signed(1),
        "learned nothing %": lambda each: share(each.unchanged),
        "exams held": lambda each: round(each.counted("exams"), 1),
        "ms": lambda each: round(each.milliseconds),
    }
    table = table_of(f"Self-tests with more starting positions, {_LONG} sessions", found, columns, f"the {OWN}")
    curves = {name: each.reported.curve for name, each in found.items()}
    chart = Chart("The size of the self-test", "learning sessions", "score in the reported exam", curves)
    note = (
        "All filters. The larger exams hold the starting positions of the smaller ones. Times are medians over sets, "
        "and not repeated by another run."
    )
    return report_on(found, (table,), (note,), (chart,))


@experiment("search-size")
def search_size(runner: Runner) -> Report:
    """The effect of the search's size: the tester's coefficients with other levels and widths, against the tester."""
    sizes = ((1, 3), (2, 3), (3, 1), (3, 2), (3, 3), (3, 5), (3, 10), (4, 3), (5, 3), (5, 10))
    players = {f"level {level}, width {width}": player(level=level, width=width) for level, width in sizes}
    held = examined(runner, "levels and widths", players)
    rows = [(name, each.score) for name, each in held.items()]
    data = [(name, score.value, score.low, score.high) for name, score in rows]
    table = Table("The tester's coefficients with other levels and widths", ("", "score in the reported exam"), rows)
    return Report((table,), notes=(exams_note(held),), data=Table("", ("player", "score", "low", "high"), data))


# --- beyond the paper: its test-based filter around a learner of another kind ---

_TESTING = 500

_LEARNERS = {
    "α falls": "td(seed=SEED,hidden=32)",
    "α stays": "td(seed=SEED,hidden=32,decay=0)",
}

_TESTS: dict[str, Options | None] = {
    "no filter": None,
    "undone; against itself untrained": {},
    "undone; against the expert": {"tester": "fallible(e=0.1)", "contests": 500},
    "not played by; against the expert": {"tester": "fallible(e=0.1)", "contests": 500, "place": "utilization"},
}


@experiment("other-learners")
def other_learners(runner: Runner) -> Report:
    """The self-test filter for a network that learns tic-tac-toe by TD(λ), from contests with itself."""
    scale = runner.options.scale
    milestones = tuple(dict.fromkeys(max(1, round(scale * each)) for each in (1_000, 2_000, 5_000, 10_000)))
    jobs = {
        (rate, tested): SelfTrainingJob("tic_tac_toe", _spec(learner, options), milestones, _TESTING)
        for rate, learner in _LEARNERS.items()
        for tested, options in _TESTS.items()
    }
    found = repeated(runner, "TD(λ) with a self-test", jobs, runs=12)
    rows: list[Row] = []
    data: list[Row] = []
    for (rate, tested), runs in found.items():
        plain = found[rate, "no filter"]
        lost = [[fmean(at) for at in run["lost"]] for run in runs]
        less = mean_of([mine[-1] - fmean(other["lost"][-1]) for mine, other in zip(lost, plain, strict=True)])
        beside = None if tested == "no filter" else less.signed(1)
        rows.append((f"{rate}; {tested}", *map(mean_of, zip(*lost, strict=True)), beside, _passed(runs)))
        data += [(rate, tested, number, *each) for number, each in enumerate(lost)]
    ends = [f"{end:,} contests" for end in milestones]
    title = "Tic-tac-toe: contests lost to the four challengers, in per cent"
    headings = ("learning rate; what fails the self-test is …", *ends, "beside no filter", "exams passed")
    notes = (
        f"{len(plain)} runs of each kind; `td(hidden=32)`, {milestones[-1]:,} contests against itself, tested in "
        f"{_TESTING} contests against each of the perfect, expert, novice and random players. A run and its number "
        "determine weights and dice, so kinds are compared run by run. Intervals of 95 %: Student's over runs.",
        "Exams after every 1,000 contests: 100 contests against itself untrained, the default of `self_tested`, or 500 "
        "against the expert, which leaves a tenth of its decisions to chance. Those contests come on top.",
    )
    return Report((Table(title, headings, rows),), notes=notes, data=Table("", ("α", "filter", "run", *ends), data))


def _spec(learner: str, options: Options | None) -> str:
    return learner if options is None else str(Spec("self_tested", {"learner": learner, **options}))


def _passed(runs: Sequence[Mapping[str, Any]]) -> str | None:
    """Return how many exams were passed, of how many."""
    known = [run["knowledge"] for run in runs]
    if "exams" not in known[0]:
        return None
    passed, failed = (fmean([each[f"{did} by self-test"] for each in known]) for did in ("accepted", "refused"))
    return f"{passed:.1f} of {passed + failed:.1f}"
