"""`boardgames improve`: a network learns what a deeper look-ahead with itself finds."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from boardgames_cli.printing import console, print_json, print_table, progress, table
from boardgames_cli.shared_options import Address, AsJson, Backend, Jobs, takes

if TYPE_CHECKING:
    from boardgames_agents.improve.improvement import Iteration


@dataclass(frozen=True)
class ImproveOptions:
    """The options of the command."""

    game: Annotated[str, typer.Argument(help="A game with dice, such as backgammon.", metavar="GAME")]
    network: Annotated[
        str,
        typer.Argument(
            help="An agent that plays by a network, such as td_gammon, \"td_net(file='mine.safetensors')\" or "
            "\"trained(run='runs/mine')\".",
            metavar="AGENT",
        ),
    ]
    run: Annotated[Path, typer.Option(help="The folder of the networks and the examples.")]
    iterations: Annotated[int, typer.Option(help="Iterations; a greater number goes on.")] = 1
    joined: Annotated[
        str,
        typer.Option(
            "--join",
            help="An agent whose network is joined to AGENT's: the hidden units of both, and their mean outputs.",
        ),
    ] = ""
    hidden: Annotated[
        int,
        typer.Option(help="Hidden units of the networks; 0 for as many as AGENT's, with --join as many as both have."),
    ] = 0
    inputs: Annotated[
        str, typer.Option(help="The game's encoding that the networks are shown positions by; by default AGENT's.")
    ] = ""
    filtering: Annotated[
        str,
        typer.Option(
            "--filter",
            help="An agent by whose faster network replies are filtered before they are compared for labels.",
        ),
    ] = ""
    kept: Annotated[int, typer.Option(help="Replies to each roll that the filter leaves.")] = 6
    races: Annotated[
        str, typer.Option(help="The file of a network for races, as 'race-network' writes; all races are left to it.")
    ] = ""
    rolls: Annotated[int, typer.Option(help="Rolls with a choice of an iteration.")] = 60_000
    candidates: Annotated[int, typer.Option(help="Moves of each roll that are learned from, the best.")] = 4
    others: Annotated[int, typer.Option(help="Other moves of each roll that are learned from, drawn at random.")] = 0
    margin: Annotated[
        float,
        typer.Option(
            help="Points. Of rolls whose second-best move one ply finds worse by more than this, only a quarter are "
            "learned from."
        ),
    ] = 6.0
    plies: Annotated[int, typer.Option(help="Plies of the look-ahead that is learned from.")] = 2
    replies: Annotated[
        int, typer.Option(help="Replies to each roll that it examines more deeply, with 3 plies or more.")
    ] = 2
    samples: Annotated[
        int,
        typer.Option(
            help="Rolls that it follows beyond the second ply, drawn at random, with 3 plies or more; 0 for all."
        ),
    ] = 0
    label_lambda: Annotated[
        float, typer.Option(help="λ of labels by drawn rolls: less than 1 for a mean of all depths.")
    ] = 1.0
    forced: Annotated[bool, typer.Option(help="Whether positions after rolls without a choice are learned from.")] = (
        True
    )
    self_play: Annotated[
        int,
        typer.Option(help="Contests of TD(λ) before each iteration, of each branch; 0 for none.", metavar="CONTESTS"),
    ] = 0
    branches: Annotated[
        int, typer.Option(help="Parallel trainings by self-play; the mean of their weights is the teacher.")
    ] = 2
    td_alpha: Annotated[float, typer.Option(help="Learning rate of the first contest of self-play.")] = 0.01
    lam: Annotated[float, typer.Option(help="λ of self-play.")] = 0.4
    window: Annotated[int, typer.Option(help="Iterations whose examples a network learns from.")] = 3
    epochs: Annotated[int, typer.Option(help="How often each example is learned from.")] = 10
    alpha: Annotated[float, typer.Option(help="Learning rate of the first step.")] = 0.001
    comparison: Annotated[float, typer.Option(help="Weight of the errors in comparing the moves of a roll.")] = 5.0
    blend: Annotated[
        float, typer.Option(help="Share of the fitted weights in the result; the rest is the weights before the fit.")
    ] = 1.0
    device: Annotated[str, typer.Option(help="Device of torch on which networks are fitted, such as cuda.")] = "cpu"
    seed: Annotated[int, typer.Option(help="Random seed; the same seed gives the same networks.")] = 0
    jobs: Jobs = 1
    backend: Backend = "joblib"
    address: Address = ""
    as_json: AsJson = False


@takes(ImproveOptions)
def improve(options: ImproveOptions) -> None:
    """Improve a network by expert iteration. The same command again resumes it."""
    from boardgames_agents.experiments.runner import Workers
    from boardgames_agents.improve.examples import ExampleOptions
    from boardgames_agents.improve.fitting import FittingOptions
    from boardgames_agents.improve.improvement import improve as improve_in
    from boardgames_agents.improve.improvement_folder import ImprovementConfig
    from boardgames_agents.improve.teacher import SelfPlayOptions
    from boardgames_env.spec import underscored

    config = ImprovementConfig(
        underscored(options.game),
        underscored(options.network),
        options.iterations,
        underscored(options.joined),
        options.hidden,
        underscored(options.inputs),
        underscored(options.filtering),
        options.races,
        options.rolls,
        window=options.window,
        seed=options.seed,
        examples=ExampleOptions(
            candidates=options.candidates,
            plies=options.plies,
            kept=options.kept,
            others=options.others,
            margin=options.margin,
            replies=options.replies,
            forced=options.forced,
            samples=options.samples,
            label_lambda=options.label_lambda,
        ),
        fitting=FittingOptions(
            options.epochs, options.alpha, comparison=options.comparison, blend=options.blend, device=options.device
        ),
        teacher=SelfPlayOptions(options.self_play, options.branches, options.td_alpha, options.lam),
    )
    workers = Workers(options.jobs, options.backend, options.address)
    found = list(improve_in(options.run, config, workers, progress))
    if options.as_json:
        print_json([{**vars(each), "network": str(each.network), "improved": each.improved} for each in found])
        return
    _print(found)


def _print(found: "list[Iteration]") -> None:
    numbers = ("iteration", "examples", "loss before", "loss after", "± s.e.")
    rows = (
        (
            str(each.number),
            f"{each.examples:,}",
            f"{each.loss_before:.2f}",
            f"{each.loss_after:.2f}",
            f"{each.error:.2f}",
            "yes" if each.improved else "no",
        )
        for each in found
    )
    print_table(table("Improvement", (*numbers, "better"), rows, right=numbers))
    console.print("loss: thousandths of a point per decision, by the labels of rolls that were not learned from")
    console.print(f"the best network: {found[-1].network}")
