"""The pages of leagues: a list of them, of each its tables and chart, and the contests of each pair."""

from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

from markdown_it import MarkdownIt
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Route

from boardgames_agents.arena.score import Score
from boardgames_agents.league.league_folder import (
    CHART,
    LeagueGame,
    LeaguePlace,
    LeagueResults,
    holds_league,
    league_contests,
    read_league_folder,
)
from boardgames_agents.policy.explanation import signed
from boardgames_agents.record import Record
from boardgames_agents.training.trained import run_of_spec, spec_of_run
from boardgames_cli.contest_text import result_text
from boardgames_cli.printing import duration_text
from boardgames_cli.web.forms import number_of, posted, text_of
from boardgames_cli.web.pages.shared import parts_of
from boardgames_cli.web.sitting import Sitting, session_of
from boardgames_cli.web.templating import page, seen_other
from boardgames_cli.web.watched_runs import WatchedRuns
from boardgames_env import make_game
from boardgames_env.errors import BadInputError, require
from boardgames_env.spec import Spec

_MOST_LISTED = 200
"""The number of leagues, and of contests of a pair, that are listed."""

_SHADES = 5
"""The number of shades of cells, by the share of the points that the agent of the row has won."""


class _Pair(NamedTuple):
    """Two agents at a game, and the contests between them."""

    game: LeagueGame
    a: LeaguePlace
    b: LeaguePlace
    records: list[Record]


async def leagues(request: Request) -> Response:
    """Show all leagues."""
    watched = parts_of(request).watched
    found = await run_in_threadpool(lambda: [_row(watched, each) for each in watched.folders.leagues()[:_MOST_LISTED]])
    return page(request, "leagues.html", leagues=found)


async def show(request: Request) -> Response:
    """Show a league, or the contests of a pair."""
    watched, folder = parts_of(request).watched, _folder_of(request)
    if "game" in request.query_params:
        pair = await run_in_threadpool(_pair, watched, folder, request.query_params)
        values = await run_in_threadpool(_pair_values, pair)
        return page(request, "league_pair.html", name=watched.folders.name_of(folder), **values)
    results = await run_in_threadpool(_results, watched, folder)
    values = await run_in_threadpool(_values, results)
    has_chart = _chart_in(watched, folder) is not None
    return page(request, "league.html", name=watched.folders.name_of(folder), has_chart=has_chart, **values)


async def replay(request: Request) -> Response:
    """Show a contest of a pair on the page of contests."""
    watched, folder, form = parts_of(request).watched, _folder_of(request), await posted(request)
    number = number_of(form, "number")

    def added() -> Sitting:
        pair = _pair(watched, folder, form)
        require(1, len(pair.records), number=number)
        sitting = _sitting(pair, pair.records[number - 1], folder)
        parts_of(request).checker.game(sitting.game)
        return parts_of(request).store.add(sitting.updated(session_of(sitting)))

    sitting = await run_in_threadpool(added)
    return seen_other(request, f"/contests/{sitting.id}?after=0")


async def chart(request: Request) -> Response:
    """Send the rating chart of a league."""
    found = _chart_in(parts_of(request).watched, _folder_of(request))
    if found is None:
        raise HTTPException(404)
    return FileResponse(found, media_type="image/png")


def _folder_of(request: Request) -> Path:
    """Return the folder that the address names; answer 404 if it holds no league."""
    found = parts_of(request).watched.folders.find(str(request.path_params["name"]))
    if found is None or not holds_league(found):
        raise HTTPException(404)
    return found


def _chart_in(watched: WatchedRuns, folder: Path) -> Path | None:
    path = folder / CHART
    return path if path.is_file() and watched.folders.root in path.resolve().parents else None


def _results(watched: WatchedRuns, folder: Path) -> LeagueResults:
    try:
        return read_league_folder(folder)
    except BadInputError as error:
        raise BadInputError(watched.folders.sentence(error)) from None


def _row(watched: WatchedRuns, folder: Path) -> dict[str, str]:
    """Return a league in words."""
    name = watched.folders.name_of(folder)
    try:
        found = _results(watched, folder)
        games = [_title(each.game) for each in found.games]
    except BadInputError as error:
        return {"name": name, "games": "", "agents": "", "state": str(error)}
    agents = {place.name for game in found.games for place in game.places}
    state = "finished" if found.finished else "not finished"
    return {"name": name, "games": ", ".join(games), "agents": f"{len(agents)} agents", "state": state}


