"""`boardgames race-network`: train a network for races of backgammon."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from boardgames_cli.printing import console, progress
from boardgames_cli.shared_options import Seed, takes


@dataclass(frozen=True)
class RaceNetworkOptions:
    """The options of the command."""

    out: Annotated[Path, typer.Argument(help="The file of the network.", metavar="FILE")]
    rounds: Annotated[int, typer.Option(help="Rounds of the training.")] = 60
    races: Annotated[int, typer.Option(help="Races that are under way.")] = 20_000
    hidden: Annotated[int, typer.Option(help="Hidden units.")] = 48
    alpha: Annotated[float, typer.Option(help="Learning rate of the first step.")] = 0.003
    seed: Seed = 0


@takes(RaceNetworkOptions)
def race_network(options: RaceNetworkOptions) -> None:
    """Train the network by which td_gammon plays races, with nothing but the rules and the bear-off tables."""
    from boardgames_agents.race.training import RaceTraining, train
    from boardgames_agents.race.weights_file import save_weights
    from boardgames_env.files import demand_writable

    training = RaceTraining(options.rounds, options.races, options.hidden, alpha=options.alpha, seed=options.seed)
    demand_writable(options.out)
    rounds = []
    with progress("rounds", training.rounds) as bar:
        for each in train(training):
            rounds.append(each)
            bar.step()
    names = ("rounds", "races", "hidden", "alpha", "seed")
    command = " ".join(f"--{name} {getattr(training, name)}" for name in names)
    save_weights(options.out, rounds[-1].weights, {"made by": f"boardgames race-network {command}"})
    console.print(f"one roll of look-ahead differs by {rounds[-1].error:.3f} rolls; the network is in {options.out}")
