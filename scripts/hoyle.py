"""`boardgames explain` and `knowledge`: why a trained Hoyle plays as it does, and what it knows."""

from collections.abc import Iterable
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from scripts.printing import console, print_wide, table

if TYPE_CHECKING:
    from rich.columns import Columns
    from rich.table import Table

    from agents.hoyle import Hoyle
    from agents.hoyle.exhibit import Exhibit
    from agents.hoyle.forr import Decision
    from agents.hoyle.frame import Frame
    from agents.hoyle.knowledge import Knowledge
    from agents.hoyle.view import Choice
    from agents.hoyle.weights import Weights
    from agents.training.run import Run
    from boardgames_env import Position

RunArgument = Annotated[Path, typer.Argument(help="The folder of a run that has trained hoyle.", metavar="RUN")]

_BAR = 40


def explain(
    run: RunArgument,
    position: Annotated[
        list[str] | None,
        typer.Argument(help="The actions from the start to the position, such as 4 0 8.", metavar="POSITION"),
    ] = None,
) -> None:
    """Tell what a trained Hoyle does in a position, and why."""
    from agents.hoyle.explain import position_after, reason_of

    trained, learner = _load(run)
    there = position_after(trained.game, " ".join(position or []))
    decision = learner.frozen().explain(there)
    console.print(there.text, highlight=False)
    console.print()
    console.print(decision_table(decision, there))
    for advisor in dict.fromkeys(comment.advisor for comment in decision.comments):
        if reason := reason_of(advisor):
            console.print(f"{advisor}: {reason}", highlight=False, soft_wrap=True)


def knowledge(
    run: RunArgument,
    states: Annotated[
        int, typer.Option(help="How many states, forks and so on are drawn, of each kind of knowledge.", min=0)
    ] = 6,
    svg: Annotated[Path | None, typer.Option(help="A folder for pictures of all states, as SVG files.")] = None,
) -> None:
    """Show what a trained Hoyle knows of its game."""
    trained, learner = _load(run)
    known = learner.useful_knowledge
    exhibits = [exhibit for item in known.items for exhibit in item.exhibits(trained.game)]
    if svg:
        _write_pictures(svg, exhibits)
    console.print(f"{trained.config.learner} at {trained.game.spec} after {trained.contests:,} contests", style="bold")
    console.print()
    _print_frame(known.frame)
    _print_items(known)
    for kind, some in groupby(exhibits, key=lambda exhibit: exhibit.kind):
        _print_exhibits(kind, list(some), states)
    print_wide(_weights_table(known.weights))
    if svg:
        console.print(f"the pictures are in {svg}", soft_wrap=True, highlight=False)


def decision_table(decision: "Decision[Choice]", position: "Position", played: int | None = None) -> "Table":
    """A decision as a table, a row for each move.

    Args:
        decision: The decision.
        position: What it is about.
        played: The action that was then played, if any.
    """
    from agents.hoyle.explain import rows_of

    deciders = {0: "there is one move only", 2: f"the plan of {decision.by}", 3: "the vote of tier 3"}
    title = f"decided by {deciders.get(decision.tier, f'{decision.by}, in tier 1')}"
    numbers = ("alike", "support")
    rows = table(title, "", "move", *numbers, "who said what (strength × weight)", "why", right=numbers)
    for row in rows_of(decision, position.game, played):
        said = (
            f"{remark.advisor} {remark.strength}" + ("" if remark.weight is None else f" × {remark.weight:.2f}")
            for remark in row.remarks
        )
        support = "" if row.support is None else f"{row.support:+.2f}"
        rows.add_row("→" if row.chosen else "", row.move, str(row.alike), support, ", ".join(said), row.why)
    return rows


