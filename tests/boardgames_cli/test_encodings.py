"""All commands, with output in encodings that lack characters, and at narrow and plain terminals."""

import io
import json
import os
import re
import shutil
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from boardgames_agents.td.network import Network
from boardgames_agents.td.network_file import save_network
from boardgames_agents.td.options import Design
from boardgames_cli.main import COMMANDS, main
from boardgames_cli.substitutes import SUBSTITUTE, spelled, substitute
from boardgames_env import make_game
from tests.test_imports import MODULES, ROOT

WORDS = [
    *("games", "show nine_mens_morris", "show backgammon", "agents", "agent td", "trainers", "trainer key_nodes"),
    *("play tic_tac_toe --against random --seed 1", "play tic_tac_toe --against random --watch random"),
    *("learn tic_tac_toe --folder pupils", "replay record.json", "render record.json picture.svg"),
    *("match tic_tac_toe perfect random --contests 2", "match tic_tac_toe random perfect --contests 2 --json"),
    *("league tic_tac_toe --agents random,worst --contests 2 --folder league", "ratings store.sqlite tic_tac_toe"),
    *("train tic_tac_toe menace --contests 2 --test-every 0 --run other", "test run --contests 1"),
    *(
        "curves run",
        "curves run --curve training/plies",
        "runs run",
        "board --help",
        "doctor",
        "knowledge run",
        "explain run 4 0",
        "export store.sqlite a.json",
        "matchboxes hexapawn boxes.pdf",
    ),
    *("solve tic_tac_toe", "analyse start --dice 31 --with td_net(file='net') --plies 1", "paper", "cache"),
    *("optima --help", "web --help", "improve --help", "recommend --help"),
    *("exploitability --help", "rollout --help", "dataset --help"),
    *("grade random tic_tac_toe --positions 5", "bench --help", "error-rate --help", "--help", "--version"),
]
C_LOCALE = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
REFUSED = ["show nine_mens_morriß", "match tic_tac_toe λ random", "replay Жук.json", "analyse ψ"]

