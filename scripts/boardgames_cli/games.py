"""`boardgames games`, `agents`, `trainers`, `agent`, `trainer` and `show`: what there is, and its options."""

from collections.abc import Mapping
from dataclasses import MISSING
from typing import TYPE_CHECKING, Annotated, Any

import typer

from boardgames_cli.printing import console, print_json, print_table, status
from boardgames_cli.shared_options import AsJson, GameArgument

if TYPE_CHECKING:
    from boardgames_env.spec import Entry

_VALUES = {1: "first wins", 0: "draw", -1: "second wins", None: "not known"}


def games(as_json: AsJson = False) -> None:
    """List the games."""
    from importlib.metadata import entry_points

    from boardgames_env import make_game, registered_games
    from boardgames_env.games import GAMES

    entries = registered_games()
    rows, raw = [], []
    for name, entry in entries.items():
        summary, names = entry.summary.partition(": ")[2] or entry.summary, list(entry.also_called)
        made = make_game(name)
        actions, value = made.num_actions, made.value
        what = f"{summary} (also called {', '.join(names)})" if names else summary
        rows.append((name, str(actions), _VALUES[value], _with_options(what, entry)))
        more = {"summary": summary, "also_called": names, "actions": actions, "value": value}
        raw.append({**_entry_as_dict(entry), **more})
    if as_json:
        print_json(raw)
        return
    print_table("The games", ("name", "actions", "value", "description and options"), rows, figures=["actions"])
    others = sorted(set(entry_points(group=GAMES).names) - set(entries))
    if others:
        console.print(f"from installed packages: {', '.join(others)}")


def agents(as_json: AsJson = False) -> None:
    """List the agents."""
    with status("Starting"):  # (importing them all takes seconds)
        from boardgames_agents.registry import registered_agents

        registered_agents()
    _print_entries("The agents", "agent", registered_agents(), as_json)


def trainers(as_json: AsJson = False) -> None:
    """List the trainers."""
    with status("Starting"):
        from boardgames_agents.training.trainers import registered_trainers

    _print_entries("The trainers, besides every agent as an opponent", "trainer", registered_trainers(), as_json)


def agent(
    name: Annotated[str, typer.Argument(help="An agent, such as td.", metavar="AGENT")], as_json: AsJson = False
) -> None:
    """Explain an agent and each of its options."""
    from boardgames_agents.registry import registered_agents

    _print_entry("agent", name, registered_agents(), as_json)


def trainer(
    name: Annotated[str, typer.Argument(help="A trainer, such as lessons.", metavar="TRAINER")], as_json: AsJson = False
) -> None:
    """Explain a trainer and each of its options."""
    from boardgames_agents.training.trainers import registered_trainers

    _print_entry("trainer", name, registered_trainers(), as_json)


def _print_entries(title: str, kind: str, entries: "Mapping[str, Entry[Any]]", as_json: bool) -> None:
    if as_json:
        print_json(map(_entry_as_dict, entries.values()))
        return
    rows = [(name, _with_options(entry.summary, entry)) for name, entry in entries.items()]
    print_table(title, ("name", "description and options"), rows)
    console.print(f"boardgames {kind} NAME explains one and its options")


def _print_entry(kind: str, name: str, entries: "Mapping[str, Entry[Any]]", as_json: bool) -> None:
    from rich.markdown import Markdown

    from boardgames_env.spec import Spec, demand_entry

    name = Spec.parse(name).name
    demand_entry(kind, name, entries)
    entry = entries[name]
    if as_json:
        print_json([_entry_as_dict(entry)])
        return
    console.print(name, style="bold")
    console.print(Markdown(entry.description.replace("``", "`")))
    console.print()
    if not entry.options:
        console.print("It has no options.")
        return
    if entry.recipes:
        recipes = [
            (each, _plain_help(recipe.summary), ", ".join(f"{key}={value!r}" for key, value in recipe.options.items()))
            for each, recipe in entry.recipes.items()
        ]
        title = f"Recipes, such as {name}(recipe={next(iter(entry.recipes))!r})"
        print_table(title, ("recipe", "what", "options"), recipes)
    rows = []
    for each in entry.options.values():
        default = "must be given" if each.default is MISSING else repr(each.default)
        rows.append((each.name, default, f"{_plain_help(each.help)} ({each.kind})".strip()))
    print_table("Options", ("option", "default", "meaning"), rows)


def _plain_help(text: str) -> str:
    return text.replace("`", "")


def _with_options(text: str, entry: "Entry[Any]") -> str:
    return f"{_plain_help(text)}\n{', '.join(map(str, entry.options.values()))}".strip()


def _entry_as_dict(entry: "Entry[Any]") -> dict[str, Any]:
    """Return a name of a registry with its options; an option that must be given has no default."""
    options = []
    for each in entry.options.values():
        default = {} if each.default is MISSING else {"default": each.default}
        options.append({"name": each.name, "value": each.kind, **default, "help": _plain_help(each.help)})
    found = {"name": entry.name, "summary": _plain_help(entry.summary), "options": options}
    recipes = [
        {"name": name, "summary": _plain_help(each.summary), "options": each.options}
        for name, each in entry.recipes.items()
    ]
    return {**found, "recipes": recipes} if recipes else found


def show(game: GameArgument) -> None:
    """Draw a game's board and print its page."""
    from rich.markdown import Markdown

    from boardgames_env import make_game, registered_games

    made = make_game(game)
    page = registered_games()[made.name].page
    console.print(Markdown(page))
    is_empty = not made.initial.state[1 : 1 + made.board.size].any()
    if not (is_empty and made.spec == made.name and "## Board\n\n```" in page):  # (the page has drawn that)
        console.print(made.initial.text)
