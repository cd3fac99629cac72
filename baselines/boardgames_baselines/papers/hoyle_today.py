"""Hoyle beyond the tables of its papers: its programs at other games, and other learners beside it."""

from collections.abc import Mapping
from dataclasses import replace

from boardgames_agents.experiments.report import Report
from boardgames_agents.experiments.runner import Runner
from boardgames_agents.experiments.table import Row, Table
from boardgames_agents.experts.perfect import can_be_perfect
from boardgames_baselines.papers.experiment import experiment
from boardgames_baselines.papers.hoyle_tutorial import CHALLENGERS, FOUR, PROGRAMS, TRAINER
from boardgames_baselines.papers.outcome import play_trials, prowess, sample_note, trial_report
from boardgames_baselines.papers.trial import Trial
from boardgames_env import Game, make_game, registered_games

_RUNS, _LEARNING = 3, 100

_PERFECT = Trial("", "", TRAINER, _LEARNING, 0, tuple((name, spec) for name, spec in CHALLENGERS if name in FOUR))
"""How learners are taught and tested at solved games: a trial without its game and learner."""

_SEARCHER = "alpha_beta(nodes=2000)"
_WITHOUT_SOLUTION = Trial("", "", _SEARCHER, _LEARNING, 0, (("searcher", _SEARCHER), ("random", "random")), 10)
"""The same at games that are too large to be solved."""

_LESSONS = f'lessons(lessons=2, practice=7, expert="{TRAINER}")'

_WITH_CAPTURES = {name: PROGRAMS[name] for name in ("faithful", "nearest to the text", "ours")}
_WITHOUT_CAPTURES = {"1994": "hoyle(program='1994')", "ours, that of 2001": "hoyle"}
"""Hoyle's programs by name."""

_MORRIS = replace(_PERFECT, trainer="tutorial", contests=60)

_CASES = {
    "six men's morris": (replace(_MORRIS, game="six_mens_morris"), _WITH_CAPTURES),
    "seven men's morris": (replace(_MORRIS, game="seven_mens_morris"), _WITH_CAPTURES),
    "lose tic-tac-toe, 2&7": (replace(_PERFECT, game="lose_tic_tac_toe", trainer=_LESSONS), _WITHOUT_CAPTURES),
    "achi": (replace(_PERFECT, game="achi"), _WITHOUT_CAPTURES),
    "les pendus": (replace(_PERFECT, game="les_pendus"), _WITHOUT_CAPTURES),
}
"""Trials without a learner, and the programs that are it."""

_QUICK = "hoyle(budget=20, lookahead=3)"
"""Today's program with less effort than it makes by itself: for at large games a run of that takes minutes."""

_QUICKER = {name: PROGRAMS[name] for name in ("faithful", "nearest to the text", "ours, 5 plies")}
_LARGE_WITHOUT_CAPTURES = {"1994": "hoyle(program='1994')", "ours, less effort": _QUICK}

_LARGE_CASES = {
    "nine men's morris": (replace(_WITHOUT_SOLUTION, game="nine_mens_morris"), _QUICKER),
    "qubic": (replace(_WITHOUT_SOLUTION, game="qubic"), _LARGE_WITHOUT_CAPTURES),
}


@experiment("programs")
def programs(runner: Runner) -> Report:
    """Hoyle's programs at other solved games, taught by the perfect player."""
    return _report(runner, "Hoyle's programs at other games, taught by the perfect player", _CASES)


_OTHERS = {"TD(λ)": "td", "MENACE": "menace"}


@experiment("every-solved-game")
def every_solved_game(runner: Runner) -> Report:
    """What Hoyle, TD(λ) and MENACE learn in 100 contests at every solved game."""
    title = f"What is learned in {_LEARNING} contests with the perfect player"
    learners = {"Hoyle": "hoyle", **_OTHERS}
    return _report(
        runner,
        title,
        {game.title: (replace(_PERFECT, game=game.spec), learners) for game in _games_without_chance(True)},
    )


@experiment("every-larger-game")
def every_larger_game(runner: Runner) -> Report:
    """What Hoyle, TD(λ) and MENACE learn in 100 contests at every larger game without chance."""
    title = f"What is learned in {_LEARNING} contests with {_SEARCHER}"
    learners = {"Hoyle, less effort": _QUICK, **_OTHERS}
    cases = {
        game.title: (replace(_WITHOUT_SOLUTION, game=game.spec), learners) for game in _games_without_chance(False)
    }
    return _report(runner, title, cases)


@experiment("programs-at-large-games")
def programs_at_large_games(runner: Runner) -> Report:
    """Hoyle's programs at games that are too large to be solved, taught by a searcher."""
    return _report(runner, f"Hoyle's programs at larger games, taught by {_SEARCHER}", _LARGE_CASES)


def _games_without_chance(solved: bool) -> list[Game]:
    """Return all games without chance that have a perfect player, or have none."""
    games = [game for game in map(make_game, registered_games()) if not game.rules.has_chance]
    return [game for game in games if can_be_perfect(game) == solved]


def _report(runner: Runner, title: str, cases: Mapping[str, tuple[Trial, Mapping[str, str]]]) -> Report:
    """Run trials with each of their learners. Return a report on reliability, power and the time of decisions."""
    trials = {
        f"{name}: {learner}": replace(trial, learner=spec)
        for name, (trial, learners) in cases.items()
        for learner, spec in learners.items()
    }
    found = play_trials(runner, title, trials, _RUNS)
    first = next(iter(found.values()))
    reliable = [name for name, _ in first.trial.challengers]
    powerful = [name for name, spec in first.trial.challengers if spec != "perfect"]
    headings = prowess(reliable, powerful)
    rows: list[Row] = [
        (name, *each.cells(headings), f"{each.seconds(reliable[0]):.4f}") for name, each in found.items()
    ]
    table = Table(title, ("", *headings, "seconds a contest"), rows)
    return trial_report(found, (table,), (sample_note(first),))
