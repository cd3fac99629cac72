"""``python -m networks``: the commands that make the networks of the package."""

from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from boardgames_agents.alpha_zero.network import PolicyNetwork
from boardgames_agents.alpha_zero.player import STRONGER_THAN, last_network
from boardgames_agents.experiments.runner import Workers
from boardgames_cli.dataclass_options import add_command, takes
from boardgames_cli.improve import print_iterations
from boardgames_cli.main import run_program
from boardgames_cli.printing import progress
from boardgames_cli.shared_options import AsJson
from boardgames_env.array_file import read_arrays, write_arrays
from boardgames_env.errors import BadInputError
from boardgames_env.spec import underscored
from networks.improvement import WorkshopConfig, WorkshopImprovement
from networks.race_network import race_network


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
    """Improve a network by expert iteration, with options that only the package's networks needed.

    The same command again resumes it.
    """
    if not minutes >= 0:
        raise BadInputError(f"minutes={minutes} is not allowed; it must be at least 0")
    names = ("game", "network", "joined", "inputs", "filtering")
    specs: dict[str, Any] = {name: underscored(getattr(config, name)) for name in names}
    print_iterations(WorkshopImprovement(run, replace(config, **specs), workers, progress), as_json, minutes)


def half(
    network: Annotated[Path, typer.Argument(help="The network, or the folder of its improvement.")],
    to: Annotated[Path, typer.Argument(help="The file to be written.")],
    stronger_than: Annotated[str, typer.Option(help="The search that it beats, if it is to play on the page.")] = "",
) -> None:
    """Write a network of alpha_zero with weights in half precision: half the size, for the package."""
    arrays, data = read_arrays(last_network(network), PolicyNetwork.kind)
    if stronger_than:
        data["about"] = {**data["about"], STRONGER_THAN: stronger_than}
    write_arrays(to, {name: each.astype(np.float16) for name, each in arrays.items()}, data)


app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
for command in (race_network, improve, half):
    add_command(app, command, "Commands")

if __name__ == "__main__":
    run_program(typer.main.get_command(app), "python -m networks")
