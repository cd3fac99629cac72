"""Hoyle today: its programs beyond the papers' games, and what it learns at every game beside TD(λ) and MENACE."""

from functools import cache
from typing import NamedTuple

from boardgames_agents.experiments.report import Report
from boardgames_agents.experiments.runner import Runner
from boardgames_agents.experiments.table import Row, Table
from boardgames_agents.registry import make_agent
from boardgames_baselines.papers.experiment import experiment
from boardgames_baselines.papers.hoyle_tutorial import PROGRAMS
from boardgames_baselines.papers.jobs.trial import Trial
from boardgames_baselines.papers.outcome import Outcome, play_trials, trial_report
from boardgames_env import make_game, registered_games
from boardgames_env.errors import BadInputError

_MODEL = "alpha_beta(nodes=2000)"
_RUNS, _TESTING = 3, 20


class Case(NamedTuple):
    """A game, the trainer of Hoyle there, and the opponent that it is tested against."""

    game: str
    trainer: str
    opponent: str
    contests: int


CASES = (
    Case("six_mens_morris", "tutorial", "perfect", 60),
    Case("seven_mens_morris", "tutorial", "perfect", 60),
    Case("nine_mens_morris", _MODEL, _MODEL, 50),
    Case("lose_tic_tac_toe", "2&7", "perfect", 100),
    Case("achi", "2&7", "perfect", 100),
    Case("les_pendus", "2&7", "perfect", 100),
    Case("qubic", _MODEL, _MODEL, 50),
    Case("fives", _MODEL, _MODEL, 20),
)
_COMPARED = ("faithful", "nearest to the text", "ours")


@experiment("programs")
def programs(runner: Runner) -> Report:
    """Hoyle's programs at games beyond five men's morris."""
    trials = {
        f"{case.game}, {name}": _trial(case.game, PROGRAMS[name], case.trainer, case.opponent, case.contests)
        for case in CASES
        for name in _COMPARED
    }
    found = play_trials(runner, "programs", trials, _RUNS)
    rows = [_row(name, outcome) for name, outcome in found.items()]
    table = Table("Hoyle's programs at other games", _HEADINGS, rows)
    return trial_report(
        found,
        (table,),
        (
            _note(found),
            f"The trainer is that of the cases; {_MODEL} stands in for the perfect player where there is none.",
        ),
    )


LEARNERS = ("hoyle", "td", "menace")
_CONTESTS = 100


@experiment("games")
def games(runner: Runner) -> Report:
    """What Hoyle, TD(λ) and MENACE learn in 100 contests at each game without chance."""
    trials = {}
    for name in registered_games():
        game = make_game(name)
        if not game.rules.has_chance:
            opponent = _opponent(name)
            for learner in LEARNERS:
                trials[f"{name}, {learner}"] = _trial(name, learner, opponent, opponent, _CONTESTS)
    found = play_trials(runner, "games", trials, _RUNS)
    rows = [_row(name, outcome) for name, outcome in found.items()]
    table = Table(f"After {_CONTESTS} contests with the opponent", _HEADINGS, rows)
    return trial_report(found, (table,), (_note(found),))


_HEADINGS = ("", "opponent", "reliability", "power", "power against random", "ms a decision")


@cache
def _opponent(game: str) -> str:
    """Return the perfect player's spec, or that of the program that stands in for it where a game is not solved."""
    try:
        make_agent("perfect", make_game(game))
    except BadInputError:
        return _MODEL
    return "perfect"


def _trial(game: str, learner: str, trainer: str, opponent: str, contests: int) -> Trial:
    challengers = (("opponent", opponent), ("random", "random"))
    return Trial(game, learner, trainer, contests, challengers=challengers, testing=_TESTING)


def _row(name: str, outcome: Outcome) -> Row:
    (_, opponent), *_ = outcome.trial.challengers
    score = outcome.score("opponent")
    decision = f"{1000 * score.seconds_per_decision:.2f}"
    return name, opponent, outcome.reliability("opponent"), outcome.power("opponent"), outcome.power("random"), decision


def _note(found: dict[str, Outcome]) -> str:
    runs = len(next(iter(found.values())).runs)
    return f"{runs} runs of each, {runs * _TESTING} contests against each opponent; intervals over runs."
