"""The page on which a training begins: a game, a learner, a trainer and numbers."""

from collections.abc import Mapping
from functools import cache
from typing import Any
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from boardgames_agents.registry import make_learner, registered_agents
from boardgames_agents.training.trainers import registered_trainers
from boardgames_cli.web.forms import Field, fields_of, number_of, posted, spec_of, text_of
from boardgames_cli.web.pages.shared import parts_of
from boardgames_cli.web.specs import LARGEST_NUMBER, Checker
from boardgames_cli.web.templating import page, seen_other
from boardgames_env import make_game, registered_games
from boardgames_env.errors import BadInputError, require
from boardgames_env.game import Game
from boardgames_env.spec import Option, Spec

_USUAL = 2_000
"""The number of contests that the form suggests."""

_TESTS, _CHECKPOINTS = 10, 20
"""The number of tests and of checkpoints on the way."""

_TEST_CONTESTS = 50

_OURS = make_learner.__module__.partition(".")[0]

_LARGEST_SEED = 2**31 - 1


async def setup(request: Request) -> Response:
    """Show the form for a new training."""
    return page(request, "train.html", **await run_in_threadpool(_form, request))


async def options(request: Request) -> Response:
    """Show the fields for the options of a learner, a trainer or a game."""
    entries = {"learner": registered_agents(), "trainer": _trainers(), "game": registered_games()}
    kind = next((kind for kind in entries if kind in request.query_params), "game")
    name = text_of(request.query_params, kind, "")
    entry: Any = entries[kind].get(name)
    if name and entry is None:
        raise BadInputError(f"there is no {kind} {name!r}")
    fields: list[Field] = fields_of(entry.options, kind) if entry else []
    return page(request, "fields.html", fields=fields, summary=entry.summary if entry else "")


async def begin(request: Request) -> Response:
    """Begin a training."""
    form, watched = await posted(request), parts_of(request).watched
    game, learner, trainer = await run_in_threadpool(_chosen, parts_of(request).checker, form)
    contests, seed = number_of(form, "contests"), number_of(form, "seed", 0)
    require(1, LARGEST_NUMBER, contests=contests)
    require(0, _LARGEST_SEED, seed=seed)
    await parts_of(request).thinkers.run(lambda: make_learner(learner, game))
    wanted = text_of(form, "name", "").strip()
    name = wanted or await run_in_threadpool(watched.folders.free_name, f"{game.name}-{learner.name}")
    folder = watched.folders.new(name)
    numbers = {
        "contests": contests,
        "seed": seed,
        "test-every": -(-contests // _TESTS) if text_of(form, "tests", "") else 0,
        "test-contests": _TEST_CONTESTS,
        "checkpoint-every": -(-contests // _CHECKPOINTS),
    }
    given = [word for key, number in numbers.items() for word in (f"--{key}", str(number))]
    await run_in_threadpool(
        watched.commands.start,
        folder,
        "train",
        game.spec,
        str(learner),
        "--trainer",
        str(trainer),
        "--run",
        str(folder),
        *given,
    )
    return seen_other(request, f"/runs/{quote(name)}")


def _form(request: Request) -> dict[str, Any]:
    """Return what the template shows of the form."""
    chosen = text_of(request.query_params, "game", "")
    return {
        "games": {name: make_game(name).title for name in registered_games()},
        "chosen": parts_of(request).checker.game(chosen).name if chosen else "",
        "learners": _learners(),
        "trainers": list(registered_trainers()),
        "opponents": _opponents(),
        "usual": _USUAL,
        "most": LARGEST_NUMBER,
        "tests": _TESTS,
        "test_contests": _TEST_CONTESTS,
    }


def _chosen(checker: Checker, form: Mapping[str, Any]) -> tuple[Game, Spec, Spec]:
    """Return the game, the learner and the trainer that a form has."""
    return (
        checker.game(str(_spec(form, "game", registered_games()))),
        checker.agent(str(_spec(form, "learner", registered_agents()))),
        checker.trainer(str(_spec(form, "trainer", _trainers()))),
    )


def _spec(form: Mapping[str, Any], kind: str, entries: Mapping[str, Any]) -> Spec:
    """Return the spec that a form has for a game, a learner or a trainer: a name with options, or the whole text."""
    name = text_of(form, kind)
    if name not in entries:
        return Spec.parse(name)
    options: Mapping[str, Option] = entries[name].options
    return spec_of(form, name, options, kind)


@cache
def _learners() -> dict[str, str]:
    """Return the learners with what they are in a few words, those of this package first."""
    found = {name: entry for name, entry in registered_agents().items() if entry.learns}
    order = sorted(found, key=lambda name: (found[name].factory.__module__.partition(".")[0] != _OURS, name))
    return {name: found[name].summary.partition(" (")[0].rstrip(".") for name in order}


@cache
def _opponents() -> tuple[str, ...]:
    """Return the agents that can be the only opponent in a training: those that do not learn."""
    return tuple(
        name
        for name, entry in registered_agents().items()
        if not (entry.curves or getattr(entry.factory, "interactive", False))
    )


@cache
def _trainers() -> dict[str, Any]:
    """Return the entries of trainers, and of agents that can be the only opponent, by name."""
    agents = registered_agents()
    return {**{name: agents[name] for name in _opponents()}, **registered_trainers()}


ROUTES = [
    Route("/train", setup),
    Route("/train/options", options),
    Route("/train", begin, methods=["POST"]),
]
