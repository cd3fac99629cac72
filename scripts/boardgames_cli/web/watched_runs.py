"""Runs and leagues below one folder: where they are, their curves, contests of learners, and results of leagues."""

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path

from boardgames_agents.arena.contest import play_contest
from boardgames_agents.experiments.tensorboard_log import Curve, RunLogReader
from boardgames_agents.league.league_folder import LeagueResults, holds_league, read_results, state_of
from boardgames_agents.registry import agent_named
from boardgames_agents.training.curves import CURVES, STATE, TEST, bounds_of
from boardgames_agents.training.run import holds_run, load_run
from boardgames_agents.training.trained import run_of_spec, spec_of_run
from boardgames_cli.web.chart import LineChart, line_chart
from boardgames_cli.web.kept import Kept
from boardgames_env.contest import with_last_moves
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.position import Position
from boardgames_env.spec import Spec

_MOST_KEPT = 16
"""The number of runs whose curves and contests, and of leagues whose results, are kept in memory."""

_TOGETHER = ("power", "reliability")
"""The groups of curves that share an axis; every other curve has a chart of its own."""

_FIRST = "training/mean_points"
"""What the names of the curves begin with that are shown of runs without tests."""

_DEPTH, _MOST_FOLDERS = 4, 5_000
"""The depth to which folders are looked through, and the largest number of them."""


@dataclass(frozen=True)
class RunCharts:
    """The charts of a run, by their names: the titles of all that there are, and those that are shown."""

    titles: Mapping[str, str]
    shown: Mapping[str, LineChart]


def formula_of(chart: str, learner: str) -> str:
    """Return the formula of the curves of a chart, as the package and the agent declare it; empty if neither does."""
    entry = agent_named(Spec.parse(learner).name)
    own = {f"{STATE}/{name}": formula for name, formula in (entry.curves if entry else {}).items()}
    tag = f"{chart}/any" if chart in _TOGETHER else chart
    for declared, formula in {**own, **CURVES}.items():
        pattern = re.sub(r"\\\{\w+\\\}", ".+", re.escape("_".join(declared.split())))
        if re.fullmatch(pattern, tag):
            return formula
    return ""


def _grouped(curves: Iterable[str]) -> dict[str, dict[str, str]]:
    """Return the tags of curves by their names in a chart, by the name of the chart; bounds belong to other curves."""
    groups: dict[str, dict[str, str]] = {}
    for tag in sorted(curves):
        group, _, name = tag.partition("/")
        if group != TEST:
            groups.setdefault(group if group in _TOGETHER else tag, {})[_plain_curve_name(name)] = tag
    return groups


def _chart_of_curves(name: str, tags: Mapping[str, str], curves: Mapping[str, Curve], contests: int) -> LineChart:
    points, bounds = {}, {}
    for key, tag in tags.items():
        points[key] = curves[tag].steps, curves[tag].values
        around = [curves[each] for each in bounds_of(tag) if each in curves]
        if [each.steps for each in around] == [curves[tag].steps] * 2:
            low, high = ((each.steps, each.values) for each in around)
            bounds[key] = low, high
    y_range = (0.0, 100.0) if name in _TOGETHER else ()
    return line_chart(_title_of_chart(name), "contests", points, contests, y_range, bounds)


def _usual(charts: Mapping[str, object]) -> set[str]:
    """Return the names of the charts that are shown first."""
    found = {name for name in charts if name in _TOGETHER} or {name for name in charts if name.startswith(_FIRST)}
    return found or set(list(charts)[:1])


def _title_of_chart(chart: str) -> str:
    if chart in _TOGETHER:
        return f"{chart.capitalize()} in tests, %"
    text = _plain_curve_name(chart.partition("/")[2])
    return text[:1].upper() + text[1:]


def _plain_curve_name(name: str) -> str:
    return name.replace("_", " ")


