"""Section 4: the central experiments, lesson and practice training."""

from boardgames_agents.experiments.estimate import difference
from boardgames_agents.experiments.report import Report
from boardgames_agents.experiments.runner import Runner
from boardgames_agents.experiments.table import Row, Table
from boardgames_baselines.papers.experiment import experiment
from boardgames_baselines.papers.ideal_trainer.printed import TABLE_2, TABLE_3, PrintedTrial
from boardgames_baselines.papers.ideal_trainer.trials import (
    FOUR,
    HEADINGS,
    PERFECT,
    RUNS,
    cells,
    notes_on,
    printed_cells,
    table_by_game,
    trainer,
    trial,
    trials_table,
)
from boardgames_baselines.papers.outcome import Outcome, play_trials, trial_report
from boardgames_env.spec import Spec

_COMPARISON_RUNS = 20
_COMPARED = {
    "key nodes": "key_nodes(lessons=2, practice=7)",
    "2&7, uniform": "lessons(lessons=2, practice=7)",  # by the perfect player that steers to the key nodes
    "2&7": "2&7",
    "self": "self",
    "e=0": "e=0",
}
_OTHERS = {
    "2&7": "2&7",
    "14&1": "14&1",
    "4&100": "4&100",
    "practice that grows": str(Spec("lessons", {"lessons": 2, "practice": 7, "expert": PERFECT, "growth": 2})),
    "watching 10, then 2&7": str(Spec("phases", {"plan": ((10, "watch"), (1, trainer("2&7")))})),
    "worst moves": "worst",
}


@experiment("table-2")
def table_2(runner: Runner) -> Report:
    """Lesson and practice training at lose tic-tac-toe, beside training by a perfect player."""
    return _beside(runner, "lose_tic_tac_toe", TABLE_2, "Table 2: lose tic-tac-toe")


@experiment("table-3")
def table_3(runner: Runner) -> Report:
    """Lesson and practice training at tic-tac-toe, beside other training."""
    return _beside(runner, "tic_tac_toe", TABLE_3, "Table 3: tic-tac-toe")


def _beside(runner: Runner, game: str, printed: tuple[PrintedTrial, ...], title: str) -> Report:
    """Return the paper's lines, each above ours."""
    names = {line: f"{line.trainer}, n={line.standard}" for line in printed}
    trials = {names[line]: trial(game, line.trainer, line.standard) for line in printed}
    found = play_trials(runner, title, trials, RUNS)
    rows: list[Row] = []
    for line, name in names.items():
        rows += [(f"{name} (paper)", *printed_cells(line)), (name, *cells(found[name]))]
    return trial_report(found, (Table(title, ("trainer", *HEADINGS), rows),), (), notes_on(found))


@experiment("comparison")
def comparison(runner: Runner) -> Report:
    """Lesson and practice, key-node training (ours), self-training, and a perfect player with as many lessons."""
    tables: list[Table] = []
    outcomes: dict[str, Outcome] = {}
    for game in ("tic_tac_toe", "lose_tic_tac_toe"):
        trials = {name: trial(game, spec, 20) for name, spec in _COMPARED.items()}
        found = play_trials(runner, f"comparison at {game}", trials, _COMPARISON_RUNS)
        lessons = round(found["2&7"].lessons.value)
        as_many = {f"e=0, {lessons} contests": trial(game, "e=0", standard=0, contests=lessons)}
        found |= play_trials(runner, f"as many lessons at {game}", as_many, _COMPARISON_RUNS)
        tables += [trials_table(f"Comparison of trainers at {game}, n = 20", found), _gains(game, found)]
        outcomes |= {f"{game} {name}": outcome for name, outcome in found.items()}
    return trial_report(outcomes, tuple(tables), (), notes_on(outcomes))


def _gains(game: str, found: dict[str, Outcome]) -> Table:
    """Return the gains in reliability of 2&7 and of key nodes, with Welch's interval."""
    rows: list[Row] = []
    for ours in ("2&7", "key nodes"):
        for name in [name for name in found if name != ours]:
            gains = [difference(found[ours].reliabilities(who), found[name].reliabilities(who)) for who, _ in FOUR]
            rows.append((f"{ours} over {name}", *gains))
    headings = ("gain in reliability", *(who for who, _ in FOUR))
    return Table(f"Comparison at {game}: reliability gained, in percentage points", headings, rows)


@experiment("other-trainers")
def other_trainers(runner: Runner) -> Report:
    """Trainers that the paper mentions and does not try: other cycles, priming, worst moves."""
    games = ("tic_tac_toe", "lose_tic_tac_toe")
    title = "Other trainers at GAME, n = 20"
    return table_by_game(
        runner, games, title, lambda game: {name: trial(game, spec, 20) for name, spec in _OTHERS.items()}
    )
