"""Findings on disk: Markdown, CSV, PNG and TensorBoard."""

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import fmean
from typing import BinaryIO

from boardgames_agents.experiments.runner import Outcome
from boardgames_agents.training.run_log import RunLog, folders_for, remove_logs
from boardgames_baselines.papers.experiment import Cell, Chart, Findings, Table, text_of
from boardgames_env.files import write_atomically

_INCHES = (8.0, 5.0)
_DOTS = 110
_SCORE = ("wins", "draws", "losses")


@dataclass(frozen=True)
class Places:
    """Where they are written to.

    Attributes:
        tables: The folder of the Markdown.
        data: That of the CSV.
        images: That of the pictures.
        way: The way from the Markdown to the pictures.
    """

    tables: Path
    data: Path
    images: Path
    way: str

    @classmethod
    def in_run(cls, folder: Path) -> "Places":
        """All in an experiment's folder."""
        return cls(folder, folder, folder, ".")

    @classmethod
    def in_documentation(cls, folder: Path) -> "Places":
        """The documentation's folders; its pages include the tables."""
        return cls(
            folder / "papers" / "tables",
            folder / "data" / "papers",
            folder / "images" / "papers",
            "../../images/papers",
        )


def write(findings: Findings, name: str, places: Places) -> list[Path]:
    """Write an experiment's tables, runs and figures.

    The CSV holds no times, so it is the same whenever and in however many processes the runs were played.

    Args:
        findings: What has been found.
        name: What its files are called.
        places: Where they go.

    Returns:
        The files.
    """
    pictures = {f"{name}-{number}.png": chart for number, chart in enumerate(findings.charts, start=1)}
    files = {places.images / file: picture(chart) for file, chart in pictures.items()}
    shown = {f"{places.way}/{file}": chart.title for file, chart in pictures.items()}
    files[places.tables / f"{name}.md"] = markdown(findings, shown).encode()
    if findings.outcomes:
        files[places.data / f"{name}.csv"] = runs_as_csv(findings.outcomes).encode()
    elif findings.data:
        files[places.data / f"{name}.csv"] = table_as_csv(findings.data).encode()
    for path, content in files.items():
        write_atomically(path, partial(_put, content))
    return sorted(files)


def _put(content: bytes, file: BinaryIO) -> None:
    file.write(content)


def markdown(findings: Findings, pictures: Mapping[str, str]) -> str:
    """Tables, pictures (paths and what they show), drawings and notes, as a page includes them."""
    parts = [_markdown_table(table) for table in findings.tables]
    parts += [f"![{title}]({path})" for path, title in pictures.items()]
    parts += [f"{name}:\n\n```text\n{drawing}\n```" for name, drawing in findings.drawings.items()]
    parts += ["\n".join(f"* {note}" for note in findings.notes)] if findings.notes else []
    return "\n\n".join(parts) + "\n"


def _markdown_table(table: Table) -> str:
    alignment = ["---", *["---:"] * (len(table.headings) - 1)]
    rows = [[_escaped(cell) for cell in row] for row in table.rows]
    lines = [[_escaped(each) for each in table.headings], alignment, *rows]
    return "\n".join([f"**{table.title}**", "", *("| " + " | ".join(line) + " |" for line in lines)])


def _escaped(cell: Cell) -> str:
    return text_of(cell).replace("|", "\\|").replace("\n", " ")


def runs_as_csv(outcomes: Mapping[str, Outcome]) -> str:
    """A line for each run: what it was, how learning went, and how it did against each challenger."""
    challengers = list(dict.fromkeys(name for each in outcomes.values() for name, _ in each.trial.challengers))
    heading = ["trial", "game", "learner", "trainer", "run", "contests", "lessons", "met", "space", "unseen"]
    heading += [f"{challenger} {what}" for challenger in challengers for what in _SCORE]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(heading)
    for name, outcome in outcomes.items():
        writer.writerows([name, *row] for row in _rows(outcome, challengers))
    return text.getvalue()


