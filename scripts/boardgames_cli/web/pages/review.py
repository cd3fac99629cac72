"""The part of the page of a contest that was set: what went wrong in it."""

from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from boardgames_agents.people.judging.mistakes import Findings, Mistake
from boardgames_cli.web.drawn_marks import BETTER, PLAYED, drawing_of_mistake
from boardgames_cli.web.pages.shared import SMALL, parts_of, sitting_of
from boardgames_cli.web.sitting import Sitting
from boardgames_cli.web.templating import is_part, page
from boardgames_env.render.svg import draw_svg


async def review(request: Request) -> Response:
    """Show what went wrong in a contest that was set."""
    sitting = await run_in_threadpool(sitting_of, request)
    findings = await parts_of(request).thinkers.run(lambda: parts_of(request).tutor.findings(sitting))
    values = await run_in_threadpool(_review_values, sitting, findings)
    return page(request, "review_part.html" if is_part(request) else "review.html", sitting=sitting, **values)


def _review_values(sitting: Sitting, findings: Findings) -> dict[str, Any]:
    """Return what the template shows of what went wrong."""
    assert sitting.lesson is not None
    seats = sitting.lesson.seats
    return {
        "title": "What went wrong" if seats else "What the players did wrong",
        "summary": findings.summary,
        "source": findings.source,
        "mistakes": [_mistake(each, seats) for each in findings.shown],
        "marks": (PLAYED, BETTER),
    }


def _mistake(mistake: Mistake, seats: tuple[int, ...]) -> dict[str, Any]:
    """Return a mistake as a card."""
    position = mistake.before
    name = position.game.men[position.seat].name
    return {
        "svg": draw_svg(position, SMALL),
        "drawing": drawing_of_mistake(position, mistake.played.actions, mistake.best.actions),
        "mover": "You" if len(seats) == 1 else name.capitalize(),
        "played": mistake.played.text,
        "played_words": mistake.played_words,
        "better": mistake.better,
        "reason": mistake.reason,
        "number": mistake.error.number,
    }


ROUTES = [Route("/contests/{id}/review", review)]
