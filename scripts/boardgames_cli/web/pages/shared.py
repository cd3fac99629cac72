"""What several pages need: the parts of the application, and games in words."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request

from boardgames_agents.training.run import read_config
from boardgames_agents.training.trained import run_of_spec
from boardgames_cli.web.forms import text_of
from boardgames_cli.web.offers import Offers
from boardgames_cli.web.opinions import Opinions
from boardgames_cli.web.sessions import Sessions
from boardgames_cli.web.sitting import Sitting
from boardgames_cli.web.specs import Checker
from boardgames_cli.web.store import SittingStore
from boardgames_cli.web.thinking import Thinkers
from boardgames_cli.web.tutor import Tutor
from boardgames_cli.web.watched_runs import WatchedRuns
from boardgames_env import registered_games
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.games import GameEntry
from boardgames_env.spec import Spec


@dataclass(frozen=True)
class Parts:
    """The parts of the application.

    Attributes:
        store: The file of contests.
        sessions: The sessions of those last shown.
        checker: The reader of specs from pages.
        tutor: The teacher of people.
        thinkers: The threads in which agents think.
        offers: What can play each game.
        watched: The runs and leagues.
        opinions: What agents think of positions.
    """

    store: SittingStore
    sessions: Sessions
    checker: Checker
    tutor: Tutor
    thinkers: Thinkers
    offers: Offers
    watched: WatchedRuns
    opinions: Opinions


VALUES: Mapping[int | None, str] = {
    1: "The first player wins",
    0: "A draw",
    -1: "The second player wins",
    None: "Not known",
}
"""The known value of a game in words."""


SMALL = 200
"""The size of the pictures of positions that are shown beside each other."""


def parts_of(request: Request) -> Parts:
    """Return the parts of the application."""
    parts: Parts = request.app.state.parts
    return parts


async def game_in(request: Request, fields: Mapping[str, Any]) -> Game:
    """Return the game that an address or a form names."""
    game: Game = await run_in_threadpool(parts_of(request).checker.game, text_of(fields, "game"))
    return game


def sitting_of(request: Request) -> Sitting:
    """Return the sitting that the address names; answer 404 if there is none."""
    found = parts_of(request).store.get(request.path_params["id"])
    if found is None:
        raise HTTPException(404)
    return found


def entry_of(request: Request) -> GameEntry:
    """Return the game that the address names; answer 404 if there is none."""
    entry = registered_games().get(request.path_params["name"])
    if entry is None:
        raise HTTPException(404)
    return entry


def sentence_of(entry: GameEntry) -> str:
    """Return what a game is, in one sentence."""
    text = entry.summary.partition(": ")[2] or entry.summary
    return text[:1].upper() + text[1:]


def named_run(request: Request, player: str) -> str:
    """Return the name for people of a player that a spec takes from a run; empty for other specs."""
    folders = parts_of(request).watched.folders
    try:
        folder = run_of_spec(Spec.parse(player))
        if folder is None or not (place := folders.name_within(folder)):
            return ""
        return f"{read_config(folder, imports=False).learner}, trained in {place}"
    except BadInputError:
        return ""
