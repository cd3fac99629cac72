"""The pages of the study of trainers: every trainer with every learner at a game, and a cell of that table."""

import shlex
from typing import Any
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from boardgames_baselines.papers.ideal_trainer_today import GAMES, LEARNERS, TRAINERS
from boardgames_baselines.papers.ideal_trainer_today.recommendation import Evidence, published
from boardgames_cli.web.chart import line_chart
from boardgames_cli.web.pages.shared import page
from boardgames_cli.web.specs import text_of

_SHADES = 5
"""The number of shades of cells, by reliability."""


def which_trainer(request: Request) -> Response:
    """Show the table of a game, by default of the first one."""
    games = [name for name in GAMES if any(key[0] == name for key in published())]
    game = text_of(request.query_params, "game", "") or games[0]
    if game not in games:
        raise HTTPException(404)
    return page(request, "which_trainer.html", games=games, game=game, **_table_of_trainers(game))


def cell(request: Request) -> Response:
    """Show a learner with a trainer at a game: its curve, and the command that trains it."""
    names = tuple(text_of(request.query_params, each, "") for each in ("game", "learner", "trainer"))
    found = published().get((names[0], names[1], names[2]))
    if found is None:
        raise HTTPException(404)
    curve = (list(found.curve), list(found.curve.values()))
    options = ("--trainer", found.trainer, "--contests", str(found.contests))
    words = (GAMES[names[0]], LEARNERS[names[1]].spec, *options)
    return page(
        request,
        "which_trainer_cell.html",
        game=names[0],
        learner=names[1],
        trainer=names[2],
        found=found,
        chart=line_chart("Reliability in %", "contests of training", {names[1]: curve}, y_range=(0, 100)),
        command=shlex.join(("boardgames", "train", *words)),
    )


def _table_of_trainers(game: str) -> dict[str, Any]:
    """Return the learners, and a row for each trainer, with the cells that were run."""
    results = {key[1:]: each for key, each in published().items() if key[0] == game}
    learners = [name for name in LEARNERS if any(learner == name for learner, _ in results)]
    rows = []
    for trainer in TRAINERS:
        cells = [_cell_in_words(game, learner, trainer, results.get((learner, trainer))) for learner in learners]
        rows.append({"name": trainer, "cells": cells})
    return {"learners": learners, "rows": rows}


def _cell_in_words(game: str, learner: str, trainer: str, found: Evidence | None) -> dict[str, Any] | None:
    """Return a cell as the table shows it; ``None`` if it was not run."""
    if found is None:
        return None
    mean = found.reliability.mean
    return {
        "text": f"{mean:.0f}",
        "words": f"{learner} with the trainer {trainer}: {mean:.1f} % reliable",
        "shade": min(_SHADES - 1, int(_SHADES * mean / 100)),
        "address": urlencode({"game": game, "learner": learner, "trainer": trainer}),
    }


ROUTES = [Route("/which-trainer", which_trainer), Route("/which-trainer/cell", cell)]
