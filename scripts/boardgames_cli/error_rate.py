"""`boardgames error-rate`: what the plays of agents lose, judged by a look-ahead."""

from dataclasses import asdict, dataclass
from math import isnan
from typing import TYPE_CHECKING, Annotated

import typer

from boardgames_cli.printing import console, print_json, print_table, progress, table
from boardgames_cli.shared_options import Address, AsJson, Backend, Jobs, Seed, takes

if TYPE_CHECKING:
    from boardgames_agents.people.judging.error_rates import ErrorRate


@dataclass(frozen=True)
class ErrorRateOptions:
    """The options of the command."""

    agents: Annotated[
        list[str],
        typer.Argument(help="The agents; the first one plays the contests with itself.", metavar="AGENT..."),
    ]
    with_: Annotated[
        str,
        typer.Option(
            "--with", help="The agent whose evaluator judges; it must predict outcomes in the game.", metavar="AGENT"
        ),
    ] = "td_gammon"
    plies: Annotated[int, typer.Option(help="Plies of the judge.")] = 3
    candidates: Annotated[int, typer.Option(help="Plays that it examines so deeply, besides those of the agents.")] = 4
    game: Annotated[str, typer.Option(help="The game: backgammon or hypergammon.")] = "backgammon"
    contests: Annotated[int, typer.Option(help="Number of contests, of about 50 decisions each.")] = 20
    seed: Seed = 0
    jobs: Jobs = 1
    backend: Backend = "joblib"
    address: Address = ""
    as_json: AsJson = False


@takes(ErrorRateOptions)
def error_rate(options: ErrorRateOptions) -> None:
    """Judge what agents would play in the same positions of backgammon."""
    from boardgames_agents.experiments.runner import Workers
    from boardgames_agents.people.judging.error_rates import Judge, error_rates
    from boardgames_env.spec import underscored

    judge = Judge(underscored(options.with_), options.plies, options.candidates)
    game, agents = underscored(options.game), [underscored(agent) for agent in options.agents]
    workers = Workers(options.jobs, options.backend, options.address)
    found = error_rates(game, agents, judge, options.contests, options.seed, workers, progress)
    if options.as_json:
        print_json(
            {"agent": agent, "phase": phase, **asdict(rate)}
            for agent, rates in found.items()
            for phase, rate in rates.items()
        )
        return
    decisions = {phase: rate.decisions for phase, rate in next(iter(found.values())).items()}
    phases = [phase for phase, number in decisions.items() if number]
    cells = [(agent, *(_text(rates[phase]) for phase in phases)) for agent, rates in found.items()]
    numbers = tuple(f"{phase} ({decisions[phase]:,})" for phase in phases)
    title = f"Loss a decision; contests of {agents[0]} with itself: {options.contests:,}"
    print_table(table(title, ("agent", *numbers), cells, right=numbers))
    console.print(
        f"thousandths of a point ± standard error, by {judge.agent} at {judge.plies} ply; in brackets the decisions"
    )


def _text(rate: "ErrorRate") -> str:
    return f"{rate.rate:.2f} ± " + ("–" if isnan(rate.error) else f"{rate.error:.2f}")
