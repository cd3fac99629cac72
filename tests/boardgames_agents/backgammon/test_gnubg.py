"""GNU Backgammon as a player: what is sent to a running one, what it may answer, and what is said if there is none."""

import copy
import pickle
import socket
import socketserver
import sys
import threading
from collections.abc import Callable, Iterator

import numpy as np
import pytest

from boardgames_agents.backgammon.gnubg_engine import GnubgEngine, fibs_board, played
from boardgames_agents.registry import make_agent
from boardgames_env import BadInputError, Game, Position, make_game
from boardgames_env.games.backgammon.rules.backgammon_board import CUBE, DOUBLING, MOVING, OWNER
from boardgames_env.spec import Spec
from tests.boardgames_env.games.backgammon_contests import position_of
from tests.positions import turn_of

GAME = "backgammon(cube=True)"

# a line and its answer, from the mailing list bug-gnubg, 14 February 2008 (but for the names, and the score of a match)
BOARD = "0:-1:-1:0:0:0:5:0:3:0:0:0:-4:5:0:0:0:-4:0:-5:0:0:0:0:2:0"
DICE_2_1 = "1:2:1"
ANSWER = "13/11 24/23"


def recorded(game: Game | str, seat: int, dice: tuple[int, ...] = (2, 1)) -> Position:
    """The position of that line, seen by a seat."""
    men = dict(enumerate(map(int, BOARD.split(":")[1:-1]), start=1))
    own = {point: number for point, number in men.items() if number > 0}
    other = {25 - point: -number for point, number in men.items() if number < 0}
    return position_of(game, own, other, dice, seat, stage=MOVING if dice else DOUBLING)


class Engine(socketserver.ThreadingTCPServer):
    """A socket that answers lines, as GNU Backgammon's ``external`` command does."""

    daemon_threads = True

    def __init__(self, answer: Callable[[str], str]) -> None:
        super().__init__(("localhost", 0), self.Handler)
        self.answer, self.port, self.heard = answer, self.server_address[1], list[str]()
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.01}).start()

    class Handler(socketserver.StreamRequestHandler):
        server: "Engine"

        def handle(self) -> None:
            for line in self.rfile:
                self.server.heard.append(line.decode().rstrip("\n"))
                reply = self.server.answer(line.decode())
                if not reply:
                    return
                self.wfile.write(reply.encode())


@pytest.fixture
def engine() -> Iterator[Callable[[Callable[[str], str]], Engine]]:
    started: list[Engine] = []

    def start(answer: Callable[[str], str]) -> Engine:
        started.append(Engine(answer))
        return started[-1]

    yield start
    for each in started:
        each.shutdown()
        each.server_close()


@pytest.mark.parametrize("seat", [0, 1])
def test_a_recorded_exchange(engine: Callable[..., Engine], seat: int) -> None:
    running = engine(lambda line: f"{ANSWER}\n")
    player = make_agent(f"gnubg_engine(port={running.port})", make_game("backgammon"))
    texts, _ = turn_of(player, recorded("backgammon", seat))
    assert sorted(texts) == ANSWER.split()
    (line,) = running.heard  # it is asked once a turn
    assert line.startswith(f"board:seat:other:0:0:0:{BOARD}:{DICE_2_1}:2:1:1:1:1:0:1:-1:0:25:0:0:")
    assert line.endswith(" jacobyrule off")
    assert len(line) < 255  # all that GNU Backgammon reads of a line
    assert len(line.split(" ")[0].split(":")) == 53


def test_it_decides_about_the_cube(engine: Callable[..., Engine], game: Game) -> None:
    replies = iter(["double\n", "roll\n", "take\n", "drop\n", "beaver\n", "roll\n"])
    running = engine(lambda line: next(replies))
    player = make_agent(f"gnubg_engine(port={running.port})", game)
    asked = recorded(game, 0, dice=())
    assert game.action_text(player.choose(asked)) == "double"
    assert game.action_text(player.choose(asked)) == "roll"
    assert all(f":{BOARD}:1:0:0:0:0:1:1:1:0:" in line for line in running.heard)
    doubled = asked.play(game.parse_action("double"))
    assert [game.action_text(player.choose(doubled)) for _ in range(3)] == ["take", "drop", "take"]
    assert all(":-1:0:0:0:0:1:1:1:1:" in line for line in running.heard[2:])  # (the other seat is to roll)
    with pytest.raises(BadInputError, match="'roll', which is not understood"):
        player.choose(doubled)


def test_it_beavers_where_it_may(engine: Callable[..., Engine]) -> None:
    game = make_game("backgammon(cube=True, beavers=True)")
    running = engine(lambda line: "beaver\n")
    player = make_agent(f"gnubg_engine(port={running.port})", game)
    doubled = recorded(game, 1, dice=()).play(game.parse_action("double"))
    beavered = doubled.play(player.choose(doubled))
    assert game.action_text(player.choose(beavered)) == "take"
    assert len(running.heard) == 1


