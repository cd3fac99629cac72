"""`boardgames error-rate`: what the plays of agents lose, judged by a look-ahead."""

from dataclasses import asdict, replace
from math import isnan
from typing import TYPE_CHECKING, Annotated

import typer

from boardgames_cli.dataclass_options import WORKERS, takes
from boardgames_cli.printing import print_json, print_sentence, print_table, progress
from boardgames_cli.shared_options import AsJson, Seed

if TYPE_CHECKING:
    from boardgames_agents.experiments.runner import Workers
    from boardgames_agents.people.judging.error_rates import ErrorRate, Judge


@takes("boardgames_agents.people.judging.error_rates:Judge", WORKERS, agent=typer.Option("--with", metavar="AGENT"))
def error_rate(
    agents: Annotated[
        list[str], typer.Argument(help="The agents; the first one plays the contests with itself.", metavar="AGENT...")
    ],
    judge: "Judge",
    workers: "Workers",
    game: Annotated[str, typer.Option(help="The game: backgammon or hypergammon.")] = "backgammon",
    contests: Annotated[int, typer.Option(help="Number of contests, of about 50 decisions each.")] = 20,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Judge what agents would play, and do with the cube, in the same positions of backgammon."""
    from boardgames_agents.people.judging.error_rates import error_rates
    from boardgames_env.spec import underscored

    judge, agents = replace(judge, agent=underscored(judge.agent)), [underscored(agent) for agent in agents]
    found = error_rates(underscored(game), agents, judge, contests, seed, workers, progress)
    if as_json:
        print_json(
            {"agent": agent, "phase": phase, **asdict(rate)}
            for agent, rates in found.items()
            for phase, rate in rates.items()
        )
        return
    decisions = {phase: rate.decisions for phase, rate in next(iter(found.values())).items()}
    phases = [phase for phase, number in decisions.items() if number]
    cells = [(agent, *(_text_of_rate(rates[phase]) for phase in phases)) for agent, rates in found.items()]
    numbers = tuple(f"{phase} ({decisions[phase]:,})" for phase in phases)
    title = f"Loss a decision; contests of {agents[0]} with itself: {contests:,}"
    print_table(title, ("agent", *numbers), cells, figures=numbers)
    depth = "" if judge.agent == "perfect" else f" at {judge.plies} ply"
    print_sentence(
        f"thousandths of a point ± standard error, by {judge.agent}{depth}, and the share of decisions that lose "
        "nothing; in brackets the decisions"
    )


def _text_of_rate(rate: "ErrorRate") -> str:
    error = "–" if isnan(rate.error) else f"{rate.error:.2f}"
    return f"{rate.rate:.2f} ± {error}, {rate.exact:.1f} %"
