"""`boardgames paper`: the tables and figures of the papers, ours beside theirs."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from boardgames_cli.matches import Jobs, Seed
from boardgames_cli.printing import Bar, console, print_wide, progress, table
from boardgames_cli.sweeps import Address, Backend, workers_of

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from boardgames_agents.experiments.report import Report


def paper(
    name: Annotated[str | None, typer.Argument(help="A paper; without one, they are listed.", metavar="PAPER")] = None,
    only: Annotated[str | None, typer.Option("--table", help="One of its experiments, such as table-2.")] = None,
    runs: Annotated[int | None, typer.Option(help="Runs of each trial; by default as many as the paper's.")] = None,
    seed: Seed = 0,
    jobs: Jobs = 1,
    backend: Backend = "joblib",
    address: Address = "",
    scale: Annotated[
        float, typer.Option(help="Factor on the length of learning, where it is ours and not a paper's.")
    ] = 1.0,
    folder: Annotated[
        Path | None, typer.Option(help="The experiments' folder; by default one under runs/papers.")
    ] = None,
    publish: Annotated[Path | None, typer.Option(help="A documentation folder to write the tables to as well.")] = None,
    listed: Annotated[bool, typer.Option("--list", help="List the papers and their experiments.")] = False,
) -> None:
    """Run a paper's experiments; the same command again goes on where the last one was stopped."""
    from boardgames_agents.experiments.report import Places, log_to_tensorboard, write_report
    from boardgames_agents.experiments.runner import Runner, RunnerOptions
    from boardgames_baselines.papers.experiment import experiments_of

    if listed or name is None:
        _list_papers()
        return
    experiments = experiments_of(name, only)
    place = folder or Path("runs") / "papers" / name
    runner = Runner(place, RunnerOptions(runs, seed, workers_of(jobs, backend, address), scale), _progress)
    if runner.ignored:
        console.print(
            f"{place} also holds {runner.ignored:,} results of another version of the program, which are not used",
            soft_wrap=True,
            highlight=False,
        )
    for experiment in experiments:
        report = experiment.run(runner)
        _print(report)
        write_report(report, experiment.name, Places.in_run(place))
        log_to_tensorboard(report, place / "tensorboard" / experiment.name)
        if publish:
            write_report(report, f"{name}-{experiment.name}", Places.in_documentation(publish))
    console.print(f"tables, figures and curves are in {place}", soft_wrap=True, highlight=False)


def _list_papers() -> None:
    from boardgames_baselines.papers.experiment import registered_papers

    rows = table("Papers and their experiments", "paper", "--table", "what it shows")
    for paper_name, experiments in registered_papers().items():
        for experiment in experiments.values():
            rows.add_row(paper_name, experiment.name, experiment.summary)
    print_wide(rows)


def _progress(what: str, total: int) -> "AbstractContextManager[Bar]":
    return progress(what, total, " runs")


def _print(report: "Report") -> None:
    from boardgames_agents.experiments.table import text_of

    for each in report.tables:
        rows = table(each.title, *each.headings)
        for row in each.rows:
            rows.add_row(*map(text_of, row))
        print_wide(rows)
    for name, drawing in report.drawings.items():
        console.print(f"{name}:\n{drawing}\n", highlight=False)
    for note in report.notes:
        console.print(note, highlight=False)


COMMANDS = (paper,)
