"""`boardgames dataset`: positions of a solved game with the value of every move, as a Parquet file."""

from pathlib import Path
from typing import Annotated

import typer

from boardgames_cli.printing import console, progress
from boardgames_cli.shared_options import GameArgument


def dataset(
    game: GameArgument,
    file: Annotated[
        Path, typer.Argument(help="The Parquet file to write; one that is there is replaced.", metavar="FILE")
    ],
    positions: Annotated[int, typer.Option(help="Positions to draw; 0 for all of a small game.", min=0)] = 0,
    prompt: Annotated[bool, typer.Option("--prompt", help="Add what a language model is asked, as a column.")] = False,
    test: Annotated[float, typer.Option(help="The share of positions whose split is test.")] = 0.0,
    seed: Annotated[int, typer.Option(help="The seed that draws positions and the split.")] = 0,
) -> None:
    """Write positions of a solved game, with legal moves, their values and the best moves, to a Parquet file."""
    from boardgames_agents.people.language.dataset import write_dataset
    from boardgames_agents.people.language.prompt import PromptForm
    from boardgames_agents.policy.explanation import counted
    from boardgames_env import make_game

    made = make_game(game)
    with progress("positions", positions or None, " positions") as bar:
        count = write_dataset(made, file, positions, seed, test, PromptForm() if prompt else None, bar.step)
    fewer = f" (fewer than the {positions:,} asked for)" if count < positions else ""
    console.print(f"{counted(count, 'position')} of {made.spec}{fewer}: {file}", soft_wrap=True)
