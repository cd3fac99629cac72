"""`boardgames improve`: a network learns what a deeper look-ahead with itself finds."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from boardgames_cli.dataclass_options import WORKERS, takes
from boardgames_cli.printing import console, print_json, print_table, progress, status
from boardgames_cli.shared_options import AsJson

if TYPE_CHECKING:
    from boardgames_agents.experiments.runner import Workers
    from boardgames_agents.improve.improvement import Iteration
    from boardgames_agents.improve.improvement_folder import ImprovementConfig


@takes(
    "boardgames_agents.improve.improvement_folder:ImprovementConfig",
    WORKERS,
    without=("block", "rolls_per_step", "branches"),
    game=typer.Argument(metavar="GAME"),
    network=typer.Argument(metavar="AGENT"),
    self_play=typer.Option(metavar="CONTESTS"),
)
def improve(
    config: "ImprovementConfig",
    run: Annotated[Path, typer.Option(help="The folder of the networks and the examples.")],
    workers: "Workers",
    as_json: AsJson = False,
) -> None:
    """Improve a network by expert iteration. The same command again resumes it."""
    with status("Starting"):
        from boardgames_agents.improve.improvement import Improvement
        from boardgames_env.spec import underscored

        specs: dict[str, Any] = {name: underscored(getattr(config, name)) for name in ("game", "network", "inputs")}
        improvement = Improvement(run, replace(config, **specs), workers, progress)
    print_iterations(improvement.iterations(), as_json)


def print_iterations(iterations: "Iterable[Iteration]", as_json: bool) -> None:
    """Print the iterations of an improvement when all are done, as a table or as JSON."""
    found = list(iterations)
    if as_json:
        print_json([{**vars(each), "network": str(each.network), "improved": each.improved} for each in found])
        return
    numbers = ("iteration", "examples", "loss before", "loss after", "± s.e.")
    rows = []
    for each in found:
        losses = (f"{loss:.2f}" for loss in (each.loss_before, each.loss_after, each.error))
        rows.append((str(each.number), each.examples, *losses, "yes" if each.improved else "no"))
    print_table("Improvement", (*numbers, "better"), rows, figures=numbers)
    console.print("loss: thousandths of a point per decision, by the labels of rolls that were not learned from")
    console.print(f"the best network: {found[-1].network}")
