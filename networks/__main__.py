"""``python -m networks``: the commands that make the networks of the package."""

from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from boardgames_agents.alpha_zero.network import PolicyNetwork
from boardgames_agents.alpha_zero.player import STRONGER_THAN, last_network
from boardgames_cli.dataclass_options import add_command
from boardgames_cli.main import run_program
from boardgames_env.array_file import read_arrays, write_arrays
from networks.improve import improve
from networks.race_network import race_network


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
