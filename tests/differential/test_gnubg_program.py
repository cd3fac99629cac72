"""The program GNU Backgammon: it reads our match files, and plays as an agent."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from subprocess import PIPE, STDOUT

import numpy as np
import pytest

from boardgames_agents.arena.tournament import tournament
from boardgames_agents.backgammon.gnubg_engine import gnubg_program, start_gnubg
from boardgames_agents.registry import make_agent
from boardgames_env import BadInputError, Game, Position, make_game
from boardgames_env.contest import turns
from boardgames_env.games.backgammon.notation.match_file import read_match, write_match
from boardgames_env.games.backgammon.notation.matches import Match
from boardgames_env.games.backgammon.notation.position_id import match_options, parse_position, xgid
from boardgames_env.games.backgammon.rules import backgammon_board as board
from tests.boardgames_env.games.backgammon_contests import assert_same_contests, played_match, position_of
from tests.boardgames_env.games.written_matches import Writer, dialects, match_to_write
from tests.positions import Dice

pytestmark = [
    pytest.mark.skipif(gnubg_program() is None, reason="GNU Backgammon's program `gnubg` is not installed"),
    pytest.mark.slow,
]

MATCH = "backgammon(cube=True, match_length=7)"
MONEY = ("backgammon", "backgammon(cube=True)", "hypergammon")


@pytest.mark.parametrize("spec", ["hypergammon(cube=True,match_length=7)", "backgammon(match_length=3)", *MONEY])
def test_gnu_backgammon_reads_and_writes_the_same_contests(spec: str, tmp_path: Path) -> None:
    match = played_match(spec, 2)
    write_match(tmp_path / "ours.mat", match)
    said_by_gnubg(['import mat "ours.mat"', 'export match mat "theirs.mat"'], tmp_path)
    read = read_match(tmp_path / "theirs.mat")
    assert (read.game, read.length, read.starts) == (match.game.at_score(None), match.length, match.starts)
    assert match.length or read.players == match.players
    assert_same_contests(read, match)


COMPLAINTS = ("Unrecogni", "WARNING", "not a valid .mat file", "Take record", "Drop record", "errors")
"""What GNU Backgammon prints of a file that it cannot read, or reads in part."""

DIFFERENCES = {
    ("heading", " GAME {k}:"): "GNU Backgammon finds no game, and does not say so",
    ("heading", "  game {k} - of the final"): "GNU Backgammon finds no game, and does not say so",
    ("end", "Resigned"): "GNU Backgammon skips who resigns, and without the winner's line nobody wins",
    ("columns", "exchanged"): "GNU Backgammon takes the names of the first game throughout; we go by the names",
}
"""Ways of writing that GNU Backgammon reads otherwise, as the scores and names of the file show."""


def said_by_gnubg(commands: Sequence[str], folder: Path) -> str:
    """What GNU Backgammon prints for some commands."""
    words = [str(gnubg_program()), "--tty", "--quiet", "--no-rc"]
    given = "\n".join([*commands, "quit", "y", ""])
    done = subprocess.run(
        words, input=given, cwd=folder, encoding="utf-8", stdout=PIPE, stderr=STDOUT, timeout=500, check=True
    )
    return done.stdout


def has_beaver(match: Match) -> bool:
    """Whether a double is beavered. (GNU Backgammon 1.07 then writes a beaver that nobody has played at the end.)"""
    return any(board.BEAVER in contest.actions for contest in match.contests)


def test_texts_in_any_dialect_go_through_gnu_backgammon(tmp_path: Path) -> None:
    """Where it reads all of a text, it finds the same score, plays, cube and winner. `DIFFERENCES` lists the others."""
    ours_path, path, compared, different = tmp_path / "ours.mat", tmp_path / "theirs.mat", 0, set[tuple[str, str]]()
    matches = [match for match in map(match_to_write, range(36)) if not has_beaver(match)]
    for number, dialect in enumerate(islice(dialects(3_000), 300)):
        match = matches[number % len(matches)]
        path.unlink(missing_ok=True)
        ours_path.write_text(Writer(match, dialect).text(), encoding="utf-8", newline="")
        ours = read_match(ours_path)
        assert_same_contests(ours, match)
        try:
            said = said_by_gnubg(['import mat "ours.mat"', 'export match mat "theirs.mat"'], tmp_path)
        except subprocess.CalledProcessError:  # (some text that it does not understand ends it)
            continue
        if any(complaint in said for complaint in COMPLAINTS):
            continue
        if found := set(vars(dialect).items()) & set(DIFFERENCES):
            try:
                assert_same_contests(read_match(path, match.game), match)
            except (AssertionError, BadInputError):
                different |= found
            continue
        theirs = read_match(path, match.game)
        assert (theirs.length, theirs.scores, theirs.scores_after) == (ours.length, ours.scores, ours.scores_after)
        assert_same_contests(theirs, ours)
        compared += 1
    assert compared > 80
    assert different == set(DIFFERENCES)


def test_gnu_backgammon_counts_a_resignation_after_a_double_twice(tmp_path: Path) -> None:
    """The file says 1 point, and so do we: the double has not been taken."""
    text = (
        " 0 point match\n\n Game 1\n a : 0    b : 0\n  1) 31: 8/5 6/5                42: 8/4 6/4\n  2)  Doubles => 2\n"
    )
    (tmp_path / "ours.mat").write_text(f"{text}      Wins 1 point\n", encoding="utf-8")
    said_by_gnubg(['import mat "ours.mat"', 'export match mat "theirs.mat"'], tmp_path)
    assert read_match(tmp_path / "ours.mat").contests[0].outcome == 1
    assert "Wins 2 points" in (tmp_path / "theirs.mat").read_text(encoding="utf-8")


@pytest.mark.parametrize("spec", ["backgammon(cube=True, jacoby=True)", "backgammon(cube=True)", MATCH])
def test_ids_of_gnu_backgammon_are_read(spec: str, tmp_path: Path) -> None:
    match = played_match(spec, 1)
    write_match(tmp_path / "match.mat", match)
    rule = f"set jacoby {'on' if 'jacoby' in spec else 'off'}"
    last = len(match.contests) - 1
    steps = ["first game", *["next game"] * last, *["next", "show board"] * 60]
    said = said_by_gnubg([rule, 'import mat "match.mat"', *steps], tmp_path)
    start, contest = match.starts[last], match.contests[last]
    score = start.game.score(start.state) if start.game.score else None
    reached = {xgid(turn.before) for turn in turns(start, contest.actions, contest.events) if turn.before != start}
    seen = set[str]()
    for position_id, match_id in re.findall(r"Position ID: (\S+)\s+Match ID   : (\S+)", said):
        text = f"GNUBGID {position_id}:{match_id}"
        with suppress(BadInputError):  # (the first is of a game that is over)
            game = make_game("backgammon(cube=True)", **match_options(text))
            seen.add(xgid(parse_position(game, text)))
            assert game.spec == start.game.at_score(score).spec
    assert len(seen) > 20
    assert seen <= reached


@pytest.mark.parametrize("spec", ["backgammon", "backgammon(cube=True, jacoby=True, beavers=True)", MATCH])
def test_contests_with_the_program(spec: str) -> None:
    game = make_game(spec)
    score = tournament(game, "gnubg_engine", "td_gammon", 60, (3,)).score
    assert score.contests == 60
    assert 15 <= score.wins <= 45


def test_its_contests_are_the_same_again() -> None:
    game = make_game("backgammon(cube=True)")
    first, again = (tournament(game, "gnubg_engine", "pubeval", 10, (1,)).score for _ in range(2))
    assert first == again


EVEN = {6: 4, 5: 4, 4: 4, board.OFF: 3}
"""A race, in which the seat to roll wins 61 %."""

AHEAD, BEHIND = {6: 3, 5: 3, 4: 3, board.OFF: 6}, {6: 5, 5: 5, 4: 5}


def at_score(score: tuple[int, int], own: dict[int, int], other: dict[int, int], **options: object) -> Position:
    text = "".join(f", {name}={value}" for name, value in options.items())
    game = make_game(f"backgammon(cube=True, match_length=7, score={score}{text})")
    return position_of(game, own, other, (), stage=board.DOUBLING)


@pytest.mark.parametrize("seat", [0, 1])
def test_its_cube_at_money(seat: int) -> None:
    game = make_game("backgammon(cube=True)")
    player = make_agent("gnubg_engine", game)
    ahead = position_of(game, AHEAD, BEHIND, (), seat, stage=board.DOUBLING)
    even = position_of(game, EVEN, EVEN, (), seat, stage=board.DOUBLING)
    behind = position_of(game, BEHIND, AHEAD, (), seat, stage=board.DOUBLING)
    chosen = [(player.choose(each), player.choose(each.play(board.DOUBLE))) for each in (ahead, even, behind)]
    assert chosen == [(board.DOUBLE, board.DROP), (board.ROLL, board.TAKE), (board.ROLL, board.TAKE)]


def test_its_cube_at_the_score_of_a_match() -> None:
    """After the Crawford game the seat that trails doubles at once, and the other never."""
    for score, decision in (((5, 6), board.DOUBLE), ((6, 5), board.ROLL)):
        position = at_score(score, EVEN, EVEN, post_crawford=True)
        assert make_agent("gnubg_engine", position.game).choose(position) == decision


def test_its_takes_are_nearly_those_of_the_doubling_formula() -> None:
    """With the points of the two seats exchanged, one in twenty would differ."""
    for score in ((5, 0), (0, 5)):
        game = make_game(f"backgammon(cube=True, match_length=7, score={score})")
        ours, theirs = make_agent("td_gammon", game), make_agent("gnubg_engine", game)
        asked = [each for each in positions_with_the_cube(game, 40) if each.state[board.STAGE] == board.DOUBLED]
        differ = [ours.choose(each) != theirs.choose(each) for each in asked]
        assert len(differ) > 500
        assert np.mean(differ) < 0.03


def positions_with_the_cube(game: Game, contests: int) -> list[Position]:
    """Positions of td_gammon's contests with itself, in which nobody doubles: before each roll, and doubled there."""
    player, found = make_agent("td_gammon", game), list[Position]()
    for seed in range(contests):
        dice, position = Dice(game, seed), game.initial
        position = dice.settled(position)
        while not position.is_over:
            if position.state[board.STAGE] == board.DOUBLING:
                found += [position, position.play(board.DOUBLE)]
            action = player.choose(position) if position.state[board.STAGE] == board.MOVING else board.ROLL
            position = dice.settled(position.play(action))
    return found


