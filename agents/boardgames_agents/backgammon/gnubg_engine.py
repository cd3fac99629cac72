"""The program GNU Backgammon as a player, over its socket for external controllers."""

import os
import re
import shutil
import socket
import subprocess
import sys
import time
import weakref
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Annotated, NoReturn, TextIO

from boardgames_agents.backgammon.gnubg import MOST_PLIES, GnubgPlayer, Side, side
from boardgames_agents.registry import agent
from boardgames_env.errors import BadInputError, require
from boardgames_env.game import Game
from boardgames_env.games.backgammon.rules.backgammon_board import (
    BAR,
    BEAVER,
    BEAVERED,
    CUBE,
    DOUBLE,
    DOUBLED,
    DROP,
    OFF,
    OWNER,
    POINTS,
    ROLL,
    STAGE,
    TAKE,
    BackgammonRules,
)
from boardgames_env.kernels import State
from boardgames_env.match_score import MatchScore
from boardgames_env.position import Position
from boardgames_env.spec import Elsewhere, Quick

PROGRAM = "gnubg"

_ELSEWHERE = "/usr/games"
"""Debian's folder for games, which is often not on the path of services and of root."""

_PATIENCE_AT_START = 30.0  # seconds from the start to an answer

_SCRIPT = """trap '' INT QUIT HUP
printf '%s\\n' "$1" | "$0" --tty --quiet --no-rc > /dev/null 2>&1 &
read _
kill $! 2> /dev/null
wait"""
"""Ends the program when the script's input has a line or is closed, which happens however this process ends.

Ctrl-C and a closed terminal do not end the script before.
"""

_HERE = "localhost"
_PATIENCE = 120.0  # seconds without an answer until an error
_NAMED = {"bar": BAR, "off": OFF}
_PLAY = re.compile(r"((?:bar|\d+)(?:/(?:off|\d+)\*?)+)(?:\((\d)\))?")
_CUBE_ACTIONS = {"roll": ROLL, "double": DOUBLE, "take": TAKE, "drop": DROP, "beaver": BEAVER}


