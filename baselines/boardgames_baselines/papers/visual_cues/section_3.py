"""Sections 3 and 4: learning patterns."""

from collections import Counter
from itertools import accumulate
from statistics import fmean

from boardgames_agents.experiments.report import Report
from boardgames_agents.experiments.runner import Runner
from boardgames_agents.experiments.table import Chart, Row, Table
from boardgames_baselines.papers.experiment import experiment
from boardgames_baselines.papers.jobs.trial import Trial
from boardgames_baselines.papers.outcome import Outcome, play_trials, trial_report

_CONTESTS, _RUNS = 50, 3
_PARED_DOWN = {
    "with Patsy": "hoyle(program='1994', only='Victory, Panic, Patsy', patterns=True, pattern_cache=30, forget=0.9)",
    "without Patsy": "hoyle(program='1994', only='Victory, Panic')",
}
_PATTERN_RUNS, _PATTERN_CONTESTS, _STANDARD = 5, 150, 10
_SHOWN = 20


@experiment("figure-8")
def figure_8(runner: Runner) -> Report:
    """A pared-down Hoyle, with and without Patsy, against a perfect player of tic-tac-toe."""
    trials = {name: Trial("tic_tac_toe", learner, "perfect", _CONTESTS) for name, learner in _PARED_DOWN.items()}
    found = play_trials(runner, "pared-down Hoyle", trials, _RUNS)
    curves = {name: _cumulative(outcome) for name, outcome in found.items()}
    curves["perfect player"] = [(contest, contest) for contest in range(1, _CONTESTS + 1)]
    chart = Chart("Figure 8: a pared-down Hoyle", "contest", "wins and draws so far, mean of the runs", curves)
    half = _CONTESTS // 2
    rows = tuple((name, curve[-1][1], curve[half - 1][1]) for name, curve in curves.items())
    headings = ("", f"wins and draws in {_CONTESTS} contests", f"in the first {half}")
    notes = (f"{len(found['with Patsy'].runs)} tournaments of {_CONTESTS} contests each; the paper played {_RUNS}.",)
    return trial_report(found, (Table("A pared-down Hoyle at tic-tac-toe", headings, rows),), (chart,), notes)


def _cumulative(outcome: Outcome) -> list[tuple[int, float]]:
    """Return the mean number of contests that were not lost, up to each contest."""
    counts = [list(accumulate(letter in "WD" for letter in run.course)) for run in outcome.runs]
    return [(contest, fmean(each)) for contest, each in enumerate(zip(*counts, strict=True), start=1)]


@experiment("figure-10")
def figure_10(runner: Runner) -> Report:
    """The patterns that are learned at five men's morris, and the number of runs that learn each."""
    learner = "hoyle(program='1994', patterns=True)"
    trial = Trial("five_mens_morris", learner, "perfect", _PATTERN_CONTESTS, _STANDARD)
    found = play_trials(runner, "patterns", {"patterns": trial}, _PATTERN_RUNS)
    runs = found["patterns"].runs
    counts = Counter(pattern for run in runs for pattern in run.patterns)
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    rows: list[Row] = []
    drawings = {}
    for number, (pattern, count) in enumerate(ranked[:_SHOWN], start=1):
        drawing, _, winner = pattern.rpartition("\n")
        rows.append((f"pattern {number}", winner, f"{count} of {len(runs)}"))
        drawings[f"pattern {number}"] = drawing
    size = fmean(len(run.patterns) for run in runs)
    table = Table(f"Figure 10: the {len(rows)} patterns learned most often", ("", "response", "runs"), rows)
    notes = (f"A run learns {size:.1f} patterns on average; the paper shows 12, which have arisen in each.",)
    return trial_report(found, (table,), (), notes, drawings)
