"""The paper's figures (sections 3 and 4), what its authors ask for (section 5), and what we ask."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import count, pairwise, product
from statistics import fmean, quantiles, stdev
from typing import Any

from boardgames_agents.arena.turing import challengers_at
from boardgames_agents.experiments.estimate import Estimate, mean_of
from boardgames_agents.experiments.report import Report
from boardgames_agents.experiments.runner import Runner
from boardgames_agents.experiments.table import Cell, Chart, Row, Table, table_of
from boardgames_agents.fives.coefficients import INITIAL, Coefficients
from boardgames_agents.fives.features import PAPER
from boardgames_baselines.papers.experiment import experiment
from boardgames_baselines.papers.fives import (
    ALL,
    BOTH,
    NONE,
    OWN,
    REPORTED,
    SESSIONS,
    ExamScores,
    Held,
    Taught,
    by_exam,
    examined,
    exams_note,
    in_words,
    player,
    report_on,
    share,
    student,
    subsets,
    taught,
    with_filters,
)
from boardgames_baselines.papers.fives.courses import SELECTION, ClimbJob
from boardgames_baselines.papers.job import repeated
from boardgames_baselines.papers.training import Matches, MeasuredTraining, knowledge, score_of
from boardgames_env import make_game
from boardgames_env.spec import Spec

# (the paper's figures are pictures that we do not have; these results are in its text)

FIGURE_2 = {0: 50.0, 2: 66.25, 5: 55.0}
"""Scores without filters by the number of sessions before the exam. By the text, the second is the highest."""

FIGURE_4 = {0: 50.0, 5: 74.2}
"""Scores with all filters; by the text, those after sessions 3 and 4 equal that after session 2."""

BEST = Coefficients((560, 450, 300, 222.5, 122.5))
"""The coefficients "that were used to achieve the highest score"."""

_EXAMS = {f"exam {session}": session for session in range(SESSIONS + 1)}

_CLIMBS, _STEPS, _CLIMBING = 4, 200, 100
"""The numbers of searches for coefficients, of their steps, and of exams per step."""


@experiment("figure-2")
def figure_2(runner: Runner) -> Report:
    """Figure 2: the exam after each learning session, without filters."""
    found = taught(runner, "students without filters", {NONE: BOTH[NONE]})
    reported, own = found[NONE].reported, found[NONE].own
    chart = replace(
        _sessions("Figure 2: learning sessions without filters", {NONE: reported}),
        bounds={NONE: 50},
        printed={NONE: list(FIGURE_2.items())},
    )
    columns: Mapping[str, Callable[[int], Cell]] = {
        "paper": FIGURE_2.get,
        REPORTED: reported.mean,
        "the middle 80 % of the sets": lambda session: _middle(reported.after(session)),
        "the self-test's exam": own.mean,
    }
    table = table_of("Figure 2: mean scores without filters", _EXAMS, columns)
    note = "A student without filters takes no self-test; the last column is its score in that exam."
    return report_on(found, (table,), (note,), (chart,))


def _sessions(title: str, found: Mapping[str, ExamScores], score: str = "exam score") -> Chart:
    """Return a chart of the scores after each session."""
    return Chart(title, "learning sessions", score, {name: each.curve for name, each in found.items()})


def _middle(scores: list[float]) -> str:
    """Return the range of the scores without the lowest and the highest tenth."""
    tenths = quantiles(scores, n=10, method="inclusive") if len(scores) > 1 else scores
    return f"{tenths[0]:.1f} to {tenths[-1]:.1f}"


@experiment("landscape")
def landscape(runner: Runner) -> Report:
    """The effect of single coefficients: the student's score if one is larger or smaller than the tester's."""
    factors = (0.5, 0.75, 0.9, 0.99, 1.001, 1.1, 1.25, 1.5, 2.0)
    players = {
        f"{name} × {factor}": player(
            tuple(value * factor if name == other else value for other, value in INITIAL.named.items())
        )
        for name in PAPER
        for factor in factors
    }
    held = examined(runner, "single coefficients", players)
    scores = {name: each.score for name, each in held.items()}
    rows: list[Row] = [(name, *(round(scores[f"{name} × {factor}"].value, 1) for factor in factors)) for name in PAPER]
    curves = {
        name: sorted([(1.0, 50.0), *((factor, scores[f"{name} × {factor}"].value) for factor in factors)])
        for name in PAPER
    }
    title = "One coefficient multiplied, the others as the tester's"
    chart = Chart(title, "factor", "exam score", curves, logarithmic=True)
    half = max(each.high - each.value for each in scores.values())
    note = f"No interval is wider than ± {half:.1f}."
    table = Table(f"{title}: mean scores in the reported exam", ("× …", *map(str, factors)), rows)
    return Report((table,), (chart,), (exams_note(held), note), data=_scores_of("coefficient", held))


def _scores_of(thing: str, held: Mapping[str, Held]) -> Table:
    """Return a table of the mean scores of players, with their intervals."""
    rows = [(name, each.score.value, each.score.low, each.score.high) for name, each in held.items()]
    return Table("", (thing, "score", "low", "high"), rows)


@experiment("figure-4")
def figure_4(runner: Runner) -> Report:
    """Figure 4: the exam after each learning session, with all filters and without."""
    found = taught(runner, "students with all filters and with none", BOTH)
    kinds = by_exam(found)
    all_reported, none_reported = f"{ALL}: {REPORTED}", f"{NONE}: {REPORTED}"
    chart = replace(
        _sessions("Figure 4: learning sessions with all filters and with none", kinds),
        bounds={all_reported: 50},
        printed={all_reported: list(FIGURE_4.items()), none_reported: list(FIGURE_2.items())},
    )
    falls = sum(later < sooner for course in found[ALL].own.courses for sooner, later in pairwise(course))
    note = (
        f"With all filters the score in the self-test's exam fell after {falls} of "
        f"{SESSIONS * len(found[ALL].runs):,} sessions. It cannot: only higher scores are accepted."
    )
    columns: Mapping[str, Callable[[int], Cell]] = {
        "paper": FIGURE_4.get,
        **{name: scores.mean for name, scores in kinds.items()},
    }
    table = table_of("Figure 4: mean scores with all filters and with none", _EXAMS, columns)
    return report_on(found, (table,), (note,), (chart,))


@experiment("spread")
def spread(runner: Runner) -> Report:
    """The effect of the starting positions: the share of sets with scores like the paper's."""
    found = taught(runner, "students with all filters and with none", BOTH)
    kinds = by_exam(found)
    peak, unfiltered, filtered = max(FIGURE_2.values()), FIGURE_2[SESSIONS], FIGURE_4[SESSIONS]
    columns: Mapping[str, Callable[[ExamScores], Cell]] = {
        "deviation": lambda each: round(stdev(each.after()), 1) if len(each.courses) > 1 else 0.0,
        "least": lambda each: min(each.after()),
        "most": lambda each: max(each.after()),
        "rises above 50, then falls, % of sets": lambda each: share(
            [fell and top > 50 for fell, top in zip(each.fell, each.best, strict=True)]
        ),
        "ends below 50, %": lambda each: share([score < 50 for score in each.after()]),
        f"its best ≥ {peak:g}, % of sets": lambda each: _reaching(peak, each.best),
        f"ends ≥ {unfiltered:g}, %": lambda each: _reaching(unfiltered, each.after()),
        f"ends ≥ {filtered:g}, %": lambda each: _reaching(filtered, each.after()),
    }
    chart = Chart(
        "Scores after five learning sessions",
        "exam score",
        "sets with this score or less, %",
        {name: _cumulative_shares(scores.after()) for name, scores in kinds.items()},
    )
    note = (
        "The deviation is the standard deviation over sets. Scores are multiples of 0.25, since ten contests are "
        "scored in steps of 2.5; the paper's 74.2 is read as 74.25."
    )
    table = table_of("How scores are spread over sets, after five sessions", kinds, columns)
    return replace(report_on(found, (table,), (note,), (chart,)), data=None)  # (those of Figure 4)


