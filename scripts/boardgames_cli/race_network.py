"""`boardgames race-network`: train a network for races of backgammon."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from boardgames_cli.printing import console, progress
from boardgames_cli.shared_options import shell_quoted


@dataclass(frozen=True)
class RaceNetworkOptions:
    """The options of the command."""

    out: Annotated[Path, typer.Argument(help="The file of the network.", metavar="FILE")]
    rounds: Annotated[int, typer.Option(help="Rounds of the training.")] = 80
    races: Annotated[int, typer.Option(help="Races that are under way.")] = 12_000
    agent: Annotated[
        str, typer.Option(help="The agent whose contests with itself races are taken from; it predicts outcomes.")
    ] = "td_gammon_1995"
    contests: Annotated[int, typer.Option(help="The number of these contests.")] = 3000
    hidden: Annotated[int, typer.Option(help="Hidden units.")] = 128
    window: Annotated[int, typer.Option(help="Rounds whose examples are learned from; 0 for the last quarter.")] = 0
    alpha: Annotated[float, typer.Option(help="Learning rate of the first step.")] = 0.003
    seed: Annotated[int, typer.Option(help="Random seed; the same seed gives the same network.")] = 0


def race_network(options: RaceNetworkOptions) -> None:
    """Train the network by which td_gammon plays races, with nothing but the rules and the bear-off tables."""
    from boardgames_agents.backgammon.race_training import RaceTraining, train
    from boardgames_agents.backgammon.race_weights import save_weights
    from boardgames_agents.lookahead.evaluator import evaluator_of
    from boardgames_env import make_game
    from boardgames_env.files import demand_writable
    from boardgames_env.spec import underscored

    training = RaceTraining(
        options.rounds,
        options.races,
        options.contests,
        options.hidden,
        options.window,
        alpha=options.alpha,
        seed=options.seed,
    )
    game, agent = make_game("backgammon"), underscored(options.agent)
    evaluator = evaluator_of(agent, game)
    demand_writable(options.out)
    rounds = []
    with progress("rounds", training.rounds) as bar:
        for each in train(game, evaluator, training):
            rounds.append(each)
            bar.step()
    values = vars(options) | {"out": "FILE", "agent": shell_quoted(agent)}
    command = " ".join(f"--{name} {value}" for name, value in values.items()).replace("--out ", "")
    save_weights(options.out, rounds[-1].weights, {"made by": f"boardgames race-network {command}"})
    console.print(f"root mean square error, beside one roll of look-ahead: {rounds[-1].error:.3f} rolls")
    console.print(f"the network is in {options.out}", soft_wrap=True)
