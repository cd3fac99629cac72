"""The pages of runs: a list, and of each its settings, curves and test, also while it is trained, and its knowledge."""

import shlex
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from itertools import groupby
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from boardgames_agents.arena.exploitability import ExactTester, markov
from boardgames_agents.lookahead.player import explainer_of
from boardgames_agents.people.session import PERSON
from boardgames_agents.policy.explanation import Region, counted
from boardgames_agents.policy.knowledge import HasKnowledge, KnowledgeEntry
from boardgames_agents.registry import label_of, make_player
from boardgames_agents.training.run import (
    RunProgress,
    RunVerdict,
    holds_run,
    load_run,
    read_progress,
    read_verdict,
)
from boardgames_agents.training.runs import cells_of, figures_of, row_of_run
from boardgames_agents.training.trained import spec_of_run
from boardgames_cli.web.chart import number_text
from boardgames_cli.web.overlay import drawing_of, drawing_of_region
from boardgames_cli.web.pages.shared import game_in, is_part, page, parts_of, watched_folder_of
from boardgames_cli.web.specs import is_number, number_of, text_of
from boardgames_cli.web.thinking import BusyError
from boardgames_cli.web.watched_runs import RunCharts, WatchedRuns, formula_of
from boardgames_env import make_game
from boardgames_env.errors import BadInputError, require
from boardgames_env.game import Game
from boardgames_env.render.layout import caption
from boardgames_env.render.svg import draw_svg

_MOST_LISTED = 200

_MOST_TESTED = 50_000
"""The most positions of a game at which agents are tested."""

_DRAWN, _MORE_DRAWN, _MOST_DRAWN = 6, 24, 120
"""The numbers of pieces of a kind that are drawn: at first, in addition when more are asked for, and at most."""


def runs(request: Request) -> Response:
    """Show all runs, as a list or as a table of their last results."""
    watched = parts_of(request).watched
    folders = watched.folders.runs()
    listed = folders[:_MOST_LISTED]
    left_out = len(folders) - len(listed)
    if "compared" in request.query_params:
        return page(request, "runs_compared.html", **_compared(watched, listed), left_out=left_out)
    found = [_run_in_words(watched, folder) for folder in listed]
    return page(request, "runs.html", runs=found, left_out=left_out)


def _compared(watched: WatchedRuns, folders: Sequence[Path]) -> dict[str, Any]:
    """Return the rows and the figures of a table of runs, and what is wrong with damaged ones."""
    rows, problems = {}, {}
    for folder in folders:
        name = watched.folders.name_of(folder)
        try:
            rows[name] = row_of_run(folder)
        except BadInputError as error:
            problems[name] = watched.folders.sentence(error)
    figures = figures_of(list(rows.values()))
    names = {figure: figure.partition("/")[2].replace("_", " ") for figure in figures}
    cells = {name: {**cells_of(row, figures), "learner": label_of(row["learner"])} for name, row in rows.items()}
    return {"rows": cells, "problems": problems, "figures": figures, "names": names}


async def show(request: Request) -> Response:
    """Show a run. While it is trained, its page asks for what has changed, and for itself at the end."""
    watched, folder = parts_of(request).watched, watched_folder_of(request, holds_run)
    wanted = request.query_params.getlist("curves")
    values = await run_in_threadpool(_values_of_run, watched, folder, wanted)
    is_trained = values["found"].in_progress
    if is_part(request) and "live" in request.query_params and not is_trained:
        return Response(headers={"HX-Refresh": "true"})
    board = await _board(request, watched, folder) if is_trained and values["found"].contests else None
    return page(request, "run_live.html" if is_part(request) else "run.html", **values, board=board)


def _run_in_words(watched: WatchedRuns, folder: Path) -> dict[str, str]:
    """Return a run in words."""
    name = watched.folders.name_of(folder)
    try:
        found = read_progress(folder)
        verdict = read_verdict(folder)
        title = make_game(found.config.game).title
    except BadInputError as error:
        return {"name": name, "problem": watched.folders.sentence(error)}
    return {
        "name": name,
        "problem": "",
        "title": title,
        "learner": found.config.label,
        "trainer": found.config.trainer,
        "state": _status_of_run(found),
        "verdict": _verdict_text(verdict) if verdict else "",
    }


