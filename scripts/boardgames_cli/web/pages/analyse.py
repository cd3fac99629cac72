"""The page *Analyse*: what people paste or send becomes a position with its moves, or the report of a match."""

import csv
import io
from collections.abc import Sequence
from datetime import date
from operator import attrgetter
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from boardgames_agents.lookahead.cube.doubler import Doubler
from boardgames_agents.lookahead.cube.formulas import make_formula
from boardgames_agents.lookahead.evaluator import evaluator_of
from boardgames_agents.lookahead.expectimax import Expectimax
from boardgames_agents.people.judging.cost import as_well
from boardgames_agents.people.judging.mistakes import points_text
from boardgames_agents.people.judging.sources import best_moves
from boardgames_agents.people.judging.valued_moves import BestMoves
from boardgames_agents.people.levels import predictor_of
from boardgames_agents.policy.explanation import signed
from boardgames_cli.analysis_text import OUTCOMES, before_the_roll_as_dict, plays_as_dict, totals_of
from boardgames_cli.web.analyses import (
    CANDIDATES,
    FORMULA,
    PLIES,
    Analysis,
    JudgedTurn,
    analyses_of_matches,
    analyses_of_records,
    analysis_of_sittings,
    cards_of,
)
from boardgames_cli.web.chart import LineChart, line_chart
from boardgames_cli.web.overlay import BETTER, PLAYED, BoardMarks, drawing_of_hints, drawing_of_mistake
from boardgames_cli.web.pages.shared import (
    game_in,
    is_part,
    page,
    parts_of,
    person_of,
    seen_other,
    sent_as,
    sentence_in,
    sitting_and_session_of,
    word_for,
)
from boardgames_cli.web.positions import Found, address_of, found_in, position_of, xgid_of
from boardgames_cli.web.sitting import name_and_strength
from boardgames_cli.web.specs import numbers_of, posted, text_of
from boardgames_env import Game, Position, make_game
from boardgames_env.contest import turn_text
from boardgames_env.errors import BadInputError
from boardgames_env.files import checksum
from boardgames_env.games.backgammon.notation.matches import Match
from boardgames_env.games.backgammon.notation.words import has_dice
from boardgames_env.render.layout import caption
from boardgames_env.render.svg import draw_svg

_WORST = 10
"""The number of errors that a report shows with boards."""

_STYLE = Path(__file__).parents[1] / "static" / "style.css"


async def analyse(request: Request) -> Response:
    """Show the form, or the position that the address holds."""
    if "position" not in request.query_params:
        return page(request, "analyse.html", sentence="", text="", dice="")
    return await _shown(request)


async def send(request: Request) -> Response:
    """Take what was pasted or sent: go to the page of a position, or begin the analysis of a match or of contests."""
    try:
        return await opened(request, *await sent(request))
    except BadInputError as error:
        form, sentence = await posted(request), parts_of(request).watched.folders.sentence(error)
        given = {name: str(form.get(name, "")) for name in ("text", "dice")}
        return page(request, "analyse.html", 400, sentence=sentence_in(sentence), **given)


async def opened(request: Request, found: Found, name: str) -> Response:
    """Go to the page of a position, or begin the analysis of matches or of contests."""
    parts = parts_of(request)
    if isinstance(found, Position):
        return seen_other(request, address_of(found))
    if isinstance(found[0], Match):
        made = await run_in_threadpool(analyses_of_matches, found, name or "Match")
    else:
        game = await run_in_threadpool(parts.checker.game, found[0].game)
        made = await run_in_threadpool(analyses_of_records, found, game, name or game.title)
    return seen_other(request, f"/analyses/{await run_in_threadpool(parts.analyses.begin, made)}")


async def sent(request: Request) -> tuple[Found, str]:
    """Return what a form has sent, as a file or pasted, and the name of the file; see `found_in`."""
    form = await posted(request)
    text, file, name = text_of(form, "text", ""), form.get("file"), ""
    content = text.encode("utf-8", "replace")
    if isinstance(file, UploadFile):
        if not text.strip():
            content, name = await file.read(), Path(file.filename or "").name[:100]
        await file.close()
    found = await run_in_threadpool(found_in, content, name, text_of(form, "dice", ""), parts_of(request).checker)
    return found, name