def _values(results: LeagueResults) -> dict[str, Any]:
    """Return what the template shows of a league."""
    notes = MarkdownIt("commonmark", {"html": False})
    return {
        "finished": results.finished,
        "games": [{"spec": each.game, "title": _title(each.game), "rows": _table(each)} for each in results.games],
        "notes": [notes.renderInline(note) for note in results.notes],
    }


def _table(game: LeagueGame) -> list[dict[str, Any]]:
    """Return the rows of the standings, each with the cells of the cross table."""
    return [
        {
            "name": place.name,
            "rating": f"{signed(place.rating.rating, 0)} ± {place.rating.standard_error:.0f}" if place.rating else "–",
            "score": place.score,
            "seconds": duration_text(place.seconds) if place.seconds else "–",
            "cells": [_cell(game, place.name, other.name) for other in game.places],
        }
        for place in game.places
    ]


def _cell(game: LeagueGame, one: str, other: str) -> dict[str, Any] | None:
    """Return the contests of a pair, as the cross table shows them; ``None`` if there are none."""
    score = game.scores.get((one, other), Score())
    if not score.contests:
        return None
    share = (score.wins + score.draws / 2) / score.contests
    return {
        "text": f"{score.wins}/{score.draws}/{score.losses}",
        "words": f"{one} against {other}: {score.wins} won, {score.draws} drawn, {score.losses} lost",
        "shade": min(_SHADES - 1, int(_SHADES * share)),
        "address": urlencode({"game": game.game, "a": one, "b": other}),
    }


def _pair(watched: WatchedRuns, folder: Path, fields: Any) -> _Pair:
    """Return the pair that an address or a form names; raise `BadInputError` if it is not in the league."""
    results = _results(watched, folder)
    game = results.game(text_of(fields, "game"))
    a, b = (game.place_of(text_of(fields, name)) for name in ("a", "b"))
    try:
        return _Pair(game, a, b, league_contests(folder, game.game, a.spec, b.spec))
    except BadInputError as error:
        raise BadInputError(watched.folders.sentence(error)) from None


def _pair_values(pair: _Pair) -> dict[str, Any]:
    """Return what the template shows of the contests of a pair."""
    game = make_game(pair.game.game)
    contests = [
        {
            "number": number,
            "first": pair.a.name if record.players[0] == pair.a.spec else pair.b.name,
            "result": result_text(record.outcome, record.cut, _names(pair, record)),
            "plies": record.plies,
        }
        for number, record in enumerate(pair.records[:_MOST_LISTED], start=1)
    ]
    return {
        "game": game,
        "a": pair.a.name,
        "b": pair.b.name,
        "score": pair.game.scores.get((pair.a.name, pair.b.name), Score()),
        "contests": contests,
        "left_out": len(pair.records) - len(contests),
    }


def _names(pair: _Pair, record: Record) -> tuple[str, str]:
    """Return the names of the agents of seats 0 and 1."""
    names = (pair.a.name, pair.b.name)
    return names if record.players[0] == pair.a.spec else names[::-1]


def _sitting(pair: _Pair, record: Record, folder: Path) -> Sitting:
    """Return a contest of a league as one at the page, with the runs of its learners where they are."""
    one, other = (_in_league(player, folder) for player in record.players)
    seed = record.seed[0] if record.seed else 0
    return Sitting(
        game=record.game,
        players=(one, other),
        seed=seed if 0 <= seed < 2**63 else 0,
        actions=record.actions,
        events=record.events,
        points=record.outcome,
        names=_names(pair, record),
        is_replay=True,
    )


def _in_league(player: str, folder: Path) -> str:
    """Return the spec of a player; the run of a learner has its path in the league, here it has the whole path."""
    run = run_of_spec(Spec.parse(player))
    return player if run is None else str(spec_of_run(folder / run))


def _title(game: str) -> str:
    return make_game(game).title


ROUTES = [
    Route("/leagues", leagues),
    Route("/leagues/{name:path}", show),
    Route("/leagues/{name:path}", replay, methods=["POST"]),
    Route("/league-charts/{name:path}", chart),
]
