"""The experiments of docs/rl.md: the learners of `rl` at several games beside TD(λ) and tables, and other trainers."""

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from boardgames_agents.experiments.estimate import share_of
from boardgames_agents.experiments.report import Report
from boardgames_agents.experiments.runner import Runner
from boardgames_agents.experiments.table import Row, Table
from boardgames_baselines.papers.experiment import experiment
from boardgames_baselines.papers.job import repeated
from boardgames_baselines.papers.training import Matches, MeasuredTraining, knowledge

_RUNS, _TESTING = 3, 500

GAMES = {
    "tic_tac_toe": 50_000,
    "lose_tic_tac_toe": 50_000,
    "tsoro_yematatu": 20_000,
    "achi": 10_000,
    "les_pendus": 10_000,
}
"""The games, and after how many contests learning ends: after 100,000 to 200,000 actions of a masked learner."""

LEARNERS = {
    "MaskablePPO": "maskable_ppo",
    "PPO": "ppo",
    "A2C": "a2c",
    "DQN": "dqn",
    "QR-DQN": "qr_dqn",
    "Q-learning, a table": "q_learning",
    "Monte-Carlo control, a table": "mc_control",
    "TD(λ)": "td",
}

_OPPONENTS = {"random": "random", "perfect": "perfect"}
_TRAINER = "fallible(e=0.7)"

_TRAINERS = {
    "half perfect, half random moves": "fallible(e=0.5)",
    "three moves of ten perfect": _TRAINER,
    "random": "random",
    "perfect": "perfect",
    "a pool of its own snapshots": "self",
}

Trainings = Mapping[tuple[str, ...], MeasuredTraining]
"""Trainings by the names in their rows."""

_HEADINGS = ("actions", "seconds", "won: first v. random", "second", "kept: first v. perfect", "second")


@experiment("algorithms")
def algorithms(runner: Runner) -> Report:
    """Every algorithm, trained against an opponent that errs, at five games."""
    jobs: Trainings = {
        (game, name): _training_of_learner(runner, game, spec, _TRAINER)
        for game in GAMES
        for name, spec in LEARNERS.items()
    }
    return _report_of_trainings(runner, jobs, "Algorithms", ("game", "algorithm"))


@experiment("opponents")
def opponents(runner: Runner) -> Report:
    """One algorithm, MaskablePPO, trained at tic-tac-toe by different opponents."""
    learner = LEARNERS["MaskablePPO"]
    jobs: Trainings = {
        (who,): _training_of_learner(runner, "tic_tac_toe", learner, trainer) for who, trainer in _TRAINERS.items()
    }
    return _report_of_trainings(runner, jobs, "MaskablePPO at tic-tac-toe", ("opponent inside",))


def _training_of_learner(runner: Runner, game: str, learner: str, trainer: str) -> MeasuredTraining:
    contests = max(1, round(runner.options.scale * GAMES[game]))
    matches = Matches(tuple(_OPPONENTS.items()), 2 * _TESTING)
    return MeasuredTraining(game, learner, trainer, (contests,), (matches, knowledge), in_a_row=True)


def _report_of_trainings(runner: Runner, jobs: Trainings, title: str, names: tuple[str, ...]) -> Report:
    """Run trainings and return a report with a row for each of the names."""
    found = repeated(runner, title, jobs, _RUNS)
    tests = {name: [run["tests"][-1] for run in runs] for name, runs in found.items()}
    rows = [(*name, *_cells_of_trainings(each)) for name, each in tests.items()]
    data = [
        (*name, number, _actions(test), *_counts_by_opponent(test).values())
        for name, each in tests.items()
        for number, test in enumerate(each)
    ]
    lasted = {job.game: job.tested[-1] for job in jobs.values()}
    lengths = "Contests of learning: " + ", ".join(f"{game} {contests:,}" for game, contests in lasted.items())
    notes = (
        f"{runner.options.runs or _RUNS} trainings each, seeds {runner.options.seed} and on; then {_TESTING} contests "
        "in each seat against each opponent, in per cent won, or won or drawn (kept). Intervals of 95 %: the wider of "
        f"Wilson's over contests and Student's over trainings. {lengths}. Seconds of one processor, the median.",
    )
    counted = (
        f"{what}: {seat} v. {who}" for who in _OPPONENTS for what in ("won", "kept") for seat in ("first", "second")
    )
    data_headings = (*names, "training", "actions", *counted)
    return Report((Table(title, (*names, *_HEADINGS), rows),), notes=notes, data=Table("", data_headings, data))


def _cells_of_trainings(tests: Sequence[Mapping[str, Any]]) -> Row:
    """Return the cells of a row from the tests of its trainings."""
    actions = None if _actions(tests[0]) is None else f"{median(map(_actions, tests)):,.0f}"
    counts = [_counts_by_opponent(test) for test in tests]
    shares = (
        share_of([each[who, what, seat] for each in counts], [_TESTING] * len(tests))
        for who, what in (("random", "won"), ("perfect", "kept"))
        for seat in (0, 1)
    )
    return (actions, f"{median(test['seconds'] for test in tests):.0f}", *shares)


def _actions(test: Mapping[str, Any]) -> Any:
    """Return the number of actions learned from, if the learner counts them."""
    return test["knowledge"].get("actions")


def _counts_by_opponent(test: Mapping[str, Any]) -> dict[tuple[str, str, int], int]:
    """Return how many contests were won, and won or drawn (kept), by opponent and seat."""
    return {
        (who, what, seat): score["wins"] + (score["draws"] if what == "kept" else 0)
        for who in _OPPONENTS
        for what in ("won", "kept")
        for seat, score in enumerate(test["scores"][who])
    }
