"""`boardgames play`: a contest at the terminal."""

from typing import TYPE_CHECKING, Annotated

import typer

from boardgames_cli.explaining import print_explanation
from boardgames_cli.inspect_games import GameArgument
from boardgames_cli.printing import console

if TYPE_CHECKING:
    from boardgames_env import Game, Position


def play(
    game: GameArgument,
    against: Annotated[
        str | None, typer.Option(help="The agent to play against; by default the strongest that needs no training.")
    ] = None,
    watch: Annotated[str | None, typer.Option(help="An agent that plays in your place, while you watch.")] = None,
    seat: Annotated[int, typer.Option(help="Your seat: 0 goes first.", min=0, max=1)] = 0,
    seed: Annotated[int | None, typer.Option(help="Seed of the agents' chances; any by default.", min=0)] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="After each move of the agent you play against, tell why.")
    ] = False,
) -> None:
    """Play a contest at the terminal, or watch one."""
    import secrets

    from boardgames_agents.arena.contest import play_contest
    from boardgames_agents.explanation import Explains
    from boardgames_agents.policy import Policy
    from boardgames_agents.registry import make_agent
    from boardgames_env import BadInputError, make_game
    from boardgames_env.render.layout import caption

    made = make_game(game)

    class Announcer(Policy):
        """Says what is rolled and played."""

        def __init__(self) -> None:
            self._reached = made.initial

        def choose(self, position: "Position") -> int:
            raise AssertionError("it only watches")

        def saw(self, position: "Position", action: int) -> None:
            man = position.game.men[position.seat].name
            if position != self._reached and (watch or position.seat != seat):
                console.print(caption(position), highlight=False)
            console.print(f"{man} plays {position.game.action_text(action)}", highlight=False)
            if explain and isinstance(other, Explains) and position.seat != seat:
                print_explanation(other.explanation(position, action))
            self._reached = reached = position.after(action)
            if watch or reached.is_over:
                console.print(reached.text, markup=False, highlight=False)

    against = against or _strongest(made)
    mine, other = make_agent(watch or "human", made), make_agent(against, made)
    if explain and not isinstance(other, Explains):
        raise BadInputError(
            f"{against} cannot tell why it plays as it does; --explain is for agents that can, like hoyle"
        )
    if watch:
        console.print(made.initial.text, markup=False, highlight=False)
    chosen = secrets.randbelow(2**31) if seed is None else seed
    players = (mine, other) if seat == 0 else (other, mine)
    record = play_contest(made, players, [chosen], watchers=[Announcer()])
    points = record.points_for(seat)
    mine_name, other_name = made.men[seat].name, made.men[1 - seat].name
    i_win = f"{watch} ({mine_name}) wins" if watch else f"you ({mine_name}) win"
    it_wins = f"{against} ({other_name}) wins"
    console.print(i_win if points > 0 else it_wins if points < 0 else "a draw", style="bold", highlight=False)
    console.print(f"{record.plies} plies; seed {chosen}", highlight=False)


def _strongest(game: "Game") -> str:
    """The perfect player, or where there is none a searcher."""
    from boardgames_agents.experts.perfect import can_be_perfect

    return "perfect" if can_be_perfect(game) else "alpha_beta" if game.heuristics else "mcts"


COMMANDS = (play,)
