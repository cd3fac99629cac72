"""What `boardgames analyse` and `rollout` read and print: positions, plays, advice about the cube, and matches."""

from collections.abc import Sequence
from dataclasses import asdict
from math import inf
from typing import Any

from boardgames_agents.lookahead.cube.doubler import Doubler
from boardgames_agents.lookahead.evaluator import equities, evaluator_of
from boardgames_agents.lookahead.expectimax import Candidate, Expectimax
from boardgames_agents.lookahead.player import cubeful_equity, cumulated
from boardgames_agents.people.judging.cost import BAD, DOUBTFUL, VERY_BAD, mark
from boardgames_agents.people.judging.match_analysis import AnalysedDecision, Totals
from boardgames_agents.people.judging.position_analysis import (
    CandidateRollout,
    advise,
    before_the_roll,
    reached_by,
    rolls_of,
)
from boardgames_agents.policy.explanation import signed
from boardgames_cli.printing import console, print_table
from boardgames_cli.shared_options import BACKGAMMON
from boardgames_env import BadInputError, Position, make_game
from boardgames_env.contest import turn_text
from boardgames_env.games.backgammon.notation.matches import Match
from boardgames_env.games.backgammon.notation.position_id import (
    match_options,
    parse_position,
    parse_roll,
    position_id,
    xgid,
)
from boardgames_env.match_score import MatchScore

Row = dict[str, Any]
Contests = Sequence[Sequence[AnalysedDecision]]

OUTCOMES = {"win": "win", "gammon": "g", "backgammon": "bg", "lost_gammon": "lose g", "lost_backgammon": "lose bg"}

_KEY = (
    "points at a stake of 1, cubeless but for decisions about the cube; rate: thousandths of a point per decision that "
    f"was not forced; errors ?! from {DOUBTFUL:.2f}, ? from {BAD:.2f}, ?? (blunders) from {VERY_BAD:.2f}"
)

_MATCH_KEY = (
    "a point is half of the chance to win the match that the stake decides; match −: the chance that errors cost, "
    "match luck: that luck was worth"
)


def position_and_search(
    text: str, dice: str | None, game: str | None, agent: str, plies: int, candidates: int
) -> tuple[Position, Expectimax]:
    """Return the position that a text describes, and the search by an agent's evaluator."""
    made = make_game(game) if game else make_game(BACKGAMMON, **match_options(text))
    if made.part is not made:
        raise BadInputError(f"{made.spec} is a whole match; give the score of the game, such as score=(0, 0)")
    position = parse_position(made, text, parse_roll(dice) if dice else None)
    if position.is_over:
        raise BadInputError(f"the contest is over in {text!r}; give a position that is not")
    return position, Expectimax(made, evaluator_of(agent, made), plies, candidates)


def ids(position: Position, text: str) -> Row:
    """Return the game and the IDs of a position that was read from a text."""
    return {"game": position.game.spec, "position_id": position_id(position), "xgid": xgid(position, text)}


def print_position(position: Position, text: str) -> None:
    """Print a position that was read from a text, with its board, its IDs and the rules."""
    console.print(position.text)
    console.print(f"{position_id(position)}   {xgid(position, text)}", soft_wrap=True)
    console.print(f"rules: {position.game.spec}\n", soft_wrap=True)


def _at_score(score: MatchScore) -> str:
    """Return the score of a match in words."""
    crawford = ", Crawford game" if score.is_called_crawford else ", post-Crawford" if score.is_post_crawford else ""
    return f"at {score.points[0]}–{score.points[1]} in a match to {score.length}{crawford}"


def outcomes_row(probabilities: Sequence[float]) -> Row:
    """Return the probabilities to win 1, 2, 3 points and to lose 1, 2, 3 as `OUTCOMES`, each with the rarer ones."""
    return dict(zip(OUTCOMES, cumulated(probabilities), strict=True))


def plays_as_dict(search: Expectimax, position: Position, doubler: Doubler, played: Sequence[int] = ()) -> Row:
    """Return the plays of a roll, the best first, with what the others lose; that ``played`` is examined as deeply."""
    plays, rows = search.candidates(position), []
    if played:
        found = reached_by(search, position, played, plays)
        plays = (found, *(each for each in plays if each.actions != found.actions))
        plays = tuple(sorted(plays, key=lambda play: (-play.plies, -play.equity)))
    for play in plays:
        row = {**_play_row(turn_text(position, play.actions), play), "loss": plays[0].equity - play.equity}
        if doubler.has_cube:
            row["cubeful"] = cubeful_equity(doubler, position, play)
        rows.append(row)
    return {"plays": rows}


def before_the_roll_as_dict(search: Expectimax, position: Position) -> Row:
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
        "rolls": [{"roll": each.text, **_play_row(each.play, each.best)} for each in rolls_of(search, awaiting)],
    }


def _play_row(text: str, play: Candidate) -> Row:
    return {"play": text, "equity": play.equity, **outcomes_row(play.probabilities), "plies": play.plies}


def print_plays(title: str, rows: Sequence[Row], *names: str) -> None:
    """Print a table of plays, with these columns of names, and their losses if they have any."""
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
    print_table(title, (*names, *numbers), cells, figures=numbers)


