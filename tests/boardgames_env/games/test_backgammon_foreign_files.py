"""Files of other programs: matches of eXtreme Gammon and BGBlitz are read, other files are named."""

import gzip
import json
import struct
import sys
import zlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from boardgames_env import BadInputError, Position
from boardgames_env.contest import Turn, turns
from boardgames_env.games.backgammon.notation.foreign_files import text_of
from boardgames_env.games.backgammon.notation.match_file import parse_match, read_match
from boardgames_env.games.backgammon.notation.matches import Match, Played
from boardgames_env.games.backgammon.notation.words import dice_to_play, has_dice
from boardgames_env.games.backgammon.rules import backgammon_board as board
from tests.boardgames_env.games.backgammon_contests import assert_same_contests, played_match
from tests.boardgames_env.games.written_matches import Dialect, Writer, match_to_write

gvformat = pytest.importorskip("gvformat", reason="the extra match-files is not installed")

MATCHES = [number for number in range(36) if number % 6 >= 4]
"""The numbers of matches of backgammon: the library knows the plays of no other game."""

BY_STEPS = replace(Dialect(), times="steps", bar="25", off="0")


@pytest.mark.parametrize("number", MATCHES[:4])
def test_another_reader_finds_the_same_contests(number: int) -> None:
    match = match_to_write(number)
    for dialect in (
        BY_STEPS,
        replace(BY_STEPS, take=" Accepts", drop=" Rejects", unplayed="????", length="Match of {n} points"),
    ):
        text = Writer(match, dialect).text()
        theirs = parse_match(text_of(gvformat.mat_to_ogxm(text)), match.game)
        assert (theirs.length, theirs.players) == (match.length, match.players)
        assert_same_contests(theirs, match)
        assert_same_contests(parse_match(text), match)


def plays_and_cubes(contest: Played, start: Position) -> Iterator[Turn]:
    """The turns of a contest in which a seat plays, doubles or answers."""
    for turn in turns(start, contest.actions, contest.events):
        if has_dice(turn.before) or (turn.event is None and turn.actions[0] != board.ROLL):
            yield turn


def steps(turn: Turn) -> list[tuple[int, int]]:
    """The steps of a play, as the seat that plays counts the points; off is 0."""
    pairs = [board.STEPS[action] for action in turn.actions if action != board.NO_MOVE]
    return [(source, max(source - die, board.OFF)) for source, die in pairs]


def xg_file(match: Match) -> bytes:
    """A file of eXtreme Gammon: a header, and compressed records of 2,560 bytes."""
    records: list[bytes] = []

    def add(kind: int, *fields: tuple[int, str, Any]) -> None:
        record = bytearray(2560)
        record[8] = kind
        for offset, form, value in fields:
            values = value if isinstance(value, (list, tuple)) else [value]
            struct.pack_into(f"<{form}", record, offset, *values)
        records.append(bytes(record))

    def has(name: str) -> bool:
        return bool(match.game.options.get(name))

    names = [
        (offset, "258s", name.encode("utf-16-le")) for offset, name in zip((880, 1138), match.players, strict=True)
    ]
    rules = [(100, "B", bool(match.length)), (101, "B", has("jacoby")), (102, "B", has("beavers")), (612, "i", 10)]
    add(0, (92, "i", match.length or 99999), *rules, *names)
    points = match.scores
    for number, (contest, start) in enumerate(zip(match.contests, match.starts, strict=False), start=1):
        is_crawford = bool(match.length) and bool(start.state[board.CRAWFORD])
        add(1, (12, "2i", points), (20, "B", is_crawford), (48, "i", number))
        every = list(plays_and_cubes(contest, start))
        for k, turn in enumerate(every):
            mover = 1 - 2 * turn.before.seat
            if has_dice(turn.before):
                moves = [point - 1 for step in steps(turn) for point in step] + [-1] * 8
                add(3, (64, "i", mover), (100, "2i", dice_to_play(turn.before.state)[:2]), (120, "i", 1),
                    (1024, "8b", moves[:8]))  # fmt: skip
            elif turn.actions[0] == board.DOUBLE:
                add(2, (12, "i", mover), (16, "i", 1), (20, "i", int(every[k + 1].actions[0] == board.TAKE)))
        won = abs(contest.outcome)
        points = (points[0] + max(contest.outcome, 0), points[1] + max(-contest.outcome, 0))
        add(4, (12, "2i", points), (24, "i", 1 if contest.outcome > 0 else -1), (28, "i", won), (32, "i", 1))
    add(5, (12, "2i", points))
    return b"RGMH".ljust(8232, b"\0") + zlib.compress(b"".join(records))


def smile(value: Any) -> bytes:
    """A value in Smile, the binary form of JSON, as BGBlitz writes it."""
    if value is None or isinstance(value, bool):
        return {None: b"\x21", False: b"\x22", True: b"\x23"}[value]
    if isinstance(value, int):
        number = 2 * value if value >= 0 else -2 * value - 1
        digits = [number & 0x3F | 0x80]
        while number := number >> (6 if len(digits) == 1 else 7):
            digits.append(number & 0x7F)
        return b"\x24" + bytes(reversed(digits))
    if isinstance(value, str):
        return b"\xe4" + value.encode() + b"\xfc"
    if isinstance(value, list):
        return b"\xf8" + b"".join(map(smile, value)) + b"\xf9"
    entries = [bytes([0x7F + len(key)]) + key.encode() + smile(each) for key, each in value.items()]
    return b"\xfa" + b"".join(entries) + b"\xfb"


