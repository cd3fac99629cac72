"""The page of a contest: the board, the moves so far, and what may be done."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from boardgames_agents.people.endings import ending_of, is_enough
from boardgames_agents.people.judging.sources import hints
from boardgames_agents.people.judging.valued_moves import BestMoves
from boardgames_agents.people.session import PlaySession
from boardgames_cli.web.overlay import choices, drawing_of_hints, journeys, spots
from boardgames_cli.web.pages.analyse import links_of
from boardgames_cli.web.pages.shared import (
    begun,
    is_part,
    page,
    parts_of,
    seen_other,
    sentence_of,
    sitting_and_session_of,
    sitting_of,
    word_for,
)
from boardgames_cli.web.positions import code_of, code_of_contest
from boardgames_cli.web.sitting import Sitting, new_sitting, session_of
from boardgames_cli.web.specs import actions_in, number_of, posted, text_of
from boardgames_cli.web.store import StaleError
from boardgames_cli.web.thinking import LineFullError
from boardgames_env import registered_games
from boardgames_env.contest import Turn, turn_text
from boardgames_env.errors import BadInputError, require
from boardgames_env.games.backgammon.notation import PLAYS
from boardgames_env.match_score import MatchScore
from boardgames_env.moves import locations_of
from boardgames_env.position import Position
from boardgames_env.render.layout import caption
from boardgames_env.render.svg import draw_svg

_MOST_TEXTS = 8
"""The most actions that are listed within a turn."""

_FEW_MOVES = 3
"""The moves of a seat before which the page says how to move: as many where men are placed as where they move."""

Change = Callable[[PlaySession, Mapping[str, Any]], None]

_PATIENCE = 0.7
"""Seconds that an answer waits for an agent; after that the page asks again."""


async def show(request: Request) -> Response:
    """Show a contest, as it stands or after some actions."""
    sitting = await run_in_threadpool(sitting_of, request)
    if "after" in request.query_params:
        after = number_of(request.query_params, "after")
        require(0, len(sitting.actions), after=after)
        return await _shown(request, sitting, after=after)
    answered, is_thinking = await _answered(request, sitting)
    if is_thinking and text_of(request.query_params, "shown", "") == str(answered.version):
        return Response(status_code=204)  # (the page shows it already: it keeps its focus, and says nothing again)
    return await _shown(request, answered, is_thinking)


async def act(request: Request) -> Response:
    """Play a person's action, or several of a turn."""
    return await _changed(request, lambda session, form: session.play(actions_in(form)))


async def undo(request: Request) -> Response:
    """Take back the last action of a turn that goes on, or what was played since a person's last turn began."""
    return await _changed(request, lambda session, form: session.undo_action(), answered=False, helps=True)


async def resign(request: Request) -> Response:
    """Resign for the person to move, or for the only person; an agent may refuse to take that few points."""
    form = await posted(request)
    points = number_of(form, "points", 0) or None
    sitting = await _current(request, form)
    seat = _resigner(sitting, await run_in_threadpool(session_of, sitting))

    def is_taken() -> bool:
        session = session_of(sitting)
        return session.is_over or is_enough(session, seat, points or session.resignations(seat)[0])

    if not await parts_of(request).thinkers.run(is_taken):
        raise BadInputError("the other seat expects to win more, and plays on; resign for more points")
    return await _changed(request, lambda session, form: session.resign(seat, points))


async def step(request: Request) -> Response:
    """Let an agent play one turn of a contest between agents."""
    sitting, session = await sitting_and_session_of(request)
    if session.is_over or sitting.people:
        raise BadInputError("there is no contest between agents to go on with")
    return await _shown(request, *await _answered(request, sitting, asked=True))


async def swap(request: Request) -> Response:
    """Swap the players of both seats."""
    sitting = await _current(request, await posted(request))
    _demand_free(sitting)
    saved = await run_in_threadpool(parts_of(request).store.save, sitting.swapped())
    return await _shown(request, *await _answered(request, saved))


async def again(request: Request) -> Response:
    """Begin another contest between the same players: the next of a match, once this one is over."""

    def following() -> Sitting:
        sitting = sitting_of(request)
        _demand_free(sitting)
        game, score, earlier = parts_of(request).checker.game(sitting.game), sitting.score, sitting.earlier
        if score and session_of(sitting).is_over:
            reached = score.after(sitting.points)
            game = game.at_score(reached if reached.winner is None else MatchScore.begun(score.length))
            earlier = (*earlier, sitting.id) if reached.winner is None else ()
        start = game.position(sitting.start) if sitting.start and game.spec == sitting.game else None
        made = new_sitting(game, sitting.players, sitting.names, start=start)
        return replace(made, earlier=earlier)

    return await begun(request, await run_in_threadpool(following))


