"""`boardgames analyse`: equities of a backgammon position, play by play, or errors in a match."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from boardgames_cli.printing import console, print_wide, table
from boardgames_cli.shared_options import takes

if TYPE_CHECKING:
    from rich.table import Table

    from boardgames_agents.analysis.cube_advice import Advice
    from boardgames_agents.analysis.play_analyst import Play
    from boardgames_agents.lookahead.expectimax import Expectimax
    from boardgames_cli.rollout import RolloutArguments
    from boardgames_env import Position

_GAME = "backgammon(cube=True)"

PositionArgument = Annotated[
    str, typer.Argument(help="A position ID, an XGID, or start for the initial position.", metavar="POSITION")
]
Dice = Annotated[str | None, typer.Option(help="The roll to play, such as 31.")]
With = Annotated[
    str, typer.Option("--with", help="The agent that evaluates; it must predict outcomes.", metavar="AGENT")
]
GameOption = Annotated[str | None, typer.Option(help=f"The game; by default {_GAME}, or that of a match file.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print everything as JSON.")]

Row = dict[str, Any]
OUTCOMES = {"win": "win", "gammon": "g", "backgammon": "bg", "lost_gammon": "lose g", "lost_backgammon": "lose bg"}


@dataclass(frozen=True)
class AnalyseArguments:
    """The options of the command."""

    what: Annotated[
        str,
        typer.Argument(
            help="A position ID, an XGID, or start for the initial position; or a match file (.mat).",
            metavar="POSITION|MATCHFILE",
        ),
    ]
    dice: Dice = None
    with_: With = "td_gammon"
    plies: Annotated[int, typer.Option(help="Plies to look ahead.")] = 2
    candidates: Annotated[int, typer.Option(help="Number of plays that are searched to this depth and listed.")] = 8
    game: GameOption = None
    doubling: Annotated[str, typer.Option(help="The doubling formula for a match.")] = "janowski"
    worst: Annotated[int, typer.Option(help="Number of a match's worst errors to show with boards.", min=0)] = 0
    as_json: AsJson = False


@takes(AnalyseArguments)
def analyse(options: AnalyseArguments) -> None:
    """List the plays of a position with their equities, or the decisions of a match with their errors."""
    from boardgames_agents.analysis.play_analyst import has_dice
    from boardgames_cli.analyse_match import analyse_match
    from boardgames_env import BadInputError

    path = Path(options.what)
    if path.suffix.lower() == ".mat" or path.is_file():
        if options.dice:
            raise BadInputError("--dice is for a position: a match file has the rolls")
        analyse_match(path, options)
        return
    if options.worst:
        raise BadInputError("--worst is for a match file: in a position there is one decision")
    position, search = read_position(options, options.what)
    rolled = has_dice(position)
    found = _plays(search, position) if rolled else _before_the_roll(search, position)
    if options.as_json:
        print(json.dumps({**ids(position), "with": options.with_, "plies": options.plies, **found}, indent=2))
        return
    print_position(position)
    if rolled:
        title = f"The best of {len(found['plays'])} plays, by {options.with_}"
        print_wide(_plays_table(title, found["plays"][: options.candidates], loss=True))
    else:
        _print_before_the_roll(found)


def _print_before_the_roll(found: Row) -> None:
    outcomes = ", ".join(f"{name} {found[key]:.1%}" for key, name in OUTCOMES.items())
    console.print(
        f"{found['to roll']} to roll: equity {found['equity']:+.3f} without a cube; {outcomes}\n", highlight=False
    )
    if found["cube"]:
        print_wide(_cube_table(found["cube"]))
    print_wide(_plays_table("The best play of each roll", found["rolls"], first="roll"))


def read_position(options: "AnalyseArguments | RolloutArguments", text: str) -> "tuple[Position, Expectimax]":
    """Return the position that a text describes, and the search that evaluates it."""
    from boardgames_agents.lookahead.evaluator import evaluator_of
    from boardgames_agents.lookahead.expectimax import Expectimax
    from boardgames_env import BadInputError, make_game
    from boardgames_env.games.backgammon.position_id import parse_position, parse_roll

    game = make_game(options.game or _GAME)
    position = parse_position(game, text, parse_roll(options.dice) if options.dice else None)
    if position.is_over:
        raise BadInputError(f"the contest is over in {text!r}; give a position that is not")
    return position, Expectimax(game, evaluator_of(options.with_, game), options.plies, options.candidates)


def ids(position: "Position") -> Row:
    """Return a position's game and IDs."""
    from boardgames_env.games.backgammon.position_id import position_id, xgid

    return {"game": position.game.spec, "position_id": position_id(position), "xgid": xgid(position)}


