"""Every algorithm at several games, and one of them under several trainers."""

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from boardgames_agents.experiments.estimate import share_of
from boardgames_agents.experiments.report import Report
from boardgames_agents.experiments.runner import Runner
from boardgames_agents.experiments.table import Row, Table
from boardgames_baselines.papers.experiment import experiment
from boardgames_baselines.papers.jobs import repeated
from boardgames_baselines.papers.rl.learner_training import LearnerTraining

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
    "MaskablePPO": "maskable_ppo(seed=SEED)",
    "PPO": "ppo(seed=SEED)",
    "A2C": "a2c(seed=SEED)",
    "DQN": "dqn(seed=SEED)",
    "QR-DQN": "qr_dqn(seed=SEED)",
    "Q-learning, a table": "q_learning",
    "Monte-Carlo control, a table": "mc_control",
    "TD(λ)": "td(seed=SEED)",
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

Trainings = Mapping[tuple[str, ...], LearnerTraining]
"""Trainings by the names in their rows."""

_HEADINGS = ("actions", "seconds", "won: first v. random", "second", "kept: first v. perfect", "second")


@experiment("algorithms")
def algorithms(runner: Runner) -> Report:
    """Every algorithm, trained against an opponent that errs, at five games."""
    jobs: Trainings = {
        (game, name): _training(runner, game, spec, _TRAINER) for game in GAMES for name, spec in LEARNERS.items()
    }
    return _findings(runner, jobs, "Algorithms", ("game", "algorithm"))


@experiment("opponents")
def opponents(runner: Runner) -> Report:
    """One algorithm, MaskablePPO, trained at tic-tac-toe by different opponents."""
    learner = LEARNERS["MaskablePPO"]
    jobs: Trainings = {(who,): _training(runner, "tic_tac_toe", learner, trainer) for who, trainer in _TRAINERS.items()}
    return _findings(runner, jobs, "MaskablePPO at tic-tac-toe", ("opponent inside",))


def _training(runner: Runner, game: str, learner: str, trainer: str) -> LearnerTraining:
    contests = max(1, round(runner.options.scale * GAMES[game]))
    return LearnerTraining(game, learner, trainer, contests, tuple(_OPPONENTS.values()), _TESTING)


def _findings(runner: Runner, jobs: Trainings, title: str, names: tuple[str, ...]) -> Report:
    """Run trainings and return a report with a row for each of the names."""
    found = repeated(runner, title, jobs, _RUNS)
    rows = [(*name, *_cells(runs)) for name, runs in found.items()]
    data = [(*name, number, *_figures(run)) for name, runs in found.items() for number, run in enumerate(runs)]
    lasted = {job.game: job.contests for job in jobs.values()}
    lengths = "Contests of learning: " + ", ".join(f"{game} {contests:,}" for game, contests in lasted.items())
    notes = (
        f"{runner.options.runs or _RUNS} trainings each, seeds {runner.options.seed} and on; then {_TESTING} contests "
        "in each seat against each opponent, in per cent won, or won or drawn (kept). Intervals of 95 %: the wider of "
        f"Wilson's over contests and Student's over trainings. {lengths}. Seconds of one processor, the median.",
    )
    data_headings = (
        *names,
        "training",
        "actions",
        *(f"{what}: {seat} v. {who}" for who in _OPPONENTS for what in ("won", "kept") for seat in ("first", "second")),
    )
    return Report((Table(title, (*names, *_HEADINGS), rows),), notes=notes, data=Table("", data_headings, data))


def _cells(found: Sequence[Mapping[str, Any]]) -> Row:
    """Return the cells of a row from the results of its trainings."""
    tested = [_TESTING] * len(found)
    counted = None if found[0]["actions"] is None else f"{median([run['actions'] for run in found]):,.0f}"
    shares = (
        share_of([run[what][which][seat] for run in found], tested)
        for which, what in enumerate(("won", "kept"))
        for seat in (0, 1)
    )
    return (counted, f"{median([run['seconds'] for run in found]):.0f}", *shares)


def _figures(result: Mapping[str, Any]) -> Row:
    """Return the figures of one training for the data."""
    counts = (
        result[what][which][seat] for which in range(len(_OPPONENTS)) for what in ("won", "kept") for seat in (0, 1)
    )
    return (result["actions"], *counts)
