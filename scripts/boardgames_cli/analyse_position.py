"""Analysis of a position for `boardgames analyse`: its plays, or the cube and the best play of each roll."""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.table import Table

from boardgames_agents.lookahead.cube.doubler import Doubler
from boardgames_agents.lookahead.cube.formulas import make_formula
from boardgames_agents.lookahead.evaluator import equities, evaluator_of
from boardgames_agents.lookahead.expectimax import Expectimax
from boardgames_agents.lookahead.predictions import EQUITY_IN_MATCH, cubeful_equity
from boardgames_agents.people.judging.decisions import advise
from boardgames_agents.people.judging.plays import Play, before_the_roll, plays_of, rolls_of
from boardgames_agents.policy.explanation import signed
from boardgames_cli.printing import console, print_table, table
from boardgames_cli.shared_options import BACKGAMMON
from boardgames_env import BadInputError, Position, make_game
from boardgames_env.games.backgammon.notation.position_id import (
    match_options,
    parse_position,
    parse_roll,
    position_id,
    xgid,
)
from boardgames_env.games.backgammon.notation.words import has_dice
from boardgames_env.match_score import MatchScore

if TYPE_CHECKING:
    from boardgames_cli.analyse import AnalyseArguments
    from boardgames_cli.rollout import RolloutArguments

Row = dict[str, Any]
OUTCOMES = {"win": "win", "gammon": "g", "backgammon": "bg", "lost_gammon": "lose g", "lost_backgammon": "lose bg"}


def analyse_position(options: "AnalyseArguments") -> None:
    """List the plays of a roll, or before a roll the advice about the cube and the best play of each roll."""
    position, search = read_position(options, options.what)
    rolled = has_dice(position)
    doubler = Doubler(position.game, make_formula(options.doubling))
    found = _plays(search, position, doubler) if rolled else _before_the_roll(search, position)
    if options.as_json:
        print(json.dumps({**ids(position), "with": options.with_, "plies": options.plies, **found}, indent=2))
        return
    print_position(position)
    if rolled:
        title = f"The best of {len(found['plays'])} plays, by {options.with_}"
        print_table(_plays_table(title, found["plays"][: options.candidates], "play"))
        if position.game.score:
            console.print(EQUITY_IN_MATCH)
        return
    outcomes = ", ".join(f"{name} {found[key]:.1%}" for key, name in OUTCOMES.items())
    console.print(f"{found['to roll']} to roll: equity {signed(found['equity'], 3)} without a cube; {outcomes}\n")
    if found["cube"]:
        score = position.game.score and position.game.score(position.state)
        print_table(_cube_table(f"The cube, {at_score(score) if score else 'in money play'}", found["cube"]))
    print_table(_plays_table("The best play of each roll", found["rolls"], "roll", "play"))


def read_position(options: "AnalyseArguments | RolloutArguments", text: str) -> tuple[Position, Expectimax]:
    """Return the position that a text describes, and the search that evaluates it."""
    game = make_game(options.game) if options.game else make_game(BACKGAMMON, **match_options(text))
    if game.part is not game:
        raise BadInputError(f"{game.spec} is a whole match; give the score of the game, such as score=(0, 0)")
    position = parse_position(game, text, parse_roll(options.dice) if options.dice else None)
    if position.is_over:
        raise BadInputError(f"the contest is over in {text!r}; give a position that is not")
    return position, Expectimax(game, evaluator_of(options.with_, game), options.plies, options.candidates)


def ids(position: Position) -> Row:
    """Return a position's game and IDs."""
    return {"game": position.game.spec, "position_id": position_id(position), "xgid": xgid(position)}


def print_position(position: Position) -> None:
    """Print a position with its board and its IDs."""
    console.print(position.text)
    console.print(f"{position_id(position)}   {xgid(position)}\n", soft_wrap=True)


def at_score(score: MatchScore) -> str:
    """Return the score of a match in words."""
    crawford = ", Crawford game" if score.is_crawford else ", post-Crawford" if score.is_post_crawford else ""
    return f"at {score.points[0]}–{score.points[1]} in a match to {score.length}{crawford}"


def _plays(search: Expectimax, position: Position, doubler: Doubler) -> Row:
    plays = plays_of(search, position)
    best = plays[0].candidate.equity

    def row(play: Play) -> Row:
        found = {**_play_row(play), "loss": best - play.candidate.equity}
        return {**found, "cubeful": cubeful_equity(doubler, position, play.candidate)} if doubler.has_cube else found

    return {"plays": [row(play) for play in plays]}


def _before_the_roll(search: Expectimax, position: Position) -> Row:
    """Return the equity, the advice of the doubling formulas, and the best play of each roll."""
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


def _play_row(play: Play) -> Row:
    candidate = play.candidate
    outcomes = outcomes_row(candidate.probabilities)
    return {"play": play.text, "equity": candidate.equity, **outcomes, "plies": candidate.plies}


def outcomes_row(probabilities: Sequence[float]) -> Row:
    """Return the probabilities to win 1, 2, 3 points and to lose 1, 2, 3 as `OUTCOMES`, each with the rarer ones."""
    one, two, three, _, less_two, less_three = (float(each) for each in probabilities)
    shares = (one + two + three, two + three, three, less_two + less_three, less_three)
    return dict(zip(OUTCOMES, shares, strict=True))


def _plays_table(title: str, rows: Sequence[Row], *names: str) -> Table:
    """Return a table of plays, with these columns of names, and their losses if they have any."""
    has_losses, has_cube = "loss" in rows[0], "cubeful" in rows[0]
    numbers = ("equity", *["loss"] * has_losses, *OUTCOMES.values(), *["cubeful"] * has_cube, "ply")
    cells = (
        (
            *(row[name] for name in names),
            signed(row["equity"], 3),
            *([f"{row['loss']:.3f}" if row["loss"] else ""] if has_losses else []),
            *(f"{row[key]:.1%}" for key in OUTCOMES),
            *([signed(row["cubeful"], 3)] if has_cube else []),
            str(row["plies"]),
        )
        for row in rows
    )
    return table(title, (*names, *numbers), cells, right=numbers)


def _cube_table(title: str, advice: Sequence[Row]) -> Table:
    numbers = (*advice[0]["worths"], "take point")
    rows = (
        (
            each["formula"],
            each["advice"],
            *(signed(value, 3) for value in each["worths"].values()),
            "" if each["take_point"] is None else f"{each['take_point']:.1%}",
        )
        for each in advice
    )
    return table(title, ("formula", "advice", *numbers), rows, right=numbers)
