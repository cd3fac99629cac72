"""`boardgames analyse` and `rollout`: what a position at backgammon is worth, play by play, or a whole match."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from boardgames_cli.printing import console, print_wide, progress, table

if TYPE_CHECKING:
    from rich.table import Table

    from boardgames_agents.analysis.candidate_rollouts import CandidateRollout
    from boardgames_agents.analysis.cube_advice import Advice
    from boardgames_agents.analysis.play_analyst import Play
    from boardgames_agents.lookahead.expectimax import Expectimax
    from boardgames_env import Position

_GAME = "backgammon(cube=True)"

Dice = Annotated[str | None, typer.Option(help="The roll to play, such as 31.")]
With = Annotated[
    str, typer.Option("--with", help="The agent to go by, one that says how likely each outcome is.", metavar="AGENT")
]
GameOption = Annotated[str | None, typer.Option(help=f"The game; {_GAME} by default, or what a match file says.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print everything as JSON.")]

Row = dict[str, Any]
_CHANCES = {"win": "win", "gammon": "g", "backgammon": "bg", "lost_gammon": "lose g", "lost_backgammon": "lose bg"}


def analyse(
    what: Annotated[
        str,
        typer.Argument(
            help="A position ID, an XGID, or start, where all men begin; or a match file (.mat).",
            metavar="POSITION|MATCHFILE",
        ),
    ],
    dice: Dice = None,
    with_: With = "td_gammon",
    plies: Annotated[int, typer.Option(help="How many plies to look ahead.")] = 2,
    candidates: Annotated[int, typer.Option(help="How many plays to look at so deeply, and to list.")] = 8,
    game: GameOption = None,
    doubling: Annotated[str, typer.Option(help="The doubling formula that a match is analysed by.")] = "janowski",
    worst: Annotated[int, typer.Option(help="How many of a match's worst errors to show, with boards.", min=0)] = 0,
    as_json: AsJson = False,
) -> None:
    """List the plays of a position with their equities, or all decisions of a match and what they cost."""
    from boardgames_agents.analysis.play_analyst import has_dice
    from boardgames_cli.match_analysis import analyse_match
    from boardgames_env import BadInputError

    if Path(what).suffix.lower() == ".mat" or Path(what).is_file():
        if dice:
            raise BadInputError("--dice is for a position: a match file tells what was rolled")
        analyse_match(Path(what), game, with_, plies, candidates, doubling, worst, as_json)
        return
    if worst:
        raise BadInputError("--worst is for a match file: in a position there is one decision")
    position, search = _read(what, dice, game, with_, plies, candidates)
    said = _said_of_plays(search, position) if has_dice(position) else _said_before_the_roll(search, position)
    if as_json:
        print(json.dumps({**_ids(position), "with": with_, "plies": plies, **said}, indent=2))
        return
    _print_position(position)
    if has_dice(position):
        title = f"The best of {len(said['plays'])} plays, by {with_}"
        print_wide(_plays_table(title, said["plays"][:candidates], loss=True))
        return
    chances = ", ".join(f"{name} {said[key]:.1%}" for key, name in _CHANCES.items())
    console.print(
        f"{said['to roll']} to roll: equity {said['equity']:+.3f} without a cube; {chances}\n", highlight=False
    )
    if said["cube"]:
        print_wide(_cube_table(said["cube"]))
    print_wide(_plays_table("The best play of each roll", said["rolls"], first="roll"))


def rollout(
    position: Annotated[
        str, typer.Argument(help="A position ID, an XGID, or start, where all men begin.", metavar="POSITION")
    ],
    dice: Dice = None,
    trials: Annotated[int, typer.Option(help="How many trials, of each play.")] = 1296,
    truncate: Annotated[
        int | None, typer.Option(help="After how many moves a trial is cut short and judged; by default never.")
    ] = None,
    plies: Annotated[int, typer.Option(help="How many plies each choice looks ahead.")] = 1,
    candidates: Annotated[int, typer.Option(help="How many of the plays that look best to roll out.")] = 3,
    seed: Annotated[int, typer.Option(help="Settles every roll.", min=0)] = 0,
    jobs: Annotated[int, typer.Option(help="Processes to share the work; the result is the same.")] = 1,
    with_: With = "td_gammon",
    game: GameOption = None,
    as_json: AsJson = False,
) -> None:
    """Play a position out many times, or what the best plays of a roll lead to."""
    from boardgames_agents.analysis.candidate_rollouts import roll_out
    from boardgames_agents.lookahead.rollout import RolloutOptions

    there, search = _read(position, dice, game, with_, plies, candidates)
    with progress(f"rollout by {with_}", unit=" trials") as bar:
        found = roll_out(search, there, RolloutOptions(trials, truncate, plies, seed, jobs), bar.to)
    if as_json:
        options = {"trials": trials, "truncate": truncate, "plies": plies, "seed": seed}
        print(
            json.dumps(
                {**_ids(there), "with": with_, **options, "rollouts": [_as_dict(each) for each in found]}, indent=2
            )
        )
        return
    _print_position(there)
    length = f"cut short after {truncate} moves" if truncate else "to the end"
    print_wide(_rollout_table(f"{trials:,} trials by {with_}, {plies} ply, {length}, seed {seed}", found))
    if len(found) == 1:
        console.print(_outcomes_table(found[0]))


def _read(
    text: str, dice: str | None, game: str | None, with_: str, plies: int, candidates: int
) -> "tuple[Position, Expectimax]":
    """The position that a text tells of, and what looks ahead from it."""
    from boardgames_agents.lookahead.evaluator import evaluator_of
    from boardgames_agents.lookahead.expectimax import Expectimax
    from boardgames_env import BadInputError, make_game
    from boardgames_env.games.backgammon.position_id import parse_position, parse_roll

    made = make_game(game or _GAME)
    position = parse_position(made, text, parse_roll(dice) if dice else None)
    if position.is_over:
        raise BadInputError(f"the contest is over in {text!r}; give a position in which there is something to do")
    return position, Expectimax(made, evaluator_of(with_, made), plies, candidates)


def _ids(position: "Position") -> Row:
    from boardgames_env.games.backgammon.position_id import position_id, xgid

    return {"game": position.game.spec, "position_id": position_id(position), "xgid": xgid(position)}


def _print_position(position: "Position") -> None:
    ids = _ids(position)
    console.print(position.text, highlight=False)
    console.print(f"{ids['position_id']}   {ids['xgid']}\n", highlight=False, soft_wrap=True)


def _said_of_plays(search: "Expectimax", position: "Position") -> Row:
    """Every play, and what it loses against the best."""
    from boardgames_agents.analysis.play_analyst import PlayAnalyst

    plays = PlayAnalyst(search).plays(position)
    best = plays[0].candidate.equity
    return {"plays": [{**_play_row(play), "loss": best - play.candidate.equity} for play in plays]}


def _said_before_the_roll(search: "Expectimax", position: "Position") -> Row:
    """What to expect, what the formulas say of the cube, and the best play of each roll."""
    from boardgames_agents.analysis.cube_advice import advise
    from boardgames_agents.analysis.play_analyst import PlayAnalyst

    analyst = PlayAnalyst(search)
    awaiting = analyst.before_the_roll(position)
    chances, equity = analyst.prospects(awaiting)
    return {
        "to roll": position.game.men[awaiting.seat].name,
        "equity": equity,
        **_chances_row(chances),
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
        **_chances_row(candidate.probabilities),
        "plies": candidate.plies,
    }


def _chances_row(probabilities: Sequence[float]) -> Row:
    from boardgames_agents.analysis.play_analyst import CumulativeProbabilities

    return asdict(CumulativeProbabilities.of(probabilities))


def _plays_table(title: str, rows: Sequence[Row], first: str = "", loss: bool = False) -> "Table":
    """Plays with what is thought of them; before them the column named first, if any, and their losses."""
    numbers = ["equity", *(["loss"] if loss else []), *_CHANCES.values(), "ply"]
    made = table(title, *([first] if first else []), "play", *numbers, right=tuple(numbers))
    for row in rows:
        made.add_row(
            *([row[first]] if first else []),
            row["play"],
            f"{row['equity']:+.3f}",
            *([f"{row['loss']:.3f}" if row["loss"] else ""] if loss else []),
            *(f"{row[key]:.1%}" for key in _CHANCES),
            str(row["plies"]),
        )
    return made


def _cube_table(advice: Sequence[Row]) -> "Table":
    """What each formula advises, and what each way to go on is worth."""
    ways = tuple(advice[0]["worths"])
    made = table("The cube, in money play", "formula", "advice", *ways, "take point", right=(*ways, "take point"))
    for each in advice:
        take_point = "" if each["take_point"] is None else f"{each['take_point']:.1%}"
        made.add_row(each["formula"], each["advice"], *(f"{each['worths'][way]:+.3f}" for way in ways), take_point)
    return made


def _as_dict(each: "CandidateRollout") -> Row:
    """A rollout, with nothing where a single trial leaves an error unknown."""
    found = asdict(each.rollout)
    low, high = each.rollout.interval
    row = {"play": each.play, **found, "interval": [low, high], **_chances_row(each.rollout.probabilities)}
    if each.rollout.error == float("inf"):
        row |= {"errors": None, "error": None, "interval": None}
    return row


def _rollout_table(title: str, found: "Sequence[CandidateRollout]") -> "Table":
    numbers = ("equity", "± s.e.", "95 % interval", "loss", *_CHANCES.values())
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
            *(f"{share:.1%}" for share in _chances_row(rolled.probabilities).values()),
        )
    return made


def _outcomes_table(found: "CandidateRollout") -> "Table":
    """How likely each outcome is, with its standard error."""
    made = table("How it ends", "", "%", "± s.e.", right=("%", "± s.e."))
    ways = (f"{verb} {points}" for verb in ("wins", "loses") for points in ("one point", "a gammon", "a backgammon"))
    for way, share, error in zip(ways, found.rollout.probabilities, found.rollout.errors, strict=True):
        made.add_row(way, f"{100 * share:.2f}", f"{100 * error:.2f}")
    return made


COMMANDS = (analyse, rollout)