def table_as_csv(table: Table) -> str:
    """A table's headings and rows."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([table.headings, *table.rows])
    return text.getvalue()


def _rows(outcome: Outcome, challengers: list[str]) -> Iterator[list[object]]:
    trial = outcome.trial
    for number, run in enumerate(outcome.runs):
        row: list[object] = [trial.game, trial.learner, trial.trainer, number, run.contests, run.lessons, int(run.met)]
        row += [run.measures.get(measure, "") for measure in ("space", "unseen")]
        for challenger in challengers:
            score = run.scores.get(challenger)
            row += [getattr(score, what) if score else "" for what in _SCORE]
        yield row


def picture(chart: Chart) -> bytes:
    """A chart as PNG."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=_INCHES, dpi=_DOTS, layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    colors = {}
    for name, points in chart.curves.items():
        xs, ys = zip(*points, strict=True)
        (line,) = axes.plot(xs, ys, marker="." if len(points) < 60 else "", label=name)
        colors[name] = line.get_color()
        if name in chart.emphasized:
            x = chart.emphasized[name]
            axes.plot([x], [dict(points)[x]], "o", color=colors[name])
    for name, points in chart.printed.items():
        xs, ys = zip(*points, strict=True)
        axes.plot(xs, ys, "x", color=colors.get(name), label=f"{name} (paper)")
    right = max(x for points in chart.curves.values() for x, _ in points) * 1.05
    for name, value in chart.points.items():
        axes.plot([right], [value], "o", fillstyle="none", color=colors.get(name))
    for name, value in chart.bounds.items():
        axes.axhline(value, color=colors.get(name), linewidth=0.8, linestyle=":")
    axes.set(xlabel=chart.x, ylabel=chart.y, title=chart.title)
    if chart.logarithmic:
        axes.set_xscale("log")
    axes.grid(alpha=0.3)
    axes.legend(fontsize="small")
    png = io.BytesIO()
    figure.savefig(png, format="png", metadata={"Software": None})
    return png.getvalue()


def log_to_tensorboard(findings: Findings, folder: Path) -> None:
    """Curves for TensorBoard, an event folder for each trial and for each curve of a chart.

    A trial's curves: power, reliability, contests and space by run, and the share of the runs that were up to the
    standard in each contest of the learning phase.

    Args:
        findings: What has been found.
        folder: Where the folders go; what an earlier call has left there is replaced.
    """
    remove_logs(folder)
    places = folders_for(findings.outcomes)
    for name, outcome in findings.outcomes.items():
        _log(folder / places[name], _points_of(outcome))
    places = folders_for(name for chart in findings.charts for name in chart.curves)
    for chart in findings.charts:
        for name, points in chart.curves.items():
            curve = ((round(x), {chart.title: y}) for x, y in points)
            _log(folder / "charts" / places[name], curve)


def _points_of(outcome: Outcome) -> Iterator[tuple[int, dict[str, float]]]:
    for number, run in enumerate(outcome.runs):
        values: dict[str, float] = {"run/contests": run.contests}
        values.update({f"run/{name}": run.measures[name] for name in ("space",) if name in run.measures})
        for challenger, score in run.scores.items():
            values[f"power/{challenger}"] = score.power
            values[f"reliability/{challenger}"] = score.reliability
        yield number, values
    for contest in range(max(run.contests for run in outcome.runs)):
        letters = [run.course[contest] for run in outcome.runs if contest < run.contests]
        if played := [letter in "WDd" for letter in letters if letter != "-"]:
            yield contest + 1, {"learning/up to the standard %": 100 * fmean(played)}


def _log(folder: Path, points: Iterator[tuple[int, dict[str, float]]]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    log = RunLog(folder)
    try:
        for step, values in points:
            log.scalars(values, step)
    finally:
        log.close()
