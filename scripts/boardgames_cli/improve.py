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
    from boardgames_agents.improve.engine import Engine, Iteration
    from boardgames_agents.improve.improvement_folder import ImprovementConfig


@takes(
    "boardgames_agents.improve.improvement_folder:ImprovementConfig",
    "boardgames_agents.alpha_zero.self_improvement:SelfPlayConfig",
    WORKERS,
    without=("game", "network", "block", "rolls_per_step", "branches"),
    iterations=typer.Option(help="Iterations; a greater number goes on; by default 1 with dice, 20 without."),
    inputs=typer.Option(
        help="The game's encoding that the networks are shown positions by; by default that of the first network, or "
        "observation for a new one."
    ),
    window=typer.Option(help="Iterations whose examples a network learns from; by default 3 with dice, 5 without."),
    alpha=typer.Option(
        help="Learning rate of the first step; it falls to 0 along half a cosine; by default 0.001 with dice, 0.008 "
        "without."
    ),
    self_play=typer.Option(metavar="CONTESTS"),
)
def improve(
    game: Annotated[str, typer.Argument(metavar="GAME", help="The game.")],
    network: Annotated[
        str,
        typer.Argument(
            metavar="AGENT",
            help="The first network: with dice an agent that plays by one, such as td_gammon, "
            "td_net(file='mine.safetensors') or trained(run='runs/mine'); without dice alpha_zero, for a new network, "
            "or alpha_zero(network='mine.safetensors').",
        ),
    ],
    dice: "Given[ImprovementConfig]",
    tree: "Given[SelfPlayConfig]",
    run: Annotated[Path, typer.Option(help="The folder of the networks and the examples.")],
    workers: "Workers",
    as_json: AsJson = False,
) -> None:
    """Improve a network by expert iteration. The same command again resumes it."""
    with status("Starting"):
        from boardgames_agents.alpha_zero.self_improvement import SelfImprovement
        from boardgames_agents.improve.improvement import Improvement
        from boardgames_env.errors import BadInputError
        from boardgames_env.games import make_game
        from boardgames_env.spec import underscored

        has_dice = make_game(game).rules.has_chance
        given, other, kind = (dice, tree, "without") if has_dice else (tree, dice, "with")
        if wrong := sorted(other.keys() - given.keys()):
            raise BadInputError(f"--{wrong[0].replace('_', '-')} is for games {kind} dice; leave it out")
        given.update(game=underscored(game), network=underscored(network))
        improvement: Engine[Any, Any]
        if has_dice:
            config = dice.made()
            improvement = Improvement(run, replace(config, inputs=underscored(config.inputs)), workers, progress)
        else:
            improvement = SelfImprovement(run, tree.made(), workers, progress)
    print_iterations(improvement, as_json)


def print_iterations(improvement: "Engine[Any, Any]", as_json: bool) -> None:
    """Print the iterations of an improvement when all are done, as a table or as JSON."""
    from boardgames_agents.improve.engine import logged

    found = list(logged(improvement.iterations(), improvement.folder))
    if as_json:
        print_json([_as_data(each) for each in found])
        return
    numbers = ("iteration", "examples", "loss before", "loss after", "± s.e.")
    measured = tuple(found[0].measures)
    rows = []
    for each in found:
        losses = (f"{loss:.2f}" for loss in (each.loss_before, each.loss_after, each.error))
        measures = (f"{each.measures[name]:.4f}" for name in measured)
        rows.append((str(each.number), each.examples, *losses, "yes" if each.improved else "no", *measures))
    print_table("Improvement", (*numbers, "better", *measured), rows, figures=(*numbers[1:], *measured))
    console.print(f"loss: {improvement.loss}")
    console.print(f"the {'best' if improvement.gated else 'last'} network: {found[-1].network}")


def _as_data(iteration: "Iteration") -> dict[str, Any]:
    data = {**vars(iteration), "network": str(iteration.network), "improved": iteration.improved}
    return data if iteration.measures else {name: value for name, value in data.items() if name != "measures"}
