"""What the pages share: the parts of the application, what forms and addresses say, games in words, and answers."""

import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Match, Route

from boardgames_agents.people.pupil_file import is_name
from boardgames_agents.people.session import PlaySession
from boardgames_agents.policy.explanation import counted
from boardgames_agents.training.run import read_config
from boardgames_agents.training.trained import run_of_spec
from boardgames_cli.web.analyses import Analyses
from boardgames_cli.web.opinions import Opinions
from boardgames_cli.web.security import is_loopback
from boardgames_cli.web.sitting import Sessions, Sitting, session_of
from boardgames_cli.web.specs import Checker, plain, text_of
from boardgames_cli.web.store import SittingStore
from boardgames_cli.web.thinking import Offers, Thinkers
from boardgames_cli.web.tutor import Tutor
from boardgames_cli.web.watched_runs import WatchedRuns
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.games import GameEntry
from boardgames_env.kernels.background import being_compiled
from boardgames_env.spec import Spec


@dataclass(frozen=True)
class Parts:
    """The parts of the application."""

    store: SittingStore  # the file of contests
    sessions: Sessions  # the sessions of those last shown
    checker: Checker  # the reader of specs from pages
    tutor: Tutor  # the teacher of people
    thinkers: Thinkers  # the threads in which agents think
    analyses: Analyses  # the analyses of contests and matches
    offers: Offers  # what can play each game
    watched: WatchedRuns  # the runs and leagues
    opinions: Opinions  # what agents think of positions


FEW_POSITIONS = 10_000
"""The most positions of a first game."""

VALUES = {1: "The first player wins", 0: "A draw", -1: "The second player wins", None: "Not known"}
"""The known value of a game in words."""


def parts_of(request: Request) -> Parts:
    """Return the parts of the application."""
    parts: Parts = request.app.state.parts
    return parts


async def game_in(request: Request, fields: Mapping[str, Any]) -> Game:
    """Return the game that an address or a form names."""
    game: Game = await run_in_threadpool(parts_of(request).checker.game, text_of(fields, "game"))
    return game


_PERSON, _BROWSER = "boardgames-pupil", "boardgames-browser"
"""The cookies that have the name under which a browser's person is taught, and the browser's own."""

_NAME_OF_BROWSER = re.compile(r"[\w-]{16}", re.ASCII)


def person_of(request: Request) -> str:
    """Return the name under which the person at a browser is taught; empty if no name was given there."""
    name = unquote(request.cookies.get(_PERSON, ""))
    return name if is_name(name) else ""


def whose_contests(request: Request) -> tuple[list[str], str]:
    """Return whose contests a browser lists: of which browsers, and of which pupil.

    They are those that it began, and the lessons of the person it remembers. The machine's own browsers list those
    that no browser is known of, too, which earlier versions have kept.
    """
    host = request.client.host if request.client else ""
    return [request.cookies.get(_BROWSER, "-"), *([""] if is_loopback(host) else [])], person_of(request)


async def begun(request: Request, sitting: Sitting) -> Response:
    """Keep a new contest as one that the browser has begun, and go to it."""
    name = request.cookies.get(_BROWSER, "")
    name = name if _NAME_OF_BROWSER.fullmatch(name) else secrets.token_urlsafe(12)
    added = await run_in_threadpool(parts_of(request).store.add, replace(sitting, browser=name))
    return remembered(request, seen_other(request, f"/contests/{added.id}"), name, _BROWSER)


def remembered(request: Request, answer: Response, name: str, cookie: str = _PERSON) -> Response:
    """Return an answer by which a browser remembers the name of its person, or its own."""
    answer.set_cookie(
        *(cookie, quote(name, safe=""), 365 * 24 * 3600),
        path=f"{root_of(request)}/",
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="strict",
    )
    return answer


def sitting_of(request: Request) -> Sitting:
    """Return the sitting that the address names; answer 404 if there is none."""
    found = parts_of(request).store.get(request.path_params["id"])
    if found is None:
        raise HTTPException(404)
    return found


def watched_folder_of(request: Request, is_one: Callable[[Path], bool]) -> Path:
    """Return the folder of a run or a league that the address names; answer 404 if there is none."""
    found = parts_of(request).watched.folders.find(str(request.path_params["name"]))
    if found is None or not is_one(found):
        raise HTTPException(404)
    return found


