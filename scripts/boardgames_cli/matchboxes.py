"""`boardgames matchboxes`: sheets to print with the boxes of MENACE for a small game, and instructions for a class."""

from pathlib import Path
from typing import Annotated

import typer

from boardgames_cli.printing import console
from boardgames_cli.shared_options import GameArgument, Paper


def matchboxes(
    game: GameArgument,
    file: Annotated[
        Path, typer.Argument(help="The file to write: .pdf, or .svg, of which each sheet is one.", metavar="FILE")
    ],
    paper: Annotated[Paper, typer.Option(help="The size of the sheets.")] = "a4",
) -> None:
    """Write sheets of the matchboxes of MENACE, to be cut out and filled with beads, and instructions for a class."""
    from boardgames_agents.policy.explanation import counted
    from boardgames_cli.matchbox_sheets import boxes_of, pdf_of, sheets, svg_of
    from boardgames_env import BadInputError, make_game
    from boardgames_env.files import write_atomically

    made = make_game(game)
    if file.suffix.lower() not in (".pdf", ".svg"):
        raise BadInputError(f"{file} is not allowed; the name of the sheets ends in .pdf or .svg")
    boxes = boxes_of(made)
    pages = list(sheets(made, boxes, paper))
    if file.suffix.lower() == ".pdf":
        write_atomically(file, pdf_of(pages, paper))
        written = str(file)
    else:
        names = [file.with_name(f"{file.stem}-{number}{file.suffix}") for number in range(1, len(pages) + 1)]
        for name, shapes in zip(names, pages, strict=True):
            write_atomically(name, svg_of(shapes, paper).encode())
        written = f"{names[0]} to {names[-1].name}"
    console.print(
        f"{counted(len(boxes), 'matchbox')} of {made.spec} on {counted(len(pages), 'sheet')}: {written}", soft_wrap=True
    )
