"""Section 4: selective learning."""

from collections.abc import Mapping
from itertools import pairwise
from statistics import stdev
from typing import Any

from boardgames_agents.experiments.estimate import Estimate
from boardgames_agents.experiments.report import Report
from boardgames_agents.experiments.runner import Runner
from boardgames_agents.experiments.table import Chart, Row, Table
from boardgames_agents.fives.coefficients import INITIAL
from boardgames_baselines.papers.experiment import experiment
from boardgames_baselines.papers.fives.jobs import SELECTION
from boardgames_baselines.papers.fives.jobs.examining import ClimbJob
from boardgames_baselines.papers.fives.printed import BEST, FIGURE_2, FIGURE_4
from boardgames_baselines.papers.fives.trials import (
    ALL,
    BOTH,
    EXAMS,
    NONE,
    SESSIONS,
    Held,
    Taught,
    by_exam,
    curve,
    examined,
    exams_note,
    finals,
    in_words,
    player,
    sets_note,
    taught,
)

_EXAMS = 1_000
"""The number of exams where only coefficients differ."""

_CLIMBS, _STEPS, _CLIMBING = 4, 200, 100
"""The numbers of searches for coefficients, of their steps, and of exams per step."""


@experiment("figure-4")
def figure_4(runner: Runner) -> Report:
    """Figure 4: the exam after each learning session, with all filters and without."""
    found = taught(runner, "students with all filters and with none", BOTH)
    kinds = by_exam(found)
    rows: list[Row] = [
        (
            f"exam {session}",
            FIGURE_4.get(session),
            *(each.score(exam, session) for each, exam in kinds.values()),
        )
        for session in range(SESSIONS + 1)
    ]
    chart = Chart(
        "Figure 4: learning sessions with all filters and with none",
        "learning sessions",
        "exam score",
        {name: curve(each, exam) for name, (each, exam) in kinds.items()},
        bounds={f"{ALL}: {EXAMS['reported']}": 50},
        printed={
            f"{ALL}: {EXAMS['reported']}": list(FIGURE_4.items()),
            f"{NONE}: {EXAMS['reported']}": list(FIGURE_2.items()),
        },
    )
    falls = sum(later < sooner for run in found[ALL].runs for sooner, later in pairwise(run["own"]))
    note = (
        f"With all filters the score in the self-test's exam fell after {falls} of "
        f"{SESSIONS * len(found[ALL].runs):,} sessions. It cannot: only higher scores are accepted."
    )
    table = Table("Figure 4: mean scores with all filters and with none", ("", "paper", *kinds), rows)
    return Report((table,), (chart,), notes=(sets_note(found), note), data=finals(found))


@experiment("spread")
def spread(runner: Runner) -> Report:
    """The effect of the starting positions: the share of sets with scores like the paper's."""
    found = taught(runner, "students with all filters and with none", BOTH)
    kinds = by_exam(found)
    rows: list[Row] = [(name, *_spread(each, exam)) for name, (each, exam) in kinds.items()]
    peak, end = max(FIGURE_2.values()), FIGURE_4[SESSIONS]
    headings = (
        "",
        "deviation",
        "least",
        "most",
        "rises above 50, then falls, % of sets",
        "ends below 50, %",
        f"its best ≥ {peak:g}, % of sets",
        f"ends ≥ {FIGURE_2[SESSIONS]:g}, %",
        f"ends ≥ {end:g}, %",
    )
    chart = Chart(
        "Scores after five learning sessions",
        "exam score",
        "sets with this score or less, %",
        {name: _cumulative(each.scores(exam)) for name, (each, exam) in kinds.items()},
    )
    note = (
        "The deviation is the standard one, over sets. A score is a multiple of 0.25, since ten contests are scored in "
        "steps of 2.5; 74.2 is none, and is taken for 74.25."
    )
    table = Table("How scores are spread over sets, after five sessions", headings, rows)
    return Report((table,), (chart,), notes=(sets_note(found), note))


