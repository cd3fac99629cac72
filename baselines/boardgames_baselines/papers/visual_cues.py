"""Epstein, Gelfand, Lesniak and Abadie ("Visual Cues"): lines (section 2.3) and patterns (sections 3 and 4).

*The Integration of Visual Cues into a Multiple-Advisor Game-Learning Program.*
"""

from collections import Counter
from itertools import accumulate
from statistics import fmean

from boardgames_agents.experiments.report import Report
from boardgames_agents.experiments.runner import Runner
from boardgames_agents.experiments.table import Chart, Row, Table
from boardgames_baselines.papers.experiment import experiment
from boardgames_baselines.papers.outcome import Outcome, play_trials, sample_note, trial_report
from boardgames_baselines.papers.trial import Trial

_RUNS, _STANDARD, _LONGEST = 5, 10, 150
_CHALLENGERS = (
    ("perfect", "perfect"),
    ("expert", "fallible(e=0.1)"),
    ("novice", "fallible(e=0.7)"),
    ("random", "random"),
)
_WITHOUT = {"neither": "Coverage, Shortcut", "Coverage": "Shortcut", "both": ""}
"""The Advisors that Hoyle lacks, by those of Coverage and Shortcut that it has."""

_CONTESTS, _FIGURE_8_RUNS = 50, 3
_MODEL = "alpha_beta(nodes=2000)"
"""Replaces the paper's hand-written player of nine men's morris, which is not available."""

_PARED_DOWN = {
    "with Patsy": "hoyle(program='1994', only='Victory, Panic, Patsy', patterns=True, pattern_cache=30, forget=0.9)",
    "without Patsy": "hoyle(program='1994', only='Victory, Panic')",
}
_SHOWN = 20


@experiment("coverage")
def coverage(runner: Runner) -> Report:
    """Learning five and six men's morris from the perfect player, with and without Coverage and Shortcut."""
    kinds = {"five": ("neither", "Coverage", "both"), "six": ("neither", "both")}
    trials = {
        f"{men} men's morris, {kind}": Trial(
            f"{men}_mens_morris", _learner(kind), "perfect", _LONGEST, _STANDARD, _CHALLENGERS
        )
        for men, each in kinds.items()
        for kind in each
    }
    found = play_trials(runner, "Coverage and Shortcut", trials, _RUNS)
    rows: list[Row] = [
        ("five men's morris, Coverage (paper)", 32.75, None, 88.75, None, None, None),
        *(_row_of_outcome(name, found[name]) for name in trials if name.startswith("five")),
        ("six men's morris, both (paper)", 14, None, None, None, None, None),
        *(_row_of_outcome(name, found[name]) for name in trials if name.startswith("six")),
    ]
    headings = ("", f"contests to n={_STANDARD}", "not met", *(f"reliability {name}" for name, _ in _CHALLENGERS))
    notes = (
        sample_note(next(iter(found.values()))),
        f"A run that had not met the standard after {_LONGEST} contests was ended there.",
        "Without Coverage, the paper says, Hoyle was still losing some 85 % of the contests after 500.",
    )
    return trial_report(found, (Table("Coverage and Shortcut", headings, rows),), notes)


def _learner(kind: str) -> str:
    without = f", without={_WITHOUT[kind]!r}" if _WITHOUT[kind] else ""
    return f"hoyle(program='1994'{without})"


def _row_of_outcome(name: str, outcome: Outcome) -> Row:
    unmet = f"{outcome.unmet} of {len(outcome.runs)}"
    return name, outcome.contests, unmet, *(outcome.reliability(who) for who, _ in _CHALLENGERS)


@experiment("nine-mens-morris")
def nine_mens_morris(runner: Runner) -> Report:
    """Fifty contests of nine men's morris against a searcher, with and without Coverage and Shortcut."""
    trials = {kind: Trial("nine_mens_morris", _learner(kind), _MODEL, _CONTESTS) for kind in ("neither", "both")}
    found = play_trials(runner, "nine men's morris", trials, _RUNS)
    rows: list[Row] = [("neither (paper)", 0, 0, 50), ("both (paper)", 9, 17, 24)]
    for name, outcome in found.items():
        courses = [run.course for run in outcome.runs]
        rows.append((name, *(fmean(course.count(letter) for course in courses) for letter in "WDL")))
    table = Table("The 50 contests of learning at nine men's morris", ("", "won", "drawn", "lost"), rows)
    runs = len(found["both"].runs)
    notes = (f"Means of {runs} runs against {_MODEL}; the paper's opponent was a program for this game alone.",)
    return trial_report(found, (table,), notes)


@experiment("figure-8")
def figure_8(runner: Runner) -> Report:
    """A pared-down Hoyle, with and without Patsy, against a perfect player of tic-tac-toe."""
    trials = {name: Trial("tic_tac_toe", learner, "perfect", _CONTESTS) for name, learner in _PARED_DOWN.items()}
    found = play_trials(runner, "pared-down Hoyle", trials, _FIGURE_8_RUNS)
    curves = {name: _cumulative_means(outcome) for name, outcome in found.items()}
    curves["perfect player"] = [(contest, contest) for contest in range(1, _CONTESTS + 1)]
    chart = Chart("Figure 8: a pared-down Hoyle", "contest", "wins and draws so far, mean of the runs", curves)
    rows = tuple((name, curve[-1][1], curve[24][1]) for name, curve in curves.items())
    headings = ("", "wins and draws in 50 contests", "in the first 25")
    notes = (f"{len(found['with Patsy'].runs)} tournaments of 50 contests each; the paper played 3.",)
    return trial_report(found, (Table("A pared-down Hoyle at tic-tac-toe", headings, rows),), notes, (chart,))


def _cumulative_means(outcome: Outcome) -> list[tuple[int, float]]:
    """Return the mean number of contests that were not lost, up to each contest."""
    counts = [list(accumulate(letter in "WD" for letter in run.course)) for run in outcome.runs]
    return [(contest, fmean(each)) for contest, each in enumerate(zip(*counts, strict=True), start=1)]


@experiment("figure-10")
def figure_10(runner: Runner) -> Report:
    """The patterns that are learned at five men's morris, and the number of runs that learn each."""
    learner = "hoyle(program='1994', patterns=True)"
    trial = Trial("five_mens_morris", learner, "perfect", _LONGEST, _STANDARD)
    found = play_trials(runner, "patterns", {"patterns": trial}, _RUNS)
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
    return trial_report(found, (table,), notes, drawings=drawings)