@agent(
    "gnubg_engine", for_people="GNU Backgammon, the program: as strong as it is set", needs="the program GNU Backgammon"
)
class GnubgEngine(GnubgPlayer):
    """A player by the program GNU Backgammon, which also makes the cube decisions, at the score of a match as well.

    Without a port the agent starts a ``gnubg`` of its own, which must be installed, and stops it when the agent is
    deleted. With a port it connects to a GNU Backgammon that is running with settings of its own: start it with
    ``gnubg --tty``, choose its strength (``set evaluation chequerplay evaluation plies 2``, say; and for a game without
    a cube ``set evaluation chequerplay evaluation cubeful off``), and give it the command ``external localhost:4321``.
    Such a program serves one agent at a time.

    The agent sends a FIBS board: with the dice for a play, without them for a cube decision. It has been tested with
    GNU Backgammon 1.07.

    Args:
        game: Backgammon with 15 men a seat.
        host: The host of a running program.
        port: Its port; 0 to start a program.
        plies: The search depth, from 0 to 3. With a port it applies to probabilities only.

    Raises:
        BadInputError: If the game or the plies are not allowed, no program answers, or it is not installed.
    """

    def __init__(
        self,
        game: Game,
        host: Annotated[str, Elsewhere()] = _HERE,
        port: Annotated[int, Elsewhere()] = 0,
        plies: Annotated[int, Quick(2)] = 0,
    ) -> None:
        super().__init__(game)
        require(0, MOST_PLIES, plies=plies)
        self._plies = plies
        if port:
            self._place = f"the GNU Backgammon at {host}:{port}"
            try:
                connection = socket.create_connection((host, port), timeout=_PATIENCE)
            except (OSError, OverflowError, ValueError) as error:  # (the last for a text that cannot be a host's name)
                raise BadInputError(
                    f"no GNU Backgammon answers at {host}:{port} ({error}); give it the command: external {host}:{port}"
                ) from error
        else:
            if host != _HERE:
                raise BadInputError(f"host={host!r} needs a port, that of the GNU Backgammon that is running there")
            self._place = "the GNU Backgammon that the agent has started"
            process = start_gnubg(plies, cubeful=self._doubler.has_cube)
            connection = process.connection
            weakref.finalize(self, process.end)
        connection.settimeout(_PATIENCE)
        self._lines = connection.makefile("rw", encoding="utf-8", errors="replace", newline="\n")
        for each in (connection, self._lines):
            weakref.finalize(self, _close, each)

    def best_play(self, state: State, dice: tuple[int, int]) -> tuple[Side, Side]:
        """Return the men after its answer to the board with the dice."""
        reply = self._ask(self._board(state, dice))
        seat = int(state[0])
        return played(reply, side(state, seat), side(state, 1 - seat))

    def answer(self, position: Position) -> int:
        """Return the cube action: its answer to the board without dice. A beaver is always taken."""
        state, legal = position.state, position.legal_actions
        if state[STAGE] == BEAVERED:
            return TAKE
        reply = self._ask(self._board(state, (0, 0), is_doubled=bool(state[STAGE] == DOUBLED)))
        action = _CUBE_ACTIONS.get(reply)
        if action == BEAVER and BEAVER not in legal:
            action = TAKE
        if action not in legal:
            raise self._misunderstood(reply)
        return action

    def probabilities(self, state: State) -> Sequence[float]:
        """Return the probabilities of its answer to ``evaluation fibsboard``, without the equity."""
        reply = self._ask(f"evaluation fibsboard {fibs_board(state, (0, 0))} plies {self._plies} cubeless")
        try:
            win, gammon, backgammon, lost_gammon, lost_backgammon, _ = map(float, reply.split())
        except ValueError:
            raise self._misunderstood(reply) from None
        return win, gammon, backgammon, lost_gammon, lost_backgammon

    def _board(self, state: State, dice: tuple[int, int], is_doubled: bool = False) -> str:
        assert isinstance(self.game.family, BackgammonRules)
        jacoby = "on" if self.game.family.jacoby else "off"
        game = self.game.part
        score = game.score(state) if game.score else None
        return f"{fibs_board(state, dice, score, is_doubled)} jacobyrule {jacoby}"

    def _ask(self, line: str) -> str:
        try:
            self._lines.write(f"{line}\n")
            self._lines.flush()
            reply = self._lines.readline()
        except OSError as error:
            raise BadInputError(f"{self._place} does not answer: {error}") from error
        if not reply:
            raise BadInputError(f"{self._place} has closed the connection")
        if reply.startswith("Error"):
            raise self._misunderstood(reply)
        return reply.strip()

    def _misunderstood(self, reply: str) -> BadInputError:
        return BadInputError(f"{self._place} answers {reply.strip()!r}, which is not understood")

    def __reduce__(self) -> NoReturn:
        raise BadInputError("an agent that is connected to GNU Backgammon cannot be copied; make another one")


def _close(stream: socket.socket | TextIO) -> None:
    with suppress(OSError):  # (that of a program that has ended)
        stream.close()


def fibs_board(state: State, dice: tuple[int, int], score: MatchScore | None = None, is_doubled: bool = False) -> str:
    """Return a state as a line of the First Internet Backgammon Server ("board style 3").

    Its fields are described at http://www.fibs.com/fibs_interface.html#board_state; GNU Backgammon takes a match
    length of 0 for money play. The seat's own men are positive and move down to point 1. (GNU Backgammon 1.07 expects
    the points of the seat that is not on roll in the first of the two fields of the score.)

    Args:
        state: The state.
        dice: The roll, or ``(0, 0)`` before it.
        score: The score of the match, ``None`` for money play.
        is_doubled: Whether the other seat has doubled, and the seat must take or drop.
    """
    seat = int(state[0])
    own, other = side(state, seat), side(state, 1 - seat)
    points = [mine - theirs for mine, theirs in zip(own[:POINTS], reversed(other[:POINTS]), strict=True)]
    board = [-other[POINTS], *points, own[POINTS]]
    owner = int(state[OWNER]) * (1 - 2 * seat)
    cube = [2 ** int(state[CUBE]), int(owner >= 0), int(owner <= 0)]
    turn, colour, direction, home, bar = -1 if is_doubled else 1, 1, -1, 0, 25
    off = [15 - sum(own), 15 - sum(other)]
    rolls = 1 - seat if is_doubled else seat
    match = [score.length, score.points[1 - rolls], score.points[rolls]] if score else [0, 0, 0]
    rest = [0, 0, 0, 0, int(score is not None and score.is_post_crawford), 0]  # (0: what it does not read)
    fields = [*match, *board, turn, *dice, *dice, *cube, int(is_doubled), colour, direction, home, bar, *off, *rest]
    return ":".join(["board", "seat", "other", *map(str, fields)])


