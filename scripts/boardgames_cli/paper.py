"""`boardgames paper`: the tables and figures of the papers, ours beside theirs."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from boardgames_cli.printing import console, print_json, print_report, print_table, progress, report_rows, table
from boardgames_cli.shared_options import Address, AsJson, Backend, Jobs, Seed, takes


@dataclass(frozen=True)
class PaperOptions:
    """The options of the command."""

    name: Annotated[str | None, typer.Argument(help="A paper; without one, they are listed.", metavar="PAPER")] = None
    table: Annotated[str | None, typer.Option(help="One of its experiments, such as table-2.")] = None
    runs: Annotated[int | None, typer.Option(help="Runs of each trial; by default as many as the paper's.")] = None
    seed: Seed = 0
    jobs: Jobs = 1
    backend: Backend = "joblib"
    address: Address = ""
    scale: Annotated[
        float, typer.Option(help="Factor on the length of learning, where it is ours to choose and not the paper's.")
    ] = 1.0
    quick: Annotated[bool, typer.Option(help="A quick look: two runs of each trial, and a tenth of that length.")] = (
        False
    )
    folder: Annotated[
        Path | None, typer.Option(help="Folder of the experiments; by default one under runs/papers.")
    ] = None
    publish: Annotated[Path | None, typer.Option(help="A documentation folder to write the tables to as well.")] = None
    as_json: AsJson = False
    listed: Annotated[bool, typer.Option("--list", help="List the papers and their experiments.")] = False


@takes(PaperOptions)
def paper(options: PaperOptions) -> None:
    """Run a paper's experiments; the same command again resumes those that were stopped."""
    from boardgames_agents.experiments.report import log_to_tensorboard, write_report
    from boardgames_agents.experiments.runner import QUICK_RUNS, QUICK_SCALE, Runner, RunnerOptions, Workers
    from boardgames_baselines.papers.experiment import experiments_of
    from boardgames_env.errors import BadInputError

    name = options.name
    if options.listed or name is None:
        _list_papers(options.as_json)
        return
    experiments = experiments_of(name, options.table)
    place = options.folder or Path("runs") / "papers" / name
    workers = Workers(options.jobs, options.backend, options.address)
    if options.quick and (options.runs or options.scale != 1 or options.publish):
        raise BadInputError("--quick is not for --runs, --scale and --publish; leave it, or those, out")
    runs, scale = (QUICK_RUNS, QUICK_SCALE) if options.quick else (options.runs, options.scale)
    runner = Runner(place, RunnerOptions(runs, options.seed, workers, scale), partial(progress, unit=" runs"))
    if runner.ignored and not options.as_json:
        console.print(
            f"{place} also holds results of another version of the program ({runner.ignored:,}), which are not used",
            soft_wrap=True,
        )
    rows: list[dict[str, Any]] = []
    for experiment in experiments:
        report = experiment.run(runner)
        rows.extend({"experiment": experiment.name, **row} for row in report_rows(report))
        if not options.as_json:
            print_report(report)
        write_report(report, experiment.name, place)
        log_to_tensorboard(report, place / "tensorboard" / experiment.name)
        if options.publish:
            write_report(report, f"{name}-{experiment.name}", options.publish, documentation=True)
    if options.as_json:
        print_json(rows)
        return
    console.print(f"tables, figures and curves are in {place}", soft_wrap=True)


def _list_papers(as_json: bool) -> None:
    from boardgames_baselines.papers.experiment import registered_papers

    rows = [
        (paper_name, each.name, each.summary)
        for paper_name, experiments in registered_papers().items()
        for each in experiments.values()
    ]
    if as_json:
        print_json(dict(zip(("paper", "table", "summary"), row, strict=True)) for row in rows)
        return
    print_table(table("Papers and their experiments", ("paper", "--table", "what it shows"), rows))
