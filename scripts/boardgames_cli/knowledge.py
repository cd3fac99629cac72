"""`boardgames knowledge`: what a trained Hoyle knows of its game."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.columns import Columns
from rich.panel import Panel
from rich.text import Text

from boardgames_cli.printing import console, print_json, print_table, status
from boardgames_cli.shared_options import AsJson

if TYPE_CHECKING:
    from boardgames_agents.policy.knowledge import KnowledgeEntry, KnowledgeReport

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
    from boardgames_agents.policy.explanation import counted
    from boardgames_agents.policy.knowledge import HasKnowledge
    from boardgames_agents.training.run import load_run
    from boardgames_env import BadInputError

    with status("Starting"):  # (importing torch takes seconds)
        trained = load_run(run)
    if not isinstance(trained.learner, HasKnowledge):
        raise BadInputError(f"{run} has trained {trained.config.learner}; give a run that has trained hoyle")
    known = trained.learner.knowledge_report()
    if svg:
        _write_pictures(svg, known.entries)
    if as_json:
        print_json(_rows_of_facts(known))
        return
    console.print(
        f"{trained.config.label} at {trained.game.spec} after {counted(trained.contests, 'contest')}\n", style="bold"
    )
    print_table("The game frame", ("", ""), known.facts.items())
    items = [(item.name, item.trigger, item.space) for item in known.items]
    items.append(("all together", "", known.space))
    print_table("Useful knowledge", ("item", "trigger", "space"), items, figures=["space"])
    for kind, some in groupby(known.entries, key=lambda entry: entry.kind):
        _print_exhibits(kind, list(some), states)
    _print_weights(known)
    if svg:
        console.print(f"the pictures are in {svg}", soft_wrap=True)


def _rows_of_facts(known: "KnowledgeReport") -> Iterator[dict[str, Any]]:
    """Yield a row for each fact of the game frame, each item of useful knowledge and each Advisor's weight."""
    for name, value in known.facts.items():
        yield {"table": "game frame", "name": name, "value": value}
    for item in known.items:
        yield {"table": "useful knowledge", "name": item.name, "trigger": item.trigger, "space": item.space}
    for each in sorted(known.weights, key=lambda each: each.name):
        yield {"table": "Advisor weights", "name": each.name, "weight": each.weight, "opinions": each.opinions}


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


def _print_weights(known: "KnowledgeReport") -> None:
    """Print the weights as bars; a stroke marks the threshold from which an Advisor counts."""
    threshold = known.threshold
    counted = "" if threshold is None else f"; from {threshold:.2f} on they count in testing"
    rows = []
    for each in known.weights:
        length = round(_BAR * each.weight)
        bar = ("█" * length).ljust(_BAR)
        if threshold is not None:
            place = min(_BAR - 1, round(_BAR * threshold))
            bar = f"{bar[:place]}│{bar[place + 1 :]}"
        rows.append((each.name, f"{each.weight:.2f}", f"{each.opinions:,}", bar))
    faint = [number for number, each in enumerate(known.weights) if not each.counts]
    columns = ("Advisor", "weight", "opinions", "")
    print_table(f"Advisor weights{counted}", columns, rows, figures=("weight", "opinions"), faint=faint)


def _write_pictures(folder: Path, entries: "Iterable[KnowledgeEntry]") -> None:
    """Write a picture of every whole position, named by its kind and number."""
    from boardgames_env.files import write_atomically

    folder.mkdir(parents=True, exist_ok=True)
    numbers = Counter[str]()
    for entry in entries:
        if entry.position is not None and entry.locations is None:
            numbers[entry.kind] += 1
            name = f"{entry.kind}-{numbers[entry.kind]:05d}.svg".replace(" ", "-")
            write_atomically(folder / name, entry.position.svg.encode())
