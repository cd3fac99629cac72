"""The pages of leagues: a list of them, of each its tables, and the contests of each pair."""

from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from boardgames_agents.arena.score import Score
from boardgames_agents.league.entrants import LeaguePlayer
from boardgames_agents.league.league_folder import LeagueResults, contests_between, holds_league, read_schedule
from boardgames_agents.league.league_tables import cross_table, notes_of, standings_table
from boardgames_agents.league.standings import Standings
from boardgames_agents.policy.explanation import counted
from boardgames_agents.record import Record
from boardgames_agents.training.trained import run_of_spec, spec_of_run
from boardgames_cli.contest_text import result_text
from boardgames_cli.web.pages.shared import page, parts_of, seen_other, watched_folder_of
from boardgames_cli.web.sitting import Sitting, session_of
from boardgames_cli.web.specs import number_of, posted, text_of
from boardgames_cli.web.watched_runs import WatchedRuns
from boardgames_env import make_game
from boardgames_env.errors import BadInputError, require
from boardgames_env.spec import Spec

_MOST_LISTED = 200
"""The number of leagues, and of contests of a pair, that are listed."""

_SHADES = 5
"""The number of shades of cells, by the share of the points that the agent of the row has won."""


class _Contests(NamedTuple):
    """Two agents at a game, and the contests between them."""

    game: str
    a: LeaguePlayer
    b: LeaguePlayer
    records: list[Record]


def leagues(request: Request) -> Response:
    """Show all leagues."""
    watched = parts_of(request).watched
    found = [_league_in_words(watched, each) for each in watched.folders.leagues()[:_MOST_LISTED]]
    return page(request, "leagues.html", leagues=found)


def show(request: Request) -> Response:
    """Show a league, or the contests of a pair."""
    watched, folder = parts_of(request).watched, watched_folder_of(request, holds_league)
    name = watched.folders.name_of(folder)
    if "game" in request.query_params:
        return page(
            request, "league_pair.html", name=name, **_pair_values(_contests_of_pair(folder, request.query_params))
        )
    return page(request, "league.html", name=name, **_values_of_league(watched.league(folder)))


async def replay(request: Request) -> Response:
    """Show a contest of a pair on the page of contests."""
    folder, form = watched_folder_of(request, holds_league), await posted(request)
    number = number_of(form, "number")

    def added() -> Sitting:
        pair = _contests_of_pair(folder, form)
        require(1, len(pair.records), number=number)
        sitting = _sitting_of_contest(pair, pair.records[number - 1], folder)
        parts_of(request).checker.game(sitting.game)
        return parts_of(request).store.add(sitting.updated(session_of(sitting)))

    sitting = await run_in_threadpool(added)
    return seen_other(request, f"/contests/{sitting.id}?after=0")


def _league_in_words(watched: WatchedRuns, folder: Path) -> dict[str, str]:
    """Return a league in words."""
    name = watched.folders.name_of(folder)
    try:
        schedule = read_schedule(folder)
        games = ", ".join(make_game(each.game).title for each in schedule.rosters)
    except BadInputError as error:
        return {"name": name, "games": "", "words": watched.folders.sentence(error)}
    agents = {player.name for each in schedule.rosters for player in each.players}
    return {
        "name": name,
        "games": games,
        "words": f"{counted(len(agents), 'agent')}, {counted(schedule.contests, 'contest')} of each pair",
    }


def _values_of_league(results: LeagueResults) -> dict[str, Any]:
    """Return what the template shows of a league: the tables that `boardgames league` prints."""
    games = [
        {
            "title": make_game(found.game).title,
            "standings": standings_table(found),
            "pairs": cross_table(found),
            "links": [
                [_link_of_cell(found, one.name, other.name) for other in found.standings] for one in found.standings
            ],
        }
        for found in results.standings
    ]
    return {"finished": results.is_finished, "games": games, "shades": _SHADES, "notes": notes_of(results.standings)}


def _link_of_cell(found: Standings, one: str, other: str) -> dict[str, str]:
    """Return what a cell of the cross table links to, in words and as an address."""
    score = found.between(one, other)
    return {
        "words": f"{one} against {other}: {score.wins} won, {score.draws} drawn, {score.losses} lost",
        "address": urlencode({"game": found.game, "a": one, "b": other}),
    }


def _contests_of_pair(folder: Path, fields: Any) -> _Contests:
    """Return the contests of the pair that an address or a form names; raise `BadInputError` if there is none."""
    game, a, b = (text_of(fields, name) for name in ("game", "a", "b"))
    roster = read_schedule(folder).roster(game)
    return _Contests(game, roster.player(a), roster.player(b), contests_between(folder, game, a, b))


def _pair_values(pair: _Contests) -> dict[str, Any]:
    """Return what the template shows of the contests of a pair."""
    listed = []
    for number, record in enumerate(pair.records[:_MOST_LISTED], start=1):
        names = _names_of_seats(pair, record)
        result = result_text(record.outcome, record.cut, names)
        listed.append({"number": number, "first": names[0], "result": result, "plies": record.plies})
    scores = (Score.of(record, record.players.index(pair.a.spec)) for record in pair.records)
    return {
        "game": make_game(pair.game),
        "a": pair.a.name,
        "b": pair.b.name,
        "score": sum(scores, Score()),
        "contests": listed,
        "left_out": len(pair.records) - len(listed),
    }


def _names_of_seats(pair: _Contests, record: Record) -> tuple[str, str]:
    """Return the names of the agents of seats 0 and 1."""
    names = (pair.a.name, pair.b.name)
    return names if record.players[0] == pair.a.spec else names[::-1]


def _sitting_of_contest(pair: _Contests, record: Record, folder: Path) -> Sitting:
    """Return a contest of a league as one at the page; the runs of its learners have their whole paths."""
    runs = [(player, run_of_spec(Spec.parse(player))) for player in record.players]
    one, other = (player if run is None else str(spec_of_run(folder / run)) for player, run in runs)
    seed = record.seed[0] if record.seed else 0
    seed = seed if 0 <= seed < 2**63 else 0
    played = (record.actions, record.events, record.outcome)
    return Sitting(record.game, (one, other), seed, *played, _names_of_seats(pair, record), is_replay=True)


ROUTES = [
    Route("/leagues", leagues),
    Route("/leagues/{name:path}", show),
    Route("/leagues/{name:path}", replay, methods=["POST"]),
]