async def of_contest(request: Request) -> Response:
    """Begin the analysis of a contest of this page, or of the match whose last game it is so far."""
    sitting, session = await sitting_and_session_of(request)
    if sitting.is_exam or (sitting.lesson and not session.is_over):
        raise BadInputError("contests of lessons and examinations are analysed when they are over")
    if not session.turns:
        raise BadInputError("nothing has been played yet; there is nothing to analyse")
    is_match = "match" in await posted(request)

    def begun() -> str:
        parts, game = parts_of(request), session.game
        games = [each for each in (*map(parts.store.get, sitting.earlier), sitting) if each] if is_match else [sitting]
        names = [name_and_strength(sitting.name_of(seat))[0] for seat in (0, 1)]
        made = (
            [analysis_of_sittings(games)]
            if is_match
            else analyses_of_records([session.record()], game, game.title, names, (sitting.id,))
        )
        found = parts.analyses.begin(made)
        parts.store.keep_report(games, f"Report of the {'match' if is_match else word_for(game)}", found)
        return found

    return seen_other(request, f"/analyses/{await run_in_threadpool(begun)}")


async def moves(request: Request) -> Response:
    """Show what the moves of a position are worth, and for a doubling cube whether it is turned."""
    position = await _position_in(request)
    played = _played_in(request, position)
    values = await parts_of(request).thinkers.run(lambda: _values_of_moves(position, played))
    return page(request, "position_moves.html", position=position, played=turn_text(position, played), **values)


async def picture(request: Request) -> Response:
    """Draw a position."""
    position = await _position_in(request)
    if request.path_params["kind"] == "svg":
        return Response(await run_in_threadpool(draw_svg, position), media_type="image/svg+xml")
    return Response(await run_in_threadpool(_png_of, position), media_type="image/png")


async def report(request: Request, code: int = 200, **refused: str) -> Response:
    """Show an analysis, as far as it is computed; with what was ``refused``, a name and the sentence."""
    found = await _analysis_in(request)
    values = await run_in_threadpool(_values_of_report, found, request.path_params["id"])
    template = "report_part.html" if is_part(request) else "report.html"
    shown = {"is_linked": True, "person": person_of(request), **values, **refused}
    return page(request, template, code, name=request.path_params["id"], **shown)


async def export(request: Request) -> Response:
    """Send an analysis that is done as a file: a page to print or to keep, or a table of all turns."""
    found, kind = await _analysis_in(request), request.path_params["kind"]
    if not found.is_done:
        raise BadInputError("the analysis is not done yet; wait until its page says so")
    if kind == "csv":
        answer = Response(await run_in_threadpool(_table_of, found), media_type="text/csv; charset=utf-8")
    else:
        values = await run_in_threadpool(_values_of_report, found)
        style = _STYLE.read_text(encoding="utf-8")
        answer = page(request, "report_file.html", style=style, is_linked=False, name="", person="", **values)
    return sent_as(answer, f"{Path(found.title).stem or 'analysis'}-{request.path_params['id'][:6]}.{kind}")


async def _position_in(request: Request) -> Position:
    game: Game = await game_in(request, request.query_params)
    found: Position = await run_in_threadpool(position_of, game.part, text_of(request.query_params, "position"))
    return found


async def _shown(request: Request) -> Response:
    position = await _position_in(request)
    played, links = _played_in(request, position), links_of(position)
    return page(
        request,
        "position.html",
        position=position,
        caption=caption(position),
        svg=await run_in_threadpool(draw_svg, position),
        played=turn_text(position, played),
        report=text_of(request.query_params, "report", ""),
        **{**links, "moves": f"{links['moves']}&played={'-'.join(map(str, played))}" if played else links["moves"]},
    )


def _played_in(request: Request, position: Position) -> tuple[int, ...]:
    """Return what was played in a position, as the address has it; raise `BadInputError` if that is not allowed."""
    played = numbers_of(request.query_params, "played")
    for action in played:
        position = position.play(action)
    return played


def links_of(position: Position) -> dict[str, Any]:
    """Return the addresses of the pages and pictures of a position, and its XGID if it has one."""
    return {
        "here": address_of(position),
        "play_on": "" if position.is_over else address_of(position, "/new"),
        "edit": address_of(position, "/editor"),
        "moves": address_of(position, "/analyse/moves"),
        "svg_file": address_of(position, "/picture.svg"),
        "png_file": address_of(position, "/picture.png"),
        "xgid": xgid_of(position),
        "file": f"{position.game.name}-{checksum(None, position.key)[:8]}",
    }


def _png_of(position: Position) -> bytes:
    from PIL import Image

    from boardgames_env.render.pixels import draw_pixels

    written = io.BytesIO()
    Image.fromarray(draw_pixels(position)).save(written, "png")
    return written.getvalue()