def test_the_program_is_ended() -> None:
    process = start_gnubg(0, cubeful=False)
    (program,) = programs_of(process.shell.pid)
    process.end()
    assert not is_running(program)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP, signal.SIGKILL])
def test_the_program_ends_with_its_process(number: signal.Signals) -> None:
    """Ctrl-C and the end of a terminal reach every process of the group."""
    code = f"from {start_gnubg.__module__} import *; found = start_gnubg(0, False); print(found.shell.pid); input()"
    with subprocess.Popen(
        [sys.executable, "-uc", code], stdin=PIPE, stdout=PIPE, stderr=PIPE, start_new_session=True
    ) as started:
        assert started.stdout is not None
        (program,) = programs_of(int(started.stdout.readline()))
        os.killpg(started.pid, number) if number != signal.SIGKILL else started.kill()
        started.communicate(timeout=20)
    ends = time.monotonic() + 10
    while is_running(program) and time.monotonic() < ends:
        time.sleep(0.05)
    assert not is_running(program)


def test_a_program_that_has_ended_is_a_sentence() -> None:
    game = make_game("backgammon")
    player = make_agent("gnubg_engine", game)
    position = Dice(game, 1).settled(game.initial)
    player.begin(game, (0, 1), np.random.default_rng(0))
    player.choose(position)
    programs = [program for child in children(os.getpid()) for program in programs_of(child)]
    assert programs
    for program in programs:
        os.kill(program, signal.SIGKILL)
    player.begin(game, (0, 1), np.random.default_rng(0))
    for _ in range(2):
        with pytest.raises(BadInputError, match=r"the GNU Backgammon that the agent has started (has closed|does not)"):
            player.choose(position)


def children(parent: int) -> list[int]:
    """The processes that a process has started."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # (processes end meanwhile)
            if int(path.read_text(encoding="utf-8").rpartition(")")[2].split()[1]) == parent:
                found.append(int(path.parent.name))
    return found


def programs_of(shell: int) -> list[int]:
    """The processes of GNU Backgammon that a shell has started; none if the process is no such shell."""
    found = []
    for child in children(shell):
        with suppress(OSError):
            if b"gnubg" in Path(f"/proc/{child}/cmdline").read_bytes():
                found.append(child)
    return found


def is_running(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
