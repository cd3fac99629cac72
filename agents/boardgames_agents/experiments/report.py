"""Reports of experiments on disk: Markdown, CSV, PNG and TensorBoard."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from os.path import relpath
from pathlib import Path

from boardgames_agents.experiments.table import Chart, HeatMap, Table, picture_of
from boardgames_agents.experiments.tensorboard_log import RunLog, folders_for, remove_logs
from boardgames_env.files import write_atomically

Points = Sequence[tuple[int, Mapping[str, float]]]
"""Values by name at steps."""


@dataclass(frozen=True)
class Report:
    """The results of an experiment.

    Attributes:
        notes: Notes to the reader, a sentence or two each.
        drawings: Drawings made of characters, by name.
        data: The figures behind the tables, one row each, for the CSV file.
        curves: Curves for TensorBoard by the name of their run, beside those of the charts.
    """

    tables: tuple[Table, ...] = ()
    charts: tuple[Chart | HeatMap, ...] = ()
    notes: tuple[str, ...] = ()
    drawings: Mapping[str, str] = field(default_factory=dict)
    data: Table | None = None
    curves: Mapping[str, Points] = field(default_factory=dict)


def write_report(report: Report, name: str, folder: Path, documentation: bool = False) -> list[Path]:
    """Write the tables, data and charts of a report into a folder, and return the files.

    In a documentation, whose pages include the tables, they are in ``papers/tables``, ``data/papers`` and
    ``images/papers``. The CSV holds no times, so it is the same whenever and in however many processes the jobs ran.
    """
    places = ("papers/tables", "data/papers", "images/papers") if documentation else ("", "", "")
    tables, data, images = (folder / place for place in places)
    pictures = {images / f"{name}-{number}.png": chart for number, chart in enumerate(report.charts, start=1)}
    files = {path: picture_of(chart) for path, chart in pictures.items()}
    shown = {Path(relpath(path, tables)).as_posix(): chart.title for path, chart in pictures.items()}
    files[tables / f"{name}.md"] = report_in_markdown(report, shown).encode()
    if report.data:
        files[data / f"{name}.csv"] = report.data.csv().encode()
    write_files(files)
    return sorted(files)


def write_files(files: Mapping[Path, bytes]) -> None:
    """Write files, each of them whole or not at all."""
    for path, content in files.items():
        write_atomically(path, content)


def report_in_markdown(report: Report, pictures: Mapping[str, str] | None = None) -> str:
    """Return the tables, pictures (titles by path), drawings and notes of a report."""
    parts = [table.markdown() for table in report.tables]
    parts += [f"![{title}]({path})" for path, title in (pictures or {}).items()]
    parts += [f"{name}:\n\n```text\n{drawing}\n```" for name, drawing in report.drawings.items()]
    parts += ["\n".join(f"* {note}" for note in report.notes)] if report.notes else []
    return "\n\n".join(parts) + "\n"


def log_to_tensorboard(report: Report, folder: Path) -> None:
    """Write the curves of a report for TensorBoard; the event files in the folder are replaced."""
    remove_logs(folder)
    places = folders_for(report.curves)
    for name, points in report.curves.items():
        _log_points(folder / places[name], points)
    charts = [chart for chart in report.charts if isinstance(chart, Chart)]
    places = folders_for(name for chart in charts for name in chart.curves)
    for chart in charts:
        for name, curve in chart.curves.items():
            _log_points(folder / "charts" / places[name], ((round(x), {chart.title: y}) for x, y in curve))


def _log_points(folder: Path, points: Iterable[tuple[int, Mapping[str, float]]]) -> None:
    with closing(RunLog(folder)) as log:
        for step, values in points:
            log.scalars(values, step)
