"""`boardgames rollout`: a backgammon position played out many times."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from boardgames_cli.analyse import (
    OUTCOMES,
    AsJson,
    Dice,
    GameOption,
    PositionArgument,
    Row,
    With,
    ids,
    outcomes_row,
    print_position,
    read_position,
)
from boardgames_cli.printing import console, print_wide, progress, table
from boardgames_cli.shared_options import takes

if TYPE_CHECKING:
    from rich.table import Table

    from boardgames_agents.analysis.candidate_rollouts import CandidateRollout


@dataclass(frozen=True)
class RolloutArguments:
    """The options of the command."""

    position: PositionArgument
    dice: Dice = None
    trials: Annotated[int, typer.Option(help="Number of trials of each play.")] = 1296
    truncate: Annotated[
        int | None, typer.Option(help="Number of moves after which a trial is evaluated; by default it is played out.")
    ] = None
    plies: Annotated[int, typer.Option(help="Plies that each choice looks ahead.")] = 1
    candidates: Annotated[int, typer.Option(help="Number of the best plays to roll out.")] = 3
    seed: Annotated[int, typer.Option(help="Random seed of the rolls.", min=0)] = 0
    jobs: Annotated[int, typer.Option(help="Number of processes; the result is the same.")] = 1
    with_: With = "td_gammon"
    game: GameOption = None
    as_json: AsJson = False


@takes(RolloutArguments)
def rollout(options: RolloutArguments) -> None:
    """Play a position out many times, or the positions after the best plays of a roll."""
    from boardgames_agents.analysis.candidate_rollouts import roll_out
    from boardgames_agents.lookahead import rollout as lookahead

    position, search = read_position(options, options.position)
    trials, truncate, plies, seed = options.trials, options.truncate, options.plies, options.seed
    with progress(f"rollout by {options.with_}", unit=" trials") as bar:
        asked = lookahead.RolloutOptions(trials, truncate, plies, seed, options.jobs)
        found = roll_out(search, position, asked, bar.to)
    if options.as_json:
        given = {"with": options.with_, "trials": trials, "truncate": truncate, "plies": plies, "seed": seed}
        print(json.dumps({**ids(position), **given, "rollouts": [_as_dict(each) for each in found]}, indent=2))
        return
    print_position(position)
    length = f"cut short after {truncate} moves" if truncate else "to the end"
    print_wide(_rollout_table(f"{trials:,} trials by {options.with_}, {plies} ply, {length}, seed {seed}", found))
    if len(found) == 1:
        console.print(_outcomes_table(found[0]))


def _as_dict(each: "CandidateRollout") -> Row:
    """Return a rollout as a dictionary; standard errors of a single trial are None."""
    found = asdict(each.rollout)
    low, high = each.rollout.interval
    row = {"play": each.play, **found, "interval": [low, high], **outcomes_row(each.rollout.probabilities)}
    if each.rollout.error == float("inf"):
        row |= {"errors": None, "error": None, "interval": None}
    return row


def _rollout_table(title: str, found: "Sequence[CandidateRollout]") -> "Table":
    numbers = ("equity", "± s.e.", "95 % interval", "loss", *OUTCOMES.values())
    made = table(title, "play", *numbers, right=numbers)
    best = found[0].rollout.equity
    for each in found:
        rolled = each.rollout
        low, high = rolled.interval
        made.add_row(
            each.play,
            f"{rolled.equity:+.4f}",
            f"{rolled.error:.4f}",
            f"{low:+.3f} to {high:+.3f}",
            f"{best - rolled.equity:.4f}" if best > rolled.equity else "",
            *(f"{share:.1%}" for share in outcomes_row(rolled.probabilities).values()),
        )
    return made


def _outcomes_table(found: "CandidateRollout") -> "Table":
    made = table("How it ends", "", "%", "± s.e.", right=("%", "± s.e."))
    ways = (f"{verb} {points}" for verb in ("wins", "loses") for points in ("one point", "a gammon", "a backgammon"))
    for way, share, error in zip(ways, found.rollout.probabilities, found.rollout.errors, strict=True):
        made.add_row(way, f"{100 * share:.2f}", f"{100 * error:.2f}")
    return made


COMMANDS = (rollout,)