def _reaching(least: float, scores: list[float]) -> Estimate:
    """Return the share of scores that are not lower."""
    return share([score >= least for score in scores])


def _cumulative_shares(scores: list[float]) -> list[tuple[float, float]]:
    """Return, for each score that occurs, the share of scores that are not higher."""
    return [(score, 100 * sum(other <= score for other in scores) / len(scores)) for score in sorted({*scores})]


@experiment("coefficients")
def coefficients(runner: Runner) -> Report:
    """The paper's best coefficients in many exams, beside those that our students learned and those of a search."""
    found = taught(runner, "students with all filters and with none", BOTH)
    climbs = _climbs(runner)
    best = max(climbs, key=lambda each: float(each["score"][-1]))
    learned = [run for run, same in zip(found[ALL].runs, found[ALL].unchanged, strict=True) if not same]
    given = {
        "the tester's": INITIAL.values,
        "the paper's best": BEST.values,
        f"{NONE}: medians": found[NONE].medians,
        f"{ALL}: medians of those who learned": Taught(learned or found[ALL].runs).medians,
        "found by a search": tuple(best["coefficients"]),
    }
    players = {name: player(values) for name, values in given.items()}
    players["the teacher: the tester's, level 5, width 10"] = player(level=5, width=10)
    held = examined(runner, "coefficients in exams", players, sets=1_000)
    columns: Mapping[str, Callable[[str], Cell]] = {
        "k": lambda name: in_words(players[name][2]),
        "score": lambda name: held[name].score,
        f"exams ≥ {FIGURE_4[SESSIONS]:g}, %": lambda name: _reaching(FIGURE_4[SESSIONS], held[name].scores),
        "won, drawn, lost %": lambda name: _results_in_per_cent(held[name].points),
        "positions": lambda name: _positions_by_result(held[name].points),
    }
    ends = "; ".join(in_words(each["coefficients"]) for each in climbs)
    notes = (
        exams_note(held),
        "A position is played from both sides: better, if the student gets more points from it than the tester; as "
        "good; or worse.",
        f"The search: {len(climbs)} climbs of {len(climbs[0]['score']) - 1} steps each, by the mean score in exams "
        f"with {5 * climbs[0]['exams']} starting positions that no other figure uses; they ended at {ends}. Only "
        f"ratios matter. The one in the table had {best['score'][-1]:.1f} there.",
    )
    data = list(zip(count(), *(each.scores for each in held.values()), strict=False))
    table = table_of(
        "Coefficients in the reported exams of all sets", {each: each for each in held}, columns, "coefficients"
    )
    return Report((table,), notes=notes, data=Table("", ("set", *held), data))