async def hint(request: Request) -> Response:
    """Show the best moves for the person to move."""
    sitting, session = await sitting_and_session_of(request)
    if not session.is_persons_turn:
        raise BadInputError("there is nothing to give a hint on; no person is to move")
    helped = sitting.helped()
    found = await parts_of(request).thinkers.run(lambda: hints(session.position))
    if sitting.lesson:
        sitting = await run_in_threadpool(parts_of(request).store.save, helped)
    return await _shown(request, sitting, found=found)


async def _changed(request: Request, change: Change, answered: bool = True, helps: bool = False) -> Response:
    """Change a contest, store it, and show it after the agents' answer.

    What ``helps`` the person is counted in lessons, and not allowed after the end of one.
    """
    form, sessions = await posted(request), parts_of(request).sessions
    sitting = await _current(request, form)

    def changed() -> Sitting:
        session, counted = sessions.taken(sitting), sitting
        if helps:
            if sitting.lesson and session.is_over:
                raise BadInputError("the contest is over, and counts as it is")
            counted = sitting.helped()
        change(session, form)
        if sitting.lesson and len(session.actions) < sitting.lesson.opening:
            raise BadInputError("the contest began here; there is no move of yours to take back")
        saved = parts_of(request).store.save(counted.updated(session))
        sessions.keep(saved, session)
        return saved

    saved: Sitting = await run_in_threadpool(changed)
    return await _shown(request, *(await _answered(request, saved) if answered else (saved, False)))


def _resigner(sitting: Sitting, session: PlaySession) -> int:
    """Return the seat that resigns: the person to move, or the only person."""
    if not sitting.people:
        raise BadInputError("only people resign")
    return session.seat if session.seat in sitting.people else sitting.people[0]


def _demand_free(sitting: Sitting) -> None:
    """Raise `BadInputError` if a trainer has set a contest, and its players with it."""
    if sitting.lesson:
        raise BadInputError("the players of this contest have been set; ask for the next one")


async def _current(request: Request, form: Mapping[str, Any]) -> Sitting:
    """Return the contest that a page shows; raise `StaleError` if it has changed since."""
    sitting: Sitting = await run_in_threadpool(sitting_of, request)
    if number_of(form, "version") != sitting.version:
        raise StaleError
    return sitting


async def _answered(request: Request, sitting: Sitting, asked: bool = False) -> tuple[Sitting, bool]:
    """Let agents answer a person, or play if they are ``asked`` to; return the contest, and whether they still think.

    A contest between agents waits to be asked for every turn.
    """
    thinkers = parts_of(request).thinkers

    def waits() -> bool:
        with parts_of(request).sessions.of(sitting) as session:
            return session.is_over or session.is_persons_turn

    if await run_in_threadpool(waits):
        return sitting, False
    if not (sitting.people or asked or thinkers.is_playing(sitting)):
        return await run_in_threadpool(sitting_of, request), False  # (a turn may just have ended)
    try:
        is_done = await thinkers.play_turn(sitting, _PATIENCE)
    except LineFullError:
        if not sitting.people:
            raise
        is_done = False  # (the page asks again)
    return await run_in_threadpool(sitting_of, request), not is_done


async def _shown(
    request: Request,
    sitting: Sitting,
    is_thinking: bool = False,
    after: int | None = None,
    found: BestMoves | None = None,
) -> Response:
    if request.method == "POST" and found is None and not is_part(request):  # (without scripts)
        return seen_other(request, f"/contests/{sitting.id}")  # (a page that is reloaded posts nothing)
    tutor, template = parts_of(request).tutor, "contest_part.html" if is_part(request) else "contest.html"

    def shown() -> Response:
        with parts_of(request).sessions.of(sitting) as session:
            values = _values_of_contest(sitting, session, after, found)
            if sitting.lesson and session.is_over:
                tutor.note(sitting)
            if sitting.lesson:
                values["lesson"] = tutor.words_on(sitting)
            values["reports"] = parts_of(request).store.reports(sitting) if session.is_over else {}
            said = parts_of(request).thinkers.said(sitting) if after is None else {}
            return page(request, template, sitting=sitting, is_thinking=is_thinking, said=said, **values)

    return await run_in_threadpool(shown)


