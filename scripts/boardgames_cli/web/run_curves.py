"""The curves of runs as charts."""

import re
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from boardgames_agents.experiments.run_log import Curve, RunLogReader
from boardgames_agents.registry import registered_agents
from boardgames_agents.training.curves import CURVES, STATE
from boardgames_cli.web.chart import LineChart, line_chart
from boardgames_env.spec import Spec

_MOST_KEPT = 16
"""The number of runs whose curves are kept in memory, so that only what is new is read."""

_TOGETHER = ("power", "reliability")
"""The groups of curves that share an axis; every other curve has a chart of its own."""

_PERCENT = (0.0, 100.0)

_FIRST = "training/mean_points"
"""What the names of the curves begin with that are shown of runs without tests."""


@dataclass(frozen=True)
class RunCharts:
    """The charts of a run.

    Attributes:
        titles: The titles of all charts that there are, by their names.
        shown: Those that are shown, by their names.
    """

    titles: Mapping[str, str]
    shown: Mapping[str, LineChart]


class RunCurves:
    """The curves of runs, read from their logs."""

    def __init__(self) -> None:
        self._readers: OrderedDict[Path, RunLogReader] = OrderedDict()
        self._lock = Lock()

    def charts(self, folder: Path, wanted: Sequence[str], contests: int) -> RunCharts:
        """Return the charts of a run, of which those are shown that are wanted; without any, the most telling ones.

        The axis of contests reaches to ``contests`` at least.

        Raises:
            BadInputError: If the log is damaged.
        """
        with self._lock:
            reader = self._readers.pop(folder, None) or RunLogReader(folder)
            groups = _grouped(reader.curves())
            self._readers[folder] = reader
            if len(self._readers) > _MOST_KEPT:
                self._readers.popitem(last=False)
            chosen = set(wanted) & set(groups) or _usual(groups)
            shown = {name: _chart(name, group, contests) for name, group in groups.items() if name in chosen}
        return RunCharts({name: _title(name) for name in groups}, shown)


def formula_of(chart: str, learner: str) -> str:
    """Return the formula of the curves of a chart, as the package and the agent declare it; empty if neither does."""
    entry = registered_agents().get(Spec.parse(learner).name)
    own = {f"{STATE}/{name}": formula for name, formula in (entry.curves if entry else {}).items()}
    tag = f"{chart}/any" if chart in _TOGETHER else chart
    for declared, formula in {**own, **CURVES}.items():
        pattern = re.sub(r"\\\{\w+\\\}", ".+", re.escape("_".join(declared.split())))
        if re.fullmatch(pattern, tag):
            return formula
    return ""


def _grouped(curves: Mapping[str, Curve]) -> dict[str, dict[str, Curve]]:
    """Return the curves by their names in a chart, by the name of the chart."""
    groups: dict[str, dict[str, Curve]] = {}
    for tag in sorted(curves):
        group, _, name = tag.partition("/")
        groups.setdefault(group if group in _TOGETHER else tag, {})[_plain(name)] = curves[tag]
    return groups


def _chart(name: str, curves: Mapping[str, Curve], contests: int) -> LineChart:
    points = {key: (each.steps, each.values) for key, each in curves.items()}
    return line_chart(_title(name), "contests", points, contests, _PERCENT if name in _TOGETHER else ())


def _usual(charts: Mapping[str, object]) -> set[str]:
    """Return the names of the charts that are shown first."""
    found = {name for name in charts if name in _TOGETHER} or {name for name in charts if name.startswith(_FIRST)}
    return found or set(list(charts)[:1])


def _title(chart: str) -> str:
    if chart in _TOGETHER:
        return f"{chart.capitalize()} in tests, %"
    text = _plain(chart.partition("/")[2])
    return text[:1].upper() + text[1:]


def _plain(name: str) -> str:
    return name.replace("_", " ")
