"""The front page: contests to go on with, and all games with their pictures and rules."""

import re
from collections.abc import Callable
from datetime import datetime
from functools import cache, lru_cache
from itertools import takewhile
from typing import Any

import numpy as np
from markdown_it import MarkdownIt
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from boardgames_cli.web.pages.contest import match_in_words, status_of_contest
from boardgames_cli.web.pages.shared import (
    FEW_POSITIONS,
    VALUES,
    for_players,
    page,
    parts_of,
    sentence_of,
    whose_contests,
)
from boardgames_cli.web.sitting import Sitting, name_and_strength, session_of
from boardgames_cli.web.specs import number_of, text_of
from boardgames_env import make_game, registered_games
from boardgames_env.chance import ChanceStream
from boardgames_env.contest import Contest
from boardgames_env.errors import BadInputError, require
from boardgames_env.game import Game
from boardgames_env.games import GameEntry
from boardgames_env.render.svg import draw_svg

_SHOWN, _LOOKED_AT, _LISTED = 6, 18, 50
"""The number of contests on the front page, of which number of the newest those that go on come first, and the number
on a page of the list of all."""

_GROUPS: tuple[tuple[str, str, Callable[[Game], bool]], ...] = (
    (
        "First games",
        "For everyone from about six years on; one to five minutes.",
        lambda game: game.positions is not None and game.positions <= FEW_POSITIONS,
    ),
    (
        "Morris",
        "For those who know a first game: men are placed and moved, and three in a row take one; 5 to 20 minutes.",
        lambda game: any(action.kind == "capture" for action in game.actions),
    ),
    (
        "Larger games",
        "For those who like to think ahead, from about eight years on; 10 to 40 minutes.",
        lambda game: not game.rules.has_chance,
    ),
    ("Backgammon", "With dice: for those who like plans and luck; 5 to 15 minutes a game.", lambda game: True),
)
"""The groups of games: for whom they are and how long a contest takes, and which of the rest belong there."""

_PLIES = 7
"""The number of plies after which games are shown in the gallery: boards with a few men on them."""


def gallery(request: Request) -> Response:
    """Show the front page."""
    store, whose = parts_of(request).store, whose_contests(request)
    newest = [_row_of_contest(request, each) for each in store.newest(*whose, _LOOKED_AT)]
    sittings = sorted(newest, key=lambda each: bool(each["is_over"]))[:_SHOWN]
    return page(request, "gallery.html", groups=groups_of_games(), sittings=sittings, total=store.count(*whose))