def _values_of_contest(
    sitting: Sitting, session: PlaySession, after: int | None, found: BestMoves | None
) -> dict[str, Any]:
    """Return what the template shows of a contest after some actions, by default all."""
    game, positions, turns = session.game, session.positions, session.turns
    number = len(session.actions) if after is None else after
    position = positions[number]
    stops = [turn.number + len(turn.actions) for turn in turns]
    is_last = number == len(session.actions)
    may_act = is_last and session.is_persons_turn
    ending = ending_of(session) if is_last else None
    viewer = sitting.people[0] if len(sitting.people) == 1 else position.seat
    status = status_of_contest(session, sitting)
    if not is_last:
        status = f"The position after {number} of {len(session.actions)}"
    end = _end(session) if is_last and session.is_over and not position.is_over else ""
    return {
        "game": game,
        "word": word_for(game),
        "goal": sentence_of(registered_games()[game.name]),
        "session": session,
        "names": [sitting.name_of(seat) for seat in (0, 1)],
        "svg": draw_svg(position, before=_before(turns, number, position), viewer=viewer, end=end),
        "hints": found,
        "drawing": drawing_of_hints(position, found) if found else None,
        **values_of_board(position, viewer, may_act, session.is_within_turn, is_new=_is_new(turns, position)),
        "caption": _caption(position) if is_last and not session.is_over else "",
        "resignations": session.resignations(_resigner(sitting, session)) if sitting.people else (),
        "turns": [each for each in zip(turns, stops, strict=True) if not _is_a_roll(each[0])],
        "number": number,
        "is_last": is_last,
        "status": status,
        "ending": ending.sentence if ending else "",
        "match": sitting.score and match_in_words(sitting.score, session),
        "news": _news(turns[-1], status) if turns and is_last else "",
        "glides": _glides(positions, turns[-1]) if turns and is_last else "",
        "has_match_file": game.notation is PLAYS and session.is_over and not sitting.start,
        "link": _link(sitting, session, number),
        "place": links_of(position) if not sitting.lesson or session.is_over else None,
    }


def values_of_board(
    position: Position, viewer: int, may_act: bool, is_within_turn: bool, is_new: bool
) -> dict[str, Any]:
    """Return what the template of a board shows: what can be clicked, as a seat sees it, and what to do next."""
    drawing = position.game.drawing
    controls = drawing.controls(position) if may_act and drawing and drawing.controls else None
    hint = controls.hint if controls else ""
    return {
        "spots": spots(position, viewer),
        "choices": choices(position) if may_act else [],
        "journeys": journeys(position) if may_act else [],
        "only_move": _only_move(position) if may_act else None,
        "controls": controls,
        "prompt": _prompt(position, is_within_turn, hint) if may_act and (is_within_turn or is_new) else "",
    }


def _before(turns: Sequence[Turn], number: int, position: Position) -> Position | None:
    """Return the position before the turn that led to one: the other seat's, until the mover moves men itself."""
    men = slice(1, 1 + position.game.board.size)
    for turn in reversed([turn for turn in turns if turn.number < number]):
        after = turn.after if turn.number + len(turn.actions) <= number else position
        if turn.seat != position.seat or turn.before.state[men].tolist() != after.state[men].tolist():
            return turn.before
    return None


def _is_a_roll(turn: Turn) -> bool:
    """Return whether a turn is but the choice to roll: the dice stand with the move that follows."""
    return turn.after.awaits_chance and turn.after.seat == turn.seat


def _is_new(turns: Sequence[Turn], position: Position) -> bool:
    """Return whether a seat has moved men in the ways of its actions so few times that its player may not know how."""
    ways = _ways(position, position.legal_actions)
    own = [_ways(turn.before, turn.actions[:1]) for turn in turns if turn.seat == position.seat]
    return sum(bool(each & ways) for each in own) < _FEW_MOVES


def _ways(position: Position, actions: Sequence[int]) -> set[tuple[int, bool]]:
    """Return at how many locations actions that move men are clicked, and whether a man of the mover is on the first.

    It is one where a man is placed, and also where it moves to the only empty point.
    """
    own, paths = 1 - 2 * position.seat, [locations_of(position, action) for action in actions]
    return {(len(path), int(position.state[1 + path[0]]) * own > 0) for path in paths if path}


def _only_move(position: Position) -> dict[str, str] | None:
    """Return the actions and the text of the rest of a turn of several actions that is forced."""
    actions = position.only_move()
    if len(actions) < 2:
        return None
    return {"actions": "-".join(map(str, actions)), "text": turn_text(position, actions)}


def _caption(position: Position) -> str:
    """Return what the caption of a position says besides whose turn it is."""
    return caption(position).removeprefix(f"{position.game.men[position.seat].name} to move").lstrip("; ")


def _glides(positions: Sequence[Position], turn: Turn) -> str:
    """Return where the men of a turn came from and went, each as two locations."""
    found = [locations_of(positions[turn.number + step], action) for step, action in enumerate(turn.actions)]
    return ";".join(f"{path[0]} {path[1]}" for path in found if len(path) == 2)


