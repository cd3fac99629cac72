"""`boardgames rollout`: a backgammon position played out many times."""

import json
from dataclasses import asdict
from math import inf
from typing import TYPE_CHECKING, Annotated, Any

import typer

from boardgames_cli.dataclass_options import takes
from boardgames_cli.printing import print_table, progress
from boardgames_cli.shared_options import AsJson, Dice, GameOption, With

if TYPE_CHECKING:
    from boardgames_agents.analysis.candidate_rollouts import CandidateRollout
    from boardgames_agents.lookahead.rollout import RolloutOptions


@takes("boardgames_agents.lookahead.rollout:RolloutOptions", without=("reduce_variance",))
def rollout(
    text: Annotated[
        str, typer.Argument(help="A position ID, an XGID, or start for the initial position.", metavar="POSITION")
    ],
    options: "RolloutOptions",
    dice: Dice = None,
    candidates: Annotated[int, typer.Option(help="Number of the best plays to roll out.")] = 3,
    with_: With = "td_gammon",
    game: GameOption = None,
    as_json: AsJson = False,
) -> None:
    """Play a position out many times, or the positions after the best plays of a roll."""
    from boardgames_agents.analysis.candidate_rollouts import roll_out
    from boardgames_cli.analysis_text import ids, outcomes_row, position_and_search, print_position

    position, search = position_and_search(text, dice, game, with_, options.plies, candidates)
    with progress(f"rollout by {with_}", unit=" trials") as bar:
        found = roll_out(search, position, options, bar.to)
    outcomes = [outcomes_row(each.rollout.probabilities) for each in found]
    if as_json:
        names = ("trials", "truncate", "plies", "seed")
        given = {"with": with_, **{name: getattr(options, name) for name in names}}
        rows = [{**_as_dict(each), **chances} for each, chances in zip(found, outcomes, strict=True)]
        print(json.dumps({**ids(position), **given, "rollouts": rows}, indent=2))
        return
    print_position(position)
    length = f"cut short after {options.truncate} moves" if options.truncate else "to the end"
    title = f"{options.trials:,} trials by {with_}, {options.plies} ply, {length}, seed {options.seed}"
    _print_rollouts(title, found, outcomes)
    if len(found) == 1:
        _print_outcomes(found[0])


def _as_dict(each: "CandidateRollout") -> dict[str, Any]:
    """Return a rollout as a dictionary; standard errors of a single trial are None."""
    row = {"play": each.play, **asdict(each.rollout), "interval": each.rollout.interval}
    return row if each.rollout.error < inf else {**row, "errors": None, "error": None, "interval": None}


def _print_rollouts(title: str, found: "list[CandidateRollout]", outcomes: list[dict[str, float]]) -> None:
    from boardgames_agents.explanation import signed
    from boardgames_cli.analysis_text import OUTCOMES

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
    print_table(title, ("play", *numbers), rows, figures=numbers)


def _print_outcomes(found: "CandidateRollout") -> None:
    ways = [f"{verb} {points}" for verb in ("wins", "loses") for points in ("one point", "a gammon", "a backgammon")]
    rolled = found.rollout
    numbers = [(f"{100 * p:.2f}", f"{100 * se:.2f}") for p, se in zip(rolled.probabilities, rolled.errors, strict=True)]
    rows = [(way, *cells) for way, cells in zip(ways, numbers, strict=True)]
    print_table("How it ends", ("", "%", "± s.e."), rows, figures=("%", "± s.e."))
