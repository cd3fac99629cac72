"""Section 2.3: the best that can be achieved."""

from boardgames_agents.experiments.report import Report
from boardgames_agents.experiments.runner import Runner
from boardgames_agents.experiments.table import Row, Table
from boardgames_baselines.papers.experiment import experiment
from boardgames_baselines.papers.ideal_trainer.printed import TABLE_1
from boardgames_baselines.papers.ideal_trainer.trials import GAMES, IMPERFECT, maximal_power


@experiment("table-1")
def table_1(runner: Runner) -> Report:
    """Maximal power: the percentage of contests that a perfect player wins."""
    rows: list[Row] = []
    for game in GAMES:
        found = maximal_power(runner, game)
        rows.append((f"{game} (paper)", *TABLE_1.power[game]))
        rows.append((game, *(found[name].power for name, _ in IMPERFECT)))
    title = "Table 1: maximal power, in per cent, of the wise perfect player"
    return Report((Table(title, ("game", *(name for name, _ in IMPERFECT)), rows),))
