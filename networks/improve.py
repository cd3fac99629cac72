"""``python -m networks improve``: `boardgames improve` with all options of expert iteration."""

from pathlib import Path
from typing import Annotated

import typer

from boardgames_agents.experiments.runner import Workers
from boardgames_agents.improve.improvement_folder import ImprovementConfig
from boardgames_cli.dataclass_options import takes
from boardgames_cli.improve import improve as improve_in
from boardgames_cli.shared_options import AsJson


@takes(
    without=("block", "rolls_per_step"),
    game=typer.Argument(metavar="GAME"),
    network=typer.Argument(metavar="AGENT"),
    joined=typer.Option("--join"),
    filtering=typer.Option("--filter"),
    self_play=typer.Option(metavar="CONTESTS"),
)
def improve(
    config: ImprovementConfig,
    run: Annotated[Path, typer.Option(help="The folder of the networks and the examples.")],
    workers: Workers,
    as_json: AsJson = False,
) -> None:
    """Improve a network by expert iteration. The same command again resumes it."""
    improve_in(config, run, workers, as_json)
