"""`boardgames play` and `replay`: contests typed, watched, saved and stepped through."""

import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import StringIO
from itertools import pairwise
from pathlib import Path

import pytest

from boardgames_agents.arena.tournament import tournament
from boardgames_agents.people.session import PlaySession
from boardgames_agents.record import read_records, write_records
from boardgames_cli.contest_text import board_text
from boardgames_cli.play import set_up
from boardgames_cli.play_at_terminal import PlayAtTerminal
from boardgames_env import Game
from tests.conftest import Run
from tests.processes import ROOT
from tests.variants import EACH_GAME, over, sampled


@pytest.fixture
def typed(boardgames: Run, monkeypatch: pytest.MonkeyPatch):
    """Run `boardgames play` with lines that are typed; return what is printed."""

    def run(words: str, *lines: str) -> str:
        monkeypatch.setattr(sys, "stdin", StringIO("".join(f"{line}\n" for line in lines)))
        return boardgames("play", *words.split())

    return run


def test_it_opens_with_the_game_the_men_the_level_and_an_example(typed) -> None:
    out = typed("tic_tac_toe --seed 1", "q")
    assert out.startswith("Tic-tac-toe: three of one's own in a row wins.\n")
    assert "You play X; O is played at the level normal: a perfect player that plays 3 moves in 10 at random." in out
    assert "Your move (X), such as 4, or help: " in out


@pytest.mark.parametrize(
    ("against", "named"),
    [("td", "td, untrained: a learner that has learned nothing yet"), ("worst", "worst: A player of the worst")],
)
def test_an_agent_is_named_with_what_it_is(typed, against: str, named: str) -> None:
    assert f"O is played by {named}" in typed(f"tic_tac_toe --seed 1 --against {against}", "q")


def test_a_contest_in_a_file_goes_on(typed, tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    typed("tic_tac_toe --seed 1 --against perfect", "4", f"save {file}", "quit")
    out = typed("tic_tac_toe --seed 2 --against perfect", f"load {tmp_path / 'mine'}", "moves", "quit")
    assert "4" not in out.splitlines()[-2].split(", ")
    assert len(out.splitlines()[-2].split(", ")) == 7
    out = typed("achi --against random", f"load {file}", "load", "load nowhere.json", "quit")
    assert "is a contest of tic_tac_toe; leave, and play tic_tac_toe" in out
    assert "load needs the name of a file" in out
    assert "there is no file nowhere.json, which should hold a record of contests" in out


def test_a_contest_that_goes_on_is_left_for_one_in_a_file_when_that_is_asked_for_twice(typed, tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    words = "tic_tac_toe --seed 1 --against perfect"
    typed(words, "4", f"save {file}", "quit")
    load = f"load {file}"
    out = typed(words, "8", load, "moves", load, "moves", "quit")
    assert out.count(f"your contest goes on: save it first, or type {load} again to leave it") == 1
    listed = [line.split(", ") for line in out.splitlines() if line.count(", ") == 6]
    assert ["8" in moves for moves in listed] == [False, True]
    out = typed(words, "8", load, "resign", load, "moves", "quit")
    assert out.count("your contest goes on") == 1


def test_commands_are_typed_like_moves_in_any_case(typed, tmp_path: Path) -> None:
    file = tmp_path / "mine.json"
    out = typed(
        "tic_tac_toe --seed 1 --against perfect",
        *("4", " HELP ", "Hint 2", "moves", "undo", "RULES", " 4 ", f"save {tmp_path / 'mine'}", "resign", "quit"),
    )
    for expected in (
        "take your last move back", "  0  draws", "exact values of the solved game", "0, 1, 3, 5, 6, 7, 8",
        "Two seats place one of their marks in turn", f"written to {file}", "X resigns.", "perfect (O) wins\n",
    ):  # fmt: skip
        assert expected in out
    assert out.count("X plays 4") == 2
    (record,) = read_records(file)
    assert (record.players, record.actions[0], record.plies) == (("human", "perfect"), 4, 2)


def test_new_and_swap_and_the_records_of_all_contests(typed, tmp_path: Path) -> None:
    file = tmp_path / "all.json"
    out = typed(f"tic_tac_toe --seed 1 --against worst --save {file}", "4", "swap", "new", "resign", "new", "swap", "q")
    assert out.count("You play O; X is played by worst") == 3
    records = read_records(file)
    assert [record.players for record in records] == [("worst", "human"), ("worst", "human"), ("human", "worst")][
        : len(records)
    ]
    assert (records[0].cut, records[1].outcome) == (True, 1)
    assert records[0].actions[0] == 4


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("nonsense", "'nonsense' is not allowed here; allowed: 0, 1, 2"),
        ("unod", "help lists the commands"),
        ("", "type a move, such as 4, or help"),
        ("hint x", "hint x is not allowed"),
        ("hint 0", "count=0 is not allowed"),
        ("undo", "there is no move of yours to take back"),
        ("save", "save needs the name of a file"),
        ("save x.txt", "the name of a record ends in .json"),
        ("save /nowhere/x.json", "/nowhere"),
    ],
)
def test_bad_input_is_one_sentence_and_asked_again(typed, line: str, sentence: str) -> None:
    out = typed("tic_tac_toe --seed 1 --against perfect", line, "4", "q")
    assert sentence in out
    assert "X plays 4" in out


