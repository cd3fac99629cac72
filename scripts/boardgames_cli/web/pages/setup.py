"""The page on which a contest begins: at the start of a game, or at a position that the address holds."""

import secrets
from functools import cache
from typing import NamedTuple

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from boardgames_agents.interactive.levels import LEVELS, NORMAL, level_of
from boardgames_agents.interactive.session import PERSON, PlaySession
from boardgames_agents.policy import Learner
from boardgames_agents.registry import registered_agents
from boardgames_cli.web.forms import Field, fields_of, numbers_of, posted, spec_of, text_of
from boardgames_cli.web.pages.shared import checker_of, named_run, sentence_of, store_of, thinkers_of
from boardgames_cli.web.sitting import Sitting, continued, new_sitting, session_of
from boardgames_cli.web.templating import page, seen_other
from boardgames_env import registered_games
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.render.svg import draw_svg

_LARGEST_SEED = 2**31


async def setup(request: Request) -> Response:
    """Show the form for a new contest."""
    game = await run_in_threadpool(checker_of(request).game, text_of(request.query_params, "game"))
    actions, events = (numbers_of(request.query_params, name) for name in ("actions", "events"))
    session = await run_in_threadpool(_begun, game, actions, events)
    chosen = [text_of(request.query_params, f"player{seat}", usual) for seat, usual in enumerate((PERSON, NORMAL))]
    known = {PERSON, *LEVELS, *(name for name, _ in _agents())}
    return page(
        request,
        "setup.html",
        game=game,
        sentence=sentence_of(registered_games()[game.name]),
        picture=draw_svg(session.position, before=session.before_last_turn),
        plies=session.plies,
        actions="-".join(map(str, actions)),
        events="-".join(map(str, events)),
        given=[(key, value) for key, value in game.options.items()],
        options=[] if actions else fields_of(registered_games()[game.name].options, "game"),
        levels=LEVELS,
        chosen=tuple(chosen),
        given_players=[None if player in known else named_run(request, player) or player for player in chosen],
        agents=_agents(),
    )


async def options(request: Request) -> Response:
    """Show the fields for the options of an agent; none for a person or a level."""
    seat = text_of(request.query_params, "seat")
    if seat not in ("0", "1"):
        raise BadInputError("seat must be 0 or 1")
    entry = registered_agents().get(text_of(request.query_params, f"player{seat}"))
    fields: list[Field] = [] if entry is None else fields_of(entry.options, f"player{seat}")
    summary = "" if entry is None else entry.summary
    return page(request, "fields.html", fields=fields, summary=summary)


async def begin(request: Request) -> Response:
    """Begin a contest."""
    form = await posted(request)
    checker, thinkers = checker_of(request), thinkers_of(request)

    def chosen() -> Game:
        game = checker.game(text_of(form, "game"))
        asked = spec_of(form, game.name, registered_games()[game.name].options, "game")
        return checker.game(str(asked.with_options(**{**game.options, **asked.options}))) if asked.options else game

    game: Game = await run_in_threadpool(chosen)
    one, other = [await _player(request, form, game, seat) for seat in (0, 1)]
    actions, events = (numbers_of(form, name) for name in ("actions", "events"))
    sitting = await run_in_threadpool(_new, game, (one, other), actions, events)
    await thinkers.demand_able(sitting)
    added = await run_in_threadpool(store_of(request).add, sitting)
    return seen_other(request, f"/contests/{added.id}")


class _Player(NamedTuple):
    spec: str
    name: str = ""


async def _player(request: Request, form: FormData, game: Game, seat: int) -> _Player:
    """Return the player that a form has for a seat: a person, a level, or an agent with its options or as a spec."""
    chosen = text_of(form, f"player{seat}")
    if chosen == PERSON:
        return _Player(PERSON)
    if chosen in LEVELS:
        level = await thinkers_of(request).run(lambda: level_of(game, chosen))
        return _Player(level.agent, f"computer, {level.name}: {level.strength}")
    entry = registered_agents().get(chosen)
    spec = chosen if entry is None else str(spec_of(form, chosen, entry.options, f"player{seat}"))
    return _Player(str(checker_of(request).agent(spec)), named_run(request, spec))


def _new(game: Game, players: tuple[_Player, _Player], actions: tuple[int, ...], events: tuple[int, ...]) -> Sitting:
    one, other = players
    seed = secrets.randbelow(_LARGEST_SEED)
    sitting = new_sitting(game, (one.spec, other.spec), seed, (one.name, other.name))
    if not actions:
        return sitting
    return continued(sitting, actions, events)


def _begun(game: Game, actions: tuple[int, ...], events: tuple[int, ...]) -> PlaySession:
    """Return a contest after some actions."""
    return session_of(_new(game, (_Player(PERSON), _Player(PERSON)), actions, events))


@cache
def _agents() -> list[tuple[str, str]]:
    """Return the agents that can be asked for a move, and what people should know of them."""
    return [
        (name, f"{name}, which has learned nothing" if _learns(entry.factory) else name)
        for name, entry in registered_agents().items()
        if not getattr(entry.factory, "interactive", False)
    ]


def _learns(factory: object) -> bool:
    return isinstance(factory, type) and issubclass(factory, Learner)


ROUTES = [
    Route("/new", setup),
    Route("/agents/options", options),
    Route("/contests", begin, methods=["POST"]),
]
