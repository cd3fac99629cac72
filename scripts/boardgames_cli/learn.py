"""`boardgames learn`: a person is taught at the terminal."""

import secrets
from pathlib import Path
from typing import Annotated

import typer

from boardgames_cli.play import show_solving, until_one_leaves
from boardgames_cli.printing import status
from boardgames_cli.shared_options import GameArgument


def learn(
    game: GameArgument,
    trainer: Annotated[
        str, typer.Option(help="A trainer, such as 2&7, or an agent; by default one that leads you to your errors.")
    ] = "",
    name: Annotated[str, typer.Option(help="Your name; what you play is kept under it.")] = "me",
    folder: Annotated[
        Path | None, typer.Option(help="Folder of the profiles; by default the one of boardgames web.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(help="Random seed of the first contest; by default a random one.", min=0)
    ] = None,
) -> None:
    """Be taught at the terminal: a trainer sets your contests, and you read what went wrong."""
    with status("Starting"):  # (importing takes seconds on a slow machine)
        from boardgames_agents.people.course import suggestions
        from boardgames_agents.people.pupil_file import PupilFiles
        from boardgames_agents.training.trainers import trainer_spec
        from boardgames_cli.learn_at_terminal import LearnAtTerminal
        from boardgames_env import make_game
        from boardgames_env.files import data_root

        made = make_game(game)
    show_solving(made)
    chosen = str(trainer_spec(trainer)) if trainer else suggestions(made)[0].trainer
    files = PupilFiles(folder or data_root() / "pupils")
    first = secrets.randbelow(2**31) if seed is None else seed
    with until_one_leaves():
        LearnAtTerminal(made, files, name, chosen, first).play()
