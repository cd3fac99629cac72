"""The application: settings, routes, and what is answered when something is wrong."""

from dataclasses import dataclass
from pathlib import Path

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

from boardgames_cli.web.opinions import Opinions
from boardgames_cli.web.pages import (
    contest,
    examinations,
    gallery,
    leagues,
    runs,
    setup,
    taught,
    thoughts,
    which_trainer,
)
from boardgames_cli.web.pages.shared import Parts, page
from boardgames_cli.web.security import Guard
from boardgames_cli.web.sitting import Sessions
from boardgames_cli.web.specs import Checker
from boardgames_cli.web.store import SittingStore, StaleError
from boardgames_cli.web.thinking import BusyError, Offers, Thinkers
from boardgames_cli.web.tutor import Tutor
from boardgames_cli.web.watched_runs import WatchedRuns
from boardgames_env.errors import BadInputError

_HERE = Path(__file__).parent


@dataclass(frozen=True)
class Settings:
    """The settings of the application.

    Attributes:
        store: File that keeps the contests.
        runs: The only folder whose files specs from pages may name.
        host: Address that the server listens on.
        token: The secret that requests need, in a cookie or once in the address; without one, none is needed.
        threads: The largest number of agents that think at once.
        pupils: The folder of the profiles of people who are taught; by default one beside the contests.
    """

    store: Path
    runs: Path = Path("runs")
    host: str = "127.0.0.1"
    token: str = ""
    threads: int = 2
    pupils: Path | None = None


def make_application(settings: Settings) -> Starlette:
    """Return the application, an ASGI program."""
    application = Starlette(
        routes=[
            *gallery.ROUTES,
            *setup.ROUTES,
            *contest.ROUTES,
            *runs.ROUTES,
            *taught.ROUTES,
            *examinations.ROUTES,
            *leagues.ROUTES,
            *thoughts.ROUTES,
            *which_trainer.ROUTES,
            Mount("/static", StaticFiles(directory=_HERE / "static")),
        ],
        middleware=[Middleware(Guard, host=settings.host, token=settings.token)],
        exception_handlers={
            BadInputError: _bad_input,
            StaleError: _stale,
            BusyError: _busy,
            HTTPException: _http_error,
        },
    )
    watched = WatchedRuns(settings.runs)
    checker = Checker(watched.folders)
    store = SittingStore(settings.store)
    tutor = Tutor(store, checker, settings.pupils or settings.store.parent / "pupils")
    application.state.parts = Parts(
        store=store,
        sessions=Sessions(),
        checker=checker,
        tutor=tutor,
        thinkers=Thinkers(store, checker, tutor, settings.threads),
        offers=Offers(checker),
        watched=watched,
        opinions=Opinions(checker, watched.folders),
    )
    return application


def _bad_input(request: Request, error: Exception) -> Response:
    """Answer in one sentence, in which folders of runs have their names in the place of their paths."""
    return _failed(request, request.app.state.parts.watched.folders.sentence(error), 400)


def _stale(request: Request, error: Exception) -> Response:
    return _failed(request, str(error), 409)


def _busy(request: Request, error: Exception) -> Response:
    answer = _failed(request, str(error), 503)
    answer.headers["Retry-After"] = "5"
    return answer


def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    sentences = {404: "There is no such page.", 405: "This page does not take such requests."}
    return _failed(request, sentences.get(error.status_code, str(error.detail)), error.status_code)


def _failed(request: Request, sentence: str, code: int) -> Response:
    return page(request, "error.html", code, sentence=sentence[:1].upper() + sentence[1:])