def _spread(found: Taught, exam: str) -> tuple[Estimate | float, ...]:
    """Return the cells of a row of `spread`."""
    scores, best = found.scores(exam), found.at_best(exam)
    return (
        round(stdev(scores), 1) if len(scores) > 1 else 0.0,
        min(scores),
        max(scores),
        found.share(fell and top > 50 for fell, top in zip(found.fell(exam), best, strict=True)),
        found.share(score < 50 for score in scores),
        found.share(score >= max(FIGURE_2.values()) for score in best),
        found.share(score >= FIGURE_2[SESSIONS] for score in scores),
        found.share(score >= FIGURE_4[SESSIONS] for score in scores),
    )


def _cumulative(scores: list[float]) -> list[tuple[float, float]]:
    """Return, for each score that occurs, the share of scores that are not higher."""
    return [(score, 100 * sum(other <= score for other in scores) / len(scores)) for score in sorted({*scores})]


@experiment("coefficients")
def coefficients(runner: Runner) -> Report:
    """The paper's best coefficients in many exams, beside those that our students learned and those of a search."""
    found = taught(runner, "students with all filters and with none", BOTH)
    climbs = _climbs(runner)
    best = max(climbs, key=lambda each: float(each["score"][-1]))
    given = {
        "the tester's": INITIAL.values,
        "the paper's best": BEST.values,
        f"{NONE}: medians": found[NONE].medians,
        f"{ALL}: medians of those who learned": Taught(_changed(found[ALL])).medians,
        "found by a search": tuple(best["coefficients"]),
    }
    players = {name: player(values) for name, values in given.items()}
    players["the teacher: the tester's, level 5, width 10"] = player(level=5, width=10)
    held = examined(runner, "coefficients in exams", players, _EXAMS)
    rows: list[Row] = [
        (name, in_words(players[name][2]), each.score, each.reaching(FIGURE_4[SESSIONS]), *_contests(each))
        for name, each in held.items()
    ]
    headings = ("coefficients", "k", "score", f"exams ≥ {FIGURE_4[SESSIONS]:g}, %", "won, drawn, lost %", "positions")
    ends = "; ".join(in_words(each["coefficients"]) for each in climbs)
    notes = (
        exams_note(held),
        "A position is played from both sides: better, if the student gets more points from it than the tester; as "
        "good; or worse.",
        f"The search: {len(climbs)} climbs of {len(climbs[0]['score']) - 1} steps each, by the mean score in exams "
        f"with {5 * climbs[0]['exams']} starting positions that no other figure uses; they ended at {ends}. Only "
        f"ratios matter. The one in the table had {best['score'][-1]:.1f} there.",
    )
    scores = zip(*(each.scores for each in held.values()), strict=True)
    data = [(number, *of_set) for number, of_set in enumerate(scores)]
    table = Table("Coefficients in the reported exams of all sets", headings, rows)
    return Report((table,), notes=notes, data=Table("", ("set", *held), data))


def _climbs(runner: Runner) -> list[dict[str, Any]]:
    """Return the results of searches for coefficients and the numbers of their exams."""
    steps, exams = (max(1, round(runner.options.scale * number)) for number in (_STEPS, _CLIMBING))
    exams = min(exams, len(SELECTION))
    jobs = {number: ClimbJob(steps, exams, number=number, seed=runner.options.seed) for number in range(_CLIMBS)}
    return [{**each, "exams": exams} for each in runner.results("searches for coefficients", jobs).values()]


def _changed(found: Taught) -> list[Mapping[str, Any]]:
    """Return the students that have learned anything; all, if none has."""
    return [run for run, same in zip(found.runs, found.unchanged, strict=True) if not same] or list(found.runs)


def _contests(held: Held) -> tuple[str, str]:
    """Return the results of contests in per cent, and the numbers of positions by the student's result."""
    points = held.points
    ends = [100 * sum(each == wanted for each in points) / len(points) for wanted in (1, 0, -1)]
    both = [one + other for one, other in zip(points[::2], points[1::2], strict=True)]
    better, worse = sum(each > 0 for each in both), sum(each < 0 for each in both)
    of = f"better {better:,}, as good {len(both) - better - worse:,}, worse {worse:,}"
    return ", ".join(f"{end:.1f}" for end in ends), of
