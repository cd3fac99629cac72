"""Section 5 goes on beyond the paper: its test-based filter around a learner of another kind."""

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from boardgames_agents.experiments.estimate import mean_of
from boardgames_agents.experiments.report import Report
from boardgames_agents.experiments.runner import Runner
from boardgames_agents.experiments.table import Row, Table
from boardgames_baselines.papers.experiment import experiment
from boardgames_baselines.papers.fives.jobs.others import SelfTrainingJob
from boardgames_baselines.papers.fives.trials import change
from boardgames_baselines.papers.jobs import repeated
from boardgames_env.spec import Spec

_GAME = "tic_tac_toe"
_RUNS, _TESTING = 12, 500
_MILESTONES = (1_000, 2_000, 5_000, 10_000)

_LEARNERS = {
    "α falls": "td(seed=SEED,hidden=32)",
    "α stays": "td(seed=SEED,hidden=32,decay=0)",
}

_FILTERS: dict[str, dict[str, Any] | None] = {
    "no filter": None,
    "undone; against itself untrained": {},
    "undone; against the expert": {"tester": "fallible(e=0.1)", "contests": 500},
    "not played by; against the expert": {"tester": "fallible(e=0.1)", "contests": 500, "place": "utilization"},
}


@experiment("other-learners")
def other_learners(runner: Runner) -> Report:
    """The self-test filter for a network that learns tic-tac-toe by TD(λ), from contests with itself."""
    kinds = {(rate, filtered): _spec(learner, filtered) for rate, learner in _LEARNERS.items() for filtered in _FILTERS}
    milestones = tuple(dict.fromkeys(max(1, round(runner.options.scale * each)) for each in _MILESTONES))
    jobs = {kind: SelfTrainingJob(_GAME, spec, milestones, _TESTING) for kind, spec in kinds.items()}
    found = repeated(runner, "TD(λ) with a self-test", jobs, _RUNS)
    rows: list[Row] = []
    data: list[Row] = []
    for (rate, filtered), runs in found.items():
        plain = found[rate, "no filter"]
        lost = [[fmean(at) for at in run["lost"]] for run in runs]
        less = mean_of([mine[-1] - fmean(other["lost"][-1]) for mine, other in zip(lost, plain, strict=True)])
        beside = None if filtered == "no filter" else change(less)
        rows.append((f"{rate}; {filtered}", *map(mean_of, zip(*lost, strict=True)), beside, _passed(runs)))
        data += [(rate, filtered, number, *each) for number, each in enumerate(lost)]
    ends = [f"{end:,} contests" for end in milestones]
    title = "Tic-tac-toe: contests lost to the four challengers, in per cent"
    headings = ("learning rate; what fails the self-test is …", *ends, "beside no filter", "exams passed")
    notes = (
        f"{len(plain)} runs of each kind; `td(hidden=32)`, {milestones[-1]:,} contests against itself, tested in "
        f"{_TESTING} contests against each of the perfect, expert, novice and random players. A run and its number "
        "determine weights and dice, so kinds are compared run by run. Intervals of 95 %: Student's over runs.",
        "Exams after every 1,000 contests: 100 contests against itself untrained, the default of `self_tested`, or 500 "
        "against the expert, which leaves a tenth of its decisions to chance. Those contests come on top.",
    )
    return Report((Table(title, headings, rows),), notes=notes, data=Table("", ("α", "filter", "run", *ends), data))


def _spec(learner: str, filtered: str) -> str:
    options = _FILTERS[filtered]
    return learner if options is None else str(Spec("self_tested", {"learner": learner, **options}))


def _passed(runs: Sequence[Mapping[str, Any]]) -> str | None:
    """How many exams were passed, of how many."""
    known = [run["knowledge"] for run in runs]
    if "exams" not in known[0]:
        return None
    passed, failed = (fmean([each[f"{did} by self-test"] for each in known]) for did in ("accepted", "refused"))
    return f"{passed:.1f} of {passed + failed:.1f}"
