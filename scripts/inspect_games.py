"""`boardgames games`, `agents`, `show` and `solve`: what there is, and what is known of it."""

from typing import Annotated

import typer

from scripts.printing import console, progress, table

GameArgument = Annotated[str, typer.Argument(help="A game, such as achi or 'achi(adjacent=True)'.", metavar="GAME")]


def games() -> None:
    """List the games."""
    from boardgames_env import make_game, registered_games

    rows = table("The games", "name", "actions", "value", "what it is and its options", right=("actions",))
    values = {1: "first wins", 0: "draw", -1: "second wins", None: "not known"}
    for entry in registered_games().values():
        game = make_game(entry.name)
        options = ", ".join(f"{name}={value!r}" for name, value in entry.options.items())
        what = entry.summary.partition(": ")[2] or entry.summary
        rows.add_row(entry.name, str(game.num_actions), values[game.value], f"{what}\n{options}".strip())
    console.print(rows)


def agents() -> None:
    """List the agents."""
    from agents.policy import registered_agents

    rows = table("The agents", "name", "what it does and its options")
    for entry in registered_agents().values():
        options = ", ".join(f"{name}={value!r}" for name, value in entry.options.items())
        rows.add_row(entry.name, f"{entry.summary}\n{options}".strip())
    console.print(rows)


def show(game: GameArgument) -> None:
    """Draw a game's board and print its page."""
    from rich.markdown import Markdown

    from boardgames_env import make_game, registered_games

    made = make_game(game)
    console.print(Markdown(registered_games()[made.name].page))
    console.print(made.initial.text, markup=False, highlight=False)


def solve(game: GameArgument) -> None:
    """Solve a game completely and keep the table."""
    from boardgames_env import make_game
    from boardgames_env.kernels import ONGOING
    from boardgames_env.solve import solve as solve_game
    from boardgames_env.solve import table_path

    made = make_game(game)
    with progress(f"solving {made.spec}") as bar:
        solved = solve_game(made, on_progress=bar.to)
    initial = made.initial
    words = {1: "the first player wins", 0: "a draw", -1: "the second player wins"}
    distance = solved.distance(initial)
    end = "" if distance is None else f" in {distance} plies"
    console.print(f"{made.spec}: {words[solved.value_for(initial, 0)]}{end}; {len(solved):,} positions can be reached")
    going_on = [
        value for value, state in zip(solved.values, solved.states, strict=True) if made.rules.outcome(state) == ONGOING
    ]
    counts = {value: going_on.count(value) for value in (1, 0, -1)}
    console.print(
        f"while the contest goes on, for the seat to move: {counts[1]:,} won, {counts[0]:,} drawn, {counts[-1]:,} lost"
    )
    openings = {action: solved.value_for(initial.after(action), 0) for action in initial.legal_actions}
    for value in (1, 0, -1):
        texts = [made.action_text(action) for action, worth in openings.items() if worth == value]
        if texts:
            console.print(f"openings that {['draw', 'win', 'lose'][value]}: {', '.join(texts)}", highlight=False)
    if table_path(made).exists():
        console.print(f"kept in {table_path(made)}", soft_wrap=True, highlight=False)


COMMANDS = (games, agents, show, solve)
