"""Section 2.3: what can be achieved at best."""

from boardgames_agents.experiments.runner import Lab
from boardgames_baselines.papers.experiment import Findings, Row, Table, experiment
from boardgames_baselines.papers.ideal_trainer.printed import TABLE_1
from boardgames_baselines.papers.ideal_trainer.trials import GAMES, IMPERFECT, maximal_power


@experiment("table-1")
def table_1(lab: Lab) -> Findings:
    """Maximal power: the percentage of contests that a perfect player wins."""
    rows: list[Row] = []
    for game in GAMES:
        found = maximal_power(lab, game)
        rows.append((f"{game} (paper)", *TABLE_1.power[game]))
        rows.append((game, *(found[name].power for name, _ in IMPERFECT)))
    title = "Table 1: maximal power, in per cent, of the wise perfect player"
    return Findings((Table(title, ("game", *(name for name, _ in IMPERFECT)), rows),))