def print_before_the_roll(position: Position, found: Row) -> None:
    """Print the equity before a roll, the advice about the cube, and the best play of each roll."""
    outcomes = ", ".join(f"{name} {found[key]:.1%}" for key, name in OUTCOMES.items())
    console.print(f"{found['to roll']} to roll: equity {signed(found['equity'], 3)} without a cube; {outcomes}\n")
    if found["cube"]:
        score = position.game.score and position.game.score(position.state)
        numbers = (*found["cube"][0]["worths"], "take point")
        rows = (
            (
                each["formula"],
                each["advice"],
                *(signed(value, 3) for value in each["worths"].values()),
                "" if each["take_point"] is None else f"{each['take_point']:.1%}",
            )
            for each in found["cube"]
        )
        title = f"The cube, {_at_score(score) if score else 'in money play'}"
        print_table(title, ("formula", "advice", *numbers), rows, figures=numbers)
    print_plays("The best play of each roll", found["rolls"], "roll", "play")


def _players_with_colours(match: Match) -> list[str]:
    """Return the players with the colours that they have in all games."""
    return [f"{player} ({man.name})" for player, man in zip(match.players, match.game.men, strict=True)]


def print_match(match: Match, found: Contests) -> None:
    """Print the rules, and each game's decisions but those not to double, with the best play if another was played."""
    length = f", match to {match.length}" if match.length else ", for money"
    console.print(f"rules: {match.game.spec}{length}\n", soft_wrap=True)
    numbers = ("equity", "error", "luck")
    for game, (decisions, start) in enumerate(zip(found, match.starts, strict=False), start=1):
        score = match.game_of_contests.score
        at = f" {_at_score(score(start.state))}" if score else ""
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
        title = f"Game {game}{at}: {', '.join(_players_with_colours(match))}"
        print_table(title, ("", "", "roll", "played", "", "best", *numbers), rows, figures=numbers)


def print_totals(title: str, match: Match, found: Contests) -> None:
    """Print the sums over each player's decisions, by game and in all."""
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
        for game, totals in totals_of(found)
        for player, each in zip(_players_with_colours(match), totals, strict=True)
    )
    print_table(title, ("game", "player", *numbers), rows, figures=numbers)
    console.print(f"{_KEY}; {_MATCH_KEY}" if match.length else _KEY)


def totals_of(found: Contests) -> list[tuple[str, list[Totals]]]:
    """Return the totals of both seats by game, and over all games."""
    every = [each for decisions in found for each in decisions]
    parts = [*((str(number), decisions) for number, decisions in enumerate(found, start=1)), ("all", every)]
    return [
        (name, [Totals.of(each for each in decisions if each.position.seat == seat) for seat in (0, 1)])
        for name, decisions in parts
    ]


def print_worst(match: Match, found: Contests, most: int) -> None:
    """Print the worst errors with the positions in which they were made."""
    errors = [(game, each) for game, decisions in enumerate(found, start=1) for each in decisions if each.error > 0]
    errors.sort(key=lambda error: -error[1].error)
    for place, (game, each) in enumerate(errors[:most], start=1):
        player = _players_with_colours(match)[each.position.seat]
        console.print(f"\n{place}. game {game}: {player} loses {each.error:.3f}", style="bold")
        console.print(each.position.text)
        console.print(f"\nplayed: {each.played}\nbest:   {each.best} ({signed(each.equity, 3)})")


def match_as_dict(found: Contests) -> Row:
    """Return the decisions of each game, and the totals."""
    totals = [
        {"game": name, "players": [{**asdict(each), "rate": each.rate} for each in both]}
        for name, both in totals_of(found)
    ]
    return {"games": [[_decision_as_dict(each) for each in decisions] for decisions in found], "totals": totals}


def _decision_as_dict(decision: AnalysedDecision) -> Row:
    rest = vars(decision).copy()
    position = rest.pop("position")
    return {"seat": position.seat, "position_id": position_id(position), **rest}


def rollout_as_dict(each: CandidateRollout) -> Row:
    """Return a rollout as a dictionary; standard errors of a single trial are None."""
    row = {"play": each.play, **asdict(each.rollout), "interval": each.rollout.interval}
    unknown = {} if each.rollout.error < inf else {"errors": None, "error": None, "interval": None}
    return {**row, **unknown, **outcomes_row(each.rollout.probabilities)}


def print_rollouts(title: str, found: Sequence[CandidateRollout]) -> None:
    """Print rollouts with their intervals; of a single one also how it ends."""
    numbers = ("equity", "± s.e.", "95 % interval", "loss", *OUTCOMES.values())
    best = found[0].rollout.equity
    rows = [
        (
            each.play,
            signed(each.rollout.equity, 4),
            f"{each.rollout.error:.4f}",
            " to ".join(signed(end, 3) for end in each.rollout.interval),
            f"{best - each.rollout.equity:.4f}" if best > each.rollout.equity else "",
            *(f"{share:.1%}" for share in outcomes_row(each.rollout.probabilities).values()),
        )
        for each in found
    ]
    print_table(title, ("play", *numbers), rows, figures=numbers)
    if len(found) == 1:
        only = found[0].rollout
        ways = (f"{verb} {end}" for verb in ("wins", "loses") for end in ("one point", "a gammon", "a backgammon"))
        ends = zip(ways, only.probabilities, only.errors, strict=True)
        cells = [(way, f"{100 * p:.2f}", f"{100 * error:.2f}") for way, p, error in ends]
        print_table("How it ends", ("", "%", "± s.e."), cells, figures=("%", "± s.e."))
