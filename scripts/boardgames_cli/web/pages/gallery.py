"""The front page: contests to go on with, and all games with their pictures and rules."""

from functools import cache

import numpy as np
from markdown_it import MarkdownIt
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from boardgames_cli.web.pages.shared import VALUES, page, parts_of, sentence_of
from boardgames_cli.web.sitting import Sitting, session_of
from boardgames_cli.web.specs import number_of
from boardgames_env import make_game, registered_games
from boardgames_env.chance import ChanceStream
from boardgames_env.contest import Contest
from boardgames_env.errors import BadInputError, require
from boardgames_env.games import GameEntry
from boardgames_env.render.svg import draw_svg

_SHOWN, _LISTED = 6, 50
"""The number of contests on the front page, and on a page of the list of all."""


_PLIES = 7
"""The number of plies after which games are shown in the gallery: boards with a few men on them."""


def gallery(request: Request) -> Response:
    """Show the front page."""
    store = parts_of(request).store
    sittings = [_contest_in_words(each) for each in store.newest(_SHOWN)]
    return page(request, "gallery.html", games=_games_of_gallery(), sittings=sittings, total=store.count())


def contests(request: Request) -> Response:
    """Show a page of the list of all contests, the newest first."""
    store, number = parts_of(request).store, number_of(request.query_params, "page", 1)
    total = store.count()
    pages = max(1, -(-total // _LISTED))
    require(1, pages, page=number)
    sittings = [_contest_in_words(each) for each in store.newest(_LISTED, (number - 1) * _LISTED)]
    return page(request, "contests.html", sittings=sittings, total=total, number=number, pages=pages)


def picture(request: Request) -> Response:
    """Show a game's picture."""
    return Response(drawn_picture(_entry_of(request).name), media_type="image/svg+xml")


def _entry_of(request: Request) -> GameEntry:
    """Return the game that the address names; answer 404 if there is none."""
    entry = registered_games().get(request.path_params["name"])
    if entry is None:
        raise HTTPException(404)
    return entry


@cache
def _games_of_gallery() -> list[dict[str, str]]:
    found = []
    for name, entry in registered_games().items():
        game = make_game(name)
        found.append({"name": name, "title": game.title, "sentence": sentence_of(entry), "value": VALUES[game.value]})
    return found


_IN_THE_DARK = (
    "@media (prefers-color-scheme: dark) {svg {filter: brightness(0.85)} "
    "svg > rect:first-of-type {fill: transparent; stroke: transparent} .words {fill: #fffaf0}}"
)
"""The style of a picture on a dark page, which has its own colour round the board."""


@cache
def drawn_picture(name: str) -> str:
    """Draw a contest of random moves that has begun."""
    game, rng = make_game(name), np.random.default_rng(1)
    contest = Contest(game, ChanceStream(game, rng))
    while contest.plies < _PLIES and not contest.is_over:
        contest.advance(int(rng.choice(contest.position.legal_actions)))
    return draw_svg(contest.position, labels=False).replace("\n", f"\n<style>{_IN_THE_DARK}</style>\n", 1)


def _contest_in_words(sitting: Sitting) -> dict[str, str]:
    """Return a contest in words."""
    try:
        session = session_of(sitting)
    except BadInputError:
        return {"id": sitting.id, "title": sitting.game, "players": "", "state": "cannot be played on"}
    state = "over" if session.is_over else f"{session.game.men[session.seat].name} to move"
    return {
        "id": sitting.id,
        "title": session.game.title,
        "players": " against ".join(sitting.name_of(seat) for seat in (0, 1)),
        "state": f"{session.plies} plies, {state}",
    }


def rules(request: Request) -> Response:
    """Show a game's page."""
    entry = _entry_of(request)
    game, html = make_game(entry.name), _html(entry.name)
    return page(request, "rules.html", game=game, sentence=sentence_of(entry), value=VALUES[game.value], html=html)


@cache
def _html(name: str) -> str:
    """Return the page without its first paragraph, as HTML; HTML in it is shown as text."""
    _, _, text = make_game(name).page.partition("\n\n")
    made = str(MarkdownIt("commonmark", {"html": False}).enable("table").render(text))
    return made.replace("<pre>", '<pre tabindex="0">')  # (wide ones are scrolled by keys, too)


ROUTES = [
    Route("/", gallery),
    Route("/contests", contests),
    Route("/pictures/{name}.svg", picture),
    Route("/games/{name}", rules),
]
