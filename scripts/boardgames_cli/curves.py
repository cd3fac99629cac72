"""`boardgames curves`: a curve of one run or several, as a table, a CSV file or a picture."""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from boardgames_cli.printing import console, show

if TYPE_CHECKING:
    from boardgames_agents.experiments.table import Table
    from boardgames_agents.experiments.tensorboard_log import Curve

Points = Mapping[int, float]
"""The values of a curve by the number of contests."""


@dataclass(frozen=True)
class CurvesOptions:
    """The options of the command."""

    runs: Annotated[list[Path], typer.Argument(help="The folders of the runs.", metavar="RUN...")]
    curve: Annotated[
        str | None, typer.Option(help="The tag of the curve; without one, the tags are listed.", metavar="TAG")
    ] = None
    first: Annotated[int, typer.Option(help="The number of contests from which points are shown.", min=0)] = 0
    out: Annotated[
        Path | None, typer.Option(help="The file to write: .csv, or .png for a picture.", metavar="FILE")
    ] = None


def curves(options: CurvesOptions) -> None:
    """Compare a curve of several runs: print it, write it as CSV, or draw it."""
    from boardgames_agents.experiments.table import Chart, picture_of
    from boardgames_env.errors import BadInputError
    from boardgames_env.files import demand_writable, write_atomically

    out, tag = options.out, options.curve
    if out and out.suffix not in (".csv", ".png"):
        raise BadInputError(f"{out} is not allowed; the name ends in .csv or .png")
    if not tag and (out or options.first):
        raise BadInputError(f"--{'out' if out else 'first'} is for one curve; name it with --curve")
    logs = _logs(options.runs)
    if not tag:
        console.print("\n".join(sorted({name for log in logs.values() for name in log})), soft_wrap=True)
        return
    found = _points_of_curves(logs, tag, options.first)
    bounds = _bounds_of_curves(logs, tag, found)
    if not out:
        show(_table_for_people(tag, found, bounds))
        return
    if out.suffix == ".csv":
        ends = {f"{name} {end}": each for name, pair in bounds.items() for end, each in zip(_ENDS, pair, strict=True)}
        content = _table_of_points(tag, {**found, **ends}).csv().encode()
    else:
        lines = {name: list(points.items()) for name, points in found.items() if points}
        bands = {name: (list(low.values()), list(high.values())) for name, (low, high) in bounds.items()}
        content = picture_of(Chart(tag, "contests", tag, lines, bands=bands))
    demand_writable(out)
    write_atomically(out, content)
    console.print(f"{out} shows {tag} of {', '.join(found)}", soft_wrap=True)


def _logs(runs: Sequence[Path]) -> "dict[str, Mapping[str, Curve]]":
    """Return the curves of each run, by its name: that of its folder, or the whole path if some have the same name."""
    from boardgames_agents.experiments.tensorboard_log import RunLogReader
    from boardgames_agents.training.run import holds_run, read_config
    from boardgames_env.errors import BadInputError

    folders = list({run.resolve(): run for run in runs}.values())
    names = [folder.resolve().name for folder in folders]
    if len(set(names)) < len(names):
        names = [str(folder.resolve()) for folder in folders]
    names = [os.fsencode(name).decode(errors="backslashreplace") for name in names]  # (files and pictures are Unicode)
    logs: dict[str, Mapping[str, Curve]] = {}
    for name, folder in zip(names, folders, strict=True):
        if not holds_run(folder):
            read_config(folder, imports=False)  # (which refuses it; a damaged configuration hides no curves)
        logs[name] = RunLogReader(folder).curves()
        if not logs[name]:
            raise BadInputError(f"{folder} has no curves yet; they are logged when the first contests have been played")
    return logs


def _points_of_curves(logs: "Mapping[str, Mapping[str, Curve]]", tag: str, first: int) -> dict[str, Points]:
    """Return the points of a curve in each log, from a number of contests on."""
    from boardgames_env.errors import BadInputError, one_of

    found: dict[str, Points] = {}
    for name, log in logs.items():
        if tag not in log:
            raise BadInputError(f"{name} has no curve {tag}; it has {one_of(sorted(log))}")
        curve = log[tag]
        found[name] = {step: value for step, value in zip(curve.steps, curve.values, strict=True) if step >= first}
    if not any(found.values()):
        raise BadInputError(f"--first {first} leaves no point of {tag}")
    return found


_ENDS = ("low", "high")


def _bounds_of_curves(
    logs: "Mapping[str, Mapping[str, Curve]]", tag: str, found: Mapping[str, Points]
) -> dict[str, tuple[Points, Points]]:
    """Return the 95 % intervals at the points of curves, of the runs that have logged them at all points."""
    from boardgames_agents.training.curves import bounds_of

    bounds: dict[str, tuple[Points, Points]] = {}
    for name, points in found.items():
        ends = [logs[name][each] for each in bounds_of(tag) if each in logs[name]]
        values = [dict(zip(end.steps, end.values, strict=True)) for end in ends]
        if points and len(values) == len(_ENDS) and all(points.keys() <= each.keys() for each in values):
            low, high = ({step: each[step] for step in points} for each in values)
            bounds[name] = low, high
    return bounds


def _table_for_people(tag: str, found: Mapping[str, Points], bounds: Mapping[str, tuple[Points, Points]]) -> "Table":
    """Return the points of curves, with their intervals where there are any."""
    from boardgames_agents.experiments.table import Table

    shown = {}
    for name, points in found.items():
        texts = {step: f"{value:.9g}" for step, value in points.items()}
        if name in bounds:
            low, high = bounds[name]
            texts = {step: f"{value:.4g} ({low[step]:.4g} to {high[step]:.4g})" for step, value in points.items()}
        shown[name] = texts
    steps = sorted({step for points in found.values() for step in points})
    rows = [(f"{step:,}", *(texts.get(step, "") for texts in shown.values())) for step in steps]
    return Table(tag, ("contests", *found), rows, names=0)


def _table_of_points(tag: str, found: Mapping[str, Points]) -> "Table":
    """Return a row for each number of contests at which a run has a point, with the values of all that have one."""
    from boardgames_agents.experiments.table import Table

    rows = []
    for step in sorted({step for points in found.values() for step in points}):
        # (curves are logged in single precision, which has 9 digits)
        values = (float(f"{points[step]:.9g}") if step in points else None for points in found.values())
        rows.append((step, *values))
    return Table(tag, ("contests", *found), rows)
