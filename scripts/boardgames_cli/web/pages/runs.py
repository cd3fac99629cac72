"""The pages of runs: a list of them, and of each its settings, curves and test, also while it is trained."""

from dataclasses import asdict
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from boardgames_agents.people.session import PERSON
from boardgames_agents.training.run import RunProgress, holds_run, read_progress
from boardgames_agents.training.trained import spec_of_run
from boardgames_agents.training.verdict import RunVerdict, read_verdict
from boardgames_cli.web.forms import number_of, posted, text_of
from boardgames_cli.web.pages.shared import parts_of
from boardgames_cli.web.run_curves import RunCharts, formula_of
from boardgames_cli.web.specs import LARGEST_NUMBER
from boardgames_cli.web.templating import is_part, page, seen_other
from boardgames_cli.web.thinking import BusyError
from boardgames_cli.web.watched_runs import WatchedRuns
from boardgames_env import make_game
from boardgames_env.errors import BadInputError, require
from boardgames_env.render.layout import caption
from boardgames_env.render.svg import draw_svg

_MOST_LISTED = 200
_MOST_TEST_CONTESTS = 1_000

_TRAIN, _TEST = "train", "test"
"""The commands that the page of a run starts."""


async def runs(request: Request) -> Response:
    """Show all runs."""
    watched = parts_of(request).watched
    folders = await run_in_threadpool(watched.folders.runs)
    found = await run_in_threadpool(lambda: [_row(watched, folder) for folder in folders[:_MOST_LISTED]])
    return page(request, "runs.html", runs=found, left_out=len(folders) - len(found))


async def show(request: Request) -> Response:
    """Show a run. While a command works on it, its page asks for what has changed, and for itself at the end."""
    watched, folder = parts_of(request).watched, folder_of(request)
    command = watched.commands.running(folder)
    if not holds_run(folder):
        return _beginning(request, watched, folder, command)
    wanted = request.query_params.getlist("curves")
    values = await run_in_threadpool(_values, watched, folder, command, wanted)
    if is_part(request) and text_of(request.query_params, "state", values["state"]) != values["state"]:
        return _reloaded()
    board = await _board(request, watched, folder) if values["state"] == _TRAIN and values["found"].contests else None
    return page(request, "run_live.html" if is_part(request) else "run.html", **values, board=board)


async def change(request: Request) -> Response:
    """Stop a command, go on with a training, or test the learner."""
    watched, folder, form = parts_of(request).watched, folder_of(request), await posted(request)
    asked = text_of(form, "do")
    if asked == "stop":
        await run_in_threadpool(watched.commands.stop, folder)
    elif asked == _TRAIN:
        contests = number_of(form, "contests")
        found = await run_in_threadpool(_progress, watched, folder)
        if found.in_progress:
            raise BadInputError("another process is training there; wait for its end")
        require(found.config.contests, LARGEST_NUMBER, contests=contests)
        await run_in_threadpool(
            watched.commands.start, folder, _TRAIN, "--run", str(folder), "--contests", str(contests)
        )
    elif asked == _TEST:
        contests = number_of(form, "contests")
        require(1, _MOST_TEST_CONTESTS, contests=contests)
        if not (await run_in_threadpool(_progress, watched, folder)).contests:
            raise BadInputError("the run has no checkpoint yet, so there is nothing to test; train on")
        await run_in_threadpool(watched.commands.start, folder, _TEST, str(folder), "--contests", str(contests))
    else:
        raise BadInputError(f"do must be stop, {_TRAIN} or {_TEST}")
    return seen_other(request, f"/runs/{quote(request.path_params['name'])}")


def folder_of(request: Request) -> Path:
    """Return the folder that the address names, or that a command is to make; answer 404 if there is none."""
    watched, name = parts_of(request).watched, str(request.path_params["name"])
    found = watched.folders.find(name)
    if found is not None:
        return found
    if "/" in name or not watched.commands.knows(watched.folders.root / name):
        raise HTTPException(404)
    return watched.folders.root / name


def _beginning(request: Request, watched: WatchedRuns, folder: Path, command: str) -> Response:
    """Show a run that a command has yet to write, or has not been able to write."""
    if not watched.commands.knows(folder):
        raise HTTPException(404)
    if is_part(request):
        return Response(status_code=204) if command else _reloaded()
    failure = watched.commands.failure(folder)
    return page(request, "run_begins.html", name=folder.name, command=command, failure=failure)


def _reloaded() -> Response:
    """Let a page load itself again."""
    return Response(headers={"HX-Refresh": "true"})


