"""Files of contests: records to save and load, and match files of backgammon."""

import tempfile
from dataclasses import replace
from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from boardgames_agents.people.session import PERSON
from boardgames_agents.record import Record, write_records
from boardgames_cli.web.analyses import analysis_of_sittings
from boardgames_cli.web.pages.analyse import opened, sent
from boardgames_cli.web.pages.shared import begun, named_run, parts_of, sent_as, sitting_of
from boardgames_cli.web.positions import demand_checked
from boardgames_cli.web.sitting import Sitting, name_and_strength, session_of
from boardgames_cli.web.specs import Checker
from boardgames_env import make_game
from boardgames_env.errors import BadInputError
from boardgames_env.games.backgammon.notation.match_file import match_text
from boardgames_env.games.backgammon.notation.matches import Match
from boardgames_env.position import Position


def save(request: Request) -> Response:
    """Send a contest as a file of records."""
    sitting = sitting_of(request)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "contest.json"
        record = session_of(sitting).record()
        one, other = map(parts_of(request).watched.folders.named, record.players)
        write_records(path, [replace(record, players=(one, other))])
        content = path.read_bytes()
    return sent_as(Response(content, media_type="application/json"), f"contest-{sitting.id}.json")


def save_match(request: Request) -> Response:
    """Send a game of backgammon, or all games so far of the match that it belongs to, as a match file (.mat)."""
    sitting = sitting_of(request)
    sittings = [each for each in (*map(parts_of(request).store.get, sitting.earlier), sitting) if each]
    if any(each.start for each in sittings):
        raise BadInputError("a match file has no place for a position that was set up; save it as a file of this page")
    if sitting.score:
        found, first = analysis_of_sittings(sittings), sittings[0].score or sitting.score
        scores = (first if sittings[0].players == sitting.players else first.turned).points
        match = Match(make_game(found.game).at_score(None), found.players, found.contests, found.length, scores)
    else:
        names = name_and_strength(sitting.name_of(0))[0], name_and_strength(sitting.name_of(1))[0]
        match = Match(make_game(sitting.game), names, [session_of(sitting).record()])
    return sent_as(Response(match_text(match), media_type="text/plain; charset=utf-8"), f"match-{sitting.id}.mat")


async def load(request: Request) -> Response:
    """Take a file of records, and go on with the first contest in it; open anything else as the page *Analyse* does."""
    found, name = await sent(request)
    record = None if isinstance(found, Position) else found[0]
    if not isinstance(record, Record):
        return await opened(request, found, name)
    sitting = await run_in_threadpool(_sitting_of, record, parts_of(request).checker)
    one, other = (named_run(request, player) for player in sitting.players)
    return await begun(request, replace(sitting, names=(one, other)))


def _sitting_of(record: Record, checker: Checker) -> Sitting:
    one, other = (spec if spec == PERSON else str(checker.agent(spec)) for spec in record.players)
    game = checker.game(record.game)
    if abs(record.outcome) > game.most_points:
        raise BadInputError(f"nobody wins {abs(record.outcome):,} points at {game.spec}, as the file has it")
    seed = record.seed[0] if record.seed else 0
    if not 0 <= seed < 2**63:
        raise BadInputError("the seed of the contest in this file is out of range")
    if record.start:
        demand_checked(game)
    played = (record.actions, record.events, record.outcome)
    sitting = Sitting(game.spec, (one, other), seed, *played, start=record.start)
    return sitting.updated(session_of(sitting))


ROUTES = [
    Route("/contests/{id}/record.json", save),
    Route("/contests/{id}/match.mat", save_match),
    Route("/load", load, methods=["POST"]),
]
