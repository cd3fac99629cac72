"""Section 5: what the authors ask for, every filter alone, every combination and more features; and what we ask."""

from collections.abc import Mapping
from typing import Any

from boardgames_agents.experiments.report import Report
from boardgames_agents.experiments.runner import Runner
from boardgames_agents.experiments.table import Cell, Chart, Row, Table
from boardgames_baselines.papers.experiment import experiment
from boardgames_baselines.papers.fives.trials import (
    ALL,
    BOTH,
    NONE,
    Taught,
    by_exam,
    change,
    curve,
    examined,
    exams_note,
    finals,
    player,
    sets_note,
    student,
    subsets,
    taught,
    with_filters,
)

Options = Mapping[str, Any]

_LONG, _FEWER = 20, 150
"""More sessions than the paper's; and sets, where there is more to compute."""

_EXAM_SIZES = (5, 20, 80)

_READINGS: dict[str, Options] = {
    "as the defaults": {},
    "contents from the student's side": {"viewer": "student"},
    "the teacher keeps the initial coefficients": {"shared": False},
    "both": {"viewer": "student", "shared": False},
    "ties broken at random in lessons": {"ties": "random"},
    "significant from 0": {"threshold": 0},
    "significant from 50": {"threshold": 50},
    "significant from 200": {"threshold": 200},
}

_TEACHERS = ((3, 10), (5, 3), (5, 5), (5, 20), (6, 10))

_SIZES = ((1, 3), (2, 3), (3, 1), (3, 2), (3, 3), (3, 5), (3, 10), (4, 3), (5, 3), (5, 10))


@experiment("filters")
def filters(runner: Runner) -> Report:
    """Every filter alone and every combination, with what they cost."""
    found = taught(runner, "students with every combination of filters", subsets())
    none = next(iter(found.values()))
    rows: list[Row] = []
    for name, each in found.items():
        gained = each.above(none)
        exams, seconds = each.counted("exams"), 1000 * each.seconds
        gain = gained.value if gained.low > 0 else None
        rows.append(
            (
                name,
                each.score("reported"),
                None if each is none else change(gained),
                each.score("own"),
                each.share(each.fell("reported")),
                round(exams, 1),
                round(seconds),
                exams / gain if gain and exams else None,
                seconds / gain if gain else None,
            )
        )
    headings = (
        "filters",
        "reported exam",
        "above none",
        "self-test's exam",
        "ends below its own best %",
        "exams held",
        "ms",
        "exams a point",
        "ms a point",
    )
    notes = (
        sets_note(found),
        "Exams held are those of the self-test, the one before anything was learned among them. Times are medians over "
        "sets of what five learning sessions took, teacher and self-tests included, on the machine that carried this "
        "out; they are the only figures that another run will not repeat. What a point costs is reckoned where "
        "the score in the reported exam is above that without filters.",
    )
    tables = (Table("Every combination of filters, five sessions", headings, rows), _passed(found))
    return Report(tables, notes=notes, data=finals(found))


_FILTERS = ("significance", "domain rules", "self-test")

_COUNTS = ("predictions", "right", *(f"{did} by {name}" for name in _FILTERS for did in ("accepted", "refused")))


def _passed(found: Mapping[str, Taught]) -> Table:
    """Return the table of the items that each filter accepted and refused."""
    rows: list[Row] = []
    for name, each in found.items():
        counts = each.runs[0]["counts"]
        cells: list[Cell] = [round(each.counted(count), 1) if count in counts else None for count in _COUNTS]
        rows.append((name, *cells, each.share(each.unchanged)))
    return Table(
        "Items judged by the filters, means of five sessions", ("filters", *_COUNTS, "learned nothing %"), rows
    )


