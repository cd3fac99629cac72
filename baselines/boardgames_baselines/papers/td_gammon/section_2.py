"""TD-Gammon's Learning Methodology: games of random networks are long."""

from boardgames_agents.experiments.estimate import mean_of
from boardgames_agents.experiments.report import Report
from boardgames_agents.experiments.runner import Runner
from boardgames_agents.experiments.table import Row, Table, text_of
from boardgames_baselines.papers.experiment import experiment
from boardgames_baselines.papers.td_gammon.trials import learner, several, trained

_RUNS = 20
_GAMES = 1_000
_HEADINGS = ("plies: mean, most", "games 1 to 10", "11 to 100", "101 to 1,000")
_LEARNERS = {
    "absolute (the paper's)": learner(viewer="0"),
    "mover-relative": learner(viewer="move"),
    "absolute, learning nothing": learner(viewer="0", alpha=0.0),
    "mover-relative, learning nothing": learner(viewer="move", alpha=0.0),
    "random moves": learner(alpha=0.0, epsilon=1.0),
}


@experiment("early-games")
def early_games(runner: Runner) -> Report:
    """How long the first games of self-play are, beside those of random players."""
    found = trained(runner, "the first games", _LEARNERS, (_GAMES,), _RUNS, testing=1)
    rows: list[Row] = []
    data: list[Row] = []
    for name, each in found.items():
        decades = list(zip(*(run["plies"] for run in each.runs), strict=True))
        cells = [
            f"{text_of(mean_of([mean for _, mean, _ in runs]))}; {max(most for _, _, most in runs):,}"
            for runs in decades
        ]
        rows.append((name, *cells, *[None] * (len(_HEADINGS) - 1 - len(cells))))
        data += [(name, number, *part) for number, run in enumerate(each.runs) for part in run["plies"]]
    runs = several(len(found["random moves"].runs), "run")
    notes = (
        f"{runs}, each with its own weights. Intervals of 95 %: Student's over runs.",
        "The paper: with random play on both sides games often last several hundred or even several thousand time "
        "steps, and 50 to 60 in normal human play. How long the games of an untrained network are depends on how its "
        "weights are drawn, of which the paper says nothing.",
    )
    headings = ("training", "run", "games", "mean plies", "most plies")
    return Report((Table("Length of early games", _HEADINGS, rows),), notes=notes, data=Table("", headings, data))
