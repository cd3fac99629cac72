"""`boardgames paper`: the tables and figures of the papers, ours beside theirs."""

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from boardgames_cli.dataclass_options import takes
from boardgames_cli.printing import console, print_json, print_report, print_table, progress, status
from boardgames_cli.shared_options import AsJson

if TYPE_CHECKING:
    from boardgames_agents.experiments.runner import RunnerOptions


@takes("boardgames_agents.experiments.runner:RunnerOptions")
def paper(
    options: "RunnerOptions",
    name: Annotated[str | None, typer.Argument(help="A paper; without one, they are listed.", metavar="PAPER")] = None,
    experiment: Annotated[str | None, typer.Option("--table", help="One of its experiments, such as table-2.")] = None,
    quick: Annotated[bool, typer.Option(help="A quick look: two runs of each trial, and a tenth of that length.")] = (
        False
    ),
    folder: Annotated[
        Path | None, typer.Option(help="Folder of the experiments; by default one under runs/papers.")
    ] = None,
    publish: Annotated[Path | None, typer.Option(help="A documentation folder to write the tables to as well.")] = None,
    as_json: AsJson = False,
    listed: Annotated[bool, typer.Option("--list", help="List the papers, or the experiments of one.")] = False,
) -> None:
    """Run a paper's experiments; the same command again resumes those that were stopped."""
    with status("Starting"):  # (importing the experiments of all papers takes seconds)
        from boardgames_agents.experiments.report import log_to_tensorboard, write_report
        from boardgames_agents.experiments.runner import QUICK_RUNS, QUICK_SCALE, Runner
        from boardgames_baselines.papers.experiment import experiments_of, registered_papers
        from boardgames_env.errors import BadInputError
        from boardgames_env.files import demand_folder

        registered_papers()
    if listed or name is None:
        _list_papers(name, as_json)
        return
    experiments = experiments_of(name, experiment)
    place = folder or Path("runs") / "papers" / name
    if quick:
        if options.runs or options.scale != 1 or publish:
            raise BadInputError("--quick is not for --runs, --scale and --publish; leave it, or those, out")
        options = replace(options, runs=QUICK_RUNS, scale=QUICK_SCALE)
    demand_folder(place)
    with status("Starting"):
        runner = Runner(place, options, partial(progress, unit=" runs"))
    if runner.ignored and not as_json:
        console.print(
            f"{place} also holds results of another version of the program ({runner.ignored:,}), which are not used",
            soft_wrap=True,
        )
    rows: list[dict[str, Any]] = []
    for each in experiments:
        report = each.run(runner)
        rows.extend({"experiment": each.name, **row} for table in report.tables for row in table.as_dicts())
        if not as_json:
            print_report(report)
        write_report(report, each.name, place)
        log_to_tensorboard(report, place / "tensorboard" / each.name)
        if publish:
            write_report(report, f"{name}-{each.name}", publish, documentation=True)
    if as_json:
        print_json(rows)
        return
    console.print(f"tables, figures and curves are in {place}", soft_wrap=True)


def _list_papers(name: str | None, as_json: bool) -> None:
    """List all papers, or the experiments of one."""
    from boardgames_baselines.papers.experiment import experiments_of, registered_papers, title_of

    papers = {name: experiments_of(name)} if name else {each: experiments_of(each) for each in registered_papers()}
    if as_json:
        every = [each for experiments in papers.values() for each in experiments]
        print_json({"paper": each.paper, "table": each.name, "summary": each.summary} for each in every)
    elif name:
        rows = [(each.name, each.summary) for each in papers[name]]
        print_table(title_of(name), ("--table", "what it shows"), rows)
    else:
        named = {each: ", ".join(one.name for one in experiments) for each, experiments in papers.items()}
        rows = [(each, f"{title_of(each)}\n{experiments}") for each, experiments in named.items()]
        print_table("Papers", ("paper", "what it is, and its experiments"), rows)
        console.print("boardgames paper NAME --list says what each experiment of one shows")
