"""The application: settings, routes, and what is answered when something is wrong."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from logging import getLogger
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Receive, Scope, Send

from boardgames_agents.experiments.own_error import OwnError, explained
from boardgames_cli.web.analyses import Analyses
from boardgames_cli.web.opinions import Opinions
from boardgames_cli.web.pages import (
    analyse,
    contest,
    contest_files,
    editor,
    examinations,
    gallery,
    leagues,
    matchboxes,
    runs,
    setup,
    taught,
    thoughts,
    which_trainer,
    your_mistakes,
)
from boardgames_cli.web.pages.shared import Parts, parts_of, refusal
from boardgames_cli.web.security import LARGEST_BODY, Guard, Network, is_loopback
from boardgames_cli.web.sitting import Sessions
from boardgames_cli.web.specs import Checker
from boardgames_cli.web.store import SittingStore, StaleError
from boardgames_cli.web.thinking import BusyError, Offers, Thinkers
from boardgames_cli.web.tutor import Tutor
from boardgames_cli.web.watched_runs import WatchedRuns
from boardgames_env.errors import BadInputError

THREADS, MOST_THREADS_OF_ONE = 3, 2
"""The largest number of agents that think at once, and of those that think for one visitor."""


@dataclass(frozen=True)
class Settings:
    """The settings of the application."""

    store: Path  # file that keeps the contests
    runs: Path = Path("runs")  # the only folder whose files specs from pages may name
    host: str = "127.0.0.1"  # address that the server listens on
    token: str = ""  # the secret that requests need, in a cookie or once in the address; without one, none is needed
    pupils: Path | None = None  # the folder of the profiles; by default one beside the contests
    names: tuple[str, ...] = ()  # other names of the server, in small letters
    root_path: str = ""  # path at which a proxy has the server, without a slash at its end
    proxies: tuple[Network, ...] = ()  # addresses whose ``X-Forwarded-…`` are believed
    agents: tuple[str, ...] = ()  # specs of agents that pages may name although they connect to other programs
    today: Callable[[], date] = date.today  # returns the date, by which mistakes come back

    @property
    def is_open(self) -> bool:
        """Whether others than this machine's own people can reach the server, by its address or through a proxy."""
        return not is_loopback(self.host) or bool(self.names or self.root_path or self.proxies)


def make_application(settings: Settings) -> Starlette:
    """Return the application, an ASGI program."""
    routes: list[Route | Mount] = [
        *gallery.ROUTES,
        *matchboxes.ROUTES,
        *setup.ROUTES,
        *editor.ROUTES,
        *contest.ROUTES,
        *contest_files.ROUTES,
        *runs.ROUTES,
        *taught.ROUTES,
        *examinations.ROUTES,
        *leagues.ROUTES,
        *thoughts.ROUTES,
        *analyse.ROUTES,
        *which_trainer.ROUTES,
        *your_mistakes.ROUTES,
        Mount("/static", StaticFiles(directory=Path(__file__).parent / "static")),
    ]
    # With such a path, "/play/x" could be the page itself, or the page "/x" below the path.
    first = settings.root_path.removeprefix("/").partition("/")[0]
    if first and first in {route.path.split("/")[1] for route in routes}:
        raise BadInputError(f"--root-path may not begin with /{first}, which is a page of the server; choose another")
    application = Starlette(
        routes=routes,
        middleware=[Middleware(Guard, settings=settings, too_large=too_large), Middleware(_Explained)],
        exception_handlers=dict.fromkeys((BadInputError, StaleError, BusyError, HTTPException), _failed),
    )
    watched = WatchedRuns(settings.runs)
    checker = Checker(watched.folders, settings.agents)
    store = SittingStore(settings.store)
    tutor = Tutor(store, checker, settings.pupils or settings.store.parent / "pupils", settings.today)
    thinkers = Thinkers(store, checker, tutor, THREADS, MOST_THREADS_OF_ONE)
    application.state.parts = Parts(
        store=store,
        sessions=Sessions(),
        checker=checker,
        tutor=tutor,
        thinkers=thinkers,
        analyses=Analyses(store, thinkers),
        offers=Offers(checker),
        watched=watched,
        opinions=Opinions(checker, watched.folders),
    )
    return application


class _Explained:
    """Answers in one sentence where code of one's own has failed; its frames are in the server's log."""

    def __init__(self, application: ASGIApp) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await self._application(scope, receive, send)
        except Exception as error:
            told = explained(error)
            if not isinstance(told, OwnError):
                raise
            getLogger("uvicorn.error").error("%s\n%s", told.sentence, told.frames.rstrip())
            await refusal(Request(scope, receive), 500, f"{told.sentence}.")(scope, receive, send)


def _failed(request: Request, error: Exception) -> Response:
    """Answer in one sentence, in which folders of runs have their names in the place of their paths."""
    sentence = parts_of(request).watched.folders.sentence(error)
    code = 409 if isinstance(error, StaleError) else 503 if isinstance(error, BusyError) else 400
    if isinstance(error, HTTPException):
        sentences = {404: "There is no such page.", 405: "This page does not take such requests."}
        code = error.status_code
        sentence = sentences.get(code, error.detail)
    answer = refusal(request, code, sentence)
    if isinstance(error, BusyError):
        answer.headers["Retry-After"] = "5"
    return answer


def too_large(request: Request) -> Response:
    """Answer a request that is larger than `LARGEST_BODY`."""
    return refusal(request, 413, f"what was sent is too large; at most {LARGEST_BODY // 1_000_000} MB is allowed.")
