"""`boardgames render`: pictures of a recorded contest."""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from boardgames_cli.printing import console
from boardgames_cli.shared_options import After, ContestNumber, RecordFile, recorded_contest

if TYPE_CHECKING:
    from boardgames_env import Position

_LAST = 2000
"""Milliseconds that a GIF shows its last position for."""


@dataclass(frozen=True)
class RenderArguments:
    """The options of the command."""

    file: RecordFile
    picture: Annotated[
        Path,
        typer.Argument(help="The picture to write: .png or .svg, or .gif for the whole contest.", metavar="PICTURE"),
    ]
    contest: ContestNumber = 1
    after: After = None
    size: Annotated[int, typer.Option(help="Side of the picture, in pixels.")] = 480
    labels: Annotated[bool, typer.Option(help="Show the labels of empty locations.")] = True
    fps: Annotated[float, typer.Option(help="Pictures a second in a GIF.", min=0.1, max=50)] = 2


def render(options: RenderArguments) -> None:
    """Draw a position of a recorded contest, or all of them, with the last move marked."""
    from boardgames_env import BadInputError
    from boardgames_env.contest import with_last_moves
    from boardgames_env.files import write_atomically
    from boardgames_env.render.svg import draw_svg

    kind = options.picture.suffix.lower()
    if kind not in (".png", ".svg", ".gif"):
        raise BadInputError(f"{options.picture} is not allowed; the name of a picture ends in .png, .svg or .gif")
    found = recorded_contest(options.file, options.contest)
    shown = list(with_last_moves(found.positions[: found.place(options.after) + 1]))
    if kind == ".svg":
        position, before = shown[-1]
        content = draw_svg(position, options.size, options.labels, before).encode()
    else:
        content = _pixels(shown if kind == ".gif" else shown[-1:], options)
    write_atomically(options.picture, content)
    console.print(f"{options.picture} shows contest {options.contest} of {found.contests:,}", soft_wrap=True)


def _pixels(shown: "Sequence[tuple[Position, Position | None]]", options: RenderArguments) -> bytes:
    """Return positions as the content of a PNG or GIF file."""
    from PIL import Image

    from boardgames_env.render.pixels import draw_pixels

    pictures = [
        Image.fromarray(draw_pixels(position, options.size, options.labels, before)) for position, before in shown
    ]
    written = io.BytesIO()
    if len(pictures) == 1:
        pictures[0].save(written, format=options.picture.suffix[1:])
    else:
        times = [round(1000 / options.fps)] * (len(pictures) - 1) + [_LAST]
        pictures[0].save(written, "gif", save_all=True, append_images=pictures[1:], duration=times, loop=0)
    return written.getvalue()
