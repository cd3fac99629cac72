"""Analysis of a match for `boardgames analyse`: tables of decisions, totals, and the worst errors."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.table import Table

from boardgames_agents.lookahead.cube.formulas import make_formula
from boardgames_agents.lookahead.evaluator import evaluator_of
from boardgames_agents.lookahead.expectimax import Expectimax
from boardgames_agents.people.judging.cost import BAD, DOUBTFUL, VERY_BAD, mark
from boardgames_agents.people.judging.decisions import AnalysedDecision, Analyst, Totals
from boardgames_agents.policy.explanation import signed
from boardgames_cli.analyse_position import at_score
from boardgames_cli.printing import console, print_table, progress, table
from boardgames_env import make_game
from boardgames_env.games.backgammon.notation.match_file import Match, read_match
from boardgames_env.games.backgammon.notation.position_id import position_id

if TYPE_CHECKING:
    from boardgames_cli.analyse import AnalyseArguments

Contests = Sequence[Sequence[AnalysedDecision]]
KEY = (
    "points at a stake of 1, cubeless but for decisions about the cube; rate: thousandths of a point per decision that "
    f"was not forced; errors ?! from {DOUBTFUL:.2f}, ? from {BAD:.2f}, ?? (blunders) from {VERY_BAD:.2f}"
)

MATCH_KEY = (
    "a point is half of the chance to win the match that the stake decides; match −: the chance that errors cost, "
    "match luck: that luck was worth"
)


def analyse_match(path: Path, options: "AnalyseArguments") -> None:
    """Analyse a match file and print its decisions, totals and worst errors."""
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
    for number, (decisions, start) in enumerate(zip(found, match.starts, strict=False), start=1):
        at = f" {at_score(game.score(start.state))}" if game.score else ""
        print_table(_decisions_table(f"Game {number}{at}: {', '.join(_players(match))}", match, decisions))
    title = f"{path.name}, by {options.with_} at {options.plies} ply, cube by {options.doubling}"
    print_table(_totals_table(title, match, found))
    console.print(f"{KEY}; {MATCH_KEY}" if match.length else KEY)
    _print_worst(match, found, options.worst)


def _players(match: Match) -> list[str]:
    """Return the players with the colours that they have in all games."""
    return [f"{player} ({man.name})" for player, man in zip(match.players, match.game.men, strict=True)]


def _decisions_table(title: str, match: Match, decisions: Sequence[AnalysedDecision]) -> Table:
    """Return a row for each decision but those not to double; the best play is shown where another was played."""
    numbers = ("equity", "error", "luck")
    rows = (
        (
            str(number),
            match.game.men[each.position.seat].name,
            each.roll,
            each.played,
            mark(each.error),
            each.best if each.error > 0 else "",
            signed(each.equity, 3),
            f"{each.error:.3f}" if each.error > 0 else "",
            signed(each.luck, 3) if each.roll else "",
        )
        for number, each in enumerate(decisions, start=1)
        if each.roll or each.counts
    )
    return table(title, ("", "", "roll", "played", "", "best", *numbers), rows, right=numbers)


def _totals_table(title: str, match: Match, found: Contests) -> Table:
    """Return the sums over each player's decisions, by game and in all."""
    of_match = ("match −", "match luck") if match.length else ()
    numbers = ("plays", "errors", "cube", "cube errors", "?!", "?", "??", "rate", "luck", *of_match)
    rows = (
        (
            game,
            player,
            str(each.plays),
            f"{each.play_errors:.3f}",
            str(each.cube_decisions),
            f"{each.cube_errors:.3f}",
            *(str(number) for number in (each.doubtful, each.bad, each.blunders)),
            f"{each.rate:.1f}",
            signed(each.luck, 3),
            *((f"{each.match_errors:.2%}", f"{each.match_luck:+.2%}") if match.length else ()),
        )
        for game, totals in _totals(found)
        for player, each in zip(_players(match), totals, strict=True)
    )
    return table(title, ("game", "player", *numbers), rows, right=numbers)


def _totals(found: Contests) -> list[tuple[str, list[Totals]]]:
    every = [each for decisions in found for each in decisions]
    parts = [*((str(number), decisions) for number, decisions in enumerate(found, start=1)), ("all", every)]
    return [
        (name, [Totals.of(each for each in decisions if each.position.seat == seat) for seat in (0, 1)])
        for name, decisions in parts
    ]


def _print_worst(match: Match, found: Contests, most: int) -> None:
    errors = [(game, each) for game, decisions in enumerate(found, start=1) for each in decisions if each.error > 0]
    errors.sort(key=lambda error: -error[1].error)
    for place, (game, each) in enumerate(errors[:most], start=1):
        player = _players(match)[each.position.seat]
        console.print(f"\n{place}. game {game}: {player} loses {each.error:.3f}", style="bold")
        console.print(each.position.text)
        console.print(f"\nplayed: {each.played}\nbest:   {each.best} ({signed(each.equity, 3)})")


def _as_dict(found: Contests) -> dict[str, Any]:
    totals = [
        {"game": name, "players": [{**asdict(each), "rate": each.rate} for each in both]}
        for name, both in _totals(found)
    ]
    return {"games": [[_decision_as_dict(each) for each in decisions] for decisions in found], "totals": totals}


def _decision_as_dict(decision: AnalysedDecision) -> dict[str, Any]:
    rest = vars(decision).copy()
    position = rest.pop("position")
    return {"seat": position.seat, "position_id": position_id(position), **rest}
