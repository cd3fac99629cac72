"""`boardgames improve`: a network learns what a deeper look-ahead with itself finds."""

from collections.abc import Iterator
from dataclasses import replace
from math import inf
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any

import typer

from boardgames_cli.dataclass_options import WORKERS, Given, takes
from boardgames_cli.printing import console, print_json, progress, status
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
    epochs=typer.Option(
        help="How often each example is learned from; with dice 0 is for no fit: the network after self-play goes on."
    ),
    self_play=typer.Option(metavar="CONTESTS"),
    filtering=typer.Option("--filter", metavar="AGENT"),
    contests=typer.Option(
        help="Contests of self-play: with dice those of a round, by default 1,000; without those of an iteration, by "
        "default 500."
    ),
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
            specs: dict[str, Any] = {name: underscored(getattr(config, name)) for name in ("inputs", "filtering")}
            improvement = Improvement(run, replace(config, **specs), workers, progress)
        else:
            improvement = SelfImprovement(run, tree.made(), workers, progress)
    print_iterations(improvement, as_json)


def print_iterations(improvement: "Engine[Any, Any]", as_json: bool, minutes: float = inf) -> None:
    """Print each iteration of an improvement as soon as it is measured, or all of them as JSON at the end.

    After ``minutes`` none is begun.
    """
    from boardgames_agents.improve.engine import logged

    end = monotonic() + 60 * minutes
    found = logged(improvement.iterations(lambda: monotonic() < end), improvement.folder)
    if as_json:
        print_json(map(_as_data, found))
        return
    console.print(f"loss: {improvement.loss}")
    last = None
    for last in found:
        for line in _lines_of_iteration(last):
            console.print(line)
    if last:
        console.print(f"the {'best' if improvement.keeps_best else 'last'} network: {last.network}", soft_wrap=True)


def _lines_of_iteration(iteration: "Iteration") -> Iterator[str]:
    """Yield the result of an iteration; shares are in per cent."""
    from boardgames_agents.alpha_zero.exact_measures import MEASURES, PLAYED
    from boardgames_agents.policy.explanation import counted

    losses = f"loss {iteration.loss_before:.2f} before, {iteration.loss_after:.2f} after (± {iteration.error:.2f})"
    better = "better" if iteration.improved else "not better"
    yield f"iteration {iteration.number}: {counted(iteration.examples, 'example')}, {losses}, {better}"
    for how in PLAYED:
        named = {name: iteration.measures.get(f"{name} {how}") for name in MEASURES}
        texts = [f"{name} {_measure_text(name, value)}" for name, value in named.items() if value is not None]
        if texts:
            yield f"  {how:11}  {', '.join(texts)}"


def _measure_text(name: str, value: float) -> str:
    return f"{100 * value:6.2f} %" if name.startswith("value kept") else f"{value:.4f}"


def _as_data(iteration: "Iteration") -> dict[str, Any]:
    data = {**vars(iteration), "network": str(iteration.network), "improved": iteration.improved}
    return data if iteration.measures else {name: value for name, value in data.items() if name != "measures"}
