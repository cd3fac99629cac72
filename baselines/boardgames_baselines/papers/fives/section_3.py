"""Section 3: the problem of learning harmful knowledge."""

from statistics import quantiles

from boardgames_agents.experiments.report import Report
from boardgames_agents.experiments.runner import Runner
from boardgames_agents.experiments.table import Chart, Row, Table
from boardgames_agents.fives.coefficients import INITIAL
from boardgames_agents.fives.features import PAPER
from boardgames_baselines.papers.experiment import experiment
from boardgames_baselines.papers.fives.printed import FIGURE_2
from boardgames_baselines.papers.fives.trials import (
    BOTH,
    NONE,
    SESSIONS,
    curve,
    examined,
    exams_note,
    finals,
    player,
    sets_note,
    taught,
)

FACTORS = (0.5, 0.75, 0.9, 0.99, 1.001, 1.1, 1.25, 1.5, 2.0)
"""The factors on single coefficients."""


@experiment("figure-2")
def figure_2(runner: Runner) -> Report:
    """Figure 2: the exam after each learning session, without filters."""
    found = taught(runner, "students without filters", {NONE: BOTH[NONE]})
    unfiltered = found[NONE]
    rows: list[Row] = [
        (
            f"exam {session}",
            FIGURE_2.get(session),
            unfiltered.score("reported", session),
            _middle(unfiltered.scores("reported", session)),
            unfiltered.score("own", session),
        )
        for session in range(SESSIONS + 1)
    ]
    chart = Chart(
        "Figure 2: learning sessions without filters",
        "learning sessions",
        "exam score",
        {NONE: curve(unfiltered, "reported")},
        bounds={NONE: 50},
        printed={NONE: list(FIGURE_2.items())},
    )
    headings = ("", "paper", "reported exam", "the middle 80 % of the sets", "the self-test's exam")
    table = Table("Figure 2: mean scores without filters", headings, rows)
    note = "A student without filters sits no self-test; the last column is the score that it would have had."
    return Report((table,), (chart,), notes=(sets_note(found), note), data=finals(found))


def _middle(scores: list[float]) -> str:
    """Return the range of the scores without the lowest and the highest tenth."""
    tenths = quantiles(scores, n=10, method="inclusive") if len(scores) > 1 else scores
    return f"{tenths[0]:.1f} to {tenths[-1]:.1f}"


@experiment("landscape")
def landscape(runner: Runner) -> Report:
    """The effect of single coefficients: the student's score if one is larger or smaller than the tester's."""
    players = {
        f"{name} × {factor}": player(
            tuple(value * factor if name == other else value for other, value in INITIAL.named.items())
        )
        for name in PAPER
        for factor in FACTORS
    }
    held = examined(runner, "single coefficients", players)
    scores = {name: each.score for name, each in held.items()}
    rows: list[Row] = [(name, *(round(scores[f"{name} × {factor}"].value, 1) for factor in FACTORS)) for name in PAPER]
    curves = {
        name: sorted([(1.0, 50.0), *((factor, scores[f"{name} × {factor}"].value) for factor in FACTORS)])
        for name in PAPER
    }
    title = "One coefficient multiplied, the others as the tester's"
    chart = Chart(title, "factor", "exam score", curves, logarithmic=True)
    half = max(each.high - each.value for each in scores.values())
    note = f"No interval is wider than ± {half:.1f}."
    data = [(name, each.value, each.low, each.high) for name, each in scores.items()]
    return Report(
        (Table(f"{title}: mean scores in the reported exam", ("× …", *map(str, FACTORS)), rows),),
        (chart,),
        notes=(exams_note(held), note),
        data=Table("", ("coefficient", "score", "low", "high"), data),
    )