def test_after_the_end_one_may_take_back_or_begin_anew(typed) -> None:
    out = typed("tic_tac_toe --seed 1 --against worst", "4", "resign", "undo", "resign", "hint", "4", "new", "q")
    assert out.count("X resigns.") == 2
    assert "the contest is over; type new for another one" in out
    assert "the contest is over: type new, undo, save or quit" in out
    assert "You have left the contest." in out


@pytest.mark.parametrize("answers", [["2x3"], ["2", "x3"], ["2 3"], ["2", " X3 "]])
def test_a_whole_turn_is_printed_as_one_move(capfd: pytest.CaptureFixture[str], answers: list[str]) -> None:
    opponent = set_up("five_mens_morris", "random", "normal", None, explain=False)
    contests = PlayAtTerminal(opponent, 0, 1, explain=False, save=None)
    contests.session = PlaySession(opponent.game, (None, None), (1,))
    for answer in ("0", "3", "1", "4", *answers):
        contests.answer(answer)
    out = capfd.readouterr().out
    assert out.count(" plays ") == 5
    assert "black plays 2x3\n" in out


def test_a_turn_of_dice_is_typed_as_the_example_shows_it(typed) -> None:
    out = typed("backgammon --seed 3 --against random", "q")
    found = re.search(r"such as (.+), or help: ", out)
    assert found
    again = typed("backgammon --seed 3 --against random", found[1], "q")
    assert f"white plays {found[1]}\n" in again
    assert re.search(r"^black plays ", again, flags=re.MULTILINE)


def test_two_people_play_at_one_terminal(typed) -> None:
    out = typed("tic_tac_toe --against human", *"03", "swap", "undo", "4", *"182", "q")
    assert "You play X; O is played by another person at this terminal." in out
    assert "Your move (O), such as 5, or help: " in out
    assert "people play both seats" in out
    assert "X has the line 0, 1 and 2.\nyou (X) win\n5 plies" in out
    assert "O resigns.\nyou (X) win" in typed("tic_tac_toe --against human", "4", "resign")


def test_what_the_cube_allows_is_named(typed) -> None:
    lines = ("nonsense", "ROLL", "q")
    for seed in range(3):
        opening = typed(f"backgammon(cube=True) --seed {seed} --against random", "q")
        found = re.search(r"such as (\S.*), or help: ", opening)
        assert found
        out = typed(f"backgammon(cube=True) --seed {seed} --against random", found[1], *lines)
        if "'nonsense' is not allowed here; allowed: roll, double" in out:
            assert "white: roll" in out
            return
        assert "'nonsense' is not allowed here; allowed: take, drop" in out


def test_options_that_do_not_go_together(refused: Run) -> None:
    for words, sentence in (
        (("tic_tac_toe", "--level", "easy", "--against", "perfect"), "give one of them"),
        (("tic_tac_toe", "--window"), "there is no window any more; boardgames web plays by clicks"),
        (("tic_tac_toe", "--level", "master"), "the levels are: easy, normal, hard, perfect"),
        (("qubic", "--level", "perfect"), "nothing here plays qubic perfectly; its levels are: easy, normal, hard"),
        (("tic_tac_toe", "--watch", "human"), "people cannot be watched"),
    ):
        assert sentence in refused("play", *words)


def test_watching_pauses(boardgames: Run) -> None:
    words = ("play", "tic_tac_toe", "--watch", "perfect", "--against", "perfect", "--seed", 1)
    began = time.monotonic()
    out = boardgames(*words, "--delay", "0.02")
    assert time.monotonic() - began > 8 * 0.02
    assert out.startswith("tic_tac_toe: perfect (X) v. perfect (O)\n")
    assert "The board is full.\na draw\n9 plies; seed 1\n" in out
    assert boardgames(*words) == out


@over(sampled(EACH_GAME, one_in=6))
def test_the_drawing_without_its_colours_is_the_text(game: Game) -> None:
    position = game.initial
    while position.awaits_chance:
        position = position.events()[0].position
    later = position.after(position.legal_actions[0])
    assert board_text(later, position, line=(0, 1)).plain == later.text
    styles = {span.style for span in board_text(later, position).spans}
    assert any("cyan" in str(style) or "yellow" in str(style) for style in styles)


def test_men_and_the_last_move_and_the_line_are_marked() -> None:
    opponent = set_up("tic_tac_toe", "worst", "normal", None, explain=False)
    contests = PlayAtTerminal(opponent, 0, 1, explain=False, save=None)
    position = contests.session.position.play(4)
    drawn = board_text(position, contests.session.position, line=())
    marked = {drawn.plain[span.start : span.end]: str(span.style) for span in drawn.spans}
    assert marked["X"] == "reverse", "the last style counts"
    assert marked["0"] == "dim"
    assert "on green" in str(board_text(position, None, line=(4,)).spans[4].style)


