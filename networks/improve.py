"""``python -m networks improve``: `boardgames improve` with all options of expert iteration."""

from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Annotated, Any

import typer

from boardgames_agents.experiments.runner import Workers
from boardgames_cli.dataclass_options import takes
from boardgames_cli.improve import print_iterations
from boardgames_cli.printing import progress
from boardgames_cli.shared_options import AsJson
from boardgames_env.errors import BadInputError
from boardgames_env.spec import underscored
from networks.improvement import WorkshopConfig, WorkshopImprovement


@takes(
    without=("block", "rolls_per_step"),
    game=typer.Argument(metavar="GAME"),
    network=typer.Argument(metavar="AGENT"),
    joined=typer.Option("--join"),
    filtering=typer.Option("--filter"),
    self_play=typer.Option(metavar="CONTESTS"),
)
def improve(
    config: WorkshopConfig,
    run: Annotated[Path, typer.Option(help="The folder of the networks and the examples.")],
    workers: Workers,
    minutes: Annotated[float, typer.Option(help="Minutes after which no iteration is begun.")] = inf,
    as_json: AsJson = False,
) -> None:
    """Improve a network by expert iteration. The same command again resumes it."""
    if not minutes >= 0:
        raise BadInputError(f"minutes={minutes} is not allowed; it must be at least 0")
    names = ("game", "network", "joined", "inputs", "filtering")
    specs: dict[str, Any] = {name: underscored(getattr(config, name)) for name in names}
    print_iterations(WorkshopImprovement(run, replace(config, **specs), workers, progress), as_json, minutes)