class Folders:
    """The folders below one folder. Their names on pages are their paths from there."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()

    def find(self, name: str) -> Path | None:
        """Return the folder of a name; ``None`` if there is none, or it is elsewhere, also by a symbolic link."""
        parts = name.split("/")
        if not all(parts) or any(part.startswith(".") or "\\" in part or "\x00" in part for part in parts):
            return None
        folder = self._within(self.root.joinpath(*parts))
        with suppress(OSError):  # (a name that is too long, say)
            return folder if folder and folder.is_dir() else None
        return None

    def name_of(self, folder: Path) -> str:
        """Return the name of a folder."""
        return folder.relative_to(self.root).as_posix()

    def name_within(self, path: Path) -> str:
        """Return the name of a file or folder that somebody has named by a path; empty if it is elsewhere."""
        found = self._within(path)
        return self.name_of(found) if found else ""

    def named(self, spec: str) -> str:
        """Return a spec as pages and addresses have it: the folder of a run has its name in the place of its path."""
        with suppress(BadInputError):
            run = run_of_spec(Spec.parse(spec))
            if run and (name := self.name_within(run)):
                return str(spec_of_run(Path(name)))
        return spec

    def located(self, spec: Spec) -> Spec:
        """Return a spec from a page with the path of the folder in the place of its name."""
        run = run_of_spec(spec)
        folder = self.find(run.as_posix()) if run and not run.is_absolute() else None
        return spec_of_run(folder) if folder else spec

    def sentence(self, error: Exception) -> str:
        """Return what an error says, with the names of folders in the place of their paths."""
        return str(error).replace(f"{self.root}{os.sep}", "")

    def runs(self) -> list[Path]:
        """Return the folders of runs, also those of several seeds and of leagues, the last changed first."""
        return sorted(filter(holds_run, self._all()), key=_time_of_change, reverse=True)

    def leagues(self) -> list[Path]:
        """Return the folders of leagues, the last changed first."""
        return sorted(filter(holds_league, self._all()), key=_time_of_change, reverse=True)

    def _within(self, path: Path) -> Path | None:
        """Return what a path leads to; ``None`` if that is elsewhere, also by a symbolic link, or cannot be."""
        try:
            found = path.resolve()
        except (OSError, ValueError, RuntimeError):
            return None
        return found if self.root in found.parents else None

    def _all(self) -> Iterator[Path]:
        """Yield the folders below the root, level by level, but for those in runs and for symbolic links."""
        return islice(self._below([self.root], _DEPTH), _MOST_FOLDERS)

    def _below(self, folders: Iterable[Path], depth: int) -> Iterator[Path]:
        below = []
        for entry in chain.from_iterable(map(_entries, folders)):
            yield entry
            if not holds_run(entry):
                below.append(entry)
        if depth > 1 and below:
            yield from self._below(below, depth - 1)


def _entries(folder: Path) -> list[Path]:
    """Return the folders in a folder, by name."""
    try:
        with os.scandir(folder) as entries:
            names = [each.name for each in entries if each.is_dir(follow_symlinks=False) and each.name[0] != "."]
        names = [name for name in names if name.encode(errors="ignore").decode() == name]  # (pages are Unicode)
    except OSError:
        return []
    return [folder / name for name in sorted(names)]


def _time_of_change(folder: Path) -> float:
    try:
        return folder.stat().st_mtime
    except OSError:
        return 0.0


@dataclass(frozen=True)
class ShownContest:
    """A contest that the learner of a run plays against itself, to be looked at while it is trained."""

    game: Game
    trained: int  # the number of contests that it had been trained with
    positions: tuple[tuple[Position, Position | None], ...]  # all positions, each with the one before its last turn


class WatchedRuns:
    """The runs and leagues below a folder."""

    def __init__(self, root: Path) -> None:
        self.folders = Folders(root)
        self._readers = Kept[Path, RunLogReader](_MOST_KEPT)
        self._shown = Kept[Path, ShownContest](_MOST_KEPT)
        self._leagues = Kept[tuple[Path, object], LeagueResults](_MOST_KEPT)

    def charts(self, folder: Path, wanted: Sequence[str], contests: int) -> RunCharts:
        """Return the charts of a run, of which those are shown that are wanted; without any, the most telling ones.

        The axis of contests reaches to ``contests`` at least.

        Raises:
            BadInputError: If the log is damaged.
        """
        reader = self._readers.pop(folder) or RunLogReader(folder)
        curves = reader.curves()
        groups = _grouped(curves)
        self._readers.put(folder, reader)
        chosen = set(wanted) & set(groups) or _usual(groups)
        shown = {
            name: _chart_of_curves(name, tags, curves, contests) for name, tags in groups.items() if name in chosen
        }
        return RunCharts({name: _title_of_chart(name) for name in groups}, shown)

    def league(self, folder: Path) -> LeagueResults:
        """Return the results of a league, read again if its files have changed.

        Raises:
            BadInputError: If a file is damaged, or there is no league.
        """
        return self._leagues.get_or_make((folder, state_of(folder)), lambda: read_results(folder))

    def shown(self, folder: Path, trained: int) -> ShownContest | None:
        """Return the contest that is shown of a run, if it is of a learner after some contests of training."""
        found = self._shown.get(folder)
        return found if found and found.trained == trained else None

    def show(self, folder: Path) -> ShownContest:
        """Let the learner of a run play itself, as its last checkpoint has it.

        Raises:
            BadInputError: If the folder holds no run, or something in it is damaged.
        """
        run = load_run(folder)
        player = run.learner.frozen()
        player.spec = run.config.learner
        record = play_contest(run.game, (player, player), (run.config.seed, run.contests))
        found = ShownContest(run.game, run.contests, tuple(with_last_moves(record.positions(run.game))))
        self._shown.put(folder, found)
        return found
