"""``python -m networks``: the commands that make the networks of the package."""

import typer

from boardgames_cli.dataclass_options import add_command
from boardgames_cli.main import run_program
from networks.improve import improve
from networks.race_network import race_network

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)
for command in (race_network, improve):
    add_command(app, command, "Commands")

if __name__ == "__main__":
    run_program(typer.main.get_command(app), "python -m networks")
