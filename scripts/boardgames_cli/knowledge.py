"""`boardgames knowledge`: what a trained Hoyle knows of its game."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.columns import Columns
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from boardgames_cli.printing import console, print_json, print_table, table
from boardgames_cli.shared_options import AsJson

if TYPE_CHECKING:
    from boardgames_agents.hoyle.game_frame import GameFrame
    from boardgames_agents.hoyle.item import KnowledgeEntry
    from boardgames_agents.hoyle.useful_knowledge import Knowledge
    from boardgames_agents.hoyle.weights import Weights

_BAR = 40


def knowledge(
    run: Annotated[Path, typer.Argument(help="The folder of a run that has trained hoyle.", metavar="RUN")],
    states: Annotated[
        int, typer.Option(help="Number of states, forks and so on to draw of each kind of knowledge.", min=0)
    ] = 6,
    svg: Annotated[Path | None, typer.Option(help="A folder for pictures of all states, as SVG files.")] = None,
    as_json: AsJson = False,
) -> None:
    """Show what a trained Hoyle knows of its game."""
    from boardgames_agents.hoyle import Hoyle
    from boardgames_agents.training.run import load_run
    from boardgames_env import BadInputError

    trained = load_run(run)
    if not isinstance(trained.learner, Hoyle):
        raise BadInputError(f"{run} has trained {trained.config.learner}; give a run that has trained hoyle")
    known = trained.learner.useful_knowledge
    entries = [entry for item in known.items for entry in item.entries(trained.game)]
    if svg:
        _write_pictures(svg, entries)
    if as_json:
        print_json(_rows(known))
        return
    console.print(
        f"{trained.config.learner} at {trained.game.spec} after {trained.contests:,} contests\n", style="bold"
    )
    _print_frame(known.frame)
    _print_items(known)
    for kind, some in groupby(entries, key=lambda entry: entry.kind):
        _print_exhibits(kind, list(some), states)
    print_table(_weights_table(known.weights))
    if svg:
        console.print(f"the pictures are in {svg}", soft_wrap=True)


def _rows(known: "Knowledge") -> Iterator[dict[str, Any]]:
    """Yield a row for each fact of the game frame, each item of useful knowledge and each Advisor's weight."""
    for name, value in _facts(known.frame).items():
        yield {"table": "game frame", "name": name, "value": value}
    for item in known.items:
        yield {"table": "useful knowledge", "name": item.name, "trigger": item.trigger, "space": item.space}
    weights = known.weights
    for name in sorted(advisor.name for advisor in weights.asked):
        opinions = weights.opinions.get(name, 0)
        yield {"table": "Advisor weights", "name": name, "weight": weights.weight(name), "opinions": opinions}


def _facts(frame: "GameFrame") -> dict[str, str]:
    lines = len({*frame.goals[0], *frame.goals[1]})
    return {
        "symmetries": ", ".join(frame.symmetry_names),
        "lines played for": str(lines) if lines else "none",
        "men": "stay where they are placed" if frame.static else "are moved",
        "captures": "yes" if frame.captures else "no",
    }


def _print_frame(frame: "GameFrame") -> None:
    rows = table("The game frame", ("", ""), _facts(frame).items())
    rows.show_header = False
    print_table(rows)


def _print_items(known: "Knowledge") -> None:
    rows = [(item.name, item.trigger, f"{item.space:,}") for item in known.items]
    rows.append(("all together", "", f"{known.space:,}"))
    print_table(table("Useful knowledge", ("item", "trigger", "space"), rows, right=["space"]))


def _print_exhibits(kind: str, entries: "list[KnowledgeEntry]", most: int) -> None:
    """Print a heading, the entries without a drawing, and the first drawings side by side."""
    drawn = [entry for entry in entries if entry.position is not None]
    count = f": {len(drawn):,}" + (f", the first {most}" if most < len(drawn) else "") if drawn else ""
    console.print(f"{kind}{count}", style="bold")
    for entry in entries:
        if entry.position is None:
            console.print(f"  {entry.title}")
    if drawn[:most]:
        console.print(Columns([Panel(Text(f"{each.title}\n\n{each.text}"), expand=False) for each in drawn[:most]]))
    console.print()


def _weights_table(weights: "Weights") -> Table:
    """Return the weights as bars; a stroke marks the threshold from which an Advisor counts."""
    from boardgames_agents.hoyle.advisors.anything import Anything
    from boardgames_agents.hoyle.weights import MARGIN

    threshold = weights.weight(Anything.name) + MARGIN
    tried = bool(weights.opinions.get(Anything.name))
    title = f"Advisor weights; from {threshold:.2f} on they count in testing" if tried else "Advisor weights"
    rows = table(title, ("Advisor", "weight", "opinions", ""), (), right=("weight", "opinions"))
    for name in sorted((advisor.name for advisor in weights.asked), key=lambda name: (-weights.weight(name), name)):
        weight, length = weights.weight(name), round(_BAR * weights.weight(name))
        bar = "█" * length + " " * (_BAR - length)
        if tried:
            place = min(_BAR - 1, round(_BAR * threshold))
            bar = f"{bar[:place]}│{bar[place + 1 :]}"
        counts = weights.is_better_than_random(name)
        rows.add_row(name, f"{weight:.2f}", f"{weights.opinions.get(name, 0):,}", bar, style=None if counts else "dim")
    return rows


def _write_pictures(folder: Path, entries: "Iterable[KnowledgeEntry]") -> None:
    """Write a picture of every whole position, named by its kind and number."""
    folder.mkdir(parents=True, exist_ok=True)
    numbers = Counter[str]()
    for entry in entries:
        if entry.position is not None and entry.locations is None:
            numbers[entry.kind] += 1
            name = f"{entry.kind}-{numbers[entry.kind]:05d}.svg".replace(" ", "-")
            (folder / name).write_text(entry.position.svg, encoding="utf-8")
