"""The page on which a contest begins: at the start of a game, or at a position that the address holds."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from boardgames_agents.people.levels import EASY, HARD, LEVELS, NORMAL, PERFECT, level_of, name_for_people
from boardgames_agents.people.session import PERSON
from boardgames_agents.registry import agent_named, registered_agents
from boardgames_cli.web.pages.shared import begun, game_in, named_run, page, parts_of, sentence_of
from boardgames_cli.web.positions import contest_of, position_of
from boardgames_cli.web.sitting import Sitting, continued, level_in_words, new_sitting, session_of
from boardgames_cli.web.specs import Field, fields_of, game_of, number_of, numbers_of, posted, spec_of, text_of
from boardgames_env import registered_games
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.position import Position
from boardgames_env.render.svg import draw_svg

_COMPUTER = "computer"
"""What the form has for the seat of the computer, whose level it chooses for both seats."""

_FOR_WHOM = {
    EASY: "For a first game",
    NORMAL: "For those who know the game",
    HARD: "For those who play it well",
    PERFECT: "To learn from",
}
"""Whom a level is for."""

_PATIENCE = 0.5
"""Seconds that an answer waits until a game is solved, or agents have been asked; after that the page asks again."""


async def setup(request: Request) -> Response:
    """Show the form for a new contest."""
    game = await game_in(request, request.query_params)
    code = text_of(request.query_params, "position", "")
    actions, events = _played_in(request.query_params)
    start = await run_in_threadpool(_start_in, game, code)
    picture, plies = await run_in_threadpool(_place_of_contest, game, start, actions, events)
    return page(
        request,
        "setup.html",
        **await _offered(request, game),
        game=game,
        sentence=sentence_of(registered_games()[game.name]),
        picture=picture,
        plies=plies,
        position=code,
        actions="-".join(map(str, actions)),
        events="-".join(map(str, events)),
        **rules_offered(game),
    )


async def players(request: Request) -> Response:
    """Show the part of the form on the players, or how far the game is solved."""
    game = await game_in(request, request.query_params)
    return page(request, "setup_players.html", game=game, is_part=True, **await _offered(request, game))


async def agents(request: Request) -> Response:
    """Show the agents to choose from in both seats' lists, or the same request again."""
    game = await game_in(request, request.query_params)
    return page(request, "setup_agents.html", game=game, agents=await parts_of(request).offers.agents(game, _PATIENCE))


async def options(request: Request) -> Response:
    """Show the fields for the options of an agent; for a level, how strong it is."""
    query = request.query_params
    seat, game = number_of(query, "seat"), await game_in(request, query)
    if seat > 1:
        raise BadInputError("seat must be 0 or 1")
    chosen = text_of(query, f"agent{seat}")
    level = (await parts_of(request).offers.levels(game, _PATIENCE) or {}).get(chosen)
    entry = (await run_in_threadpool(registered_agents)).get(chosen)
    fields: list[Field] = [] if entry is None else fields_of(entry.options, f"player{seat}")
    does = _sentence(level.strength) if level else _sentence(entry.does) if entry else ""
    return page(
        request, "setup_options.html", game=game, seat=seat, chosen=chosen, does=does, entry=entry, fields=fields
    )


async def begin(request: Request) -> Response:
    """Begin a contest."""
    form = await posted(request)
    checker, thinkers = parts_of(request).checker, parts_of(request).thinkers
    game: Game = (await run_in_threadpool(game_of, form, checker)).part  # (a match is a contest for each of its games)
    (one, one_name), (other, other_name) = [await _player(request, form, game, seat) for seat in (0, 1)]
    actions, events = _played_in(form)

    def new() -> Sitting:
        start = _start_in(game, text_of(form, "position", ""))
        sitting = new_sitting(game, (one, other), (one_name, other_name), start=start)
        return continued(sitting, actions, events) if actions else sitting

    sitting: Sitting = await run_in_threadpool(new)
    if len(sitting.people) < len(sitting.players):
        await thinkers.demand_able(sitting)
    return await begun(request, sitting)


