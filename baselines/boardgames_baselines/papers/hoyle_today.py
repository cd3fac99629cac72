"""Hoyle beyond the tables of its papers: its programs at other games, and other learners beside it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from boardgames_agents.experiments.report import Report
from boardgames_agents.experiments.runner import Runner
from boardgames_agents.experiments.table import Row, Table
from boardgames_agents.experts.perfect import can_be_perfect
from boardgames_baselines.papers.experiment import experiment
from boardgames_baselines.papers.hoyle_tutorial import CHALLENGERS, FOUR, PROGRAMS, TRAINER, prowess, prowess_headings
from boardgames_baselines.papers.outcome import play_trials, sample_note, trial_report
from boardgames_baselines.papers.trial import Trial
from boardgames_env import Game, make_game, registered_games
from boardgames_env.spec import Spec

_RUNS, _LEARNING = 3, 100


@dataclass(frozen=True)
class _School:
    """How learners are taught and tested.

    Attributes:
        expert: The opponent in learning.
        challengers: Names and specs of the opponents in testing.
        testing: Contests against each of them.
    """

    expert: str
    challengers: tuple[tuple[str, str], ...]
    testing: int


_PERFECT = _School(TRAINER, tuple((name, spec) for name, spec in CHALLENGERS if name in FOUR), 20)

_SEARCHER = str(Spec("alpha_beta", {"nodes": 2000}))
_WITHOUT_SOLUTION = _School(_SEARCHER, (("searcher", _SEARCHER), ("random", "random")), 10)
"""At games that are too large to be solved."""

_LESSONS = str(Spec("lessons", {"lessons": 2, "practice": 7, "expert": TRAINER}))

_WITH_CAPTURES = {name: PROGRAMS[name] for name in ("faithful", "nearest to the text", "ours")}
_WITHOUT_CAPTURES = {"1994": "hoyle(program='1994')", "ours, that of 2001": "hoyle"}
"""Hoyle's programs by name."""


@dataclass(frozen=True)
class _Case:
    """A game, and how its programs are taught."""

    game: str
    trainer: str
    contests: int
    programs: Mapping[str, str]


_CASES = {
    "six men's morris": _Case("six_mens_morris", "tutorial", 60, _WITH_CAPTURES),
    "seven men's morris": _Case("seven_mens_morris", "tutorial", 60, _WITH_CAPTURES),
    "lose tic-tac-toe, 2&7": _Case("lose_tic_tac_toe", _LESSONS, _LEARNING, _WITHOUT_CAPTURES),
    "achi": _Case("achi", TRAINER, _LEARNING, _WITHOUT_CAPTURES),
    "les pendus": _Case("les_pendus", TRAINER, _LEARNING, _WITHOUT_CAPTURES),
}

_QUICK = "hoyle(budget=20, lookahead=3)"
"""Today's program with less effort than it makes by itself: for at large games a run of that takes minutes."""

_QUICKER = {name: PROGRAMS[name] for name in ("faithful", "nearest to the text", "ours, 5 plies")}
_LARGE_WITHOUT_CAPTURES = {"1994": "hoyle(program='1994')", "ours, less effort": _QUICK}

_LARGE_CASES = {
    "nine men's morris": _Case("nine_mens_morris", _SEARCHER, _LEARNING, _QUICKER),
    "qubic": _Case("qubic", _SEARCHER, _LEARNING, _LARGE_WITHOUT_CAPTURES),
}


@experiment("programs")
def programs(runner: Runner) -> Report:
    """Hoyle's programs at other solved games, taught by the perfect player."""
    title = "Hoyle's programs at other games, taught by the perfect player"
    return _report(runner, title, _trials(_CASES, _PERFECT), _PERFECT)


_OTHERS = {"TD(λ)": "td", "MENACE": "menace"}


@experiment("every-solved-game")
def every_solved_game(runner: Runner) -> Report:
    """What Hoyle, TD(λ) and MENACE learn in 100 contests at every solved game."""
    games = [game for game in _games() if can_be_perfect(game)]
    title = f"What is learned in {_LEARNING} contests with the perfect player"
    return _report(runner, title, _learning(games, {"Hoyle": "hoyle", **_OTHERS}, _PERFECT), _PERFECT)


@experiment("every-larger-game")
def every_larger_game(runner: Runner) -> Report:
    """What Hoyle, TD(λ) and MENACE learn in 100 contests at every larger game without chance."""
    games = [game for game in _games() if not can_be_perfect(game)]
    title = f"What is learned in {_LEARNING} contests with {_SEARCHER}"
    learners = {"Hoyle, less effort": _QUICK, **_OTHERS}
    return _report(runner, title, _learning(games, learners, _WITHOUT_SOLUTION), _WITHOUT_SOLUTION)


@experiment("programs-at-large-games")
def programs_at_large_games(runner: Runner) -> Report:
    """Hoyle's programs at games that are too large to be solved, taught by a searcher."""
    title = f"Hoyle's programs at larger games, taught by {_SEARCHER}"
    return _report(runner, title, _trials(_LARGE_CASES, _WITHOUT_SOLUTION), _WITHOUT_SOLUTION)


def _trials(cases: Mapping[str, _Case], school: _School) -> dict[str, Trial]:
    return {
        f"{name}: {program}": Trial(case.game, spec, case.trainer, case.contests, 0, school.challengers, school.testing)
        for name, case in cases.items()
        for program, spec in case.programs.items()
    }


def _games() -> list[Game]:
    """Return all games without chance."""
    return [game for game in map(make_game, registered_games()) if not game.rules.has_chance]


def _learning(games: Sequence[Game], learners: Mapping[str, str], school: _School) -> dict[str, Trial]:
    return {
        f"{game.title}: {name}": Trial(game.spec, spec, school.expert, _LEARNING, 0, school.challengers, school.testing)
        for game in games
        for name, spec in learners.items()
    }


def _report(runner: Runner, title: str, trials: Mapping[str, Trial], school: _School) -> Report:
    """Run trials. Return a report on reliability, power and the time of decisions."""
    found = play_trials(runner, title, trials, _RUNS)
    reliable = [name for name, _ in school.challengers]
    powerful = [name for name, spec in school.challengers if spec != "perfect"]
    rows: list[Row] = [
        (name, *prowess(each, reliable, powerful), f"{each.seconds(reliable[0]):.4f}") for name, each in found.items()
    ]
    table = Table(title, (*prowess_headings(reliable, powerful), "seconds a contest"), rows)
    return trial_report(found, (table,), (sample_note(next(iter(found.values()))),))