def _values_of_moves(position: Position, played: Sequence[int]) -> dict[str, Any]:
    """Return what the template shows of the moves: a table of plays or rolls with equities, or a list of moves.

    What was played, if that is known, is examined as deeply as the best, as reports do.
    """
    nothing: dict[str, Any] = {"found": None, "plays": [], "rolls": [], "cube": [], "drawing": BoardMarks()}
    if position.is_over:
        return nothing
    game = position.game
    predictor = predictor_of(game) if game.rules.has_chance else None
    if predictor is None:
        found = _best_of(position)
        return {**nothing, "found": found, "drawing": drawing_of_hints(position, found)}
    search = Expectimax(game, evaluator_of(predictor, game), PLIES, CANDIDATES)
    values = {**nothing, "outcomes": OUTCOMES, "source": f"{predictor}, {PLIES} plies deep"}
    if not has_dice(position):
        awaited = before_the_roll_as_dict(search, position)
        return {**values, **awaited, "chances": awaited}
    plays = plays_as_dict(search, position, Doubler(game, make_formula(FORMULA)), played)["plays"]
    text = turn_text(position, played)
    listed = [*plays[:CANDIDATES], *(each for each in plays[CANDIDATES:] if each["play"] == text)]
    return {**values, "plays": listed, "drawing": drawing_of_hints(position, _best_of(position))}


def _best_of(position: Position) -> BestMoves:
    return best_moves(position, count=CANDIDATES if position.game.rules.has_chance else position.game.num_actions)


async def _analysis_in(request: Request) -> Analysis:
    found: Analysis | None = await run_in_threadpool(parts_of(request).analyses.get, request.path_params["id"])
    if found is None:
        raise HTTPException(404)
    return found


def _values_of_report(found: Analysis, name: str = "") -> dict[str, Any]:
    """Return what the templates show of an analysis of a name; boards and charts only once it is done."""
    game = make_game(found.game)
    men = [man.name for man in game.men]
    players = [f"{player} ({man})" for player, man in zip(found.players, men, strict=True)]
    errors = sorted(_errors_in(found), key=lambda error: -error[1].error) if found.is_done else []
    cards = [len(cards_of(found, seat, date.min)) for seat in (0, 1)]
    return {
        "found": found,
        "game": game,
        "players": players,
        "turns": sum(len(_listed(found, judged)) for judged in found.shown),
        "listed": [_listed(found, judged) for judged in found.shown],
        "totals": _totals_by_equity(found) if found.has_dice else _totals_by_value(found),
        "by_game": _rates_by_game(found),
        "charts": _charts_of(found, players) if found.is_done else [],
        "cards": cards,
        "errors": len(errors),
        "worst": [_error_in_words(found, game, players, number, turn) for number, turn in errors[:_WORST]],
        "cube_errors": [each for each in _errors_in(found) if found.is_done and found.has_cube and not each[1].roll],
        "word": word_for(game),
        "marks": (PLAYED, BETTER),
        "address": lambda turn: _address_of_turn(game, turn, name),
        "signed": signed,
        "as_well": as_well,
    }


def _listed(found: Analysis, judged: Sequence[JudgedTurn]) -> list[JudgedTurn]:
    """Return the turns that a report lists: with dice, not those in which nothing was rolled or to be decided."""
    return [turn for turn in judged if turn.roll or turn.counts or not found.has_dice]


def _errors_in(found: Analysis) -> list[tuple[int, JudgedTurn]]:
    """Return the errors in the order in which they were made, each with the number of its contest."""
    return [(number, turn) for number, judged in enumerate(found.shown, start=1) for turn in judged if turn.is_error]


def _error_in_words(found: Analysis, game: Game, players: list[str], number: int, turn: JudgedTurn) -> dict[str, Any]:
    position = position_of(game, turn.position)
    where = f"Game {number}: " if len(found.contests) > 1 else ""
    return {
        "svg": draw_svg(position),
        "drawing": drawing_of_mistake(position, turn.actions, turn.better) if turn.actions else BoardMarks(),
        "title": f"{where}{players[turn.seat]}",
        "caption": caption(position),
        "turn": turn,
    }


def _address_of_turn(game: Game, turn: JudgedTurn, report: str) -> str:
    """Return the address of the page of a position in a report, with what was played."""
    more = {"played": "-".join(map(str, turn.actions)), "report": report}
    return f"{address_of(position_of(game, turn.position))}&{urlencode(more)}"


def _totals_by_equity(found: Analysis) -> list[tuple[str, list[str]]]:
    """Return the totals of both players, a row for each, as backgammon players know them."""
    _, both = totals_of(found.decisions)[-1]
    rows = [
        ("PR: 500 × the points given away per decision", [f"{each.performance_rating:.1f}" for each in both]),
        ("Error rate: thousandths of a point per decision", [f"{each.rate:.1f}" for each in both]),
        ("Plays with a choice", [str(each.plays) for each in both]),
        ("Given away by plays, in points", [f"{each.play_errors:.3f}" for each in both]),
        *(
            [
                ("Decisions about the cube", [str(each.cube_decisions) for each in both]),
                ("Given away with the cube, in points", [f"{each.cube_errors:.3f}" for each in both]),
            ]
            if found.has_cube
            else []
        ),
        ("Doubtful ?!", [str(each.doubtful) for each in both]),
        ("Bad ?", [str(each.bad) for each in both]),
        ("Blunders ??", [str(each.blunders) for each in both]),
        ("Luck of the dice, in points", [signed(each.luck, 3) for each in both]),
    ]
    if found.length:
        rows += [
            ("Chance to win the match that errors cost", [f"{each.match_errors:.1%}" for each in both]),
            ("Chance to win the match that luck was worth", [f"{each.match_luck:+.1%}" for each in both]),
        ]
    return rows


