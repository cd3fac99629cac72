"""`boardgames rollout`: equities of a backgammon position, or of the best plays of a roll, by playing it out."""

import json
from typing import TYPE_CHECKING, Annotated

import typer

from boardgames_cli.dataclass_options import takes
from boardgames_cli.printing import progress
from boardgames_cli.shared_options import AsJson, BackgammonGame, Dice, With

if TYPE_CHECKING:
    from boardgames_agents.lookahead.rollout import RolloutOptions


@takes("boardgames_agents.lookahead.rollout:RolloutOptions", without=("reduce_variance",))
def rollout(
    described: Annotated[
        str,
        typer.Argument(
            help="A position ID, a GNUBGID, an XGID, or start for the initial position.", metavar="POSITION"
        ),
    ],
    options: "RolloutOptions",
    dice: Dice = None,
    candidates: Annotated[int, typer.Option(help="Number of the best plays to roll out.")] = 3,
    with_: With = "td_gammon",
    game: BackgammonGame = None,
    as_json: AsJson = False,
) -> None:
    """Play a position out many times, or the positions after the best plays of a roll."""
    from boardgames_agents.people.judging.position_analysis import roll_out
    from boardgames_agents.policy.explanation import counted
    from boardgames_cli import analysis_text as text

    position, search = text.position_and_search(described, dice, game, with_, options.plies, candidates)
    with progress(f"rollout by {with_}", unit=" trials") as bar:
        found = roll_out(search, position, options, bar.to)
    if as_json:
        given = {"with": with_, **{name: getattr(options, name) for name in ("trials", "truncate", "plies", "seed")}}
        rows = list(map(text.rollout_as_dict, found))
        print(json.dumps({**text.ids(position, described), **given, "rollouts": rows}, indent=2))
        return
    text.print_position(position, described)
    length = f"cut short after {counted(options.truncate, 'move')}" if options.truncate else "to the end"
    title = f"{counted(options.trials, 'trial')} by {with_}, {options.plies} ply, {length}, seed {options.seed}"
    text.print_rollouts(title, found)
