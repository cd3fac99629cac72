"""The pages on which one's mistakes come back: a position, what one plays in it, and whether that is right."""

import tempfile
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from boardgames_agents.people.cards import Card, CardAnswer, after_actions, answer, due_first, question, write_anki
from boardgames_agents.people.judging.cost import as_well
from boardgames_agents.people.judging.mistakes import best_reply
from boardgames_agents.people.judging.valued_moves import ValuedMove
from boardgames_agents.policy.explanation import counted
from boardgames_cli.web.analyses import cards_of
from boardgames_cli.web.overlay import BETTER, PLAYED, REPLY, drawing_of_mistake
from boardgames_cli.web.pages.analyse import report
from boardgames_cli.web.pages.contest import values_of_board
from boardgames_cli.web.pages.shared import (
    game_in,
    is_part,
    page,
    parts_of,
    person_of,
    remembered,
    seen_other,
    sent_as,
    sentence_in,
)
from boardgames_cli.web.pages.taught import answer_in_words
from boardgames_cli.web.positions import address_of, code_of, state_of
from boardgames_cli.web.specs import actions_in, number_of, numbers_of, posted, text_of
from boardgames_env.contest import is_same_turn
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.position import Position
from boardgames_env.render.svg import draw_svg

_MOST_NAMED = 3
"""The most games that the name of a file has."""


async def whose(request: Request) -> Response:
    """Go to the mistakes of the person at the browser, or ask for the name."""
    name = person_of(request)
    return seen_other(request, _address_of_cards(name)) if name else page(request, "whose_mistakes.html", person="")


async def named(request: Request) -> Response:
    """Take a person's name, and go to the person's mistakes."""
    try:
        name = await _name_in(request)
    except BadInputError as error:
        return page(request, "whose_mistakes.html", 400, person="", **await _refused(request, error))
    return remembered(request, seen_other(request, _address_of_cards(name)), name)


async def keep(request: Request) -> Response:
    """Keep the errors of one seat in an analysis that is done, and go to the person's mistakes."""
    form = await posted(request)
    try:
        name = await _name_in(request)
    except BadInputError as error:
        return await report(request, 400, **await _refused(request, error))
    found = await run_in_threadpool(parts_of(request).analyses.get, request.path_params["id"])
    if found is None:
        raise HTTPException(404)
    if not found.is_done:
        raise BadInputError("the analysis is not done yet; wait until its page says so")
    tutor, checker, seat = parts_of(request).tutor, parts_of(request).checker, number_of(form, "seat")

    def keep_cards() -> None:
        tutor.course(name, checker.game(found.game)).keep_cards(cards_of(found, seat, tutor.today()))

    await run_in_threadpool(keep_cards)
    return remembered(request, seen_other(request, _address_of_cards(name)), name)


async def ask(request: Request) -> Response:
    """Show the position that comes back first, if one is due, and how many there are."""
    name = request.path_params["pupil"]
    return page(request, "your_mistakes.html", pupil=name, **await run_in_threadpool(_values_of_page, request, name))


async def play(request: Request) -> Response:
    """Take an action: show the rest of the turn, or at its end whether it was right."""
    form, name = await posted(request), request.path_params["pupil"]
    game = await game_in(request, form)
    state = tuple(state_of(game, text_of(form, "position")).tolist())
    actions = *numbers_of(form, "played"), *actions_in(form)
    course = parts_of(request).tutor.course(name, game)

    def played() -> dict[str, Any]:
        card = next((each for each in course.study.cards if each.state == state), None)
        if card is None:
            raise BadInputError("this position is not among your mistakes any more")
        start = game.position(state)
        reached = after_actions(start, actions)
        if is_same_turn(start.seat, reached):
            return _values_of_question(card, game, actions, reached)
        answer, after = course.answer(card, actions)
        decks, today = _decks(request, name), parts_of(request).tutor.today()
        left = sum(card.due <= today for cards in decks.values() for card in cards)
        return {**_values_of_answer(after, start, answer, actions), "left": left}

    values = await parts_of(request).thinkers.run(played)
    template = "card_part.html" if is_part(request) else "your_mistakes.html"
    left = {} if is_part(request) else await run_in_threadpool(_values_of_page, request, name)
    return page(request, template, pupil=name, **{**left, **values})


async def export(request: Request) -> Response:
    """Send a person's cards as a package for Anki."""
    name = request.path_params["pupil"]

    def written() -> tuple[bytes, dict[Game, list[Card]]]:
        decks = _decks(request, name)
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "cards.apkg"
            write_anki(path, decks)
            return path.read_bytes(), decks

    content, decks = await parts_of(request).thinkers.run(written)
    names = list(dict.fromkeys(game.name for game in decks))
    games = "-".join(names) if len(names) <= _MOST_NAMED else f"{len(names)}-games"
    return sent_as(Response(content, media_type="application/octet-stream"), f"mistakes-{name}-{games}.apkg")


