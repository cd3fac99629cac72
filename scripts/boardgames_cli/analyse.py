"""`boardgames analyse`: values of a position's moves, of a backgammon position's plays, or errors in a match."""

import json
import sys
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from boardgames_cli.printing import console, print_sentence, progress
from boardgames_cli.shared_options import AsJson, BackgammonGame, Dice, With

if TYPE_CHECKING:
    from boardgames_agents.people.judging.match_analysis import AnalysedDecision


_SUFFIXES = (".mat", ".xg", ".bgf", ".sgf", ".txt", ".gam", ".html", ".htm")
"""The ends of names by which a file is meant, even if there is none."""


@dataclass(frozen=True)
class AnalyseArguments:
    """The options of the command."""

    what: Annotated[
        str,
        typer.Argument(
            help="A position ID, a GNUBGID, an XGID, or start for the initial position; or a match file (.mat, .txt; "
            "with the extra match-files .xg, .bgf); or the name of a game without dice.",
            metavar="POSITION|MATCHFILE|GAME",
        ),
    ]
    actions: Annotated[
        list[str] | None,
        typer.Argument(help="After a game, the actions from the start to the position, such as d d c."),
    ] = None
    dice: Dice = None
    with_: With = "td_gammon"
    plies: Annotated[int, typer.Option(help="Plies to look ahead.")] = 3
    candidates: Annotated[int, typer.Option(help="Number of plays that are searched to this depth and listed.")] = 8
    game: BackgammonGame = None
    match: Annotated[int, typer.Option(help="Number of the match in a file that has several.", min=1)] = 1
    doubling: Annotated[str, typer.Option(help="The doubling formula for a match.")] = "janowski"
    worst: Annotated[int, typer.Option(help="Number of a match's worst errors to show with boards.", min=0)] = 0
    as_json: AsJson = False


_OF_ANY_GAME = ("what", "actions", "candidates", "as_json")


def analyse(options: AnalyseArguments) -> None:
    """List the moves of a position with their values, or the decisions of a match with their errors."""
    from boardgames_env import BadInputError
    from boardgames_env.games import registered_games
    from boardgames_env.spec import underscored

    path = Path(options.what)
    if underscored(options.what).partition("(")[0] in registered_games() and not _is_file(path):
        _analyse_moves(options)
        return
    if options.actions:
        what = f"{' '.join(options.actions)!r} is not allowed after {options.what}"
        raise BadInputError(f"{what}: actions follow the name of a game")
    if path.suffix.lower() in _SUFFIXES or _is_file(path):
        if options.dice:
            raise BadInputError("--dice is for a position: a match file has the rolls")
        _analyse_match(path, options)
        return
    if options.worst:
        raise BadInputError("--worst is for a match file: in a position there is one decision")
    if options.match != 1:
        raise BadInputError("--match is for a match file; here is a position")
    _analyse_position(options)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # (such a name no file can have)
        return False


def _analyse_moves(options: AnalyseArguments) -> None:
    """List the moves of a position of any game without dice, with the best values that are known of them."""
    from boardgames_agents.people.judging.sources import best_moves, source_of
    from boardgames_agents.policy.explanation import position_after
    from boardgames_agents.search.alpha_beta import value_text
    from boardgames_cli.printing import print_table
    from boardgames_env import BadInputError, make_game
    from boardgames_env.errors import require

    game = make_game(options.what)
    if game.rules.has_chance:
        raise BadInputError(f"positions of {game.spec} are given by an ID, or as start, and the game as --game")
    for field in fields(options):
        if field.name not in _OF_ANY_GAME and getattr(options, field.name) != field.default:
            raise BadInputError(f"--{field.name.rstrip('_')} is for backgammon; here is {game.spec}")
    require(1, candidates=options.candidates)
    position = position_after(game, " ".join(options.actions or []))
    is_exact = source_of(position).kind == "exact"
    found = best_moves(position, count=game.num_actions if is_exact else options.candidates)
    if options.as_json:
        moves = [{"move": each.text, "value": each.value, "text": each.words} for each in found.moves]
        about = {"game": game.spec, "actions": options.actions or [], "to move": game.men[position.seat].name}
        print(json.dumps({**about, "values": found.source, "moves": moves}, indent=2))
        return
    console.print(f"{position.text}\n")
    title = f"Moves of {game.men[position.seat].name}"
    is_searched = found.kind == "searched"
    rows = [(each.text, value_text(int(each.value)) if is_searched else each.words) for each in found.moves]
    print_table(title, ("move", "value"), rows)
    units = ", in units of the game's own evaluation" if is_searched and game.heuristics else ""
    print_sentence(f"{found.source}{units}")


def _analyse_position(options: AnalyseArguments) -> None:
    """List the plays of a roll, or before a roll the advice about the cube and the best play of each roll."""
    from boardgames_agents.lookahead.cube.doubler import Doubler
    from boardgames_agents.lookahead.cube.formulas import make_formula
    from boardgames_agents.lookahead.player import EQUITY_IN_MATCH
    from boardgames_cli import analysis_text as text
    from boardgames_env.games.backgammon.notation.words import has_dice

    position, search = text.position_and_search(
        options.what, options.dice, options.game, options.with_, options.plies, options.candidates
    )
    rolled = has_dice(position)
    doubler = Doubler(position.game, make_formula(options.doubling))
    found = text.plays_as_dict(search, position, doubler) if rolled else text.before_the_roll_as_dict(search, position)
    if options.as_json:
        given = {"with": options.with_, "plies": options.plies}
        print(json.dumps({**text.ids(position, options.what), **given, **found}, indent=2))
        return
    text.print_position(position, options.what)
    if rolled:
        title = f"The best of {len(found['plays'])} plays, by {options.with_}"
        text.print_plays(title, found["plays"][: options.candidates], "play")
        if position.game.score:
            console.print(EQUITY_IN_MATCH)
    else:
        text.print_before_the_roll(position, found)


def _analyse_match(path: Path, options: AnalyseArguments) -> None:
    """Analyse a match file and print its decisions, totals and worst errors."""
    from boardgames_agents.lookahead.cube.formulas import make_formula
    from boardgames_agents.lookahead.evaluator import evaluator_of
    from boardgames_agents.lookahead.expectimax import Expectimax
    from boardgames_agents.people.judging.match_analysis import Analyst
    from boardgames_cli import analysis_text as text
    from boardgames_env import make_game
    from boardgames_env.games.backgammon.notation.match_file import read_match

    match = read_match(path, make_game(options.game) if options.game else None, match=options.match, strict=False)
    for warning in match.warnings:
        print(f"Warning: {path.name}: {warning}", file=sys.stderr)
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
        if match.warnings:
            about["warnings"] = match.warnings
        print(json.dumps({**about, **given, **text.match_as_dict(found)}, indent=2))
        return
    text.print_match(match, found)
    title = f"{path.name}, by {options.with_} at {options.plies} ply, cube by {options.doubling}"
    text.print_totals(title, match, found)
    text.print_worst(match, found, options.worst)