def test_the_score_of_a_match_is_sent(engine: Callable[..., Engine]) -> None:
    """(GNU Backgammon 1.07 reads the points of the seat that does not roll first.)"""
    game = make_game("backgammon(cube=True, match_length=7, score=(4, 6), post_crawford=True)")
    replies = iter(["double\n", "take\n"])
    running = engine(lambda line: next(replies))
    player = make_agent(f"gnubg_engine(port={running.port})", game)
    asked = recorded(game, 0, dice=())
    doubled = asked.play(player.choose(asked))
    player.choose(doubled)
    assert len(running.heard) == 2
    for line in running.heard:
        assert line.startswith("board:seat:other:7:6:4:")
        assert line.split()[0].endswith(":1:0")


def test_its_probabilities(engine: Callable[..., Engine], game: Game) -> None:
    running = engine(lambda line: "0.74 0.2 0.05 0.1 0 0.48\n")
    player = make_agent(f"gnubg_engine(port={running.port}, plies=2)", game)
    assert isinstance(player, GnubgEngine)
    (found,) = player.outcome_probabilities(recorded(game, 0, dice=()).state[np.newaxis])
    assert found.tolist() == pytest.approx([0.54, 0.15, 0.05, 0.16, 0.1, 0.0])
    (line,) = running.heard
    assert line.startswith("evaluation fibsboard board:")
    assert line.endswith(" plies 2 cubeless")


def test_whose_the_cube_is(game: Game) -> None:
    state = recorded(game, 1, dice=()).state.copy()
    state[CUBE], state[OWNER] = 3, -1
    assert ":1:0:0:0:0:8:1:0:0:1:-1:0:25:" in fibs_board(state, (0, 0))
    state[OWNER] = 1
    assert ":1:0:0:0:0:8:0:1:0:1:-1:0:25:" in fibs_board(state, (0, 0))


OWN = [1, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1]
OTHER = [1, 0, 0, 0, 0, 5, 1, 3, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0]


@pytest.mark.parametrize(
    ("text", "left", "reached", "hit"),
    [
        ("bar/24*", [25], [24], [1]),
        ("bar/24* 24/18*", [25], [18], [1, 7]),
        ("24/18*/13", [24], [13], [7]),
        ("13/7(2) 8/off", [13, 13, 8], [7, 7], []),
        ("6/off 1/off", [6, 1], [], []),
    ],
)
def test_plays_are_read(text: str, left: list[int], reached: list[int], hit: list[int]) -> None:
    own, other = list(OWN), list(OTHER)
    for point in left:
        own[point - 1] -= 1
    for point in reached:
        own[point - 1] += 1
    for point in hit:
        other[point - 1] -= 1
        other[24] += 1
    assert played(text, OWN, OTHER) == (own, other)


@pytest.mark.parametrize("text", ["", "roll", "8/5 6-5", "26/24", "off/3", "8/bar", "8"])
def test_what_is_no_play_is_refused(text: str) -> None:
    with pytest.raises(BadInputError, match="is not a play"):
        played(text, OWN, OTHER)


@pytest.mark.parametrize(
    ("reply", "error", "dice"),
    [
        ("Error: badly formed board\n", "Error: badly formed board", (2, 1)),
        ("24/20 13/11\n", "illegal play", (2, 1)),
        ("resign\n", "'resign' is not a play", (2, 1)),
        ("", "closed the connection", (2, 1)),
        ("13/11 24/23\n", "which is not understood", ()),
    ],
)
def test_bad_answers(engine: Callable[..., Engine], reply: str, error: str, dice: tuple[int, ...], game: Game) -> None:
    running = engine(lambda line: reply)
    player = make_agent(f"gnubg_engine(port={running.port})", game)
    player.begin(game, (0,), np.random.default_rng(0))
    with pytest.raises(BadInputError, match=error):
        player.choose(recorded(game, 0, dice))


def test_no_engine() -> None:
    with socket.create_server(("localhost", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(BadInputError, match=f"no GNU Backgammon answers at localhost:{port} .*external"):
        make_agent(f"gnubg_engine(port={port})", make_game("backgammon"))


@pytest.mark.parametrize("host", ["../..", "a" * 300, "a\0b"])
def test_a_host_that_cannot_be_one(host: str) -> None:
    with pytest.raises(BadInputError, match="no GNU Backgammon answers at"):
        make_agent(Spec("gnubg_engine", {"host": host, "port": 4321}), make_game("backgammon"))


def test_a_host_needs_a_port() -> None:
    with pytest.raises(BadInputError, match="host='elsewhere' needs a port"):
        make_agent("gnubg_engine(host='elsewhere')", make_game("backgammon"))


def test_it_cannot_be_copied(engine: Callable[..., Engine]) -> None:
    player = make_agent(f"gnubg_engine(port={engine(str).port})", make_game("backgammon"))
    for copied in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(BadInputError, match="cannot be copied; make another one"):
            copied(player)


def test_no_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boardgames_agents.backgammon.gnubg_engine.gnubg_program", lambda: None)
    with pytest.raises(BadInputError, match="needs the program GNU Backgammon, and there is no gnubg on the path"):
        make_agent("gnubg_engine", make_game("backgammon"))


def test_no_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gnubg_nn", None)
    with pytest.raises(BadInputError, match=r"needs the package gnubg-nn.*boardgames-env\[gnubg\]"):
        make_agent("gnubg", make_game("backgammon"))
