"""`boardgames analyse`: equities of a backgammon position, play by play, or errors in a match."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from boardgames_cli.printing import console, progress
from boardgames_cli.shared_options import AsJson, Dice, GameOption, With

if TYPE_CHECKING:
    from boardgames_agents.analysis.decisions import AnalysedDecision
    from boardgames_agents.analysis.plays import Play
    from boardgames_agents.lookahead.cube.doubler import Doubler
    from boardgames_agents.lookahead.expectimax import Expectimax
    from boardgames_cli.analysis_text import Contests
    from boardgames_env import Position


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
    plies: Annotated[int, typer.Option(help="Plies to look ahead.")] = 3
    candidates: Annotated[int, typer.Option(help="Number of plays that are searched to this depth and listed.")] = 8
    game: GameOption = None
    doubling: Annotated[str, typer.Option(help="The doubling formula for a match.")] = "janowski"
    worst: Annotated[int, typer.Option(help="Number of a match's worst errors to show with boards.", min=0)] = 0
    as_json: AsJson = False


def analyse(options: AnalyseArguments) -> None:
    """List the plays of a position with their equities, or the decisions of a match with their errors."""
    from boardgames_env import BadInputError

    path = Path(options.what)
    if path.suffix.lower() == ".mat" or path.is_file():
        if options.dice:
            raise BadInputError("--dice is for a position: a match file has the rolls")
        _analyse_match(path, options)
        return
    if options.worst:
        raise BadInputError("--worst is for a match file: in a position there is one decision")
    _analyse_position(options)


def _analyse_position(options: AnalyseArguments) -> None:
    """List the plays of a roll, or before a roll the advice about the cube and the best play of each roll."""
    from boardgames_agents.lookahead.cube.doubler import Doubler
    from boardgames_agents.lookahead.cube.formulas import make_formula
    from boardgames_agents.lookahead.predictions import EQUITY_IN_MATCH
    from boardgames_cli import analysis_text
    from boardgames_env.games.backgammon.words import has_dice

    position, search = analysis_text.position_and_search(
        options.what, options.dice, options.game, options.with_, options.plies, options.candidates
    )
    rolled = has_dice(position)
    doubler = Doubler(position.game, make_formula(options.doubling))
    found = _plays(search, position, doubler) if rolled else _before_the_roll(search, position)
    if options.as_json:
        given = {"with": options.with_, "plies": options.plies}
        print(json.dumps({**analysis_text.ids(position), **given, **found}, indent=2))
        return
    analysis_text.print_position(position)
    if rolled:
        title = f"The best of {len(found['plays'])} plays, by {options.with_}"
        analysis_text.print_plays(title, found["plays"][: options.candidates], "play")
        if position.game.score:
            console.print(EQUITY_IN_MATCH)
    else:
        analysis_text.print_before_the_roll(position, found)


def _plays(search: "Expectimax", position: "Position", doubler: "Doubler") -> dict[str, Any]:
    from boardgames_agents.analysis.plays import plays_of
    from boardgames_agents.lookahead.predictions import cubeful_equity

    plays, rows = plays_of(search, position), []
    for play in plays:
        row = {**_play_row(play), "loss": plays[0].candidate.equity - play.candidate.equity}
        if doubler.has_cube:
            row["cubeful"] = cubeful_equity(doubler, position, play.candidate)
        rows.append(row)
    return {"plays": rows}


def _before_the_roll(search: "Expectimax", position: "Position") -> dict[str, Any]:
    """Return the equity, the advice of the doubling formulas, and the best play of each roll."""
    from boardgames_agents.analysis.cube_advice import advise
    from boardgames_agents.analysis.plays import before_the_roll, rolls_of
    from boardgames_agents.lookahead.evaluator import equities
    from boardgames_cli.analysis_text import outcomes_row

    awaiting = before_the_roll(position)
    (chances,) = search.outcome_probabilities(awaiting.state[None])
    return {
        "to roll": position.game.men[awaiting.seat].name,
        "equity": float(equities(chances, search.utility.of(awaiting.state)[awaiting.seat])),
        **outcomes_row(chances),
        "cube": [
            {"formula": each.formula, "advice": each.advice, "worths": each.values, "take_point": each.take_point}
            for each in advise(search, position)
        ],
        "rolls": [{"roll": each.text, **_play_row(each.best)} for each in rolls_of(search, awaiting)],
    }


def _play_row(play: "Play") -> dict[str, Any]:
    from boardgames_cli.analysis_text import outcomes_row

    candidate = play.candidate
    outcomes = outcomes_row(candidate.probabilities)
    return {"play": play.text, "equity": candidate.equity, **outcomes, "plies": candidate.plies}


def _analyse_match(path: Path, options: AnalyseArguments) -> None:
    """Analyse a match file and print its decisions, totals and worst errors."""
    from boardgames_agents.analysis.decisions import Analyst
    from boardgames_agents.lookahead.cube.formulas import make_formula
    from boardgames_agents.lookahead.evaluator import evaluator_of
    from boardgames_agents.lookahead.expectimax import Expectimax
    from boardgames_cli import analysis_text
    from boardgames_env import make_game
    from boardgames_env.games.backgammon.match_file import read_match

    match = read_match(path, make_game(options.game) if options.game else None)
    game = match.game_of_contests
    search = Expectimax(game, evaluator_of(options.with_, game), options.plies, options.candidates)
    analyst = Analyst(search, make_formula(options.doubling))
    found: list[list[AnalysedDecision]] = []
    with progress(f"analysis by {options.with_}", len(match.contests), " games") as bar:
        for contest, start in zip(match.contests, match.starts, strict=False):
            found.append(list(analyst.decisions(contest, start)))
            bar.step()
    if options.as_json:
        given = {"with": options.with_, "plies": options.plies, "doubling": options.doubling}
        about: dict[str, Any] = {"game": match.game.spec, "players": match.players}
        if match.length:
            about |= {"match_length": match.length, "scores": [each.points for each in match.scores_before]}
        print(json.dumps({**about, **given, **_as_dict(found)}, indent=2))
        return
    analysis_text.print_match(match, found)
    title = f"{path.name}, by {options.with_} at {options.plies} ply, cube by {options.doubling}"
    analysis_text.print_totals(title, match, found)
    analysis_text.print_worst(match, found, options.worst)


def _as_dict(found: "Contests") -> dict[str, Any]:
    from boardgames_cli.analysis_text import totals_of

    totals = [
        {"game": name, "players": [{**asdict(each), "rate": each.rate} for each in both]}
        for name, both in totals_of(found)
    ]
    return {"games": [[_decision_as_dict(each) for each in decisions] for decisions in found], "totals": totals}


def _decision_as_dict(decision: "AnalysedDecision") -> dict[str, Any]:
    from boardgames_env.games.backgammon.position_id import position_id

    rest = vars(decision).copy()
    position = rest.pop("position")
    return {"seat": position.seat, "position_id": position_id(position), **rest}