def _totals_by_value(found: Analysis) -> list[tuple[str, list[str]]]:
    """Return the totals of both players, a row for each, in the terms of a game without dice."""
    every = [turn for judged in found.shown for turn in judged]
    both = [[turn for turn in every if turn.seat == seat and turn.counts] for seat in (0, 1)]
    errors = [[turn for turn in own if turn.is_error] for own in both]
    return [
        ("Turns with a choice", [str(len(own)) for own in both]),
        ("Errors", [str(len(own)) for own in errors]),
        ("Given away", [points_text(sum(turn.error for turn in own)) for own in errors]),
    ]


def _rates_by_game(found: Analysis) -> list[tuple[str, list[str]]]:
    """Return what both players gave away in each contest, and their luck; nothing of a single one."""
    if len(found.contests) < 2:
        return []
    if found.has_dice:
        return [
            (f"Game {name}", [f"PR {each.performance_rating:.1f}, luck {signed(each.luck, 3)}" for each in both])
            for name, both in totals_of(found.decisions)[:-1]
        ]
    return [
        (f"Contest {number}", [points_text(sum(turn.error for turn in judged if turn.seat == seat)) for seat in (0, 1)])
        for number, judged in enumerate(found.shown, start=1)
    ]


def _charts_of(found: Analysis, players: list[str]) -> list[LineChart]:
    """Return the graphs over the games, or of a single one the value over its turns."""
    if len(found.shown) < 2:
        values = [turn.value for judged in found.shown for turn in judged]
        title = f"Points that {players[0]} can expect before each turn"
        return [line_chart(title, "turn", {players[0]: (range(1, len(values) + 1), values)}, y_range=(-1.0, 1.0))]
    numbers = range(1, len(found.shown) + 1)
    if not found.has_dice:
        lost = [[sum(turn.error for turn in judged if turn.seat == seat) for judged in found.shown] for seat in (0, 1)]
        curves = dict(zip(players, ((numbers, each) for each in lost), strict=True))
        return [line_chart("Points given away", "contest", curves, y_range=(0.0,))]
    games = [both for _, both in totals_of(found.decisions)[:-1]]
    charts = []
    for title, value in (("PR", attrgetter("performance_rating")), ("Luck, in points", attrgetter("luck"))):
        curves = {player: (numbers, [value(both[seat]) for both in games]) for seat, player in enumerate(players)}
        charts.append(line_chart(title, "game", curves, y_range=(0.0,)))
    return charts


def _table_of(found: Analysis) -> str:
    """Return all turns as a table of comma-separated values."""
    written = io.StringIO()
    rows = csv.writer(written)
    men = [man.name for man in make_game(found.game).men]
    rows.writerow(
        ["game", "turn", "player", "men", "roll", "played", "best", "worth", "error", "mark", "luck", "choice"]
    )
    for number, judged in enumerate(found.shown, start=1):
        for turn_number, turn in enumerate(_listed(found, judged), start=1):
            player = _no_formula(found.players[turn.seat])
            texts = map(_no_formula, (turn.roll, turn.played, turn.best, turn.worth))
            luck, choice = f"{turn.luck:.4f}" if turn.roll else "", "yes" if turn.counts else "no"
            of_turn = (
                number,
                turn_number,
                player,
                men[turn.seat],
                *texts,
                f"{turn.error:.4f}",
                turn.mark,
                luck,
                choice,
            )
            rows.writerow(of_turn)
    return written.getvalue()


def _no_formula(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula, whatever somebody has written in a file."""
    is_formula = text.startswith(("=", "@", "\t")) or (text.startswith(("+", "-")) and not text[1:2].isdigit())
    return f"'{text}" if is_formula else text


ROUTES = [
    Route("/analyse", analyse),
    Route("/analyse", send, methods=["POST"]),
    Route("/analyse/moves", moves),
    Route("/picture.{kind}", picture),
    Route("/contests/{id}/analysis", of_contest, methods=["POST"]),
    Route("/analyses/{id}", report),
    Route("/analyses/{id}/report.{kind}", export),
]
