"""Examinations of people who are taught: to begin one, to give it up, and the results."""

from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from boardgames_agents.arena.score import Score
from boardgames_agents.people.examination import Examination, ExamResult
from boardgames_agents.policy.explanation import counted
from boardgames_cli.web.pages.shared import game_in, is_part, page, parts_of, seen_other
from boardgames_cli.web.pages.taught import address_of
from boardgames_cli.web.specs import number_of, posted
from boardgames_env import make_game
from boardgames_env.game import Game


async def begin_exam(request: Request) -> Response:
    """Begin an examination."""
    form, name, tutor = await posted(request), request.path_params["pupil"], parts_of(request).tutor
    game = await game_in(request, form)
    contests, ladder = number_of(form, "contests"), number_of(form, "ladder", 0)
    sitting = await parts_of(request).thinkers.run(lambda: tutor.begin_exam(name, game, contests, bool(ladder)))
    return seen_other(request, f"/contests/{sitting.id}")


async def give_up(request: Request) -> Response:
    """End an examination before its last contest."""
    form, name = await posted(request), request.path_params["pupil"]
    game = await game_in(request, form)
    await run_in_threadpool(parts_of(request).tutor.course(name, game).give_up_exam)
    return seen_other(request, address_of(name, game.spec))


async def results(request: Request) -> Response:
    """Show the results of all examinations, the last one first."""
    game = await game_in(request, request.query_params)
    name, tutor = request.path_params["pupil"], parts_of(request).tutor

    def found() -> list[dict[str, Any]]:
        course = tutor.course(name, game)
        shown = [
            _result_in_words(each, course.exam_result(which), which, game)
            for which, each in enumerate(course.study.exams)
        ]
        return shown[::-1]

    exams = await parts_of(request).thinkers.run(found)
    template = "results.html" if is_part(request) else "results_page.html"
    return page(request, template, pupil=name, game=game, exams=exams, is_inside=is_part(request))


def _result_in_words(exam: Examination, result: ExamResult, which: int, game: Game) -> dict[str, Any]:
    """Return an examination as the template shows it."""
    rows = []
    has_points = any(score.has_multiple_points for score in result.scores.values())
    for name, score in result.scores.items():
        cells = [name, score.contests, score.wins, score.draws, score.losses]
        power, reliability = (score.power, *score.power_interval), (score.reliability, *score.reliability_interval)
        for share, low, high in (power, reliability):
            cells.append(f"{share:.0f} % ({low:.0f} to {high:.0f})" if score.contests else "")
        if has_points:
            cells.append(score.points_text if score.contests > 1 else "")
        if result.maximal:
            cells.append(f"{result.maximal[name].power.value:.1f} %" if name in result.maximal else "")
        rows.append(cells)
    verdict = None
    if result.verdict:
        words = "You meet" if result.verdict.passed else "You fail"
        verdict = {
            "words": f"{words} the game players' Turing test at {make_game(result.verdict.game).title}.",
            "conditions": result.verdict.conditions,
        }
    return {
        "number": which + 1,
        "left": result.left,
        "given_up": exam.given_up,
        "sentences": [_in_words(name, score) for name, score in [*result.scores.items()][::-1] if score.contests],
        "rows": rows,
        "has_points": has_points,
        "has_maximal": bool(result.maximal),
        "verdict": verdict,
        "note": _note(exam, result, game),
    }


_CHALLENGERS = {
    "random": "a player of random moves",
    "novice": "a beginner",
    "expert": "a strong player",
    "perfect": "a perfect player",
    "searcher": "a computer that looks ahead a little",
}
"""Challengers in words, by name."""


def _in_words(name: str, score: Score) -> str:
    """Return a score against a challenger as a sentence."""
    noise = name.removeprefix("e=").removesuffix("%")
    usual = f"a player that errs up to {noise} times in 100" if noise.isdecimal() else f"the program {name}"
    drawn = f", and drew {score.draws}" if score.draws else ""
    return f"You won {score.wins} of {score.contests} against {_CHALLENGERS.get(name, usual)}{drawn}."


def _note(exam: Examination, result: ExamResult, game: Game) -> str:
    """Return what limits the meaning of a result."""
    if not result.maximal:
        return "Nobody plays this game perfectly; so there is no Turing test, and the challengers are others."
    if game.value != 0:
        return "No Turing test: it is defined for games that are known to be draws."
    if result.left:
        return "The game players' Turing test needs all contests."
    note = f"With {counted(exam.contests, 'contest')} against each challenger, only large differences show."
    if len(exam.challengers) > len(result.maximal) + 1:
        return note
    return f"{note} Four challengers are too few for a trend at the test's level; the whole ladder shows one."


ROUTES = [
    Route("/taught/{pupil}/results", results),
    Route("/taught/{pupil}/exams", begin_exam, methods=["POST"]),
    Route("/taught/{pupil}/give-up", give_up, methods=["POST"]),
]
