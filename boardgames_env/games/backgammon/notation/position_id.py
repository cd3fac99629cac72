"""Short texts of positions: gnubg's position ID, with or without its match ID, and the XGID.

A position ID tells the men alone, as the seat to move sees them. An XGID tells everything: the men, the cube, whose
turn it is, the dice, and the rules; so does a position ID with a match ID, ``GNUBGID 4HPwATDgc/ABMA:cIkqAAAAAAAE``.
"""

import base64
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.games.backgammon.notation.words import dice_to_play, roll_text
from boardgames_env.games.backgammon.rules import backgammon_board as board
from boardgames_env.games.backgammon.rules.legality import demand_backgammon, men_of
from boardgames_env.games.backgammon.rules.turns import event_of
from boardgames_env.games.backgammon.setting_up import wait
from boardgames_env.kernels import State
from boardgames_env.match_score import MatchScore
from boardgames_env.position import Position

_KEY_BYTES = 10
_ID_LENGTH = 14

_NO_MAN = "-"
_XGID = re.compile(
    r"(?:(?i:XGID)[=:]?)?([-A-Pa-p]{26}):(\d{1,2}):(-?1|0):(-?1):(00|[1-6]{2}|[DdBb])"
    r"(?::(-?\d{1,9})(?::(-?\d{1,9})(?::(-?\d{1,9})(?::(-?\d{1,9})(?::(-?\d{1,9}))?)?)?)?)?"
)
_SCORE, _RULES, _LENGTH, _LIMIT = slice(5, 7), 7, 8, 9
"""Where the fields of an XGID about the match are among its groups."""
_JACOBY, _BEAVERS = 1, 2
_ANSWERED = {board.DOUBLED: "D", board.BEAVERED: "B"}

Dice = tuple[int, int]

_ROLL = re.compile(r"([1-6])[-, ]?([1-6])")
_POSITION_ID = re.compile(rf"[A-Za-z0-9+/]{{{_ID_LENGTH}}}")
_GNUBGID = re.compile(
    rf"(?i:(?:GNU(?:BG)?ID|(?:GNUBackgammon)?PositionID)[=:]?)?([A-Za-z0-9+/]{{{_ID_LENGTH}}})"
    r"(?:(?::|(?i:MatchID):)([A-Za-z0-9+/]{12}))?"
)
"""A position ID, and a match ID if one follows; the words that GNU Backgammon prints before them may be left out."""

START = "start"
"""The text of the position in which all men stand where they begin, with seat 0 to roll."""


def parse_position(game: Game, text: str, dice: Dice | None = None) -> Position:
    """Return the position of a text in any of these forms.

    Args:
        game: The game, whose rules and score apply; `match_options` returns those of the text.
        text: A position ID, of which seat 0 is to move, a position ID with a match ID, an XGID, or `START`. Blanks do
            not matter; ``GNUBGID``, or ``Position ID`` and ``Match ID``, may be before the IDs, in any case.
        dice: The roll that is to be played, if the text does not tell it.

    Raises:
        BadInputError: If the text describes no position that a contest of the game reaches, or the dice are no roll, or
            no seat is to roll.
    """
    demand_backgammon(game)
    given, text = text, _closed_up(text)
    if text.lower() == START:
        text = position_id(game.initial)
    head, *tail = text.split(":")
    if found := _GNUBGID.fullmatch(text):
        position = _from_id(game, found[1], _MatchID.read(found[2]) if found[2] else None)
    elif tail and not (_POSITION_ID.fullmatch(head) or head.upper().startswith("GNU")):
        position = _from_xgid(game, text)
    else:
        raise BadInputError(
            f"{given.strip()!r} is not a position; write a position ID, {_ID_LENGTH} characters with nothing behind "
            f"them, or a colon and a match ID, or an XGID, or {START!r}"
        )
    return position if dice is None else _rolled(position, dice)


def parse_roll(text: str) -> Dice:
    """Read a roll, such as ``31`` or ``3-1``; raise `BadInputError` if it is none."""
    found = _ROLL.fullmatch(text.strip())
    if not found:
        raise BadInputError(f"{text!r} is not a roll; a roll is two numbers from 1 to 6, such as 31")
    return int(found[1]), int(found[2])


