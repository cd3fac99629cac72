"""The page of what the learner of a run knows: numbers, and, where it can show them, its pieces of knowledge."""

from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from boardgames_agents.people.explainers import explainer_of
from boardgames_agents.policy.explanation import Explanation, Region
from boardgames_agents.policy.knowledge import HasKnowledge, KnowledgeEntry
from boardgames_agents.training.run import Run, load_run
from boardgames_cli.web.chart import number_text
from boardgames_cli.web.drawn_marks import Drawing, drawing_of, drawing_of_region
from boardgames_cli.web.forms import number_of
from boardgames_cli.web.pages.runs import folder_of
from boardgames_cli.web.pages.shared import parts_of
from boardgames_cli.web.templating import page
from boardgames_env.errors import BadInputError, require
from boardgames_env.render.svg import draw_svg

_SHOWN, _MORE, _MOST = 6, 24, 120
"""The numbers of pieces of a kind that are drawn: at first, in addition when more are asked for, and at most."""


class Piece(NamedTuple):
    """A piece of knowledge as a picture: the board, and what is drawn over it where only some locations matter."""

    title: str
    svg: str
    drawing: Drawing


class Kind(NamedTuple):
    """The pieces of knowledge of a kind: sentences, the number of those that can be drawn, and the first drawings."""

    name: str
    sentences: list[str]
    drawn: int
    drawings: list[Piece]


async def knowledge(request: Request) -> Response:
    """Show what the learner of a run knows."""
    watched, folder = parts_of(request).watched, folder_of(request)
    number = number_of(request.query_params, "number", _SHOWN)
    require(0, _MOST, number=number)
    try:
        values = await parts_of(request).thinkers.run(lambda: _values(folder, number))
    except BadInputError as error:
        raise BadInputError(watched.folders.sentence(error)) from None
    more = min(number + _MORE, _MOST)
    return page(request, "knowledge.html", name=watched.folders.name_of(folder), more=more, number=number, **values)


def _values(folder: Path, number: int) -> dict[str, Any]:
    run = load_run(folder)
    known = run.learner.knowledge_report() if isinstance(run.learner, HasKnowledge) else None
    groups = groupby(known.entries, key=lambda entry: entry.kind) if known else ()
    start = _start(run)
    return {
        "run": run,
        "numbers": {} if known else {name: number_text(value) for name, value in run.learner.knowledge().items()},
        "known": known,
        "kinds": [_kind(name, list(entries), number) for name, entries in groups],
        "start": start,
        "start_drawing": drawing_of(run.game.initial, start.marks) if start else None,
        "board": draw_svg(run.game.initial),
    }


def _start(run: Run) -> Explanation | None:
    """Return what the learner thinks of the moves at the start of the game; ``None`` if it cannot say."""
    if run.game.initial.awaits_chance:
        return None
    player = run.learner.frozen()
    try:
        return explainer_of(player, run.game).explanation(run.game.initial)
    except BadInputError:
        return None


def _kind(name: str, entries: list[KnowledgeEntry], number: int) -> Kind:
    drawn = [entry for entry in entries if entry.position is not None]
    sentences = [entry.title for entry in entries if entry.position is None]
    return Kind(name, sentences, len(drawn), [_piece(entry) for entry in drawn[:number]])


def _piece(entry: KnowledgeEntry) -> Piece:
    assert entry.position is not None
    region = Region(entry.title, tuple(sorted(entry.locations or ())))
    return Piece(entry.title, draw_svg(entry.position, labels=False), drawing_of_region(entry.position, region))


ROUTES = [Route("/knowledge/{name:path}", knowledge)]
