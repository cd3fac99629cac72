"""The results of a league on disk: CSV, Markdown and TensorBoard."""

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from boardgames_agents.experiments.report import report_in_markdown, write_files
from boardgames_agents.experiments.run_log import RunLog, folders_for, remove_logs
from boardgames_agents.league.league_tables import pairs_data, players_data, report_of, times_data, winners_table
from boardgames_agents.league.round_robin import League
from boardgames_agents.league.standings import Standings


def write_league(league: League, found: Sequence[Standings], folder: Path) -> None:
    """Write all results into the league's folder.

    ``players.csv`` and ``pairs.csv`` hold no times, so they are the same whenever and in however many processes the
    contests were played.
    """
    write_files(_tables(league, found, folder))
    _log(found, folder / "tensorboard")


def publish_league(league: League, found: Sequence[Standings], documentation: Path, name: str) -> None:
    """Write the tables into a documentation's folder ``data/NAME/``."""
    write_files(_tables(league, found, documentation / "data" / name))


def _tables(league: League, found: Sequence[Standings], folder: Path) -> dict[Path, bytes]:
    return {
        folder / "tables.md": report_in_markdown(report_of(league, found)).encode(),
        folder / "players.csv": players_data(found).csv().encode(),
        folder / "pairs.csv": pairs_data(found).csv().encode(),
        folder / "times.csv": times_data(found).csv().encode(),
    }


def _log(found: Sequence[Standings], folder: Path) -> None:
    """Write a run for each agent, its ratings by contests of a pair and its final figures, and the winners beside them.

    The event files in the folder are replaced.
    """
    remove_logs(folder)
    growths = [game.growth() for game in found]
    for name, place in folders_for(each.name for game in found for each in game.standings).items():
        points: dict[int, dict[str, float]] = {}
        for game, growth in zip(found, growths, strict=True):
            for contests, ratings in growth.items():
                if name in ratings:
                    points.setdefault(contests, {})[f"rating/{game.game}"] = ratings[name]
            for each in game.standings:
                if each.name == name:
                    last = points[max(growth)]
                    last[f"power/{game.game}"] = each.score.power
                    last[f"reliability/{game.game}"] = each.score.reliability
                    last[f"thinking_time_in_microseconds/{game.game}"] = 1e6 * each.seconds
        with closing(RunLog(folder / "agents" / place)) as log:
            for contests, values in sorted(points.items()):
                log.scalars(values, contests)
    with closing(RunLog(folder)) as log:
        log.text("winners", winners_table(found).markdown())
