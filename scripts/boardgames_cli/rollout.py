"""`boardgames rollout`: a backgammon position played out many times."""

import json
from dataclasses import asdict, dataclass
from math import inf
from typing import TYPE_CHECKING, Annotated, Any

import typer

from boardgames_cli.printing import print_table, progress, table
from boardgames_cli.shared_options import AsJson, Dice, GameOption, Jobs, With, takes

if TYPE_CHECKING:
    from boardgames_agents.people.judging.plays import CandidateRollout


@dataclass(frozen=True)
class RolloutArguments:
    """The options of the command."""

    position: Annotated[
        str, typer.Argument(help="A position ID, an XGID, or start for the initial position.", metavar="POSITION")
    ]
    dice: Dice = None
    trials: Annotated[int, typer.Option(help="Number of trials of each play.")] = 1296
    truncate: Annotated[
        int | None, typer.Option(help="Number of moves after which a trial is evaluated; by default it is played out.")
    ] = None
    plies: Annotated[int, typer.Option(help="Plies that each choice looks ahead.")] = 1
    candidates: Annotated[int, typer.Option(help="Number of the best plays to roll out.")] = 3
    seed: Annotated[int, typer.Option(help="Random seed of the rolls.", min=0)] = 0
    jobs: Jobs = 1
    with_: With = "td_gammon"
    game: GameOption = None
    as_json: AsJson = False


@takes(RolloutArguments)
def rollout(options: RolloutArguments) -> None:
    """Play a position out many times, or the positions after the best plays of a roll."""
    from boardgames_agents.lookahead import rollout as lookahead
    from boardgames_agents.people.judging.plays import roll_out
    from boardgames_cli.analyse_position import ids, outcomes_row, print_position, read_position

    position, search = read_position(options, options.position)
    trials, truncate, plies, seed = options.trials, options.truncate, options.plies, options.seed
    with progress(f"rollout by {options.with_}", unit=" trials") as bar:
        asked = lookahead.RolloutOptions(trials, truncate, plies, seed, options.jobs)
        found = roll_out(search, position, asked, bar.to)
    outcomes = [outcomes_row(each.rollout.probabilities) for each in found]
    if options.as_json:
        given = {"with": options.with_, "trials": trials, "truncate": truncate, "plies": plies, "seed": seed}
        rows = [{**_as_dict(each), **chances} for each, chances in zip(found, outcomes, strict=True)]
        print(json.dumps({**ids(position), **given, "rollouts": rows}, indent=2))
        return
    print_position(position)
    length = f"cut short after {truncate} moves" if truncate else "to the end"
    _print_rollouts(f"{trials:,} trials by {options.with_}, {plies} ply, {length}, seed {seed}", found, outcomes)
    if len(found) == 1:
        _print_outcomes(found[0])


def _as_dict(each: "CandidateRollout") -> dict[str, Any]:
    """Return a rollout as a dictionary; standard errors of a single trial are None."""
    row = {"play": each.play, **asdict(each.rollout), "interval": each.rollout.interval}
    return row if each.rollout.error < inf else {**row, "errors": None, "error": None, "interval": None}


def _print_rollouts(title: str, found: "list[CandidateRollout]", outcomes: list[dict[str, float]]) -> None:
    from boardgames_agents.policy.explanation import signed
    from boardgames_cli.analyse_position import OUTCOMES

    numbers = ("equity", "± s.e.", "95 % interval", "loss", *OUTCOMES.values())
    best = found[0].rollout.equity
    rows = [
        (
            each.play,
            signed(each.rollout.equity, 4),
            f"{each.rollout.error:.4f}",
            " to ".join(signed(end, 3) for end in each.rollout.interval),
            f"{best - each.rollout.equity:.4f}" if best > each.rollout.equity else "",
            *(f"{share:.1%}" for share in chances.values()),
        )
        for each, chances in zip(found, outcomes, strict=True)
    ]
    print_table(table(title, ("play", *numbers), rows, right=numbers))


def _print_outcomes(found: "CandidateRollout") -> None:
    ways = [f"{verb} {points}" for verb in ("wins", "loses") for points in ("one point", "a gammon", "a backgammon")]
    rolled = found.rollout
    numbers = [(f"{100 * p:.2f}", f"{100 * se:.2f}") for p, se in zip(rolled.probabilities, rolled.errors, strict=True)]
    rows = [(way, *cells) for way, cells in zip(ways, numbers, strict=True)]
    print_table(table("How it ends", ("", "%", "± s.e."), rows, right=("%", "± s.e.")))