def _rolled(position: Position, dice: Dice) -> Position:
    """Return the position after a roll, before which the seat to move does not double."""
    if board.ROLL in position.legal_actions:
        position = position.play(board.ROLL)
    if not position.awaits_chance:
        raise BadInputError("dice are given for a position in which no seat is to roll; leave them out")
    if len(dice) != 2 or not all(die in range(1, 7) for die in dice):
        raise BadInputError(f"{dice!r} is not a roll; a roll is two numbers from 1 to 6")
    return position.happen(event_of(*dice))


def position_id(position: Position) -> str:
    """Return a position's ID as gnubg writes it: 14 characters for the places of the men.

    Eighty bits in base64: for each point from 1 to 24 and the bar, as many ones as there are men, and a zero; first
    the men of the seat that is not to move, then those of the seat to move, each counted from its own side
    (*GNU Backgammon manual*, "A technical description of the Position ID").
    """
    demand_backgammon(position.game)
    seat = position.seat
    piles = [men for side in (1 - seat, seat) for men in men_of(position.state, side)[1:]]
    bits = "".join("1" * men + "0" for men in piles).ljust(8 * _KEY_BYTES, "0")
    key = np.packbits([int(bit) for bit in bits], bitorder="little")
    return base64.b64encode(key.tobytes()).decode().rstrip("=")


@dataclass(frozen=True)
class _MatchID:
    """What a match ID of gnubg tells; seat 0 is gnubg's player 0, in the left column of a match file."""

    turned: int
    owner: int
    roller: int
    is_crawford: bool
    is_going_on: bool
    is_doubled: bool
    dice: Dice
    length: int
    score: tuple[int, int]
    jacoby: bool

    @classmethod
    def read(cls, text: str) -> "_MatchID":
        """Read a match ID: 67 bits, the lowest of each number first (*GNU Backgammon manual*, "Match ID").

        Raises:
            BadInputError: If the dice are none.
        """
        bits = np.unpackbits(np.frombuffer(base64.b64decode(text), dtype=np.uint8), bitorder="little").tolist()

        def number(first: int, size: int) -> int:
            return sum(bit << place for place, bit in enumerate(bits[first : first + size]))

        dice, length = (number(15, 3), number(18, 3)), number(21, 15)
        if max(dice) > 6 or (0 in dice and any(dice)):
            raise BadInputError(f"{text!r} is not a match ID: its dice show {dice[0]} and {dice[1]}")
        return cls(
            turned=number(0, 4),
            owner=(1, -1, 0, 0)[number(4, 2)],
            roller=number(6, 1),
            is_crawford=bool(number(7, 1)),
            is_going_on=number(8, 3) in (0, 1),
            is_doubled=bool(number(12, 1)),
            dice=dice,
            length=length,
            score=(number(36, 15), number(51, 15)),
            jacoby=not length and not number(66, 1),
        )


def _from_id(game: Game, text: str, match: _MatchID | None = None) -> Position:
    """Return the position of an ID, without a match ID with seat 0 to roll or double; men not on the board are off."""
    key = base64.b64decode(f"{text}==")
    if base64.b64encode(key).decode().rstrip("=") != text:
        raise BadInputError(f"{text!r} is not a position ID: its last character tells of more than 80 bits")
    bits = "".join(str(bit) for bit in np.unpackbits(np.frombuffer(key, dtype=np.uint8), bitorder="little"))
    piles = [len(pile) for pile in bits.split("0")]
    if len(piles) <= 2 * board.BAR or any(piles[2 * board.BAR :]):
        raise BadInputError(f"{text!r} is not a position ID: it does not tell of twice {board.BAR} points and no more")
    state, roller = _empty(game), match.roller if match else 0
    _put(game, state, 1 - roller, piles[: board.BAR])
    _put(game, state, roller, piles[board.BAR : 2 * board.BAR])
    state[0] = roller
    if match is None:
        _wait(game, state)
    else:
        if not match.is_going_on:
            raise BadInputError("the game is over by the match ID; give a position of a game that is not")
        state[board.CUBE], state[board.OWNER] = match.turned, match.owner
        if match.is_doubled:
            state[0], state[board.STAGE] = 1 - roller, board.DOUBLED
        else:
            _wait(game, state, match.dice if any(match.dice) else ())
    return game.position(state)