def played(text: str, own: Side, other: Side) -> tuple[Side, Side]:
    """Return the men of both sides after a play.

    Args:
        text: The play as GNU Backgammon writes it, such as ``8/5 6/5``, ``bar/20*(2)`` or ``24/18*/13``; a man stops
            wherever it hits.
        own: The men of the side that plays.
        other: The men of the other side.

    Raises:
        BadInputError: If the text is not a play of these men.
    """
    left, hit = list(own), list(other)
    if not text or _PLAY.sub("", text).strip():
        raise BadInputError(f"{text!r} is not a play")
    for written, times in _PLAY.findall(text):
        stops = [_NAMED[stop] if stop in _NAMED else int(stop) for stop in written.replace("*", "").split("/")]
        if max(stops) > BAR or BAR in stops[1:] or OFF in stops[:-1]:
            raise BadInputError(f"{text!r} is not a play")
        for _ in range(int(times or 1)):
            left[stops[0] - 1] -= 1
            if stops[-1] != OFF:
                left[stops[-1] - 1] += 1
        for stop in stops[1:]:
            if stop != OFF and hit[POINTS - stop] == 1:
                hit[POINTS - stop] = 0
                hit[BAR - 1] += 1
    return left, hit


@dataclass(frozen=True)
class GnubgProcess:
    """A GNU Backgammon that has been started.

    Attributes:
        connection: A connection to it.
        shell: The script that ends it.
    """

    connection: socket.socket
    shell: "subprocess.Popen[bytes]"

    def end(self) -> None:
        """End the program."""
        self.connection.close()
        _end(self.shell)


def gnubg_program() -> str | None:
    """Return the path of the installed program, or ``None``."""
    return shutil.which(PROGRAM, path=os.pathsep.join([os.environ.get("PATH", os.defpath), _ELSEWHERE]))


def start_gnubg(plies: int, cubeful: bool) -> GnubgProcess:
    """Start GNU Backgammon, and connect to it.

    Args:
        plies: Its search depth for plays and cube decisions.
        cubeful: Whether its plays are to consider the cube.

    Raises:
        BadInputError: If the program is not installed or does not answer, or the system has no shell that starts it.
    """
    if sys.platform == "win32":
        raise BadInputError("gnubg_engine cannot start GNU Backgammon on Windows; give the port of a running one")
    program = gnubg_program()
    if program is None:
        raise BadInputError(
            f"gnubg_engine needs the program GNU Backgammon, and there is no {PROGRAM} on the path; "
            "install it, or give the port of a running one"
        )
    with socket.create_server(("localhost", 0)) as free:
        port = free.getsockname()[1]
    commands = [
        f"set evaluation {what} evaluation {setting}"
        for what in ("chequerplay", "cubedecision")
        for setting in (f"plies {plies}", f"cubeful {'on' if cubeful else 'off'}")
    ]
    script = "\n".join([*commands, f"external localhost:{port}"])
    shell = subprocess.Popen(["sh", "-c", _SCRIPT, program, script], stdin=subprocess.PIPE)
    ends = time.monotonic() + _PATIENCE_AT_START
    while time.monotonic() < ends:
        if connection := _connected(port):
            return GnubgProcess(connection, shell)
        time.sleep(0.05)
    _end(shell)
    raise BadInputError(f"{program} was started and did not answer within {_PATIENCE_AT_START:.0f} seconds")


def _connected(port: int) -> socket.socket | None:
    """Return a connection to a program that answers as GNU Backgammon does; ``None`` if there is none yet."""
    with suppress(OSError):
        connection = socket.create_connection(("localhost", port), timeout=_PATIENCE_AT_START)
        connection.sendall(b"version\n")
        if connection.recv(100).startswith(b"Interface"):
            return connection
        connection.close()  # (to itself, or to another program)
    return None


def _end(shell: "subprocess.Popen[bytes]") -> None:
    assert shell.stdin is not None
    with suppress(OSError):
        shell.stdin.write(b"\n")  # (a process forked from this one may keep the input open)
        shell.stdin.close()
    shell.wait()