def contests(request: Request) -> Response:
    """Show a page of the list of the browser's contests, the newest first."""
    store, number = parts_of(request).store, number_of(request.query_params, "page", 1)
    whose = whose_contests(request)
    total = store.count(*whose)
    pages = max(1, -(-total // _LISTED))
    require(1, pages, page=number)
    newest = store.newest(*whose, _LISTED, (number - 1) * _LISTED)
    sittings = [_row_of_contest(request, each) for each in newest]
    return page(request, "contests.html", sittings=sittings, total=total, number=number, pages=pages)


def picture(request: Request) -> Response:
    """Show a game's picture."""
    name, moment = _entry_of(request).name, text_of(request.query_params, "at", "middle")
    if moment not in _MOMENTS:
        raise HTTPException(404)
    return Response(drawn_picture(name, moment), media_type="image/svg+xml")


def _entry_of(request: Request) -> GameEntry:
    """Return the game that the address names; answer 404 if there is none."""
    entry = registered_games().get(request.path_params["name"])
    if entry is None:
        raise HTTPException(404)
    return entry


@cache
def groups_of_games() -> list[dict[str, Any]]:
    """Return the groups of games for people, in each the best known games first."""
    groups: list[dict[str, Any]] = [{"title": title, "line": line, "games": []} for title, line, _ in _GROUPS]
    games = [(name, entry, make_game(name)) for name, entry in registered_games().items()]
    # (a game in disguise, which has rules of its own words, is for researchers)
    for name, entry, game in sorted(games, key=lambda each: (bool(each[2].own_rules), not each[1].is_well_known)):
        number = next(number for number, (_, _, belongs) in enumerate(_GROUPS) if belongs(game))
        value = re.sub(r" \([^)]*\)", "", _value_in_words(entry).split(";")[0])  # (without sources and further figures)
        words = {"name": name, "title": game.title, "sentence": sentence_of(entry), "value": value}
        groups[number]["games"].append(words)
    return groups


def _value_in_words(entry: GameEntry) -> str:
    """Return the known value of a game, or what its page says of it."""
    game = make_game(entry.name)
    return VALUES[game.value] if game.value is not None else entry.known_value or VALUES[None]


_IN_THE_DARK = (
    "@media (prefers-color-scheme: dark) {svg {filter: brightness(0.85)} "
    "svg > rect:first-of-type {fill: transparent; stroke: transparent} .words {fill: #fffaf0}}"
)
"""The style of a picture on a dark page, which has its own colour round the board."""


_MOMENTS = {"start": "at the beginning", "middle": "on the way", "end": "at the end"}
"""The moments of a contest of which there are pictures, in words."""


@cache
def drawn_picture(name: str, moment: str = "middle") -> str:
    """Draw a contest of random moves at one of the moments."""
    game, rng = make_game(name), np.random.default_rng(1)
    contest = Contest(game, ChanceStream(game, rng))
    before = contest.position
    while (contest.plies < _PLIES or moment == "end") and moment != "start" and not contest.is_over:
        before = contest.position
        contest.advance(int(rng.choice(before.legal_actions)))
    shown = before if moment == "middle" and contest.is_over else contest.position
    return draw_svg(shown, labels=False).replace("\n", f"\n<style>{_IN_THE_DARK}</style>\n", 1)


def _row_of_contest(request: Request, sitting: Sitting) -> dict[str, Any]:
    """Return what a list says of a contest, and the address of the report of its match, if one was made."""
    reports = parts_of(request).store.reports(sitting)
    found = next((name for title, name in reports.items() if title.endswith("match")), "")
    return {**_contest_in_words(sitting), "report": found}


@lru_cache(maxsize=256)
def _contest_in_words(sitting: Sitting) -> dict[str, Any]:
    """Return a contest in words: the game, against whom, the score of the match, the result or whose move, and when."""
    changed = datetime.fromtimestamp(sitting.changed)
    words: dict[str, Any] = {"id": sitting.id, "when": f"{changed.day} {changed:%B, %H:%M}"}
    try:
        session = session_of(sitting)
    except BadInputError:
        failed = {"players": "", "score": "", "state": "cannot be played on", "is_over": True, "has_match": False}
        return {**words, "title": sitting.game, **failed}
    names = [name_and_strength(sitting.name_of(seat))[0] for seat in (0, 1)]
    others = [names[seat] for seat in (0, 1) if seat not in sitting.people]
    score = sitting.score
    return {
        **words,
        "title": session.game.title,
        "players": f"against {others[0]}" if len(others) == 1 else " against ".join(names),
        "score": match_in_words(score, session)["score"] if score else "",
        "state": status_of_contest(session, sitting),
        "is_over": session.is_over,
        "has_match": bool(score and (sitting.earlier or session.is_over)),
    }


def rules(request: Request) -> Response:
    """Show a game's page."""
    entry = _entry_of(request)
    game = make_game(entry.name)
    _, _, text = game.page.partition("\n\n")
    values: dict[str, Any] = {"value": _value_in_words(entry), "is_small": _GROUPS[0][2](game), "moments": _MOMENTS}
    values |= {"rules": _html(_rules_for_players(text)), "html": _html(text)}
    return page(request, "rules.html", game=game, sentence=sentence_of(entry), **values)


_IN_CODE = re.compile(r"`|\b[Oo]ptions?\b|\bpaper\b|\bply\b|\bEpstein|\bsources\b")
"""What sentences have that are about options in code or the literature."""


def _rules_for_players(text: str) -> str:
    """Return the rules of a game's page, without seats, code and the literature."""
    paragraphs = text.partition("## Rules")[2].partition("\n## ")[0].split("\n\n")
    return for_players("\n\n".join(_before_code(each) for each in paragraphs))


def _before_code(paragraph: str) -> str:
    """Return the sentences of a paragraph before the first one that is about code or the literature."""
    return " ".join(takewhile(lambda each: not _IN_CODE.search(each), re.split(r"(?<=\.)\s", paragraph)))


@cache
def _html(text: str) -> str:
    """Return a text of a game's page as HTML; HTML in it is shown as text."""
    made = str(MarkdownIt("commonmark", {"html": False}).enable("table").render(text))
    return made.replace("<pre>", '<pre tabindex="0">')  # (wide ones are scrolled by keys, too)


ROUTES = [
    Route("/", gallery),
    Route("/contests", contests),
    Route("/pictures/{name}.svg", picture),
    Route("/games/{name}", rules),
]