Printed = Callable[[str, str], tuple[int, str, str]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the commands read."""
    folder = tmp_path_factory.mktemp("commands")
    save_network(folder / "net", Network(make_game("backgammon"), Design("raw", 4, 6), seed=1))
    saved = "match tic_tac_toe perfect random --contests 2 --save record.json --store store.sqlite"
    with pytest.MonkeyPatch.context() as changed:
        changed.chdir(folder)
        for words in ("train tic_tac_toe hoyle --contests 2 --test-every 1 --run run", saved):
            changed.setattr(sys, "argv", ["boardgames", *words.split()])
            main()
    return folder


@pytest.fixture
def printed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Printed]:
    """Run a command whose standard streams have an encoding; return its exit code and what it printed."""

    def run(words: str, encoding: str) -> tuple[int, str, str]:
        out, err = (io.TextIOWrapper(io.BytesIO(), encoding, "strict") for _ in range(2))
        given = io.TextIOWrapper(io.BufferedReader(io.BytesIO(b"4\n\xe9\nq\n")), encoding)  # type: ignore[arg-type]
        for name, value in {
            "stdout": out,
            "stderr": err,
            "stdin": given,
            "argv": ["boardgames", *words.split()],
        }.items():
            monkeypatch.setattr(sys, name, value)
        code: str | int | None = 0
        try:
            main()
        except SystemExit as exit_:
            code = exit_.code
        texts = []
        for stream in (out, err):
            stream.flush()
            assert isinstance(stream.buffer, io.BytesIO)
            texts.append(stream.buffer.getvalue().decode(encoding, "surrogateescape"))
        return int(code or 0), texts[0], texts[1]

    monkeypatch.chdir(folder)
    yield run
    monkeypatch.undo()


SLOW = [pytest.param(each, marks=pytest.mark.slow) for each in ("cp1252", "latin-1", "cp437", "utf-16", "utf-8")]


def test_every_command_is_tried() -> None:
    assert {command.__name__.replace("_", "-") for command in COMMANDS} <= {words.split()[0] for words in WORDS}


@pytest.mark.parametrize("encoding", ["ascii", *SLOW])
@pytest.mark.parametrize("words", WORDS)
def test_every_command_prints_in_every_encoding(printed: Printed, words: str, encoding: str) -> None:
    code, out, err = printed(words, encoding)
    assert (code, err) == (0, "")
    assert out.strip()


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-16"])
@pytest.mark.parametrize("words", REFUSED)
def test_every_error_is_a_sentence_in_every_encoding(printed: Printed, words: str, encoding: str) -> None:
    code, out, err = printed(words, encoding)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert err.startswith("Error: ")


def test_tables_are_laid_out_with_the_substitutes(printed: Printed) -> None:
    rows = printed("agent td", "ascii")[1].partition("\nOptions")[2].splitlines()
    (row,) = (row for row in rows if "lambda has halved" in row)
    assert {len(each) for each in rows if each.startswith("|")} == {len(row)}


def test_json_is_the_same_in_every_encoding(printed: Printed) -> None:
    words = "knowledge run --json"
    assert json.loads(printed(words, "ascii")[1]) == json.loads(printed(words, "utf-16")[1])


@pytest.mark.parametrize(
    ("text", "ascii_only"),
    [
        ("TD(λ) ≥ 1 − ε", "TD(lambda) >= 1 - epsilon"),
        ("2×10⁻⁷ ± ½ µs", "2x10^-7 +- 1/2 us"),
        ("│ “Zoé” … Øre │", '| "Zoe" ... Ore |'),
        ("┏━┓ ╰ █", "+-+ + *"),
        ("日本 ﬁ Ж", "?? fi ?"),
    ],
)
def test_what_is_missing_has_a_substitute(text: str, ascii_only: str) -> None:
    assert substitute(text) == spelled(text, "ascii") == ascii_only
    assert spelled(text, "utf-16") == text


def test_an_encoding_keeps_what_it_has() -> None:
    assert spelled("λ = ½ – é²", "cp1252") == "lambda = ½ – é²"
    assert spelled("λ = ½ – é²", "latin-1") == "lambda = ½ - é²"
    assert spelled("λ = ½ – é²", "cp437") == "lambda = ½ - é²"


def test_names_of_files_are_written_as_they_are() -> None:
    """(Python has bytes that are not in the system's encoding as lone surrogates.)"""
    assert "λ caf\udcc3\udca9.json".encode("ascii", SUBSTITUTE) == "lambda café.json".encode()
    assert "caf\udce9λ".encode("utf-8", SUBSTITUTE) == "caf?λ".encode()
    assert "caf\udce9λ".encode("utf-16-le", SUBSTITUTE) == "caf?λ".encode("utf-16-le")


def test_every_character_of_the_sources_has_a_substitute() -> None:
    pages = [*MODULES.values(), *ROOT.glob("boardgames_env/**/*.md")]
    used = {letter for page in pages for letter in page.read_text(encoding="utf-8")}
    assert [letter for letter in sorted(used) if substitute(letter) == "?" != letter] == []


ODD = os.fsdecode(b"caf\xe9")
"""A name that is not in the system's encoding, as Linux allows it."""


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere names of files are in Unicode always")
@pytest.mark.parametrize("encoding", ["ascii", "utf-8"])
def test_files_with_names_of_no_encoding_are_read_and_written(printed: Printed, folder: Path, encoding: str) -> None:
    shutil.copytree(folder / "run", folder / ODD, dirs_exist_ok=True)
    for words in (
        *(f"test {ODD} --contests 1", f"knowledge {ODD} --svg {ODD}", f"curves {ODD} --curve training/plies"),
        *(f"curves {ODD} --curve training/plies --out {ODD}.{suffix}" for suffix in ("png", "csv")),
        f"match tic_tac_toe perfect random --contests 2 --save {ODD}.json --store {ODD}.sqlite",
        *(f"replay {ODD}.json", f"render {ODD}.json {ODD}.svg", f"export {ODD}.sqlite {ODD}2.json"),
    ):
        code, out, err = printed(words, encoding)
        assert (code, err, bool(out)) == (0, "", True), words
    assert "contests,caf\\xe9\n" in (folder / f"{ODD}.csv").read_text(encoding="utf-8")
    for words in (f"show {ODD}", f"train {ODD} td --contests 1", f"train achi td --trainer {ODD} --contests 1"):
        code, out, err = printed(words, encoding)
        assert (code, out, err.count("\n")) == (2, "", 1), words


@pytest.mark.parametrize(
    ("words", "asked"),
    [
        ("show nine_mens_morris", {"PYTHONUTF8": "0", "PYTHONIOENCODING": "cp1252"}),
        *(
            pytest.param(words, asked, marks=pytest.mark.slow)
            for words, asked in {
                "match tic_tac_toe random random --contests 2": {"PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"},
                "agent td": C_LOCALE | {"PYTHONIOENCODING": ""},
            }.items()
        ),
    ],
)
def test_a_file_is_written_in_the_encoding_of_the_shell(tmp_path: Path, words: str, asked: dict[str, str]) -> None:
    with (tmp_path / "out.txt").open("wb") as out:
        command = [sys.executable, "-m", "boardgames_cli", *words.split()]
        done = subprocess.run(command, stdout=out, stderr=subprocess.PIPE, env=os.environ | asked, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert (tmp_path / "out.txt").read_bytes().decode("cp1252").strip()


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere names of files are in Unicode always")
@pytest.mark.slow
def test_a_name_that_the_system_cannot_write_is_refused(tmp_path: Path) -> None:
    """A person types the name of a file in letters that the names of files cannot have here."""
    command = [sys.executable, "-m", "boardgames_cli", *["play", "tic_tac_toe", "--against", "random", "--seed", "1"]]
    typed = "4\nsave é.json\nload é.json\nsave e.json\nq\n".encode()
    done = subprocess.run(
        command, input=typed, capture_output=True, cwd=tmp_path, env=os.environ | C_LOCALE, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"names of files cannot have '\\xe9' here (ascii)" in done.stdout
    assert b"there is no file" in done.stdout
    assert [path.name for path in tmp_path.iterdir()] == ["e.json"]


def at_a_terminal(words: str, typed: bytes, **environment: str) -> tuple[int, str]:
    """Run a command at a terminal of 40 columns; return its exit code and what is shown."""
    pty, termios, fcntl = map(pytest.importorskip, ("pty", "termios", "fcntl"))
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 40, 0, 0))
    command, every = [sys.executable, "-m", "boardgames_cli", *words.split()], os.environ | environment
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=every) as process:
        os.close(theirs)
        os.write(ours, typed)
        shown = b""
        with suppress(OSError):  # (as Linux ends a terminal)
            while part := os.read(ours, 65536):
                shown += part
    os.close(ours)
    return process.returncode, shown.decode("latin-1")


@pytest.mark.slow
@pytest.mark.parametrize("environment", [{"NO_COLOR": "1", "TERM": "xterm"}, {"TERM": "dumb", **C_LOCALE}])
def test_a_plain_narrow_terminal_is_enough(environment: dict[str, str]) -> None:
    code, shown = at_a_terminal("play tic_tac_toe --against random --seed 1", b"4\n\xe9\nhint\nq\n", **environment)
    assert (code, shown.count("help lists the commands")) == (0, 1)
    assert not re.search(r"\x1b\[[0-9;]*[34][0-7]m", shown)  # a colour
    if environment["TERM"] == "dumb":
        assert shown.replace("\xe9", "").isascii()  # (a terminal shows what is typed)
        assert "\x1b" not in shown