def xgid(position: Position, like: str = "") -> str:
    """Return a position's XGID as eXtreme Gammon writes it, seat 0 at the bottom.

    In ``XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:6`` stand the men (capitals: seat 0) on seat 1's bar, seat
    0's points 1 to 24 and its bar; how often the cube has been turned and whose it is (1, -1 or 0: seat 0, seat 1,
    nobody); whose turn it is; the dice, ``00`` before the roll, ``D`` or ``B`` where a double or a beaver is to be
    answered (the turn is then taken to be the doubler's); the scores; the rules (1 Jacoby, 2 beavers; in a match, 1
    for the Crawford game); the length of the match, 0 for none; the cube's limit. It does not tell the opening roll
    from the roll of a seat.

    Args:
        position: The position.
        like: The XGID that it was read from, if any: what the position does not tell is written as it is there. That
            is the cube's limit, the order of the dice, and in a money session the scores.

    Raises:
        BadInputError: If the contest is over, or the seat to move has played a part of its roll.
    """
    demand_backgammon(position.game)
    game, state, stage = position.game, position.state, int(position.state[board.STAGE])
    dice = dice_to_play(state)
    if position.part.is_over or (dice and len(dice) != (2 if dice[0] != dice[-1] else 4)):
        raise BadInputError("there is no XGID of a contest that is over, nor of a roll of which a part has been played")
    piles = [int(state[board.BARS + 1]), *state[1 : 1 + board.POINTS].tolist(), int(state[board.BARS])]
    men = "".join(_NO_MAN if n == 0 else (chr(ord("A") - 1 + n) if n > 0 else chr(ord("a") - 1 - n)) for n in piles)
    doubler = 1 - position.seat if stage == board.DOUBLED else position.seat
    waits = _ANSWERED.get(stage) or roll_text(state) or "00"
    rules = _JACOBY * bool(game.options.get("jacoby")) | _BEAVERS * bool(game.options.get("beavers"))
    found = _XGID.fullmatch(_closed_up(like))
    fields = found.groups() if found else (None,) * (_LIMIT + 1)
    if fields[4] == waits[::-1]:
        waits = waits[::-1]
    one, other = (field or "0" for field in fields[_SCORE])
    length = 0
    if game.score:
        score = game.score(state)
        (one, other), length = score.points, score.length
        rules = int(score.is_crawford and max(score.away) > 1)
        if length == 1:  # (programs differ: nobody doubles there, whatever they write)
            rules = int(fields[_RULES] or 0)
    limit = fields[_LIMIT] or board.MOST_TURNS_OF_THE_CUBE
    cube = f"{state[board.CUBE]}:{state[board.OWNER]}"
    return f"XGID={men}:{cube}:{1 - 2 * doubler}:{waits}:{one}:{other}:{rules}:{length}:{limit}"


def match_options(text: str) -> dict[str, Any]:
    """Return the options of the game that an XGID or a GNUBGID is about; none for any other text.

    These are the length and the score of a match; of a money session, the Jacoby rule and beavers; and that there is
    no cube, where its limit is 1.

    Raises:
        BadInputError: If there is no such score, or such rules are not played here.
    """
    text = _closed_up(text)
    if (found := _GNUBGID.fullmatch(text)) and found[2]:
        match = _MatchID.read(found[2])
        return _options_at_score(match.length, match.score, match.is_crawford) or _options_that_hold(
            jacoby=match.jacoby
        )
    if not (found := _XGID.fullmatch(text)):
        return {}
    one, other, rules, length = (int(each or 0) for each in found.groups()[5:9])
    without_cube = {} if has_cube(2 ** int(found[_LIMIT + 1] or 10), length) else {"cube": False}
    if length:
        if rules not in (0, 1):
            raise BadInputError(f"the XGID of a match has {rules} where 1 is the Crawford game, and 0 any other")
        return _options_at_score(length, (one, other), bool(rules)) | without_cube
    if not 0 <= rules <= _JACOBY | _BEAVERS:
        raise BadInputError(
            f"the rules of a money session are {rules} in the XGID; they are 0, 1 with the Jacoby rule, 2 with "
            "beavers, or 3 with both"
        )
    return _options_that_hold(jacoby=bool(rules & _JACOBY), beavers=bool(rules & _BEAVERS)) | without_cube


def _options_that_hold(**options: bool) -> dict[str, Any]:
    return {name: True for name, holds in options.items() if holds}


