"""Files of contests: to save one, and to go on with one that was saved."""

import tempfile
from pathlib import Path

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from boardgames_agents.people.session import PERSON
from boardgames_agents.record import Record, read_records, write_records
from boardgames_cli.web.forms import posted
from boardgames_cli.web.pages.shared import parts_of, sitting_of
from boardgames_cli.web.sitting import Sitting, session_of
from boardgames_cli.web.specs import Checker
from boardgames_cli.web.templating import seen_other
from boardgames_env.errors import BadInputError

_LONGEST = 10_000
"""The largest number of actions of a contest that can be loaded."""


async def save(request: Request) -> Response:
    """Send a contest as a file of records."""
    sitting = await run_in_threadpool(sitting_of, request)
    content = await run_in_threadpool(lambda: _file_of(session_of(sitting).record()))
    names = {"Content-Disposition": f'attachment; filename="contest-{sitting.id}.json"'}
    return Response(content, media_type="application/json", headers=names)


async def load(request: Request) -> Response:
    """Take a file of records, and go on with the first contest in it."""
    sent = (await posted(request)).get("file")
    if not isinstance(sent, UploadFile):
        raise BadInputError("choose a file of a contest first")
    content = await sent.read()
    await sent.close()
    sitting = await run_in_threadpool(lambda: _sitting_of(_record_in(content), parts_of(request).checker))
    added = await run_in_threadpool(parts_of(request).store.add, sitting)
    return seen_other(request, f"/contests/{added.id}")


def _file_of(record: Record) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "contest.json"
        write_records(path, [record])
        return path.read_bytes()


def _record_in(content: bytes) -> Record:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "contest.json"
        path.write_bytes(content)
        try:
            records = read_records(path)
        except BadInputError:
            raise BadInputError("this is no file of contests, or it is damaged") from None
    if not records:
        raise BadInputError("there is no contest in this file")
    return records[0]


def _sitting_of(record: Record, checker: Checker) -> Sitting:
    if len(record.actions) > _LONGEST or len(record.events) > _LONGEST:
        raise BadInputError("the contest in this file is too long for a page")
    one, other = (spec if spec == PERSON else str(checker.agent(spec)) for spec in record.players)
    game = checker.game(record.game)
    if abs(record.outcome) > game.most_points:
        raise BadInputError(f"nobody wins {abs(record.outcome):,} points at {game.spec}, as the file has it")
    seed = record.seed[0] if record.seed else 0
    if not 0 <= seed < 2**63:
        raise BadInputError("the seed of the contest in this file is out of range")
    sitting = Sitting(game.spec, (one, other), seed, record.actions, record.events, record.outcome)
    return sitting.updated(session_of(sitting))


ROUTES = [
    Route("/contests/{id}/record.json", save),
    Route("/load", load, methods=["POST"]),
]