def _values_of_run(watched: WatchedRuns, folder: Path, wanted: list[str]) -> dict[str, Any]:
    """Return what the templates show of a run."""
    name, found = watched.folders.name_of(folder), read_progress(folder)
    game, player, troubles = make_game(found.config.game), watched.folders.named(str(spec_of_run(folder))), []
    charts, verdict = RunCharts({}, {}), None
    try:
        charts = watched.charts(folder, wanted, 0 if found.config.standard else found.config.contests)
    except BadInputError as error:
        troubles.append(watched.folders.sentence(error))
    try:
        verdict = read_verdict(folder)
    except BadInputError as error:
        troubles.append(watched.folders.sentence(error))
    return {
        "name": name,
        "game": game,
        "found": found,
        "status": _status_of_run(found),
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
        "exact_test": f"/exact-test?{urlencode({'game': game.spec, 'agent': player})}" if _is_small(game) else "",
        "place": shlex.quote(f"{watched.folders.root.name}/{name}"),
    }


def _status_of_run(found: RunProgress) -> str:
    """Return how far a run has got, in words."""
    played, end = found.contests, counted(found.config.contests, "contest")
    if found.in_progress:
        return f"In training: {played:,} of {end}"
    if found.done:
        return f"Finished after {counted(played, 'contest')}"
    return f"Stopped after {played:,} of {end}"


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
    asked = (request.query_params.get(name, "") for name in ("trained", "number"))
    trained, number = (int(text) if is_number(text) else 0 for text in asked)
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


async def knowledge(request: Request) -> Response:
    """Show what the learner of a run knows."""
    watched, folder = parts_of(request).watched, watched_folder_of(request, holds_run)
    number = number_of(request.query_params, "number", _DRAWN)
    require(0, _MOST_DRAWN, number=number)
    values = await parts_of(request).thinkers.run(lambda: _knowledge_values(folder, number))
    more = min(number + _MORE_DRAWN, _MOST_DRAWN)
    return page(request, "knowledge.html", name=watched.folders.name_of(folder), more=more, number=number, **values)


def _knowledge_values(folder: Path, number: int) -> dict[str, Any]:
    run = load_run(folder)
    known = run.learner.knowledge_report() if isinstance(run.learner, HasKnowledge) else None
    groups = groupby(known.entries, key=lambda entry: entry.kind) if known else ()
    start = None  # what the learner thinks of the moves at the start of the game, if it can say
    if not run.game.initial.awaits_chance:
        with suppress(BadInputError):
            start = explainer_of(run.learner.frozen(), run.game).explanation(run.game.initial)
    return {
        "run": run,
        "numbers": {} if known else {name: number_text(value) for name, value in run.learner.knowledge().items()},
        "known": known,
        "kinds": [_pieces_of_kind(name, list(entries), number) for name, entries in groups],
        "start": start,
        "start_drawing": drawing_of(run.game.initial, start.marks) if start else None,
        "board": draw_svg(run.game.initial),
    }


def _pieces_of_kind(name: str, entries: list[KnowledgeEntry], number: int) -> dict[str, Any]:
    """Return the pieces of knowledge of a kind: sentences, how many can be drawn, and pictures of the first of these.

    A picture is of the board, and of the locations that matter if only some do.
    """
    sentences = [entry.title for entry in entries if entry.position is None]
    pieces = [(entry, entry.position) for entry in entries if entry.position is not None]
    drawings = []
    for entry, position in pieces[:number]:
        drawing = drawing_of_region(position, Region(entry.title, tuple(sorted(entry.locations or ()))))
        drawings.append({"title": entry.title, "svg": draw_svg(position, labels=False), "drawing": drawing})
    return {"name": name, "sentences": sentences, "drawn": len(pieces), "drawings": drawings}


def _is_small(game: Game) -> bool:
    """Return whether agents can be tested exactly at a game while somebody waits."""
    return game.positions is not None and game.positions <= _MOST_TESTED


async def exact_test(request: Request) -> Response:
    """Show a form for an agent and a small game, and what the agent gives away there, as `exploitability` does."""
    fields = {name: text_of(request.query_params, name, "") for name in ("game", "agent")}
    found = None
    if all(fields.values()):
        game, agent = await game_in(request, fields), parts_of(request).checker.agent(fields["agent"])
        if not _is_small(game):
            raise BadInputError(
                f"{game.spec} is too large to be tested exactly on a page; boardgames test plays contests"
            )
        test = await parts_of(request).thinkers.run(lambda: ExactTester(game).test(markov(make_player(agent, game))))
        found = {"game": game, "test": test}
    agent_text = parts_of(request).watched.folders.named(fields["agent"])
    return page(request, "exact_test.html", game=fields["game"], agent=agent_text, found=found)


ROUTES = [
    Route("/exact-test", exact_test),
    Route("/runs", runs),
    Route("/runs/{name:path}", show),
    Route("/knowledge/{name:path}", knowledge),
]
