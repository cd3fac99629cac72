"""Positions and contests in addresses, and what people paste or send: positions, match files, and records."""

import base64
import re
import tempfile
import zlib
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import numpy as np

from boardgames_agents.record import Record, read_records
from boardgames_cli.shared_options import BACKGAMMON
from boardgames_cli.web.specs import Checker, text_of
from boardgames_env import make_game
from boardgames_env.decoding import decoded
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.games.backgammon.notation.match_file import every_match_in
from boardgames_env.games.backgammon.notation.matches import Match
from boardgames_env.games.backgammon.notation.position_id import match_options, parse_position, parse_roll, xgid
from boardgames_env.games.backgammon.rules.backgammon_board import BOARD
from boardgames_env.position import Position

LONGEST = 10_000
"""The largest number of actions, or of chance events, of a contest from an address or a file."""

_LONGEST_POSITION = 1_000
"""The most characters of a position that is pasted; a longer text is a match file."""

_IN_A_FILE = re.compile(
    r"(XGID|GNU(BG)?ID|(GNU Backgammon\s+)?Position ID)\s*[=: ]|[A-Za-z0-9+/]{14}\s*(:|Match ID|$)", re.IGNORECASE
)
"""What a file begins with that holds a position."""

_MATCH_ID = re.compile(r"\s*Match ID", re.IGNORECASE)

_NO_LINK = "this link is damaged; copy it once more, as a whole"


def code_of(position: Position) -> str:
    """Return a position as addresses have it: its state, compressed, in the letters of base64."""
    return _packed(position.key)


def position_of(game: Game, code: str) -> Position:
    """Return the position of a code; raise `BadInputError` if no contest of the game reaches it."""
    demand_checked(game)
    return game.position(state_of(game, code))


def demand_checked(game: Game) -> None:
    """Raise `BadInputError` for a game that does not check states: its kernels would take whatever visitors send."""
    if game.check is None:
        raise BadInputError(f"{game.title} has no check of its positions, so that none can be set up or linked")


def state_of(game: Game, code: str) -> np.ndarray[tuple[int], np.dtype[np.int8]]:
    """Return the state of a code, which is not checked."""
    state = np.frombuffer(_unpacked(code, game.state_size), dtype=np.int8)
    if len(state) != game.state_size:
        raise BadInputError(f"{_NO_LINK}: it holds no position of {game.spec}")
    return state.copy()


def address_of(position: Position, page: str = "/analyse") -> str:
    """Return the address of the page of a position; ``page`` is another one that takes positions."""
    return f"{page}?{urlencode({'game': position.game.spec, 'position': code_of(position)})}"


def code_of_contest(actions: Iterable[int], events: Iterable[int]) -> str:
    """Return what was played in a contest as addresses have it."""
    actions, content = tuple(actions), bytearray()
    for number in (len(actions), *actions, *events):
        left = number
        while left > 127:
            content.append(left & 127 | 128)
            left >>= 7
        content.append(left)
    return _packed(bytes(content))


def contest_of(code: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the actions and the chance events of a code; raise `BadInputError` if it is none."""
    numbers, number, shift = [], 0, 0
    for byte in _unpacked(code, 5 * LONGEST):
        number |= (byte & 127) << shift
        shift = shift + 7 if byte > 127 else 0
        if not shift:
            numbers.append(number)
            number = 0
        elif shift > 28:
            raise BadInputError(_NO_LINK)
    if shift or not numbers or numbers[0] >= len(numbers) or len(numbers) > 2 * LONGEST:
        raise BadInputError(_NO_LINK)
    return tuple(numbers[1 : 1 + numbers[0]]), tuple(numbers[1 + numbers[0] :])


def xgid_of(position: Position) -> str:
    """Return the XGID of a position; empty where it has none."""
    if position.game.board is not BOARD or position.game.part is not position.game:
        return ""
    try:
        return xgid(position)
    except BadInputError:  # (a part of the roll has been played, say)
        return ""


Found = Position | tuple[Match, ...] | tuple[Record, ...]
"""What people have pasted or sent."""


def found_in(content: bytes, name: str, dice: str, checker: Checker) -> Found:
    """Return what people have pasted or sent: a position, matches as far as they can be read, or recorded contests.

    Raises:
        BadInputError: If it is none of these; the message says what it is instead, where that can be told.
    """
    text = decoded(content).strip()
    if not text:
        raise BadInputError("nothing was given; paste a position, or choose a file")
    if text.startswith("{") and '"BGF"' not in text[:1000]:
        return records_in(content)
    is_pasted = not name and "\n" not in text and len(text) <= _LONGEST_POSITION
    if is_pasted or _IN_A_FILE.match(text):
        return _position_in(text, dice, checker)
    return every_match_in(content, name or "the text")


def _position_in(text: str, dice: str, checker: Checker) -> Position:
    """Return the position of an address of a page here, or of an ID."""
    if re.match(r"(https?:/)?/", text):
        fields = {key: values[-1] for key, values in parse_qs(urlsplit(text).query).items()}
        if not {"game", "position"} <= fields.keys():
            raise BadInputError("this link holds no position; copy the one that is called “Link to this position”")
        return position_of(checker.game(text_of(fields, "game")), text_of(fields, "position"))
    # (programs write their board and remarks below the IDs; GNU Backgammon has the match ID on a line of its own)
    first, *below = text.splitlines()
    line = " ".join([first, *(each for each in below[:1] if _MATCH_ID.match(each))])[:_LONGEST_POSITION]
    options = match_options(line)
    return parse_position(make_game(BACKGAMMON, **options), line, parse_roll(dice) if dice.strip() else None)


def records_in(content: bytes) -> tuple[Record, ...]:
    """Return the contests of a file of records, at least one."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "contest.json"
        path.write_bytes(content)
        try:
            records = read_records(path)
        except BadInputError:
            raise BadInputError("this is no file of contests, or it is damaged") from None
    if not records:
        raise BadInputError("there is no contest in this file")
    if any(len(numbers) > LONGEST for each in records for numbers in (each.actions, each.events)):
        raise BadInputError("the contest in this file is too long for a page")
    return records


def _packed(content: bytes) -> str:
    made = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    return base64.urlsafe_b64encode(made.compress(content) + made.flush()).decode().rstrip("=")


def _unpacked(code: str, most: int) -> bytes:
    """Return what was packed, of which only some bytes are read; raise `BadInputError` if nothing was."""
    try:
        content = base64.b64decode(code + "=" * (-len(code) % 4), altchars=b"-_", validate=True)
        return zlib.decompressobj(wbits=-zlib.MAX_WBITS).decompress(content, most + 1)
    except (ValueError, zlib.error):
        raise BadInputError(_NO_LINK) from None