async def sitting_and_session_of(request: Request) -> tuple[Sitting, PlaySession]:
    """Return the sitting that the address names and its session, without agents; answer 404 if there is none."""
    sitting = await run_in_threadpool(sitting_of, request)
    return sitting, await run_in_threadpool(session_of, sitting)


_FOR_PLAYERS: dict[str, str | Callable[[re.Match[str]], str]] = {
    r" \(seat [01]\)": "",
    r"\bSeat [01] \((\w+)\)": lambda found: found[1].capitalize(),
    r"\bseat [01] \((\w+)\)": r"\1",
    r"\bSeat": "Player",
    r"\bseat": "player",
}
"""The words that players do not read in rules, and what they read."""


def for_players(text: str) -> str:
    """Return a text about rules in the words of players: without seats."""
    for written, read in _FOR_PLAYERS.items():
        text = re.sub(written, read, text)
    return text


def word_for(game: Game) -> str:
    """Return what players call a contest: at backgammon, where several make a match, a game."""
    return "game" if game.rules.has_chance else "contest"


def sentence_of(entry: GameEntry) -> str:
    """Return what a game is, in one sentence for players."""
    text = for_players(plain(entry.summary.partition(": ")[2] or entry.summary))
    return text[:1].upper() + text[1:]


def named_run(request: Request, player: str) -> str:
    """Return the name for people of a player that a spec takes from a run; empty for other specs."""
    folders = parts_of(request).watched.folders
    try:
        folder = run_of_spec(folders.located(Spec.parse(player)))
        if folder is None or not (place := folders.name_within(folder)):
            return ""
        return f"{read_config(folder, imports=False).label}, trained in {place}"
    except BadInputError:
        return ""


@cache
def _environment() -> Environment:
    loader = FileSystemLoader(Path(__file__).parents[1] / "templates")
    made = Environment(loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    made.globals |= {"being_compiled": being_compiled, "counted": counted}
    return made


def is_part(request: Request) -> bool:
    """Return whether a script of the page asks for a part of it."""
    return bool(request.headers.get("hx-request") == "true")


def page(request: Request, template: str, code: int = 200, **values: Any) -> Response:
    """Return a page made of a template, or the ``sentence`` alone if a script's request went wrong."""
    if code >= 400 and is_part(request):
        return Response(_encoded(str(values["sentence"])), code, media_type="text/plain")
    text, root = _environment().get_template(template).render(**values), root_of(request)
    return HTMLResponse(_encoded(_ADDRESS.sub(rf"\g<0>{root}", text) if root else text), code)


def sentence_in(error: Exception | str) -> str:
    """Return what an error says as a sentence of a page."""
    return f"{str(error)[:1].upper()}{str(error)[1:]}"


def refusal(request: Request, code: int, sentence: str) -> Response:
    """Return the page of a request that went wrong, with a link to the page that it was sent from."""
    return page(request, "error.html", code, sentence=sentence_in(sentence), back=_back(request))


def _back(request: Request) -> str:
    """Return the nearest page above a request's own path, which is its own if a form was sent; empty if only ``/``."""
    root = request.scope["root_path"]
    path = str(request.scope["path"]).removeprefix(root)
    if request.method == "GET" and not request.query_params:
        path = path.rpartition("/")[0]
    while path.strip("/"):
        scope = {**request.scope, "method": "GET", "path": root + path}
        if any(isinstance(each, Route) and each.matches(scope)[0] is Match.FULL for each in request.app.routes):
            return quote(path)
        path = path.rpartition("/")[0]
    return ""


_ADDRESS = re.compile(r'\s(?:href|src|action|hx-get|hx-post)="(?=/)')
"""What is before an address in a page: templates write them from the root. (Quotes in values are escaped.)"""


def root_of(request: Request) -> str:
    """Return the path at which the server is, as addresses have it."""
    return quote(request.state.root)


def _encoded(text: str) -> bytes:
    """Return a text as UTF-8, in which half a surrogate pair that somebody has sent is a question mark."""
    return text.encode("utf-8", "replace")


def sent_as(answer: Response, file: str) -> Response:
    """Return an answer that a browser keeps as a file of a name, in whatever letters."""
    answer.headers["Content-Disposition"] = f"attachment; filename*=UTF-8''{quote(file, safe='')}"
    return answer


def seen_other(request: Request, address: str) -> Response:
    """Send the browser to another page, whose address is written from the root."""
    address = root_of(request) + address
    if is_part(request):
        return Response(status_code=204, headers={"HX-Redirect": address})
    return RedirectResponse(address, 303)