def _climbs(runner: Runner) -> list[dict[str, Any]]:
    """Return the results of searches for coefficients and the numbers of their exams."""
    steps, exams = (max(1, round(runner.options.scale * number)) for number in (_STEPS, _CLIMBING))
    exams = min(exams, len(SELECTION))
    jobs = {number: ClimbJob(steps, exams, number=number, seed=runner.options.seed) for number in range(_CLIMBS)}
    return [{**each, "exams": exams} for each in runner.results("searches for coefficients", jobs).values()]


def _results_in_per_cent(points: list[int]) -> str:
    """Return the results of contests in per cent."""
    return ", ".join(f"{100 * points.count(wanted) / len(points):.1f}" for wanted in (1, 0, -1))


def _positions_by_result(points: list[int]) -> str:
    """Return the numbers of positions by the student's result, from contests of a position and its dual in a row."""
    both = [one + other for one, other in zip(points[::2], points[1::2], strict=True)]
    better, worse = sum(each > 0 for each in both), sum(each < 0 for each in both)
    return f"better {better:,}, as good {len(both) - better - worse:,}, worse {worse:,}"


# --- section 5: what the authors ask for, and what we ask ---

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
    return lambda each: round(each.counted(count), 1) if count in each.runs[0]["knowledge"] else None


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
        runner,
        "students with more features",
        "With broken fours and threes, five sessions",
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
    shown = (0, 5, 10, 15, _LONG)
    rows: list[Row] = [(name, *map(each.mean, shown)) for name, each in kinds.items()]
    table = Table(f"{title}: mean scores", ("", *(f"exam {at}" for at in shown)), rows)
    return report_on(found, (table,), (), (_sessions(title, kinds),))


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
    reported = {name: each.reported for name, each in found.items()}
    chart = _sessions("The size of the self-test", reported, "score in the reported exam")
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
    table = Table("The tester's coefficients with other levels and widths", ("", "score in the reported exam"), rows)
    return Report((table,), notes=(exams_note(held),), data=_scores_of("player", held))


# --- beyond the paper: its test-based filter around a learner of another kind ---

_TESTING = 500

_LEARNERS = {"α falls": "td(seed=SEED,hidden=32)", "α stays": "td(seed=SEED,hidden=32,decay=0)"}

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
    jobs = {}
    for (rate, learner), (tested, options) in product(_LEARNERS.items(), _TESTS.items()):
        spec = learner if options is None else str(Spec("self_tested", {"learner": learner, **options}))
        jobs[rate, tested] = self_training(spec, milestones, _TESTING)
    found = repeated(runner, "TD(λ) with a self-test", jobs, runs=12)
    rows: list[Row] = []
    data: list[Row] = []
    for (rate, tested), runs in found.items():
        plain = found[rate, "no filter"]
        lost = list(map(lost_at_tests, runs))
        less = mean_of([mine[-1] - lost_at_tests(other)[-1] for mine, other in zip(lost, plain, strict=True)])
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


def self_training(learner: str, milestones: tuple[int, ...], testing: int) -> MeasuredTraining:
    """Return a training of a learner by itself at tic-tac-toe, tested at milestones by contests with four challengers.

    Learners with the same number play the same first contests: nothing but the number is in their seeds.
    """
    game = "tic_tac_toe"
    challengers = tuple((name, str(spec)) for name, spec in challengers_at(make_game(game)).items())
    return MeasuredTraining(
        game, learner, "self", milestones, (Matches(challengers, testing),), (knowledge,), in_a_row=True
    )


def lost_at_tests(run: Mapping[str, Any]) -> list[float]:
    """Return the contests lost at each test, in per cent, the mean over the challengers."""
    return [fmean(100 - score_of(test, name).reliability for name in test["scores"]) for test in run["tests"]]


def _passed(runs: Sequence[Mapping[str, Any]]) -> str | None:
    """Return how many exams were passed, of how many."""
    known = [run["knowledge"] for run in runs]
    if "exams" not in known[0]:
        return None
    passed, failed = (fmean([each[f"{did} by self-test"] for each in known]) for did in ("accepted", "refused"))
    return f"{passed:.1f} of {passed + failed:.1f}"
