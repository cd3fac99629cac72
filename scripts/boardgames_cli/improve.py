"""`boardgames improve`: a network learns what a deeper look-ahead with itself finds."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from boardgames_cli.dataclass_options import WORKERS, Given, takes
from boardgames_cli.printing import console, print_json, print_table, progress, status
from boardgames_cli.shared_options import AsJson

if TYPE_CHECKING:
    from boardgames_agents.alpha_zero.self_improvement import SelfPlayConfig
    from boardgames_agents.experiments.runner import Workers
    from boardgames_agents.improve.engine import Engine
    from boardgames_agents.improve.improvement_folder import ImprovementConfig


@takes(
    "boardgames_agents.improve.improvement_folder:ImprovementConfig",
    "boardgames_agents.alpha_zero.self_improvement:SelfPlayConfig",
    WORKERS,
    without=("block", "rolls_per_step", "branches"),
    game=typer.Argument(metavar="GAME", help="The game."),
    network=typer.Argument(
        metavar="AGENT",
        help="The first network: with dice an agent that plays by one, such as td_gammon, "
        "td_net(file='mine.safetensors') or trained(run='runs/mine'); without dice alpha_zero, for a new network, or "
        "alpha_zero(network='mine.safetensors').",
    ),
    iterations=typer.Option(help="Iterations; a greater number goes on; by default 1 with dice, 20 without."),
    self_play=typer.Option(metavar="CONTESTS"),
)
def improve(
    dice: "Given[ImprovementConfig]",
    tree: "Given[SelfPlayConfig]",
    run: Annotated[Path, typer.Option(help="The folder of the networks and the examples.")],
    workers: "Workers",
    as_json: AsJson = False,
) -> None:
    """Improve a network by expert iteration. The same command again resumes it."""
    with status("Starting"):
        improvement = _improvement(dice, tree, run, workers)
    print_iterations(improvement, as_json)


def _improvement(
    dice: "Given[ImprovementConfig]", tree: "Given[SelfPlayConfig]", run: Path, workers: "Workers"
) -> "Engine[Any, Any]":
    """Return the improvement by the teacher for the game: expectimax if it has dice, or else a tree search."""
    from boardgames_agents.alpha_zero.self_improvement import SelfImprovement
    from boardgames_agents.improve.improvement import Improvement
    from boardgames_env.errors import BadInputError
    from boardgames_env.games import make_game
    from boardgames_env.spec import underscored

    has_dice = make_game(dice["game"]).rules.has_chance
    for name in dice.keys() - tree.keys() if not has_dice else tree.keys() - dice.keys():
        kind = "without" if has_dice else "with"
        raise BadInputError(f"--{name.replace('_', '-')} is for games {kind} dice; leave it out")
    config: Any = (dice if has_dice else tree).made()
    specs = {name: underscored(getattr(config, name)) for name in ("game", "network")}
    if has_dice:
        return Improvement(run, replace(config, **specs, inputs=underscored(config.inputs)), workers, progress)
    return SelfImprovement(run, replace(config, **specs), workers, progress)


def print_iterations(improvement: "Engine[Any, Any]", as_json: bool) -> None:
    """Print the iterations of an improvement when all are done, as a table or as JSON."""
    from boardgames_agents.improve.engine import logged

    found = list(logged(improvement.iterations(), improvement.folder))
    if as_json:
        print_json([{**vars(each), "network": str(each.network), "improved": each.improved} for each in found])
        return
    numbers = ("iteration", "examples", "loss before", "loss after", "± s.e.")
    measured = tuple(found[0].measures)
    rows = []
    for each in found:
        losses = (f"{loss:.2f}" for loss in (each.loss_before, each.loss_after, each.error))
        measures = (f"{each.measures[name]:.4f}" for name in measured)
        rows.append((str(each.number), each.examples, *losses, "yes" if each.improved else "no", *measures))
    print_table("Improvement", (*numbers, "better", *measured), rows, figures=(*numbers, *measured))
    console.print(f"loss: {improvement.loss}")
    console.print(f"the {'best' if improvement.gated else 'last'} network: {found[-1].network}")
