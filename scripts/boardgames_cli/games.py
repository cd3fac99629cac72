"""`boardgames games`, `agents` and `show`: lists of what there is, and a game's page."""

from boardgames_cli.printing import console, table
from boardgames_cli.shared_options import GameArgument


def games() -> None:
    """List the games."""
    from importlib.metadata import entry_points

    from boardgames_env import make_game, registered_games
    from boardgames_env.games import GAMES

    rows = table("The games", "name", "actions", "value", "description and options", right=("actions",))
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
        console.print(f"from installed packages: {', '.join(others)}", highlight=False)


def agents() -> None:
    """List the agents."""
    from boardgames_agents.registry import registered_agents

    rows = table("The agents", "name", "description and options")
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