def _options_at_score(length: int, points: tuple[int, int], is_crawford: bool) -> dict[str, Any]:
    """Return the options of a game of a match at a score; none without a match."""
    if not length:
        return {}
    score = MatchScore.begun(length, points)
    fewest, most = sorted(score.away)
    if is_crawford and length > 1 and not fewest == 1 < most:
        raise BadInputError(
            f"{points[0]}–{points[1]} in a match to {length} is not the score of a Crawford game, in which one of the "
            "seats needs a single point and the other more; correct the score or the flag"
        )
    is_later = score.is_crawford and not is_crawford and length > 1
    return {"match_length": length, "score": points, **_options_that_hold(post_crawford=is_later)}


def has_cube(limit: int, length: int) -> bool:
    """Return whether a cube is turned whose largest number is ``limit``, in a match to some points, or 0.

    Raises:
        BadInputError: If such a cube is not played here.
    """
    if limit <= 1:
        return False
    most = 2**board.MOST_TURNS_OF_THE_CUBE
    if limit < (min(length, most) or most):
        raise BadInputError(
            f"a cube that shows {limit} at most is not played here; the limit is 1 for no cube, or at least {most}, or "
            "in a match at least its length"
        )
    return True


def _closed_up(text: str) -> str:
    """Return a text without blanks; they mean nothing in an ID."""
    return "".join(text.split())


def _from_xgid(game: Game, text: str) -> Position:
    """Return the position of an XGID, at the score of the game; `match_options` returns that of the text."""
    found = _XGID.fullmatch(text)
    if not found:
        raise BadInputError(
            f"{text!r} is not an XGID; one is XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:"
            f"{board.MOST_TURNS_OF_THE_CUBE}"
        )
    piles = [0 if c == _NO_MAN else ord(c) - ord("A") + 1 if c.isupper() else ord("a") - 1 - ord(c) for c in found[1]]
    if piles[0] > 0 or piles[-1] < 0:
        raise BadInputError(f"{text!r} is not an XGID: the first pile is seat 1's bar, the last seat 0's")
    state = _empty(game)
    _put(game, state, 0, [max(n, 0) for n in piles[1:]])
    _put(game, state, 1, [max(-n, 0) for n in piles[-2::-1]])
    state[board.CUBE], state[board.OWNER], turn, waits = int(found[2]), int(found[3]), int(found[4]), found[5]
    state[0] = (1 - turn) // 2
    waits = waits.upper()
    if waits == "D":
        state[0] = 1 - state[0]
    if waits in _ANSWERED.values():
        state[board.STAGE] = next(stage for stage, written in _ANSWERED.items() if written == waits)
    else:
        _wait(game, state, [int(die) for die in waits if waits != "00"])
    return game.position(state)


def _empty(game: Game) -> State:
    """Return a state without men, at the score at which contests of the game begin."""
    state = np.zeros(game.state_size, dtype=np.int8)
    state[board.STATE_SIZE :] = game.initial.state[board.STATE_SIZE :]
    return state


def _put(game: Game, state: State, seat: int, men: list[int]) -> None:
    """Put a seat's men on its points 1 to 24 and the bar, the others in its tray."""
    own, total = 1 - 2 * seat, sum(men_of(game.initial.state, seat))
    if sum(men) > total:
        raise BadInputError(f"a seat has {sum(men)} men on the board; at {game.name} it has {total}")
    for point, number in enumerate(men[: board.POINTS], start=1):
        slot = point if seat == 0 else board.POINTS + 1 - point
        if number and state[slot]:
            raise BadInputError(f"both seats have men on one point, seat 0's {slot}")
        state[slot] += own * number
    state[board.BARS + seat] = own * men[board.POINTS]
    state[board.TRAYS + seat] = own * (total - sum(men))


def _wait(game: Game, state: State, dice: Sequence[int] = ()) -> None:
    """Write what the seat to move does next: play some dice, roll, double if it may, or nothing."""
    for seat in (0, 1):
        if men_of(state, seat)[0] == sum(men_of(state, seat)):
            state[0], state[board.STAGE] = seat, board.OVER
            return
    if dice:
        state[board.STAGE] = board.MOVING
        for die in dice:
            state[board.DICE + die] += 1 if dice[0] != dice[1] else 2
    else:
        wait(state, cube=game.num_actions > board.ROLL)