def _prompt(position: Position, is_within_turn: bool, hint: str) -> str:
    """Return what people are to do next, at the beginning and within a turn; the drawing of a game may have a hint."""
    game = position.game
    actions = [game.actions[action] for action in position.legal_actions]
    if is_within_turn:
        texts = [game.action_text(action) for action in position.legal_actions]
        is_capture = all(action.kind == "capture" for action in actions)
        how = "Take a piece of the other side" if is_capture else "The move goes on"
        return f"{how}: {', '.join(texts) if len(texts) <= _MOST_TEXTS else f'{len(texts)} ways'}."
    ways = _ways(position, position.legal_actions)
    if not ways:
        return ""
    if hint:
        return hint
    if ways == {(1, True)}:
        return "Click one of your pieces: it goes to the only empty place."
    if ways == {(1, False)}:
        return " ".join(["Click where your piece goes.", *(action.words for action in actions if action.words)])
    return "Click a piece, and then where it goes: the places where it can go light up."


def match_in_words(match: MatchScore, session: PlaySession) -> dict[str, str]:
    """Return the score of a match in a sentence, and what the button for another contest says."""
    score = match.after(session.points) if session.is_over else match
    men = [man.name for man in session.game.men]
    both = f"{men[0]} {score.points[0]}, {men[1]} {score.points[1]}"
    if score.winner is not None:
        words = f"{men[score.winner]} wins the match to {score.length}: {both}"
        return {"score": words, "again": "New match", "report": "Report of the whole match"}
    crawford = " (the Crawford game: there is no cube)" if match.is_called_crawford and not session.is_over else ""
    again = "Next game of the match" if session.is_over else "Begin this game anew"
    return {
        "score": f"match to {score.length}: {both}{crawford}",
        "again": again,
        "report": "Report of the match so far",
    }


def _link(sitting: Sitting, session: PlaySession, number: int) -> str:
    """Return the address of a position: the game, where the contest began, and what has been played."""
    place = {"game": session.game.spec}
    if sitting.start:
        place["position"] = code_of(session.game.position(sitting.start))
    if number or sitting.events:
        place["played"] = code_of_contest(session.actions[:number], sitting.events)
    return f"/new?{urlencode(place)}"


def _end(session: PlaySession) -> str:
    """Return how a contest has ended, in the words of the caption of a picture."""
    if session.is_cut or session.points == 0:
        return "cut short" if session.is_cut else "a draw"
    points = abs(session.points)
    return f"{session.game.men[session.points < 0].name} has won{f' {points} points' * (points > 1)}"


def status_of_contest(session: PlaySession, sitting: Sitting) -> str:
    """Return whose turn it is, or who has won."""
    men = session.game.men
    if not session.is_over:
        name = men[session.seat].name
        return _for_the_mover(session) if sitting.people == [session.seat] else f"{name} to move".capitalize()
    if session.is_cut:
        return "Cut short"
    if session.points == 0:
        return "A draw"
    winner = 0 if session.points > 0 else 1
    by = f" by {abs(session.points)} points" if abs(session.points) > 1 else ""
    if len(sitting.people) == 1:
        return f"You win{by}" if winner in sitting.people else f"You lose{by}"
    return f"{men[winner].name} wins{by}".capitalize()


def _did(turn: Turn) -> str:
    return f"{turn.before.game.men[turn.seat].name} {turn.told or f'plays {turn.text}'}"


def _news(last: Turn, status: str) -> str:
    """Return the last turn in words, unless the status begins with it."""
    return "" if status.lower().startswith(_did(last)) else f"{_did(last)}. "


def _for_the_mover(session: PlaySession) -> str:
    """Return what the only person is to do, after what the other side has done if it moved no man."""
    position, last = session.position, session.turns[-1] if session.turns else None
    name = position.game.men[position.seat].name
    if last is None or last.seat == position.seat or not last.told:
        return f"Your move ({name})"
    did = _did(last).capitalize()
    answers = [position.game.action_text(action) for action in position.legal_actions]
    is_asked = not any(locations_of(position, action) for action in position.legal_actions)
    return f"{did}: {' or '.join(answers)}?" if is_asked and len(answers) > 1 else f"{did}. Your move ({name})"


_POSTED = {each.__name__: each for each in (act, undo, resign, step, swap, again, hint)}
ROUTES = [
    Route("/contests/{id}", show),
    *(Route(f"/contests/{{id}}/{name}", answer, methods=["POST"]) for name, answer in _POSTED.items()),
]