def _row(watched: WatchedRuns, folder: Path) -> dict[str, str]:
    """Return a run in words."""
    name = watched.folders.name_of(folder)
    try:
        found = _progress(watched, folder)
        verdict = read_verdict(folder)
        title = make_game(found.config.game).title
    except BadInputError as error:
        return {"name": name, "problem": watched.folders.sentence(error)}
    return {
        "name": name,
        "problem": "",
        "title": title,
        "learner": found.config.learner,
        "trainer": found.config.trainer,
        "state": _status(found, watched.commands.running(folder)),
        "verdict": _verdict_text(verdict) if verdict else "",
    }


def _values(watched: WatchedRuns, folder: Path, command: str, wanted: list[str]) -> dict[str, Any]:
    """Return what the templates show of a run."""
    name, found = watched.folders.name_of(folder), _progress(watched, folder)
    game, player, troubles = make_game(found.config.game), str(spec_of_run(folder)), []
    charts, verdict = RunCharts({}, {}), None
    try:
        charts = watched.curves.charts(folder, wanted, 0 if found.config.standard else found.config.contests)
    except BadInputError as error:
        troubles.append(watched.folders.sentence(error))
    try:
        verdict = read_verdict(folder)
    except BadInputError as error:
        troubles.append(watched.folders.sentence(error))
    if failure := watched.commands.failure(folder):
        troubles.append(failure)
    return {
        "name": name,
        "game": game,
        "found": found,
        "state": command or (_TRAIN if found.in_progress else ""),
        "is_ours": bool(command),
        "status": _status(found, command),
        "troubles": troubles,
        "settings": {key.replace("_", " "): value for key, value in asdict(found.config).items()},
        "charts": [(chart, formula_of(each, found.config.learner)) for each, chart in charts.shown.items()],
        "titles": charts.titles,
        "shown": set(charts.shown),
        "chosen": urlencode([("curves", each) for each in charts.shown]),
        "verdict": verdict,
        "verdict_text": _verdict_text(verdict) if verdict else "",
        "play": _address(game.spec, PERSON, player),
        "watch": _address(game.spec, player, player),
        "most_contests": LARGEST_NUMBER,
        "most_test_contests": _MOST_TEST_CONTESTS,
    }


def _progress(watched: WatchedRuns, folder: Path) -> RunProgress:
    try:
        return read_progress(folder)
    except BadInputError as error:
        raise BadInputError(watched.folders.sentence(error)) from None


def _status(found: RunProgress, command: str) -> str:
    """Return how far a run has got, in words."""
    played, end = f"{found.contests:,}", f"{found.config.contests:,}"
    if command == _TEST:
        return f"Being tested, after {played} contests of training"
    if found.in_progress or command:
        return f"In training: {played} of {end} contests"
    if found.done:
        return f"Finished after {played} contests"
    return f"Stopped after {played} of {end} contests"


def _verdict_text(verdict: RunVerdict) -> str:
    """Return the result of a test in one sentence."""
    if verdict.passed:
        return "Meets the game players' Turing test"
    if verdict.passed is None:
        name, score = next(iter(verdict.scores.items()))
        return f"Wins {score.power:.0f} % against {name}"
    return "Fails the game players' Turing test"


def _address(game: str, *players: str) -> str:
    """Return the address on which a contest between players begins."""
    return "/new?" + urlencode({"game": game, **{f"player{seat}": player for seat, player in enumerate(players)}})


async def _board(request: Request, watched: WatchedRuns, folder: Path) -> dict[str, Any] | None:
    """Return the next position of a contest that the learner plays against itself, of a new one after the last."""
    trained, number = (int(_digits(request.query_params.get(name, ""))) for name in ("trained", "number"))
    shown = watched.shown(folder, trained)
    if shown is None or number >= len(shown.positions):
        try:
            shown, number = await parts_of(request).thinkers.run(lambda: watched.show(folder)), 0
        except (BadInputError, BusyError):
            return None  # (the training has just removed the checkpoint, or too many agents are thinking)
    position, before = shown.positions[number]
    return {
        "svg": draw_svg(position, before=before),
        "caption": caption(position),
        "trained": shown.trained,
        "number": number,
        "next": urlencode({"trained": shown.trained, "number": number + 1}),
    }


def _digits(text: str) -> str:
    return text if text.isascii() and text.isdigit() and len(text) <= 9 else "0"


ROUTES = [
    Route("/runs", runs),
    Route("/runs/{name:path}", show),
    Route("/runs/{name:path}", change, methods=["POST"]),
]