def _in_both(runner: Runner, what: str, title: str, options: Mapping[str, Options], *notes: str) -> Report:
    """Return a report on kinds of students without filters and with all, compared with the first kind."""
    students = {(name, NONE): with_filters((), **chosen) for name, chosen in options.items()}
    students |= {(name, ALL): student(**chosen) for name, chosen in options.items()}
    named = {f"{name}: {filtered}": spec for (name, filtered), spec in students.items()}
    found = taught(runner, what, named, sets=_FEWER)
    first = next(iter(options))
    rows: list[Row] = []
    for name in options:
        cells: list[Cell] = [found[f"{name}: {NONE}"].score("reported", 0)]
        for filtered in (NONE, ALL):
            each, beside = found[f"{name}: {filtered}"], found[f"{first}: {filtered}"]
            cells += [each.score("reported"), change(each.above(beside)) if name != first else None, each.score("own")]
        rows.append((name, *cells, round(found[f"{name}: {ALL}"].counted("exams"), 1)))
    columns = ("reported exam", "beside the first row", "self-test's exam")
    headings = (
        "",
        "exam 0",
        *(f"{filtered}: {column}" for filtered in (NONE, ALL) for column in columns),
        "exams held",
    )
    return Report((Table(title, headings, rows),), notes=(sets_note(found), *notes), data=finals(found))


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
    return _in_both(runner, "readings of the paper", "Readings of the paper, five sessions", _READINGS)


@experiment("teachers")
def teachers(runner: Runner) -> Report:
    """The effect of the teacher's depth and width."""
    sizes: dict[str, Options] = {"level 5, width 10 (the paper's)": {}}
    for level, width in _TEACHERS:
        sizes[f"level {level}, width {width}"] = {"teacher_level": level, "teacher_width": width}
    return _in_both(runner, "students of other teachers", "Other teachers, five sessions", sizes)


@experiment("more-sessions")
def more_sessions(runner: Runner) -> Report:
    """The scores of students after many more sessions than five."""
    found = taught(runner, "students with many sessions", BOTH, _LONG, _FEWER)
    kinds = by_exam(found)
    title = f"{_LONG} learning sessions"
    chart = Chart(
        title, "learning sessions", "exam score", {name: curve(each, exam) for name, (each, exam) in kinds.items()}
    )
    shown = (0, 5, 10, 15, _LONG)
    rows: list[Row] = [(name, *(each.score(exam, at) for at in shown)) for name, (each, exam) in kinds.items()]
    table = Table(f"{title}: mean scores", ("", *(f"exam {at}" for at in shown)), rows)
    return Report((table,), (chart,), notes=(sets_note(found),), data=finals(found))


@experiment("exam-size")
def exam_size(runner: Runner) -> Report:
    """The scores of students whose self-test has more starting positions than five."""
    found: dict[str, Taught] = {}
    for size in _EXAM_SIZES:
        name = f"{size} starting positions"
        found |= taught(runner, f"self-tests with {name}", {name: student()}, _LONG, _FEWER, size)
    first = next(iter(found.values()))
    rows: list[Row] = [
        (
            name,
            each.score("own"),
            each.score("reported"),
            None if each is first else change(each.above(first)),
            each.share(each.unchanged),
            round(each.counted("exams"), 1),
            round(1000 * each.seconds),
        )
        for name, each in found.items()
    ]
    headings = ("the self-test's exam", "it", "reported exam", "above five", "learned nothing %", "exams held", "ms")
    chart = Chart(
        "The size of the self-test",
        "learning sessions",
        "score in the reported exam",
        {name: curve(each, "reported") for name, each in found.items()},
    )
    note = (
        "All filters. The larger exams hold the starting positions of the smaller ones. Times are medians over sets, "
        "and not repeated by another run."
    )
    table = Table(f"Self-tests with more starting positions, {_LONG} sessions", headings, rows)
    return Report((table,), (chart,), notes=(sets_note(found), note), data=finals(found))


@experiment("search-size")
def search_size(runner: Runner) -> Report:
    """The effect of the search's size: the tester's coefficients with other levels and widths, against the tester."""
    players = {f"level {level}, width {width}": player(level=level, width=width) for level, width in _SIZES}
    held = examined(runner, "levels and widths", players)
    rows: list[Row] = [(name, each.score) for name, each in held.items()]
    data = [(name, each.score.value, each.score.low, each.score.high) for name, each in held.items()]
    table = Table("The tester's coefficients with other levels and widths", ("", "score in the reported exam"), rows)
    return Report((table,), notes=(exams_note(held),), data=Table("", ("player", "score", "low", "high"), data))