def bgf_file(match: Match) -> bytes:
    """A file of BGBlitz: a line of JSON, and compressed Smile. Green is seat 0."""
    games, points = [], match.scores
    initial = [0] * 26
    for slot in range(1, 25):
        initial[24 - slot] = int(match.game.initial.state[slot])
    for contest, start in zip(match.contests, match.starts, strict=False):
        moves: list[dict[str, Any]] = []
        for turn in plays_and_cubes(contest, start):
            player, none = 2 * turn.before.seat - 1, [-1] * 4
            if not has_dice(turn.before):
                is_double = turn.actions[0] == board.DOUBLE
                decision = {"hasDoubled": True}
                moves.append({"player": player, "from": none, "equity": {"cubeDecision": decision}})
                if not is_double:
                    moves[-2]["equity"]["cubeDecision"]["hasAccepted"] = turn.actions[0] == board.TAKE
                continue
            dice = dice_to_play(turn.before.state)[:2]
            pairs = steps(turn)
            if pairs:
                source, target = ([pair[side] for pair in pairs] + none for side in (0, 1))
                moves.append({"player": player, "from": source[:4], "to": target[:4], "red": dice[0], "green": dice[1]})
            else:
                moves.append({"player": player, "from": [dice[0], *none[:3]], "to": [dice[1], *none[:3]],
                              "dancingEquity": 0})  # fmt: skip
        games.append(
            {"scoreGreen": points[0], "scoreRed": points[1], "wonPoints": abs(contest.outcome), "moves": moves,
             "initial": {"cube": 1, "cubeOwner": 0, "points": initial}}
        )  # fmt: skip
        points = (points[0] + max(contest.outcome, 0), points[1] + max(-contest.outcome, 0))
    jacoby = bool(match.game.options.get("jacoby"))
    data = {"nameGreen": match.players[0], "nameRed": match.players[1], "matchlen": match.length, "games": games,
            "useCrawford": True, "useJacoby": jacoby, "useBeaver": False, "cubeLimit": 1024,
            "finalGreen": points[0], "finalRed": points[1]}  # fmt: skip
    header = json.dumps({"format": "BGF", "version": "1.0", "compress": True, "useSmile": True})
    return header.encode() + b"\n" + gzip.compress(b":)\n\x00" + smile(data), mtime=0)


@pytest.mark.parametrize("name", ["match.xg", "match.bgf", "match"])
@pytest.mark.parametrize("spec", ["backgammon(cube=True,match_length=3)", "backgammon(cube=True,jacoby=True)"])
def test_matches_of_other_programs_are_read(name: str, spec: str, tmp_path: Path) -> None:
    whole = played_match(spec, 4)
    match = replace(whole, players=("Ann B.", "bob_2"), game=whole.game.at_score(None), contests=whole.contests[:2])
    path = tmp_path / name
    path.write_bytes(bgf_file(match) if name.endswith("bgf") else xg_file(match))
    read = read_match(path)
    assert (read.game, read.players, read.length) == (match.game, match.players, match.length)
    assert not read.warnings
    assert_same_contests(read, match)


def test_damaged_files_of_other_programs_and_those_that_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = played_match("backgammon(cube=True,match_length=1)", 1)
    for whole, program in ((xg_file(match), "eXtreme Gammon"), (bgf_file(match), "BGBlitz")):
        for content in (whole[:8300], whole[:100], whole.replace(b"\n", b" ", 1)):
            if content == whole:
                continue
            path = tmp_path / "match.mat"
            path.write_bytes(content)
            with pytest.raises(
                BadInputError, match=f"is damaged, or not a match of {program} .*export the match there"
            ):
                read_match(path)
    path.write_bytes(xg_file(match))
    monkeypatch.setitem(sys.modules, "gvformat", None)
    with pytest.raises(BadInputError, match=r"a file of eXtreme Gammon; export .*\[match-files\]"):
        read_match(path)


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"(;FF[4]GM[6]AP[GNU Backgammon:1.07]MI[length:7]", "an SGF file, .*`export match mat NAME.mat`"),
        (b"\n( ;\nGM[6]FF[4]", "an SGF file"),
        (b"<!DOCTYPE html>\n<html><body>", "an HTML page; .*export the match there as text"),
        (b"\xef\xbb\xbf\n<HTML>", "an HTML page"),
        (b'<?xml version="1.0"?>', "an XML file"),
        (b'{"format": "boardgames contests"}', "a JSON file; .*`boardgames explain`"),
        (b"PK\x03\x04\x14\x00", "an archive; unpack it"),
        (b"%PDF-1.4", "a PDF file"),
        (b"\x89PNG\r\n\x1a\n", "a picture"),
        (b"XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10\n\nX:ann   O:bob\n", "a position; give the XGID itself"),
        (b"Score is 0-0 in a 5 point match.\nann is X - bob is O\n", "a list of moves of FIBS"),
    ],
)  # fmt: skip
def test_other_files_are_named(content: bytes, why: str, tmp_path: Path) -> None:
    path = tmp_path / "match.mat"
    path.write_bytes(content)
    with pytest.raises(BadInputError, match=f"^'.*match.mat' is not a match file, but {why}"):
        read_match(path, strict=False)


def test_positions_that_no_play_leads_to_end_what_can_be_read() -> None:
    document = gvformat.mat_to_ogxm(Writer(match_to_write(4), BY_STEPS).text())
    document["games"][0]["plies"][3]["action_id"] = 31
    with pytest.raises(BadInputError, match="line 9: 'illegal' is no part of a play"):
        parse_match(text_of(document))
    assert parse_match(text_of(document), strict=False).warnings
