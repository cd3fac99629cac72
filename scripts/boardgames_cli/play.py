"""`boardgames play`: contests with an agent at the terminal."""

import secrets
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Annotated

import typer

from boardgames_cli.printing import console, status
from boardgames_cli.shared_options import GameArgument, Save, demand_record_name

if TYPE_CHECKING:
    from boardgames_agents.policy import Policy
    from boardgames_cli.play_at_terminal import TerminalOpponent
    from boardgames_env import Game


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
    window: Annotated[bool, typer.Option("--window", hidden=True)] = False,
    save: Save = None,
) -> None:
    """Play a contest at the terminal, or watch one."""
    with status("Starting"):  # (importing takes seconds on a slow machine)
        from boardgames_cli.play_at_terminal import PlayAtTerminal
        from boardgames_env import BadInputError

    if window:
        raise BadInputError("there is no window any more; boardgames web plays by clicks")
    demand_record_name(save)
    if against and level:
        raise BadInputError(f"--level {level} is not allowed with --against {against}; give one of them")
    chosen = secrets.randbelow(2**31) if seed is None else seed
    opponent = set_up(game, against, level or "normal", watch, explain)
    contests = PlayAtTerminal(opponent, seat, chosen, explain, save)
    try:
        with until_one_leaves():
            if watch:
                contests.watch((1.0 if sys.stdin.isatty() else 0.0) if delay is None else delay)
            else:
                contests.play()
    finally:
        contests.write()


@contextmanager
def until_one_leaves() -> Iterator[None]:
    """Take Ctrl-C for leaving the contest."""
    from boardgames_agents.experts.human import HumanLeft

    try:
        yield
    except KeyboardInterrupt:
        print()
        raise HumanLeft from None


def set_up(game: str, against: str | None, level: str, watch: str | None, explain: bool) -> "TerminalOpponent":
    """Make the game and the agents; raise `BadInputError` if one cannot be made, or cannot explain its moves."""
    from boardgames_agents.lookahead.player import explainer_of
    from boardgames_agents.people.levels import level_of
    from boardgames_cli.play_at_terminal import TerminalOpponent
    from boardgames_env import BadInputError, make_game

    with status("Getting ready"):
        made = make_game(game)
    found = None
    if against is None:
        found = level_of(made, level)
        against = found.agent
    with status("Getting the agents ready"):
        policy, name, strength = _named_player(against, made)
        watched, watched_name, _ = _named_player(watch, made) if watch else (None, "", "")
    if watch and (policy is None or watched is None):
        raise BadInputError("people cannot be watched; play without --watch to play yourself")
    if explain and policy is not None:
        explainer_of(policy, made)  # (raises an error if it cannot)
    if found:
        name, strength = f"level {found.name}", f"played at the level {found.name}: {found.strength}"
    return TerminalOpponent(made, policy, name, strength, watched, watched_name)


def _named_player(spec: str, game: "Game") -> "tuple[Policy | None, str, str]":
    """Return an agent that plays, its name, and what it is in words; ``None`` for a person.

    A learner has learned nothing.
    """
    from boardgames_agents.policy import Learner
    from boardgames_agents.registry import demand_agent, make_agent, make_player
    from boardgames_env.spec import Spec

    policy = make_agent(spec, game)
    if policy.interactive:
        return None, policy.spec, "played by another person at this terminal"
    is_untrained = isinstance(policy, Learner)
    name = f"{policy.spec}, untrained" if is_untrained else policy.spec
    summary = demand_agent(Spec.parse(spec).name).summary.rstrip(".")
    if is_untrained:
        summary = "a learner that has learned nothing yet; boardgames train teaches it"
    return make_player(policy, game), name, f"played by {name}: {summary}"


def show_solving(game: "Game") -> None:
    """Solve a game that can be, and show how far it is."""
    from boardgames_env import BadInputError
    from boardgames_env.solve import solve

    if not console.is_terminal:
        return
    with suppress(BadInputError), console.status(f"Getting {game.spec} ready ...") as shown:

        def advance(done: int, total: int) -> None:
            share = f": {done / total:.0%}" if done < total else ""  # (of some games the total is not known before)
            shown.update(f"Solving {game.spec}, once{share} ...")

        solve(game, on_progress=advance)