def _load(run: Path) -> "tuple[Run, Hoyle]":
    """A run, and the Hoyle it has trained."""
    from agents.hoyle import Hoyle
    from agents.training.run import load_run
    from boardgames_env import BadInputError

    trained = load_run(run)
    if not isinstance(trained.learner, Hoyle):
        raise BadInputError(f"{run} has trained {trained.config.learner}; give a run that has trained hoyle")
    return trained, trained.learner


def _print_frame(frame: "Frame") -> None:
    """What was known before the first contest."""
    lines = len({*frame.goals[0], *frame.goals[1]})
    facts = {
        "symmetries": ", ".join(frame.symmetry_names),
        "lines played for": str(lines) if lines else "none",
        "men": "stay where they are placed" if frame.static else "are moved",
        "captures": "yes" if frame.captures else "no",
    }
    rows = table("The game frame", "", "")
    rows.show_header = False
    for name, fact in facts.items():
        rows.add_row(name, fact)
    console.print(rows)


def _print_items(known: "Knowledge") -> None:
    rows = table("Useful knowledge", "item", "trigger", "space", right=("space",))
    for item in known.items:
        rows.add_row(item.name, item.trigger, f"{item.space:,}")
    rows.add_row("all together", "", f"{known.space:,}")
    console.print(rows)


def _print_exhibits(kind: str, exhibits: "list[Exhibit]", most: int) -> None:
    """A heading, what is only told line by line, and the first of what is drawn side by side."""
    drawn = [exhibit for exhibit in exhibits if exhibit.position is not None]
    count = f": {len(drawn):,}" + (f", the first {most}" if most < len(drawn) else "") if drawn else ""
    console.print(f"{kind}{count}", style="bold", highlight=False)
    for exhibit in exhibits:
        if exhibit.position is None:
            console.print(f"  {exhibit.title}", highlight=False)
    if drawn[:most]:
        console.print(_side_by_side(drawn[:most]))
    console.print()


def _side_by_side(exhibits: "Iterable[Exhibit]") -> "Columns":
    from rich.columns import Columns
    from rich.panel import Panel
    from rich.text import Text

    return Columns([Panel(Text(f"{exhibit.title}\n\n{exhibit.text}"), expand=False) for exhibit in exhibits])


def _weights_table(weights: "Weights") -> "Table":
    """The weights as bars; a stroke stands where an Advisor becomes worth asking."""
    from agents.hoyle.advisors.anything import Anything
    from agents.hoyle.weights import MARGIN

    threshold = weights.weight(Anything.NAME) + MARGIN
    tried = bool(weights.opinions.get(Anything.NAME))
    title = f"Advisor weights; from {threshold:.2f} on they count in testing" if tried else "Advisor weights"
    rows = table(title, "Advisor", "weight", "opinions", "", right=("weight", "opinions"))
    for name in sorted((advisor.name for advisor in weights.asked), key=lambda name: (-weights.weight(name), name)):
        weight, length = weights.weight(name), round(_BAR * weights.weight(name))
        bar = "█" * length + " " * (_BAR - length)
        if tried:
            place = min(_BAR - 1, round(_BAR * threshold))
            bar = f"{bar[:place]}│{bar[place + 1 :]}"
        counts = weights.is_worth_asking(name)
        rows.add_row(name, f"{weight:.2f}", f"{weights.opinions.get(name, 0):,}", bar, style=None if counts else "dim")
    return rows


def _write_pictures(folder: Path, exhibits: "Iterable[Exhibit]") -> None:
    """A picture of every whole position, named by its kind and its place among those of that kind."""
    folder.mkdir(parents=True, exist_ok=True)
    numbers: dict[str, int] = {}
    for exhibit in exhibits:
        if exhibit.position is not None and exhibit.locations is None:
            number = numbers[exhibit.kind] = numbers.get(exhibit.kind, 0) + 1
            name = f"{exhibit.kind}-{number:05d}.svg".replace(" ", "-")
            (folder / name).write_text(exhibit.position.svg, encoding="utf-8")


COMMANDS = (explain, knowledge)
