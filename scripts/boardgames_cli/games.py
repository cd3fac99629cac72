"""`boardgames games`, `agents`, `trainers` and `show`: lists of what there is, and a game's page."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from boardgames_cli.printing import console, table
from boardgames_cli.shared_options import GameArgument

if TYPE_CHECKING:
    from boardgames_env.spec import Entry


def games() -> None:
    """List the games."""
    from importlib.metadata import entry_points

    from boardgames_env import make_game, registered_games
    from boardgames_env.games import GAMES

    rows = []
    values = {1: "first wins", 0: "draw", -1: "second wins", None: "not known"}
    for entry in registered_games().values():
        game = make_game(entry.name)
        what = entry.summary.partition(": ")[2] or entry.summary
        if entry.also_called:
            what = f"{what} (also called {', '.join(entry.also_called)})"
        rows.append((entry.name, str(game.num_actions), values[game.value], _with_options(what, entry)))
    console.print(table("The games", ("name", "actions", "value", "description and options"), rows, right=["actions"]))
    others = sorted(set(entry_points(group=GAMES).names) - set(registered_games()))
    if others:
        console.print(f"from installed packages: {', '.join(others)}")


def agents() -> None:
    """List the agents."""
    from boardgames_agents.registry import registered_agents

    _print_entries("The agents", registered_agents())


def trainers() -> None:
    """List the trainers."""
    from boardgames_agents.training.trainers import registered_trainers

    _print_entries("The trainers, besides every agent as an opponent", registered_trainers())


def _print_entries(title: str, entries: "Mapping[str, Entry[Any]]") -> None:
    rows = [(name, _with_options(entry.summary, entry)) for name, entry in entries.items()]
    console.print(table(title, ("name", "description and options"), rows))


def _with_options(text: str, entry: "Entry[Any]") -> str:
    return f"{text}\n{', '.join(map(str, entry.options.values()))}".strip()


def show(game: GameArgument) -> None:
    """Draw a game's board and print its page."""
    from rich.markdown import Markdown

    from boardgames_env import make_game, registered_games

    made = make_game(game)
    console.print(Markdown(registered_games()[made.name].page))
    console.print(made.initial.text)
