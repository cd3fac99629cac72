"""`boardgames replay` and `render`: a recorded contest at the terminal, and pictures of it."""

import io
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from boardgames_cli.contest_text import board_text, print_turn, result_text, say, sentence_of
from boardgames_cli.printing import console
from boardgames_cli.shared_options import After, ContestNumber, RecordedContest, recorded_contest

if TYPE_CHECKING:
    from boardgames_agents.people.session import PlaySession
    from boardgames_env import Position

_LAST = 2000
"""Milliseconds that a GIF shows its last position for."""

RecordFile = Annotated[
    Path,
    typer.Argument(help="A record of contests (.json), which match, play, league and export write.", metavar="FILE"),
]


def replay(file: RecordFile, contest: ContestNumber = 1) -> None:
    """Play a recorded contest again, turn by turn: Enter goes on, b goes back, q leaves."""
    from boardgames_agents.people.session import PlaySession

    found = recorded_contest(file, contest)
    game, record = found.game, found.record
    session = PlaySession.of_record(record, game, (None, None))
    names = [f"{player} ({man.name})" for player, man in zip(record.players, game.men, strict=True)]
    say(f"{game.spec}: {' v. '.join(names)}", "bold")
    steps = [*range(len(session.turns) + 1)]
    if sys.stdin.isatty():
        _step_through(session, found, names, contest)
        return
    for step in steps:
        _print_step(session, step)
    _print_end(session, found, names, contest)


def _step_through(session: "PlaySession", found: RecordedContest, names: list[str], contest: int) -> None:
    last, step = len(session.turns), 0
    while True:
        _print_step(session, step)
        if step == last:
            _print_end(session, found, names, contest)
        try:
            answer = input(f"[{step} of {last}] Enter: next, b: back, q: leave > ").strip().lower()
        except (EOFError, KeyboardInterrupt):
            console.print()
            return
        if answer in ("q", "quit"):
            return
        if answer == "b":
            step = max(0, step - 1)
        elif step == last:
            return
        else:
            step += 1


def _print_step(session: "PlaySession", step: int) -> None:
    """Print the turn of a step and the position after it; step 0 is the initial position."""
    from boardgames_agents.people.endings import ending_of

    turns = session.turns
    if step == 0:
        console.print(board_text(session.game.initial), soft_wrap=True)
        return
    turn = turns[step - 1]
    print_turn(turn)
    is_last = step == len(turns)
    ending = ending_of(session) if is_last else None
    reached = turn.after
    console.print(board_text(reached, turn.before, ending.line if ending else ()), soft_wrap=True)


def _print_end(session: "PlaySession", found: RecordedContest, names: list[str], contest: int) -> None:
    from boardgames_agents.people.endings import ending_of

    record, ending = found.record, ending_of(session)
    if ending:
        say(sentence_of(ending))
    result = result_text(record.outcome, record.cut, names) if ending else "not played to its end"
    say(result, "bold")
    say(f"{record.plies} plies; contest {contest} of {found.contests:,}; seed {[*record.seed]}")


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
