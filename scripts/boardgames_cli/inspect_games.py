"""`boardgames games`, `agents` and `show`: what there is."""

from typing import Annotated

import typer

from boardgames_cli.printing import console, table

GameArgument = Annotated[str, typer.Argument(help="A game, such as achi or 'achi(adjacent=True)'.", metavar="GAME")]


def games() -> None:
    """List the games."""
    from importlib.metadata import entry_points

    from boardgames_env import make_game, registered_games
    from boardgames_env.games import GAMES

    rows = table("The games", "name", "actions", "value", "what it is and its options", right=("actions",))
    values = {1: "first wins", 0: "draw", -1: "second wins", None: "not known"}
    for entry in registered_games().values():
        game = make_game(entry.name)
        options = ", ".join(map(str, entry.options.values()))
        what = entry.summary.partition(": ")[2] or entry.summary
        if entry.also_called:
            what = f"{what} (also called {', '.join(entry.also_called)})"
        rows.add_row(entry.name, str(game.num_actions), values[game.value], f"{what}\n{options}".strip())
    console.print(rows)
    others = sorted(set(entry_points(group=GAMES).names) - set(registered_games()))
    if others:
        console.print(f"brought by packages, when they are asked for: {', '.join(others)}", highlight=False)


def agents() -> None:
    """List the agents."""
    from boardgames_agents.registry import registered_agents

    rows = table("The agents", "name", "what it does and its options")
    for entry in registered_agents().values():
        options = ", ".join(map(str, entry.options.values()))
        rows.add_row(entry.name, f"{entry.summary}\n{options}".strip())
    console.print(rows)


def show(game: GameArgument) -> None:
    """Draw a game's board and print its page."""
    from rich.markdown import Markdown

    from boardgames_env import make_game, registered_games

    made = make_game(game)
    console.print(Markdown(registered_games()[made.name].page))
    console.print(made.initial.text, markup=False, highlight=False)


COMMANDS = (games, agents, show)
