"""`boardgames play`: a contest at the terminal."""

from pathlib import Path
from typing import Annotated

import typer

from boardgames_cli.shared_options import GameArgument, Save, demand_record_name


def play(
    game: GameArgument,
    against: Annotated[str | None, typer.Option(help="The agent to play against, instead of a level.")] = None,
    level: Annotated[
        str | None, typer.Option(help="easy, normal, hard or perfect, where it is known; by default normal.")
    ] = None,
    watch: Annotated[str | None, typer.Option(help="An agent that plays in your place, while you watch.")] = None,
    seat: Annotated[int, typer.Option(help="Your seat: 0 goes first.", min=0, max=1)] = 0,
    seed: Annotated[
        int | None, typer.Option(help="Random seed of the contest; by default a random one.", min=0)
    ] = None,
    delay: Annotated[
        float | None, typer.Option(help="Seconds between watched moves; by default 1 at a terminal.", min=0)
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Explain the moves of the agent you play against.")
    ] = False,
    window: Annotated[bool, typer.Option("--window", help="Play in a window, by clicks.")] = False,
    save: Save = None,
) -> None:
    """Play a contest at the terminal or in a window, or watch one."""
    import secrets
    import sys

    from boardgames_cli.play_setup import status

    with status("Starting"):  # (importing takes seconds on a slow machine)
        from boardgames_agents.experts.human import HumanLeft
        from boardgames_cli.play_at_terminal import PlayAtTerminal
        from boardgames_cli.play_setup import set_up
        from boardgames_env import BadInputError

    demand_record_name(save)
    if against and level:
        raise BadInputError(f"--level {level} is not allowed with --against {against}; give one of them")
    if window and watch:
        raise BadInputError("--window is not allowed with --watch; a watched contest is shown at the terminal")
    chosen = secrets.randbelow(2**31) if seed is None else seed
    opponent = set_up(game, against, level or "normal", watch, explain)
    contests = PlayAtTerminal(opponent, seat, chosen, explain, Path(save) if save else None)
    try:
        if window:
            from boardgames_cli.play_in_window import play_in_window

            play_in_window(contests)
        elif watch:
            contests.watch((1.0 if sys.stdin.isatty() else 0.0) if delay is None else delay)
        else:
            contests.play()
    except KeyboardInterrupt:
        print()
        raise HumanLeft from None
    finally:
        contests.write()
