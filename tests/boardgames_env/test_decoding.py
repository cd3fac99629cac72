"""Files and standard input in any encoding."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from boardgames_agents.league.league_file import read_league
from boardgames_agents.record import read_records, write_records
from boardgames_agents.training.starting_positions import load_starts
from boardgames_env import make_game
from boardgames_env.decoding import decoded
from boardgames_env.games.backgammon.notation.match_file import read_match
from tests.contests import recorded

ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252", "latin-1"]
MATCH = """ 7 point match

 Game 1
 Zoé : 0                        Bjørn : 0
  1) 31: 8/5 6/5                  42: 8/4 6/4
"""


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("rest", ["", "\x1a", "\0" * 100, "\x1a\0\0\0"])
def test_text_is_the_same_in_every_encoding(encoding: str, end: str, rest: str) -> None:
    assert decoded(f"{MATCH}{rest}".replace("\n", end).encode(encoding)) == MATCH


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"", ""),
        (b"7", "7"),
        (b"7\0", "7"),
        ("Ωμέγα".encode("utf-16"), "Ωμέγα"),
        (b"Jos\xe9 \x96 \x931\x94 \x80\x81", "José – “1” €\x81"),  # (0x81 is no character in code page 1252)
        ("é".encode() + b"\xe9\xe8", "ééè"),  # (a file that two programs have written to)
        (b"\xff\xfe1\0\n\0\xff\xfe2\0", "1\n2"),  # (two files, one after the other)
        (b"\xff\xfe1\0\n", "1\n"),  # (half a character)
        (b"\xef\xbb\xbf\xef\xbb\xbf1", "1"),
    ],
)
def test_odd_text_is_decoded(content: bytes, text: str) -> None:
    assert decoded(content) == text


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_every_file_that_people_write_is_read_in_every_encoding(tmp_path: Path, encoding: str) -> None:
    def written(name: str, text: str) -> Path:
        path = tmp_path / name
        path.write_bytes(text.replace("\n", "\r\n").encode(encoding))
        return path

    match = read_match(written("m.mat", MATCH))
    assert match.players == ("Zoé", "Bjørn")
    toml = 'games = ["tic_tac_toe"]\nagents = ["random",\n{ name = "Zoé", agent = "worst" }]\n'
    assert [each.name for each in read_league(written("l.toml", toml)).entrants] == ["random", "Zoé"]
    league = {"games": ["tic_tac_toe"], "agents": ["random", {"name": "Zoé", "agent": "worst"}]}
    text = json.dumps(league, ensure_ascii=False, indent=1)
    assert read_league(written("l.json", text)) == read_league(tmp_path / "l.toml")
    starts = {"format": "boardgames-env starting positions, 1", "about": "Zoé", "positions": [{"x": [0], "o": [1]}]}
    file = written("starts.json", json.dumps(starts, ensure_ascii=False))
    assert len(load_starts(str(file), make_game("fives"))) == 1
    record = recorded(contests=1).records[0]
    write_records(tmp_path / "r.json", [record])
    assert read_records(written("other.json", (tmp_path / "r.json").read_text(encoding="utf-8"))) == (record,)


def answers(*parts: bytes) -> str:
    """Return what a program prints that reads lines while they are being sent, part by part."""
    code = (
        "import sys\nfrom boardgames_env.decoding import read_line\nsys.stdout.reconfigure(encoding='utf-8')\n"
        "try:\n    while True:\n        print(ascii(read_line()), flush=True)\nexcept EOFError:\n    print('end')"
    )
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", code], stdin=pipe, stdout=pipe) as process:
        assert process.stdin
        assert process.stdout
        lines = []
        for part in parts:
            process.stdin.write(part)
            process.stdin.flush()
            lines.append(process.stdout.readline())
        process.stdin.close()
        return b"".join([*lines, process.stdout.read()]).decode()


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_standard_input_is_read_line_by_line_in_every_encoding(encoding: str) -> None:
    first, second = "4 é\r\n".encode(encoding), "5\n".encode(encoding.removesuffix("-sig"))
    second = second.removeprefix("\ufeff".encode("utf-16"))
    assert answers(first, second).split() == [r"'4", r"\xe9'", "'5'", "end"]
