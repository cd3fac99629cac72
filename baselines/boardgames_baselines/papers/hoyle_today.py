"""Hoyle beyond the tables of its papers: its programs at other games."""

from collections.abc import Mapping
from dataclasses import dataclass

from boardgames_agents.experiments.report import Report
from boardgames_agents.experiments.runner import Runner
from boardgames_agents.experiments.table import Row, Table
from boardgames_baselines.papers.experiment import experiment
from boardgames_baselines.papers.hoyle_tutorial import CHALLENGERS, FOUR, PROGRAMS, TRAINER, prowess, prowess_headings
from boardgames_baselines.papers.jobs.trial import Trial
from boardgames_baselines.papers.outcome import play_trials, sample_note, trial_report
from boardgames_env.spec import Spec

_RUNS, _TESTING = 3, 20
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
    "lose tic-tac-toe, 2&7": _Case("lose_tic_tac_toe", _LESSONS, 100, _WITHOUT_CAPTURES),
    "achi": _Case("achi", TRAINER, 100, _WITHOUT_CAPTURES),
    "les pendus": _Case("les_pendus", TRAINER, 100, _WITHOUT_CAPTURES),
}


@experiment("programs")
def programs(runner: Runner) -> Report:
    """Hoyle's programs at other solved games, taught by the perfect player."""
    four = tuple((name, spec) for name, spec in CHALLENGERS if name in FOUR)
    trials = {
        f"{name}: {program}": Trial(case.game, spec, case.trainer, case.contests, 0, four, _TESTING)
        for name, case in _CASES.items()
        for program, spec in case.programs.items()
    }
    found = play_trials(runner, "Hoyle's programs", trials, _RUNS)
    rows: list[Row] = [(name, *prowess(each), f"{each.seconds('perfect'):.4f}") for name, each in found.items()]
    headings = (*prowess_headings(), "seconds a contest")
    table = Table("Hoyle's programs at other games, taught by the perfect player", headings, rows)
    return trial_report(found, (table,), (sample_note(next(iter(found.values()))),))
