"""Sections 5 and 7: why Hoyle works. Unseen positions, the Advisors' comments on them, and their weights."""

from dataclasses import replace

from boardgames_agents.experiments.report import Report
from boardgames_agents.experiments.runner import Runner
from boardgames_agents.experiments.table import Row, Table
from boardgames_agents.hoyle.advisors.anything import Anything
from boardgames_baselines.papers.experiment import experiment
from boardgames_baselines.papers.hoyle_tutorial.printed import COMMENTS, HIGH_WEIGHTS, UNSEEN
from boardgames_baselines.papers.hoyle_tutorial.trials import (
    BUDGET,
    MORRIS,
    RUNS,
    gains_table,
    outcomes,
    prowess,
    prowess_headings,
)
from boardgames_baselines.papers.outcome import play_trials, sample_note, trial_report

_SHOWN = 12
_BUDGETS = (100, 500)


@experiment("unseen")
def unseen(runner: Runner) -> Report:
    """The share of the testing positions that were never seen during training."""
    found = outcomes(runner)
    measures = ("unseen", "unseen, different", "voted")
    rows = tuple(
        (name, UNSEEN.get(name), *(outcome.measure(each) for each in measures)) for name, outcome in found.items()
    )
    headings = ("", "unseen % (paper)", "unseen %", "unseen % of different positions", "decided by vote %")
    note = (
        "The positions in which Hoyle decides, against all six challengers together, are counted with multiplicity or "
        "once each. A position has been seen if a symmetric one has."
    )
    return Report((Table("Testing positions never seen during training", headings, rows),), notes=(note,))


@experiment("comments")
def comments(runner: Runner) -> Report:
    """The frequency of each Advisor's comments in testing."""
    rows: list[Row] = []
    for name, outcome in outcomes(runner).items():
        commenting = list(outcome.means("comments of ").items())
        printed = COMMENTS.get(name, {})
        listed = [*commenting[:_SHOWN], *(each for each in commenting[_SHOWN:] if each[0] in printed)]
        rows += [(f"{name}: {advisor}", printed.get(advisor), round(share, 2)) for advisor, share in listed]
    headings = ("", "comments in % (paper)", "comments in % of votes")
    note = "Advisors whose weight is no better than that of random comments are not asked in testing."
    return Report((Table("Advisors that comment in testing", headings, rows),), notes=(note,))


@experiment("weights")
def weights(runner: Runner) -> Report:
    """The Advisors with the highest weights after training."""
    rows: list[Row] = []
    for name, outcome in outcomes(runner).items():
        learned = list(outcome.means("weight of ").items())[:_SHOWN]
        high = ", ".join(HIGH_WEIGHTS.get(name, ()))
        rows.append((name, high, ", ".join(f"{advisor} {weight:.2f}" for advisor, weight in learned)))
    headings = ("", "high weights (paper)", f"the {_SHOWN} highest, means over runs")
    return Report((Table("Learned weights", headings, rows),))


_ADDED = {
    "Shortcut": "also='Shortcut'",
    "patterns": "patterns=True",
    "zones": "zones=True",
    "planning": "planning=True",
    "the paradigm tally": "voting='tally'",
}
"""Options that the program does not have by default, by name."""


@experiment("ablations")
def ablations(runner: Runner) -> Report:
    """Five men's morris without one Advisor, with further options, and with other budgets of search."""
    full = MORRIS["five men's morris"]
    voters = play_trials(runner, "ablations", {"all": full}, RUNS)["all"].means("weight of ")
    learners = {
        f"without {name}": f"hoyle(budget={BUDGET}, without={name!r})"
        for name in sorted(voters)
        if name != Anything.name
    }
    learners |= {f"with {name}": f"hoyle(budget={BUDGET}, {option})" for name, option in _ADDED.items()}
    learners |= {f"budget {budget}": f"hoyle(budget={budget})" for budget in _BUDGETS}
    trials = {"all": full} | {name: replace(full, learner=learner) for name, learner in learners.items()}
    found = play_trials(runner, "ablations", trials, RUNS)
    rows = [(name, *prowess(outcome)) for name, outcome in found.items()]
    tables = (
        Table("Five men's morris without one Advisor, and with other budgets", prowess_headings(), rows),
        gains_table("Reliability gained or lost by it, in percentage points", found, dict.fromkeys(learners, "all")),
    )
    return trial_report(found, tables, (), (sample_note(found["all"]),))
