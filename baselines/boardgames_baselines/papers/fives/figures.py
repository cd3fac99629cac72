"""Sections 3 and 4: the problem of learning harmful knowledge, and selective learning."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import count, pairwise
from statistics import quantiles, stdev
from typing import Any

from boardgames_agents.experiments.report import Report
from boardgames_agents.experiments.runner import Runner
from boardgames_agents.experiments.table import Cell, Chart, Row, Table, table_of
from boardgames_agents.fives.coefficients import INITIAL, Coefficients
from boardgames_agents.fives.features import PAPER
from boardgames_baselines.papers.experiment import experiment
from boardgames_baselines.papers.fives.jobs import SELECTION
from boardgames_baselines.papers.fives.jobs.examining import ClimbJob
from boardgames_baselines.papers.fives.trials import (
    ALL,
    BOTH,
    NONE,
    REPORTED,
    SESSIONS,
    ExamScores,
    Taught,
    by_exam,
    examined,
    exams_note,
    in_words,
    player,
    report_on,
    share,
    taught,
)

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
    chart = Chart(
        "Figure 2: learning sessions without filters",
        "learning sessions",
        "exam score",
        {NONE: reported.curve},
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
    data = [(name, each.value, each.low, each.high) for name, each in scores.items()]
    return Report(
        (Table(f"{title}: mean scores in the reported exam", ("× …", *map(str, factors)), rows),),
        (chart,),
        notes=(exams_note(held), note),
        data=Table("", ("coefficient", "score", "low", "high"), data),
    )


@experiment("figure-4")
def figure_4(runner: Runner) -> Report:
    """Figure 4: the exam after each learning session, with all filters and without."""
    found = taught(runner, "students with all filters and with none", BOTH)
    kinds = by_exam(found)
    all_reported, none_reported = f"{ALL}: {REPORTED}", f"{NONE}: {REPORTED}"
    chart = Chart(
        "Figure 4: learning sessions with all filters and with none",
        "learning sessions",
        "exam score",
        {name: scores.curve for name, scores in kinds.items()},
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
        f"its best ≥ {peak:g}, % of sets": lambda each: share([score >= peak for score in each.best]),
        f"ends ≥ {unfiltered:g}, %": lambda each: share([score >= unfiltered for score in each.after()]),
        f"ends ≥ {filtered:g}, %": lambda each: share([score >= filtered for score in each.after()]),
    }
    chart = Chart(
        "Scores after five learning sessions",
        "exam score",
        "sets with this score or less, %",
        {name: _cumulative(scores.after()) for name, scores in kinds.items()},
    )
    note = (
        "The deviation is the standard deviation over sets. Scores are multiples of 0.25, since ten contests are "
        "scored in steps of 2.5; the paper's 74.2 is read as 74.25."
    )
    table = table_of("How scores are spread over sets, after five sessions", kinds, columns)
    return replace(report_on(found, (table,), (note,), (chart,)), data=None)  # (those of Figure 4)


def _cumulative(scores: list[float]) -> list[tuple[float, float]]:
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
        f"exams ≥ {FIGURE_4[SESSIONS]:g}, %": lambda name: share(
            [score >= FIGURE_4[SESSIONS] for score in held[name].scores]
        ),
        "won, drawn, lost %": lambda name: _results(held[name].points),
        "positions": lambda name: _positions(held[name].points),
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
    names = {name: name for name in held}
    table = table_of("Coefficients in the reported exams of all sets", names, columns, "coefficients")
    return Report((table,), notes=notes, data=Table("", ("set", *held), data))


def _climbs(runner: Runner) -> list[dict[str, Any]]:
    """Return the results of searches for coefficients and the numbers of their exams."""
    steps, exams = (max(1, round(runner.options.scale * number)) for number in (_STEPS, _CLIMBING))
    exams = min(exams, len(SELECTION))
    jobs = {number: ClimbJob(steps, exams, number=number, seed=runner.options.seed) for number in range(_CLIMBS)}
    return [{**each, "exams": exams} for each in runner.results("searches for coefficients", jobs).values()]


def _results(points: list[int]) -> str:
    """Return the results of contests in per cent."""
    return ", ".join(f"{100 * points.count(wanted) / len(points):.1f}" for wanted in (1, 0, -1))


def _positions(points: list[int]) -> str:
    """Return the numbers of positions by the student's result, from contests of a position and its dual in a row."""
    both = [one + other for one, other in zip(points[::2], points[1::2], strict=True)]
    better, worse = sum(each > 0 for each in both), sum(each < 0 for each in both)
    return f"better {better:,}, as good {len(both) - better - worse:,}, worse {worse:,}"
