"""The page of the matchboxes of a small game: to print, and to watch as they learn."""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from boardgames_agents.arena.contest import play_contest
from boardgames_agents.registry import make_player
from boardgames_agents.tabular import face_of
from boardgames_agents.tabular.menace import Menace
from boardgames_cli.matchbox_sheets import SIZES, Matchbox, bead_of, boxes_of, pdf_of, sheets, svg_of, svg_of_box
from boardgames_cli.shared_options import Paper
from boardgames_cli.web.pages.shared import FEW_POSITIONS, is_part, page, parts_of
from boardgames_cli.web.specs import number_of, text_of
from boardgames_env import make_game, registered_games
from boardgames_env.contest import replayed
from boardgames_env.errors import BadInputError, one_of, require
from boardgames_env.game import Game
from boardgames_env.render.shapes import Shape

_OPPONENTS = {"random": "a beginner that plays any move", "perfect": "a perfect player"}
"""Whom the matchboxes may play against, in words."""

_MOST_GAMES = 200
"""The most games that the matchboxes learn from; each answer plays them all."""

_LAST = 20
"""The number of games whose results are counted."""

_MOST_DRAWN = 24
"""The most beads of a colour that are drawn one by one."""

_SEED = 1961
_WON, _DRAWN, _LOST = "won", "drawn", "lost"


@dataclass(frozen=True)
class Beads:
    """The beads of one colour in a box, before a game and after it."""

    letter: str  # the letter of the colour
    fill: str  # the colour
    before: int  # the number before
    after: int  # the number after
    is_played: bool  # whether such a bead was drawn

    @property
    def drawn(self) -> list[str]:
        """What is drawn for each bead: ``kept``, ``added`` or ``taken``, as many of the first as there is room for."""
        kept = min(self.before, self.after)
        changed = ["added"] * (self.after - kept) + ["taken"] * (self.before - kept)
        return ["kept"] * min(kept, _MOST_DRAWN - len(changed)) + changed


@dataclass(frozen=True)
class OpenedBox:
    """A box that was opened in a game."""

    number: int  # its number on the sheets
    turn: int  # the turn of the matchboxes in which it was opened, from 1
    svg: str  # its label
    beads: tuple[Beads, ...]  # its beads by colour


@dataclass(frozen=True)
class LearnedGames:
    """What the matchboxes have learned from some games, and what happened in the last one."""

    games: int  # the number of games
    result: str  # how the last one ended for the matchboxes: won, drawn or lost
    opened: tuple[OpenedBox, ...]  # the boxes that were opened in it
    counts: dict[str, int]  # how often the last games were won, drawn and lost


async def matchboxes(request: Request) -> Response:
    """Show the matchboxes of a small game, and how they learn: how many there are, the page for a class, a sheet."""
    game, query = _game_of(request), request.query_params
    usual = "random" if game.value == -1 else "perfect"  # (who loses every game learns nothing but that)
    games, against = number_of(query, "games", 0), text_of(query, "against", usual)
    require(0, _MOST_GAMES, games=games)
    if against not in _OPPONENTS:
        raise BadInputError(f"the matchboxes cannot play against {against!r}; they can against {one_of(_OPPONENTS)}")
    run = parts_of(request).thinkers.run
    learning = await run(lambda: _learned(game, against, games)) if games else None
    values: dict[str, Any] = {"game": game, "learning": learning, "against": against, "games": games}
    values |= {"opponents": _OPPONENTS, "most": _MOST_GAMES, "last": _LAST}
    if is_part(request):
        return page(request, "matchboxes_learning.html", **values)
    pages = await run(lambda: _sheets(game, "a4"))
    shown = [svg_of(shapes, "a4") for shapes in pages[:2]]
    return page(request, "matchboxes.html", shown=shown, sheets=len(pages), **values)


async def matchboxes_to_print(request: Request) -> Response:
    """Send the sheets of the matchboxes of a small game."""
    game, paper = _game_of(request), request.path_params["paper"]
    if paper not in SIZES:
        raise HTTPException(404)
    content = await parts_of(request).thinkers.run(lambda: pdf_of(_sheets(game, paper), paper))
    names = {"Content-Disposition": f'attachment; filename="matchboxes-{game.name}-{paper}.pdf"'}
    return Response(content, media_type="application/pdf", headers=names)


def _game_of(request: Request) -> Game:
    """Return the small game that the address names."""
    name = request.path_params["name"]
    if name not in registered_games():
        raise HTTPException(404)
    game = make_game(name)
    if game.positions is None or game.positions > FEW_POSITIONS:
        raise BadInputError(f"{game.title} is too large for matchboxes; the first games have some")
    return game


@lru_cache(maxsize=8)
def _boxes(game: Game) -> list[Matchbox]:
    return boxes_of(game)


@lru_cache(maxsize=8)
def _sheets(game: Game, paper: Paper) -> list[list[Shape]]:
    return list(sheets(game, _boxes(game), paper))


@lru_cache(maxsize=64)
def _learned(game: Game, against: str, games: int) -> LearnedGames:
    """Play some games with the matchboxes in seat 0, always the same ones, and look into the boxes around the last."""
    machine, opponent = Menace(game), make_player(against, game)
    points = [play_contest(game, (machine, opponent), (_SEED, number)).outcome for number in range(games - 1)]
    before = machine.frozen()
    record = play_contest(game, (machine, opponent), (_SEED, games - 1))
    after = machine.frozen()
    opened = dict[int, OpenedBox]()
    known = {box.position.canonical: box for box in _boxes(game)}
    positions = replayed(game.initial, record.actions, record.events)
    own = [each for each in zip(positions, record.actions, strict=False) if each[0].seat == 0]
    for number, (position, action) in enumerate(own):
        box = known.get(position.canonical)
        if box is not None and box.number not in opened:
            box = replace(box, turn=number)
            one, other = before.beads_in(position), after.beads_in(position)
            colours = face_of(position).colours
            beads = [
                Beads(
                    *bead_of(game, rank, colour),
                    before=one.get(colour, 0) if one else box.beads,
                    after=other.get(colour, 0),
                    is_played=action in colours[colour],
                )
                for rank, colour in enumerate(box.moves)
            ]
            opened[box.number] = OpenedBox(box.number, number + 1, svg_of_box(box), tuple(beads))
    results = [_result(each) for each in (*points, record.outcome)]
    counts = {result: results[-_LAST:].count(result) for result in (_WON, _DRAWN, _LOST)}
    return LearnedGames(games, results[-1], tuple(opened.values()), counts)


def _result(points: int) -> str:
    return _WON if points > 0 else _LOST if points < 0 else _DRAWN


ROUTES = [
    Route("/matchboxes/{name}", matchboxes),
    Route("/matchboxes/{name}/{paper}.pdf", matchboxes_to_print),
]
