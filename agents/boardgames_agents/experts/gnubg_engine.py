"""The program GNU Backgammon as a player, over its socket for external controllers."""

import re
import socket
import weakref
from collections.abc import Sequence
from typing import Annotated

from boardgames_agents.experts.gnubg import MOST_PLIES, GnubgPlayer, Side, side
from boardgames_agents.policy import Policy
from boardgames_agents.registry import agent
from boardgames_env.errors import BadInputError, require
from boardgames_env.game import Game
from boardgames_env.games.backgammon.backgammon_board import BAR, CUBE, OFF, OWNER, POINTS, BackgammonRules
from boardgames_env.kernels import State
from boardgames_env.spec import Elsewhere, Quick

_PATIENCE = 120.0  # seconds without an answer until an error
_NAMED = {"bar": BAR, "off": OFF}
_PLAY = re.compile(r"((?:bar|\d+)(?:/(?:off|\d+)\*?)+)(?:\((\d)\))?")


@agent("gnubg_engine", needs="a running GNU Backgammon")
def gnubg_engine(
    game: Game,
    host: Annotated[str, Elsewhere()] = "localhost",
    port: Annotated[int, Elsewhere()] = 4321,
    plies: Annotated[int, Quick(2)] = 0,
) -> Policy:
    """A player by a running GNU Backgammon with that program's settings.

    Start it with ``gnubg --tty``, choose its strength (``set evaluation chequerplay evaluation plies 2``, say; and for
    a game without a cube ``set evaluation chequerplay evaluation cubeful off``), and give it the command
    ``external localhost:4321``. It serves one agent at a time. The agent sends a FIBS board with the dice for a play,
    and ``evaluation fibsboard`` for the probabilities from which Janowski's formula decides about the cube. It has been
    tested against a recorded exchange and the documented forms of requests and answers, not against the program itself.

    Args:
        game: Backgammon with 15 men a seat.
        host: The host of the program.
        port: Its port.
        plies: The search depth for the cube, from 0 to 3.

    Raises:
        BadInputError: If the game or the plies are not allowed, or no program answers.
    """
    return GnubgEngine(game, host, port, plies)


class GnubgEngine(GnubgPlayer):
    """A running GNU Backgammon; see `gnubg_engine`."""

    def __init__(self, game: Game, host: str, port: int, plies: int) -> None:
        super().__init__(game)
        require(0, MOST_PLIES, plies=plies)
        self._plies = plies
        self._place = f"{host}:{port}"
        try:
            connection = socket.create_connection((host, port), timeout=_PATIENCE)
        except (OSError, OverflowError, ValueError) as error:  # (the last for a text that cannot be a host's name)
            raise BadInputError(
                f"no GNU Backgammon answers at {self._place} ({error}); give it the command: external {self._place}"
            ) from error
        self._lines = connection.makefile("rw", encoding="utf-8", newline="\n")
        for each in (connection, self._lines):
            weakref.finalize(self, each.close)

    def best_play(self, state: State, dice: tuple[int, int]) -> tuple[Side, Side]:
        """Return the men after its answer to the board with the dice."""
        assert isinstance(self.game.family, BackgammonRules)
        jacoby = "on" if self.game.family.jacoby else "off"
        reply = self._ask(f"{fibs_board(state, dice)} jacobyrule {jacoby}")
        seat = int(state[0])
        return played(reply, side(state, seat), side(state, 1 - seat))

    def probabilities(self, state: State) -> Sequence[float]:
        """Return the probabilities of its answer to ``evaluation fibsboard``, without the equity."""
        reply = self._ask(f"evaluation fibsboard {fibs_board(state, (0, 0))} plies {self._plies} cubeless")
        try:
            win, gammon, backgammon, lost_gammon, lost_backgammon, _ = map(float, reply.split())
        except ValueError:
            raise self._misunderstood(reply) from None
        return win, gammon, backgammon, lost_gammon, lost_backgammon

    def _ask(self, line: str) -> str:
        try:
            self._lines.write(f"{line}\n")
            self._lines.flush()
            reply = self._lines.readline()
        except OSError as error:
            raise BadInputError(f"the GNU Backgammon at {self._place} does not answer: {error}") from error
        if not reply:
            raise BadInputError(f"the GNU Backgammon at {self._place} has closed the connection")
        if reply.startswith("Error"):
            raise self._misunderstood(reply)
        return reply.strip()

    def _misunderstood(self, reply: str) -> BadInputError:
        return BadInputError(f"the GNU Backgammon at {self._place} answers {reply.strip()!r}, which is not understood")


def fibs_board(state: State, dice: tuple[int, int]) -> str:
    """Return a state as a line of the First Internet Backgammon Server ("board style 3").

    Its fields are described at http://www.fibs.com/fibs_interface.html#board_state; GNU Backgammon takes a match
    length of 0 for money play. The seat's own men are positive and move down to point 1.

    Args:
        state: The state.
        dice: The roll, or ``(0, 0)`` before it.
    """
    seat = int(state[0])
    own, other = side(state, seat), side(state, 1 - seat)
    points = [mine - theirs for mine, theirs in zip(own[:POINTS], reversed(other[:POINTS]), strict=True)]
    board = [-other[POINTS], *points, own[POINTS]]
    owner = int(state[OWNER]) * (1 - 2 * seat)
    cube = [2 ** int(state[CUBE]), int(owner >= 0), int(owner <= 0)]
    turn, doubled, colour, direction, home, bar = 1, 0, 1, -1, 0, 25
    off = [15 - sum(own), 15 - sum(other)]
    rest = [0, 0, 0, 0, 0, 0]  # men on the bars once more, and fields that it does not read
    fields = [0, 0, 0, *board, turn, *dice, *dice, *cube, doubled, colour, direction, home, bar, *off, *rest]
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