def print_position(position: "Position") -> None:
    """Print a position with its board and its IDs."""
    names = ids(position)
    console.print(position.text, highlight=False)
    console.print(f"{names['position_id']}   {names['xgid']}\n", highlight=False, soft_wrap=True)


def _plays(search: "Expectimax", position: "Position") -> Row:
    from boardgames_agents.analysis.play_analyst import PlayAnalyst

    plays = PlayAnalyst(search).plays(position)
    best = plays[0].candidate.equity
    return {"plays": [{**_play_row(play), "loss": best - play.candidate.equity} for play in plays]}


def _before_the_roll(search: "Expectimax", position: "Position") -> Row:
    """Return the equity, the advice of the doubling formulas, and the best play of each roll."""
    from boardgames_agents.analysis.cube_advice import advise
    from boardgames_agents.analysis.play_analyst import PlayAnalyst

    analyst = PlayAnalyst(search)
    awaiting = analyst.before_the_roll(position)
    chances, equity = analyst.prospects(awaiting)
    return {
        "to roll": position.game.men[awaiting.seat].name,
        "equity": equity,
        **outcomes_row(chances),
        "cube": [_advice_row(each) for each in advise(search, position)],
        "rolls": [{"roll": each.text, **_play_row(each.best)} for each in analyst.rolls(awaiting)],
    }


def _advice_row(advice: "Advice") -> Row:
    return {
        "formula": advice.formula,
        "advice": advice.advice,
        "worths": dict(advice.values),
        "take_point": advice.take_point,
    }


def _play_row(play: "Play") -> Row:
    candidate = play.candidate
    return {
        "play": play.text,
        "equity": candidate.equity,
        **outcomes_row(candidate.probabilities),
        "plies": candidate.plies,
    }


def outcomes_row(probabilities: Sequence[float]) -> Row:
    """Return the cumulative probabilities of winning, gammons and so on, by `OUTCOMES`."""
    from boardgames_agents.analysis.play_analyst import CumulativeProbabilities

    return asdict(CumulativeProbabilities.of(probabilities))


def _plays_table(title: str, rows: Sequence[Row], first: str = "", loss: bool = False) -> "Table":
    """Return a table of plays, with a column ``first`` before them, if given, and their losses."""
    numbers = ["equity", *(["loss"] if loss else []), *OUTCOMES.values(), "ply"]
    made = table(title, *([first] if first else []), "play", *numbers, right=tuple(numbers))
    for row in rows:
        made.add_row(
            *([row[first]] if first else []),
            row["play"],
            f"{row['equity']:+.3f}",
            *([f"{row['loss']:.3f}" if row["loss"] else ""] if loss else []),
            *(f"{row[key]:.1%}" for key in OUTCOMES),
            str(row["plies"]),
        )
    return made


def _cube_table(advice: Sequence[Row]) -> "Table":
    ways = tuple(advice[0]["worths"])
    made = table("The cube, in money play", "formula", "advice", *ways, "take point", right=(*ways, "take point"))
    for each in advice:
        take_point = "" if each["take_point"] is None else f"{each['take_point']:.1%}"
        made.add_row(each["formula"], each["advice"], *(f"{each['worths'][way]:+.3f}" for way in ways), take_point)
    return made


COMMANDS = (analyse,)