# (a shell's background jobs begin with Ctrl-C ignored)
_PROGRAM = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from boardgames_cli.main import main
main()
"""


class Terminal:
    """A command at a pseudo-terminal of 80 columns."""

    def __init__(self, process: "subprocess.Popen[bytes]", keyboard: int) -> None:
        self._process, self._keyboard = process, keyboard
        self.shown = ""

    def until(self, text: str, within: float = 60.0) -> str:
        """Read until a text is shown; return what is shown since the last line was typed."""
        began = time.monotonic()
        while text not in self.shown:
            assert time.monotonic() - began < within, f"{text!r} is not shown: {self.shown}"
            ready, _, _ = select.select([self._keyboard], [], [], 0.1)
            if ready:
                try:
                    self.shown += os.read(self._keyboard, 65536).decode()
                except OSError:  # (the end of the command, on Linux)
                    assert text in self.shown, self.shown
        return self.shown

    def type(self, line: str, until: str) -> str:
        self.shown = ""
        os.write(self._keyboard, line.encode())
        return self.until(until)

    def interrupted(self, until: str) -> str:
        """Press Ctrl-C, again if nothing happens: between a prompt and the reading of a line Python does not notice."""
        for _ in range(20):
            time.sleep(0.3)
            self.shown = ""
            self._process.send_signal(signal.SIGINT)
            with suppress(AssertionError):
                return self.until(until, within=3.0)
        raise AssertionError(f"{until!r} is not shown")

    def ends_with(self) -> int:
        return self._process.wait(timeout=30)


@contextmanager
def terminal(*words: object) -> Iterator[Terminal]:
    pty = pytest.importorskip("pty", reason="pseudo-terminals are a Unix thing")
    keyboard, inside = pty.openpty()
    command = [sys.executable, "-c", _PROGRAM, *map(str, words)]
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "80", "LINES": "40"}
    process = subprocess.Popen(command, stdin=inside, stdout=inside, stderr=inside, cwd=ROOT, env=environment)
    os.close(inside)
    try:
        yield Terminal(process, keyboard)
    finally:
        process.kill()
        process.wait()
        os.close(keyboard)


@pytest.mark.slow
def test_a_contest_at_a_terminal_has_colours_and_is_left_by_ctrl_c() -> None:
    with terminal("play", "tic_tac_toe", "--seed", 1, "--level", "easy") as seen:
        assert "Starting ..." in (begins := seen.until("Starting"))
        assert "You" not in begins
        assert "You play X" in (opening := seen.until("Your move ("))
        assert "\x1b[" in opening, "colours"
        assert "O plays" in seen.type("4\n", "Your move (")
        assert "You have left the contest." in seen.interrupted("left the contest.")
        assert seen.ends_with() == 0


class Typed(StringIO):
    """Lines that are typed at a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_replay_steps_on_and_back(boardgames: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "contest.json"
    record = tournament("tic_tac_toe", "perfect", "worst", 1, 0, records=True).records[0]
    write_records(file, [record])
    monkeypatch.setattr(sys, "stdin", Typed("\n\nb\nB\nb\n" + "\n" * record.plies + "\n"))
    out = boardgames("replay", file)
    steps = [int(step) for step in re.findall(r"\[(\d+) of \d+\]", out)]
    assert steps == [0, 1, 2, 1, 0, 0, *range(1, record.plies + 1)]
    assert "X has the line" in out
    assert out.count("perfect (X) wins") == 1
    for leaving in ("\nq\n", ""):
        monkeypatch.setattr(sys, "stdin", Typed(leaving))
        assert "wins" not in boardgames("replay", file)


@pytest.mark.slow
def test_a_replay_at_a_terminal(tmp_path: Path) -> None:
    file = tmp_path / "contest.json"
    write_records(file, tournament("tic_tac_toe", "perfect", "worst", 1, 0, records=True).records)
    with terminal("replay", file) as seen:
        assert "[0 of" in seen.until("> ")
        assert "plays" in seen.type("\n", "[1 of")
        seen.type("b\n", "leave > ")
        assert "You have" not in seen.interrupted("\n")
        assert seen.ends_with() == 0


@pytest.mark.slow
def test_the_end_of_the_input_leaves_politely() -> None:
    with terminal("play", "tic_tac_toe", "--seed", 1) as seen:
        seen.until("Your move (")
        assert "You have left the contest." in seen.type("\x04", "left the contest.")
        assert seen.ends_with() == 0
    with terminal("play", "tic_tac_toe", "--watch", "random", "--delay", 30) as seen:
        seen.until("plays")
        assert "You have left the contest." in seen.interrupted("left the contest.")
        assert seen.ends_with() == 0


def test_a_match_is_told_game_by_game(typed) -> None:
    out = typed("hypergammon(match_length=5) --watch random --against random --seed 3 --delay 0")
    scores = [tuple(map(int, each)) for each in re.findall(r"the score is white (\d), black (\d)$", out, re.MULTILINE)]
    assert scores
    assert all(max(each) < 5 for each in scores)
    assert all(one[0] <= other[0] and one[1] <= other[1] and one != other for one, other in pairwise(scores))
    assert re.search(r"^random \((white|black)\) wins$", out, re.MULTILINE)
