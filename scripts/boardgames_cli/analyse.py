"""`boardgames analyse`: equities of a backgammon position, play by play, or errors in a match."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from boardgames_cli.shared_options import AsJson, Dice, GameOption, With, takes


@dataclass(frozen=True)
class AnalyseArguments:
    """The options of the command."""

    what: Annotated[
        str,
        typer.Argument(
            help="A position ID, an XGID, or start for the initial position; or a match file (.mat).",
            metavar="POSITION|MATCHFILE",
        ),
    ]
    dice: Dice = None
    with_: With = "td_gammon"
    plies: Annotated[int, typer.Option(help="Plies to look ahead.")] = 3
    candidates: Annotated[int, typer.Option(help="Number of plays that are searched to this depth and listed.")] = 8
    game: GameOption = None
    doubling: Annotated[str, typer.Option(help="The doubling formula for a match.")] = "janowski"
    worst: Annotated[int, typer.Option(help="Number of a match's worst errors to show with boards.", min=0)] = 0
    as_json: AsJson = False


@takes(AnalyseArguments)
def analyse(options: AnalyseArguments) -> None:
    """List the plays of a position with their equities, or the decisions of a match with their errors."""
    from boardgames_cli.analyse_match import analyse_match
    from boardgames_cli.analyse_position import analyse_position
    from boardgames_env import BadInputError

    path = Path(options.what)
    if path.suffix.lower() == ".mat" or path.is_file():
        if options.dice:
            raise BadInputError("--dice is for a position: a match file has the rolls")
        analyse_match(path, options)
        return
    if options.worst:
        raise BadInputError("--worst is for a match file: in a position there is one decision")
    analyse_position(options)