def rules_offered(game: Game, without: Sequence[str] = ()) -> dict[str, Any]:
    """Return the fields of the form for the rules of a game: ways to play, options for people, and all others.

    Options of one way to play stand with it; ``without`` are options that the form leaves out.
    """
    entry = registered_games()[game.name]
    in_force = entry.in_force(game.options)
    decided = {name for options in entry.ways.values() for name in options}
    others = {name: option for name, option in entry.options.items() if name not in {*decided, *without}}
    fields = fields_of(others, "game", game.options)
    ways = [
        {
            "name": way,
            "is_chosen": all(bool(in_force[name]) == bool(value) for name, value in options.items()),
            "parts": re.split(r"{(\w+)}", way),
            "values": {name: in_force[name] or value for name, value in options.items()},
            "fields": [field for field in fields if field.way == way],
        }
        for way, options in entry.ways.items()
    ]
    return {
        "ways": ways,
        "decided": [f"game.{name}" for name in decided if not any(f"{{{name}}}" in way for way in entry.ways)],
        "options": [field for field in fields if field.is_labelled and not field.way],
        "details": [field for field in fields if not field.is_labelled],
    }


async def _offered(request: Request, game: Game) -> dict[str, Any]:
    """Return what the part of the form on the players shows: nothing but progress until the levels are known."""
    usual = enumerate((PERSON, NORMAL))
    named = parts_of(request).watched.folders.named
    chosen = [named(text_of(request.query_params, f"player{seat}", player)) for seat, player in usual]
    offers = parts_of(request).offers
    levels = await offers.levels(game, _PATIENCE)
    if levels is None:
        return {"chosen": chosen, "levels": None, "progress": offers.progress(game)}
    agents = offers.known_agents(game)
    by_spec = {level.agent: name for name, level in levels.items()}
    named_levels = [by_spec.get(player, player) for player in chosen]
    level = next((player for player in named_levels if player in levels), NORMAL)
    others = ["" if player in (PERSON, level) else player for player in named_levels]
    known = {"", *levels, *(agents or ())}
    return {
        "chosen": chosen,
        "levels": levels,
        "level": level,
        "strengths": {name: f"{_FOR_WHOM[name]}: {level.strength}." for name, level in levels.items()},
        "agents_chosen": others,  # whom "More players" chooses: neither a person nor the level of the computer
        "given_players": [each not in known and (named_run(request, each) or name_for_people(each)) for each in others],
        "agents": agents,
    }


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


async def _player(request: Request, form: FormData, game: Game, seat: int) -> tuple[str, str]:
    """Return the spec and the name of the player that a form has for a seat.

    It is a person, the computer at the level chosen for both seats, a level, or an agent with its options or as a spec.
    """
    chosen = text_of(form, f"agent{seat}", "") or text_of(form, f"player{seat}")
    if chosen == _COMPUTER:
        chosen = text_of(form, "level", NORMAL)
    if chosen == PERSON:
        return PERSON, ""
    if chosen in LEVELS:
        level = await parts_of(request).thinkers.run(lambda: level_of(game, chosen))
        return level.agent, level_in_words(level)
    entry = agent_named(chosen)
    spec = chosen if entry is None else str(spec_of(form, chosen, entry.options, f"player{seat}"))
    return str(parts_of(request).checker.agent(spec)), named_run(request, spec)


def _played_in(fields: Mapping[str, Any]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the actions and the chance events that an address or a form begins with: as a code, or as numbers."""
    if code := text_of(fields, "played", ""):
        return contest_of(code)
    return numbers_of(fields, "actions"), numbers_of(fields, "events")


def _start_in(game: Game, code: str) -> Position | None:
    """Return the position of a code, in which a contest is to begin; ``None`` without one."""
    return position_of(game.part, code) if code else None


def _place_of_contest(
    game: Game, start: Position | None, actions: tuple[int, ...], events: tuple[int, ...]
) -> tuple[str, int]:
    """Return the picture of the position in which a contest begins, and the plies before it.

    The first one is shown before anything is rolled.
    """
    if not actions:
        return draw_svg(start or game.initial), 0
    session = session_of(continued(new_sitting(game, (PERSON, PERSON), start=start), actions, events))
    return draw_svg(session.position, before=session.before_last_turn), session.plies


ROUTES = [
    Route("/new", setup),
    Route("/new/players", players),
    Route("/new/agents", agents),
    Route("/agents/options", options),
    Route("/contests", begin, methods=["POST"]),
]
