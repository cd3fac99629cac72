"""A league's results on disk: CSV, PNG, HTML, Markdown and TensorBoard."""

import io
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import BinaryIO

import numpy as np

from boardgames_agents.league.chart import picture
from boardgames_agents.league.league import League
from boardgames_agents.league.page import page
from boardgames_agents.league.standings import Standings
from boardgames_agents.league.tables import (
    cross_table,
    entrants_table,
    markdown,
    notes_of,
    pairs_csv,
    players_csv,
    ratings_table,
    standings_table,
    times_csv,
    winners_table,
)
from boardgames_agents.training.run_log import RunLog, folders_for, remove_logs
from boardgames_env.files import write_atomically


def write(league: League, found: Sequence[Standings], folder: Path) -> None:
    """Write everything into the league's folder.

    ``players.csv`` and ``pairs.csv`` hold no times, so they are the same whenever and in however many processes the
    contests were played.

    Args:
        league: What was asked.
        found: What it came to at each game.
        folder: The folder.
    """
    png = picture(found)
    _write(folder, {**_tables(league, found), "league.png": png, "league.html": page(league, found, png).encode()})
    _log(found, folder / "tensorboard", png)


def publish(league: League, found: Sequence[Standings], documentation: Path, name: str) -> None:
    """Write tables and picture into a documentation's folders, ``data/NAME/`` and ``images/NAME.png``."""
    _write(documentation / "data" / name, _tables(league, found))
    _write(documentation / "images", {f"{name}.png": picture(found)})


def _tables(league: League, found: Sequence[Standings]) -> dict[str, bytes]:
    tables = [winners_table(found), ratings_table(found), entrants_table(league)]
    tables += [table for each in found for table in (standings_table(each), cross_table(each))]
    notes = "\n".join(f"* {note}" for note in notes_of(found))
    return {
        "tables.md": ("\n".join(map(markdown, tables)) + (f"\n{notes}\n" if notes else "")).encode(),
        "players.csv": players_csv(found).encode(),
        "pairs.csv": pairs_csv(found).encode(),
        "times.csv": times_csv(found).encode(),
    }


def _write(folder: Path, files: dict[str, bytes]) -> None:
    for name, content in files.items():
        write_atomically(folder / name, partial(_put, content))


def _put(content: bytes, file: BinaryIO) -> None:
    file.write(content)


def _log(found: Sequence[Standings], folder: Path, png: bytes) -> None:
    """A run for each agent: its ratings by contests of a pair, and what it came to in the end; the picture beside them.

    What an earlier call has left there is replaced.
    """
    from PIL import Image

    remove_logs(folder)
    for name, place in folders_for(each.name for game in found for each in game.standings).items():
        points: dict[int, dict[str, float]] = {}
        for game in found:
            for contests, ratings in game.growth.items():
                if name in ratings:
                    points.setdefault(contests, {})[f"rating/{game.game}"] = ratings[name]
            for each in game.standings:
                if each.name == name:
                    last = points[max(game.growth)]
                    last[f"power/{game.game}"] = each.score.power
                    last[f"reliability/{game.game}"] = each.score.reliability
                    last[f"microseconds a decision/{game.game}"] = 1e6 * each.seconds
        log = _open(folder / "agents" / place)
        for contests, values in sorted(points.items()):
            log.scalars(values, contests)
        log.close()
    log = _open(folder)
    log.text("winners", markdown(winners_table(found)))
    log.image("decision time against strength", np.asarray(Image.open(io.BytesIO(png)).convert("RGB")), 0)
    log.close()


def _open(folder: Path) -> RunLog:
    folder.mkdir(parents=True, exist_ok=True)
    return RunLog(folder)
