"""Section 2.3: predrawn lines. Coverage and Shortcut at the morris games."""

from boardgames_agents.experiments.report import Report
from boardgames_agents.experiments.runner import Runner
from boardgames_agents.experiments.table import Row, Table
from boardgames_baselines.papers.experiment import experiment
from boardgames_baselines.papers.jobs.trial import Trial
from boardgames_baselines.papers.outcome import Outcome, play_trials, sample_note, trial_report

_RUNS = 5
_STANDARD = 10
_LONGEST = 150
_TESTING = 20
_CHALLENGERS = (
    ("perfect", "perfect"),
    ("expert", "fallible(e=0.1)"),
    ("novice", "fallible(e=0.7)"),
    ("random", "random"),
)
_NINE_CONTESTS = 50
_MODEL = "alpha_beta(nodes=2000)"
"""Replaces the paper's hand-written player of nine men's morris, which is not available."""


@experiment("coverage")
def coverage(runner: Runner) -> Report:
    """Learning five and six men's morris from the perfect player, with and without Coverage and Shortcut."""
    trials = {
        f"five men's morris, {name}": _trial("five_mens_morris", without)
        for name, without in (("neither", "Coverage, Shortcut"), ("Coverage", "Shortcut"), ("both", ""))
    }
    trials |= {
        f"six men's morris, {name}": _trial("six_mens_morris", without)
        for name, without in (("neither", "Coverage, Shortcut"), ("both", ""))
    }
    found = play_trials(runner, "Coverage and Shortcut", trials, _RUNS)
    rows: list[Row] = [
        ("five men's morris, Coverage (paper)", 32.75, None, 88.75, None, None, None),
        *(_row(name, found[name]) for name in trials if name.startswith("five")),
        ("six men's morris, both (paper)", 14, None, None, None, None, None),
        *(_row(name, found[name]) for name in trials if name.startswith("six")),
    ]
    headings = ("", f"contests to n={_STANDARD}", "not met", *(f"reliability {name}" for name, _ in _CHALLENGERS))
    notes = (
        sample_note(next(iter(found.values()))),
        f"A run that had not met the standard after {_LONGEST} contests was ended there.",
        "Without Coverage, the paper says, Hoyle was still losing some 85 % of the contests after 500.",
    )
    return trial_report(found, (Table("Coverage and Shortcut", headings, rows),), (), notes)


def _trial(game: str, without: str) -> Trial:
    return Trial(game, _learner(without), "perfect", _LONGEST, _STANDARD, _CHALLENGERS, _TESTING)


def _learner(without: str) -> str:
    return f"hoyle(program='1994', without={without!r})" if without else "hoyle(program='1994')"


def _row(name: str, outcome: Outcome) -> Row:
    unmet = f"{outcome.unmet} of {len(outcome.runs)}"
    return name, outcome.contests, unmet, *(outcome.reliability(who) for who, _ in _CHALLENGERS)


@experiment("nine-mens-morris")
def nine_mens_morris(runner: Runner) -> Report:
    """Fifty contests of nine men's morris against a searcher, with and without Coverage and Shortcut."""
    trials = {
        name: Trial("nine_mens_morris", _learner(without), _MODEL, _NINE_CONTESTS)
        for name, without in (("neither", "Coverage, Shortcut"), ("both", ""))
    }
    found = play_trials(runner, "nine men's morris", trials, _RUNS)
    rows: list[Row] = [("neither (paper)", 0, 0, 50), ("both (paper)", 9, 17, 24)]
    for name, outcome in found.items():
        courses = [run.course for run in outcome.runs]
        rows.append((name, *(sum(course.count(letter) for course in courses) / len(courses) for letter in "WDL")))
    title = f"The {_NINE_CONTESTS} contests of learning at nine men's morris"
    table = Table(title, ("", "won", "drawn", "lost"), rows)
    runs = len(found["both"].runs)
    notes = (f"Means of {runs} runs against {_MODEL}; the paper's opponent was a program for this game alone.",)
    return trial_report(found, (table,), (), notes)
