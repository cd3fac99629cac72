"""`boardgames play`: a contest at the terminal."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from boardgames_cli.explain import print_explanation
from boardgames_cli.printing import console
from boardgames_cli.shared_options import GameArgument, Save, demand_record_name

if TYPE_CHECKING:
    from boardgames_agents.policy import Policy
    from boardgames_env import Game, Position


def play(
    game: GameArgument,
    against: Annotated[
        str | None, typer.Option(help="The agent to play against; by default the strongest that needs no training.")
    ] = None,
    watch: Annotated[str | None, typer.Option(help="An agent that plays in your place, while you watch.")] = None,
    seat: Annotated[int, typer.Option(help="Your seat: 0 goes first.", min=0, max=1)] = 0,
    seed: Annotated[
        int | None, typer.Option(help="Random seed of the contest; by default a random one.", min=0)
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Explain the moves of the agent you play against.")
    ] = False,
    save: Save = None,
) -> None:
    """Play a contest at the terminal, or watch one."""
    import secrets

    from boardgames_agents.arena.contest import play_contest
    from boardgames_agents.experts.perfect import can_be_perfect
    from boardgames_agents.explanation import Explains
    from boardgames_agents.record import write_records
    from boardgames_agents.registry import make_agent
    from boardgames_env import BadInputError, make_game

    demand_record_name(save)
    made = make_game(game)
    if not against:
        against = "perfect" if can_be_perfect(made) else "alpha_beta" if made.heuristics else "mcts"
    own, other = make_agent(watch or "human", made), make_agent(against, made)
    if explain and not isinstance(other, Explains):
        raise BadInputError(f"{against} cannot explain its moves; --explain is for agents that can, such as hoyle")
    if watch:
        console.print(made.initial.text)
    watcher = announcer(made, None if watch else seat, {1 - seat: other} if explain else {})
    chosen = secrets.randbelow(2**31) if seed is None else seed
    record = play_contest(made, (own, other) if seat == 0 else (other, own), [chosen], watchers=[watcher])
    if save:
        write_records(save, [record])
    points = record.points_for(seat)
    own_name, other_name = made.men[seat].name, made.men[1 - seat].name
    won = f"{watch} ({own_name}) wins" if watch else f"you ({own_name}) win"
    lost = f"{against} ({other_name}) wins"
    console.print(won if points > 0 else lost if points < 0 else "a draw", style="bold")
    console.print(f"{record.plies} plies; seed {chosen}")


def announcer(game: "Game", human: int | None, explaining: "Mapping[int, Policy]") -> "Policy":
    """Return a watcher that prints what is rolled and played, and explanations of moves, by seat.

    The seat ``human`` is that of the person at the terminal, who is shown positions as they choose.
    """
    from boardgames_agents.explanation import Explains
    from boardgames_agents.policy import Policy
    from boardgames_env.render.layout import caption

    class Announcer(Policy):
        _reached = game.initial

        def choose(self, position: "Position") -> int:
            raise AssertionError("it only watches")

        def saw(self, position: "Position", action: int) -> None:
            if position != self._reached and position.seat != human:
                console.print(caption(position))
            man = position.game.men[position.seat].name
            console.print(f"{man} plays {position.game.action_text(action)}")
            agent = explaining.get(position.seat)
            if isinstance(agent, Explains):
                print_explanation(agent.explanation(position, action))
            self._reached = reached = position.after(action)
            if human is None or reached.is_over:
                console.print(reached.text)

    return Announcer()
