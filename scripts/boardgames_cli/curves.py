"""`boardgames curves`: a curve of one run or several, as a table, a CSV file or a picture."""

import csv
import io
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from boardgames_cli.printing import console, print_table, table
from boardgames_cli.shared_options import takes

if TYPE_CHECKING:
    from boardgames_agents.experiments.run_log import Curve

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


@takes(CurvesOptions)
def curves(options: CurvesOptions) -> None:
    """Compare a curve of several runs: print it, write it as CSV, or draw it."""
    from boardgames_agents.experiments.run_log import RunLogReader
    from boardgames_agents.training.run import holds_run
    from boardgames_env.errors import BadInputError, one_of
    from boardgames_env.files import demand_writable, write_atomically

    if options.out and options.out.suffix not in (".csv", ".png"):
        raise BadInputError(f"{options.out} is not allowed; the name ends in .csv or .png")
    if options.out and not options.curve:
        raise BadInputError("--out writes one curve; name it with --curve")
    for run in options.runs:
        if not holds_run(run):
            raise BadInputError(f"{run} holds no run; give folders that boardgames train has made")
    logs = {run: RunLogReader(run).curves() for run in options.runs}
    if not options.curve:
        console.print("\n".join(sorted({tag for log in logs.values() for tag in log})))
        return
    for run, log in logs.items():
        if options.curve not in log:
            raise BadInputError(f"{run} has no curve {options.curve}; it has {one_of(sorted(log))}")
    names = _names(options.runs)
    found = {names[run]: _points(log[options.curve], options.first) for run, log in logs.items()}
    if not any(found.values()):
        raise BadInputError(f"--first {options.first} leaves no point of {options.curve}")
    if not options.out:
        rows = [(f"{step:,}", *(_text(value) for value in values)) for step, values in _rows(found)]
        print_table(table(options.curve, ("contests", *found), rows, right=("contests", *found)))
        return
    demand_writable(options.out)
    content = _csv(found) if options.out.suffix == ".csv" else _picture(options.curve, found)
    write_atomically(options.out, content)
    console.print(f"{options.out} shows {options.curve} of {', '.join(found)}", soft_wrap=True)


def _points(curve: "Curve", first: int) -> Points:
    return {step: value for step, value in zip(curve.steps, curve.values, strict=True) if step >= first}


def _names(runs: Sequence[Path]) -> dict[Path, str]:
    """Return the name of each run: that of its folder, or the whole path if several folders have that name."""
    times = Counter(run.resolve().name for run in runs)
    return {run: run.resolve().name if times[run.resolve().name] == 1 else str(run) for run in runs}


def _rows(found: Mapping[str, Points]) -> list[tuple[int, list[float | None]]]:
    """Return each number of contests at which a run has a point, with the value of every run that has one there."""
    steps = sorted({step for points in found.values() for step in points})
    return [(step, [points.get(step) for points in found.values()]) for step in steps]


def _text(value: float | None) -> str:
    return "" if value is None else f"{value:.4g}"


def _csv(found: Mapping[str, Points]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["contests", *found])
    writer.writerows([step, *map(_text, values)] for step, values in _rows(found))
    return text.getvalue().encode()


def _picture(tag: str, found: Mapping[str, Points]) -> bytes:
    from boardgames_agents.experiments.table import Chart, picture_of

    lines = {name: list(points.items()) for name, points in found.items() if points}
    return picture_of(Chart(tag, "contests", tag, lines))