async def on_paper(request: Request) -> Response:
    """Show all of a person's cards to be printed: the positions, and after them the answers."""
    name = request.path_params["pupil"]

    def cards() -> list[dict[str, str]]:
        return [
            {
                "title": game.title,
                "svg": draw_svg(game.position(card.state)),
                "question": question(game.position(card.state)),
                "answer": answer(game.position(card.state), card),
            }
            for game, own in _decks(request, name).items()
            for card in own
        ]

    return page(request, "mistakes_on_paper.html", pupil=name, cards=await run_in_threadpool(cards))


async def _name_in(request: Request) -> str:
    """Return the name that a form has, or else that of the browser's person; refuse names that are not allowed."""
    name = text_of(await posted(request), "name", "").strip() or person_of(request)
    await run_in_threadpool(parts_of(request).tutor.files.read, name)
    return name


async def _refused(request: Request, error: BadInputError) -> dict[str, str]:
    """Return what a form shows of a name that is refused."""
    return {"typed": text_of(await posted(request), "name", ""), "sentence": sentence_in(error)}


def _address_of_cards(name: str) -> str:
    return f"/taught/{quote(name)}/mistakes"


def _decks(request: Request, name: str) -> dict[Game, list[Card]]:
    """Return a person's cards by game, in the order in which they come back, of the games that the page knows."""
    found = {}
    for spec, study in parts_of(request).tutor.files.read(name).items():
        if study.cards:
            with suppress(BadInputError):
                found[parts_of(request).checker.game(spec)] = due_first(study.cards)
    return found


def _values_of_page(request: Request, name: str) -> dict[str, Any]:
    """Return what the template shows besides an answer: the next question, if one is due, and how many there are."""
    decks, today = _decks(request, name), parts_of(request).tutor.today()
    every = due_first(card for cards in decks.values() for card in cards)
    first = every[0] if every else None
    asked: dict[str, Any] = {"game": None}
    if first and first.due <= today:
        game = next(game for game, cards in decks.items() if first in cards)
        asked = _values_of_question(first, game, (), game.position(first.state))
    return {
        "decks": [f"{game.title}: {counted(len(cards), 'position')}" for game, cards in decks.items()],
        "next_day": _day(first.due) if first else "",
        **asked,
    }


def _values_of_question(card: Card, game: Game, actions: tuple[int, ...], position: Position) -> dict[str, Any]:
    """Return what the template shows of a card after some actions of the turn."""
    start = game.position(card.state)
    return {
        "game": game,
        "position": start,
        "place": code_of(start),
        "played": "-".join(map(str, actions)),
        "number": len(actions),
        "svg": draw_svg(position, viewer=start.seat),
        "drawing": None,
        "status": question(position),
        "answer": None,
        **values_of_board(position, start.seat, True, bool(actions), is_new=True),
    }


def _values_of_answer(card: Card, start: Position, answer: CardAnswer, actions: tuple[int, ...]) -> dict[str, Any]:
    """Return what the template shows after a turn in the position of a card."""
    judged = answer.judged
    reply = None if answer.is_right else best_reply(start, after_actions(start, actions))
    answered = reply.actions if reply else ()
    marks = ((), actions) if answer.is_right else (actions, judged.best.actions, answered)
    return {
        **_values_of_question(card, start.game, actions, start),
        **values_of_board(start, start.seat, False, False, is_new=False),
        "drawing": drawing_of_mistake(start, *marks),
        "status": "Right" if answer.is_right else "Not right",
        "answer": {
            "marks": (PLAYED, BETTER, REPLY),
            "is_right": answer.is_right,
            "played": _in_words(judged.played) if judged.played else "",
            "reply": answer_in_words(start, reply) if reply else "",
            "better": f"{_in_words(judged.best)}{as_well(judged.as_good)}",
            "source": judged.known.source,
            "day": _day(card.due),
            "address": address_of(start),
        },
    }


def _in_words(move: ValuedMove) -> str:
    """Return a move and what it leads to, without the number of plies."""
    return f"{move.text}, which {move.clause.partition(' in ')[0]}"


def _day(day: date) -> str:
    return f"{day.day} {day:%B} {day.year}"


ROUTES = [
    Route("/mistakes", whose),
    Route("/mistakes", named, methods=["POST"]),
    Route("/analyses/{id}/mistakes", keep, methods=["POST"]),
    Route("/taught/{pupil}/mistakes", ask),
    Route("/taught/{pupil}/mistakes", play, methods=["POST"]),
    Route("/taught/{pupil}/mistakes/paper", on_paper),
    Route("/taught/{pupil}/mistakes.apkg", export),
]
