"""The page on which people set up a position: it follows from the board, the kinds of men and the game's settings."""

import re
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from boardgames_cli.web.overlay import spots
from boardgames_cli.web.pages.analyse import links_of
from boardgames_cli.web.pages.gallery import groups_of_games
from boardgames_cli.web.pages.setup import rules_offered
from boardgames_cli.web.pages.shared import for_players, is_part, page, parts_of, root_of
from boardgames_cli.web.positions import address_of, code_of, demand_checked, state_of
from boardgames_cli.web.specs import Checker, game_of, number_of, text_of
from boardgames_env import BadInputError, Game, Position
from boardgames_env.game import OF_A_POSITION
from boardgames_env.render.layout import caption
from boardgames_env.render.svg import draw_svg

State = NDArray[np.int8]

_MOST_ON_ONE = 20
"""The most men that can be put on one location, where several can stand there."""

_REMOVE = "0"
"""The choice of taking men off the board, in the place of a slot of a state for a man."""


async def editor(request: Request) -> Response:
    """Show the board to put men on, as the address has it: with a click on a location, and other choices."""
    values = await run_in_threadpool(_values, request)
    if values["game"] is None or not is_part(request):
        return page(request, "editor.html", **values)
    answer = page(request, "editor_part.html", **values)
    answer.headers["HX-Replace-Url"] = root_of(request) + values["address"]
    return answer


def _values(request: Request) -> dict[str, Any]:
    fields = request.query_params
    if "game" not in fields:
        return {"game": None, "groups": groups_of_games()}
    checker = parts_of(request).checker
    game = game_of(fields, checker).part
    demand_checked(game)
    men, state = _men_of(game), _state_in(checker, game, fields)
    man = text_of(fields, "man", next(iter(men)))
    if man not in (*men, _REMOVE):
        raise BadInputError(f"man={man} is not one of {game.title}; choose one below the board")
    state = _edited(game, state, fields, int(man))
    # (the picture says the same of every position that is being set up, whether or not it is over or one of the game)
    position = draft = Position.draft(game, state.copy())
    why_not = ""
    try:
        position = game.position(state)
    except BadInputError as error:
        why_not = _for_people(game, str(error))
    return {
        "game": game,
        **rules_offered(game, without=OF_A_POSITION),
        "place": code_of(position),
        "address": address_of(position, "/editor"),  # (short, so that it can be copied)
        "svg": draw_svg(draft, viewer=0),
        "spots": spots(position, 0),
        "men": men,
        "man": man,
        "remove": _REMOVE,
        "seat": int(state[0]),
        "settings": [(each.label, each.choices, _chosen(each.choices, state)) for each in game.settings],
        "why_not": why_not,
        "over": caption(position) if position.is_over else "",
        **({} if why_not else links_of(position)),
    }


def _for_people(game: Game, why_not: str) -> str:
    """Return why a state is no position in the words of players, with the names of men."""
    reason = why_not.partition(": ")[2] or why_not
    return for_players(re.sub(r"\bseat ([01])\b", lambda seat: game.men[int(seat[1])].name, reason))


def _men_of(game: Game) -> dict[str, str]:
    """Return the names of the men that can be put on the board, by the slot of a state for one of them, as text."""
    slots = [own * kind for kind in range(1, 2 + len(game.kinds)) for own in (1, -1)]
    return {str(slot): game.men_at(slot)[0].name for slot in slots}


def _stacks(game: Game) -> bool:
    """Return whether several men can stand on a location: the features of a game say so."""
    return not game.kinds and game.men_features is not None and game.men_features[1] > 1


def _state_in(checker: Checker, game: Game, fields: Mapping[str, Any]) -> State:
    """Return the state that an address begins with: one that contests reach as it is, otherwise what is safe of it."""
    start: State = game.initial.state.copy()
    if not (code := text_of(fields, "position", "")):
        return start
    # (with other options of the same game, a state may have more or fewer slots at its end)
    before = _game_before(checker, fields, game)
    given = state_of(before, code)
    if before is game:
        try:
            position = game.position(given)
        except BadInputError:
            pass
        else:
            return _completed(game, position.state.copy()) if position.is_over else position.state.copy()
    state = start.copy()
    if before.board.labels == game.board.labels:
        shared = min(len(start), len(given))
        state[:shared] = given[:shared]
    else:  # (a larger or a smaller board: the men stay at the locations of the same names)
        men = dict(zip(before.board.labels, given[1:], strict=False))
        state[0] = given[0]
        state[1 : 1 + game.board.size] = [men.get(label, 0) for label in game.board.labels]
    return _safe(game, state)


def _game_before(checker: Checker, fields: Mapping[str, Any], game: Game) -> Game:
    """Return the game whose position an address has: the one before its options were changed."""
    spec = text_of(fields, "from", "")
    before = checker.game(spec).part if spec else game
    return before if before.name == game.name else game


def _safe(game: Game, state: State) -> State:
    """Return a state in which every slot has a value that can be chosen."""
    size, most = game.board.size, _MOST_ON_ONE if _stacks(game) else 1 + len(game.kinds)
    state[0] = state[0] == 1
    state[1 : 1 + size] = np.clip(state[1 : 1 + size], -most, most)
    for slot in range(1 + size, game.state_size):
        chosen = (writes[slot] for each in game.settings for writes in each.choices.values() if slot in writes)
        if int(state[slot]) not in {int(game.initial.state[slot]), *chosen}:
            state[slot] = game.initial.state[slot]
    return _completed(game, state)


def _edited(game: Game, state: State, fields: Mapping[str, Any], man: int) -> State:
    """Return a state after what was chosen and clicked."""
    before = state.copy()
    begun = text_of(fields, "begin", "")
    if begun == "start":
        state = game.initial.state.copy()
    else:
        if begun == "empty":
            state[1 : 1 + game.board.size] = 0
        state[0] = number_of(fields, "seat", int(state[0])) == 1
        for number, each in enumerate(game.settings):
            for slot, value in each.choices.get(text_of(fields, f"setting{number}", ""), {}).items():
                state[slot] = value
    if "at" in fields:
        location = number_of(fields, "at")
        if location >= game.board.size:
            raise BadInputError(f"at={location} is no location of {game.title}")
        state[1 + location] = _after_a_click(int(state[1 + location]), man, _stacks(game))
    return state if (state == before).all() or begun == "start" else _completed(game, state)


def _after_a_click(slot: int, man: int, stacks: bool) -> int:
    """Return what stands on a location after a click with a man: it comes, joins others of its seat, or goes."""
    if man == 0:
        return slot - (slot > 0) + (slot < 0) if stacks else 0
    if stacks:
        return max(-_MOST_ON_ONE, min(_MOST_ON_ONE, slot + man)) if slot * man > 0 else man
    return 0 if slot == man else man


def _completed(game: Game, state: State) -> State:
    if game.complete:
        game.complete(state)
    return state


def _chosen(choices: Mapping[str, Mapping[int, int]], state: State) -> str:
    """Return the choice that a state has; an empty text if it has none of them."""
    return next((text for text, writes in choices.items() if all(state[slot] == writes[slot] for slot in writes)), "")


ROUTES = [Route("/editor", editor)]
