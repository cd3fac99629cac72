"""The runs below a folder as a table: what each was trained with, and what it has reached."""

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boardgames_agents.experiments.table import Table, text_of
from boardgames_agents.experiments.tensorboard_log import RunLogReader
from boardgames_agents.registry import label_of, make_learner
from boardgames_agents.training.curves import STATE, TEST, bounds_of, learner_options
from boardgames_agents.training.run import holds_run, read_progress
from boardgames_env.errors import BadInputError, MissingLibraryError
from boardgames_env.games import make_game
from boardgames_env.spec import Spec

if TYPE_CHECKING:
    import pandas

_SETTINGS = ("run", "game", "learner", "trainer", "seed", "played")
_RESULTS = ("power", "power_in_points", "reliability")

_TESTED = (*_RESULTS, STATE, TEST)
"""The groups of curves whose last values are results."""


def folders_of_runs(folder: Path, holds: Callable[[Path], bool] = holds_run) -> Iterator[Path]:
    """Yield a folder if it holds a run, or something else that is asked for, and otherwise those below it, by name."""
    if holds(folder):
        yield folder
    elif folder.is_dir():
        for each in sorted(folder.iterdir()):
            if each.is_dir() and not each.is_symlink():
                yield from folders_of_runs(each, holds)


def holds_curves(folder: Path) -> bool:
    """Return whether a folder has curves for TensorBoard, as those of runs and improvements do."""
    return any(folder.glob("events.out.tfevents.*"))


def row_of_run(folder: Path) -> dict[str, Any]:
    """Return a run as a row: its name, its settings, how far it has got, and the last values of its tests.

    The options of its learner, as they are in force, are named ``learner.NAME``.

    Raises:
        BadInputError: If the folder holds no run, or something in it is damaged.
    """
    found = read_progress(folder)
    config, spec = found.config, Spec.parse(found.config.learner)
    try:
        options = learner_options(make_learner(spec, make_game(config.game), config.seed), spec)
    except BadInputError:  # (what it needs is not installed, or not imported)
        options = dict(spec.options)
    curves = RunLogReader(folder).curves()
    return {
        "run": folder.resolve().name,
        "folder": str(folder),
        **asdict(config),
        "played": found.contests,
        "done": found.done,
        **{f"learner.{name}": value for name, value in options.items()},
        **{tag: curve.values[-1] for tag, curve in sorted(curves.items()) if tag.partition("/")[0] in _TESTED},
    }


def rows_of_runs(folders: Sequence[Path]) -> tuple[list[dict[str, Any]], list[BadInputError]]:
    """Return the rows of some runs, and the errors of those among them that are damaged.

    Raises:
        BadInputError: If all of them are damaged.
    """
    rows, problems = [], []
    for folder in folders:
        try:
            rows.append(row_of_run(folder))
        except BadInputError as error:
            problems.append(error)
    if problems and not rows:
        raise problems[0]
    return rows, problems


def figures_of(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the columns of results that runs have, for people."""
    return [tag for tag in dict.fromkeys(tag for row in rows for tag in row) if tag.partition("/")[0] in _RESULTS]


def cells_of(row: Mapping[str, Any], figures: Sequence[str]) -> dict[str, str]:
    """Return a run as texts for people: its settings, and the given figures."""
    shown = {name: row.get(name) for name in (*_SETTINGS, *figures)}
    return {
        name: "" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)
        for name, value in shown.items()
    }


def tables_of(rows: Sequence[Mapping[str, Any]]) -> list[Table]:
    """Return runs as a table for each game: name and learner, contests, and the result that tells them apart best."""
    games = dict.fromkeys(row["game"] for row in rows)
    return [_table_of_game(game, [row for row in rows if row["game"] == game]) for game in games]


def _table_of_game(game: str, rows: Sequence[Mapping[str, Any]]) -> Table:
    tag = _telling(figures_of(rows))
    what, _, challenger = tag.partition("/")
    heading = f"{_UNITS[what]}\nagainst {challenger}" if tag else "not tested"
    cells = []
    for row in rows:
        learner = f"{label_of(row['learner'])}, trainer {row['trainer']}, seed {row['seed']}"
        cells.append((f"{row['folder']}\n  {learner}", f"{row['played']:,}", _figure_of(row, tag)))
    return Table(f"Runs at {game}", ("run", "contests", heading), cells)


_UNITS = {"power": "power %", "reliability": "reliability %", "power_in_points": "points"}


def _telling(figures: Sequence[str]) -> str:
    """Return the most telling of some results: points, or else reliability, against the strongest challenger."""
    order = [(kind, each) for kind in ("power_in_points", "reliability", "power") for each in (True, False)]
    for kind, is_strong in order:
        of_kind = [tag for tag in figures if tag.startswith(f"{kind}/") and (tag != f"{kind}/random") == is_strong]
        if of_kind:
            perfect = f"{kind}/perfect"
            return perfect if perfect in of_kind else of_kind[0]
    return ""


def _figure_of(row: Mapping[str, Any], tag: str) -> str:
    """Return a result with its 95 % interval, if there are any."""
    ends = [row.get(each) for each in (tag, *bounds_of(tag))]
    digits = 2 if tag.startswith("power_in_points/") else 1
    texts = [f"{end:.{digits}f}" for end in ends if end is not None]
    return f"{texts[0]} ({texts[1]} to {texts[2]})" if len(texts) == len(ends) else "".join(texts)


def record_of(row: Mapping[str, Any]) -> Table:
    """Return a run as a table of its settings and results."""
    bounds = {each for tag in row for each in bounds_of(tag)}
    cells = [
        (name, _figure_of(row, name) if name.partition("/")[0] in _RESULTS else text_of(value))
        for name, value in row.items()
        if name not in bounds and name != "run"
    ]
    return Table(f"{row['run']}", ("setting or result", "value"), cells, names=2)


def load_runs(folder: str | Path) -> "pandas.DataFrame":
    """Return the runs below a folder as a pandas frame with a row for each; see `row_of_run` for the columns.

    Damaged ones are left out, with a warning for each.

    Raises:
        BadInputError: If there is no run, all are damaged, or pandas is not installed.
    """
    try:
        from pandas import DataFrame
    except ImportError:
        raise MissingLibraryError("load_runs returns a frame of pandas", "pandas") from None
    rows, problems = rows_of_runs(list(folders_of_runs(Path(folder))))
    if not rows:
        raise BadInputError(f"there is no run in {folder}; give a folder that boardgames train has written into")
    for problem in problems:
        warnings.warn(str(problem), RuntimeWarning, stacklevel=2)
    return DataFrame(rows).set_index("run")
