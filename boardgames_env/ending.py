"""Why contests end.

A contest is ended by the board, by a limit (`boardgames_env.history`), or from outside: an illegal action in an
environment, a resignation. What the board shows is found here from the last state alone.
"""

from functools import cache
from typing import TYPE_CHECKING, Literal, cast, get_args

import numpy as np

from boardgames_env.board import Line
from boardgames_env.kernels import OUTCOME, Kernel, State, kernel

if TYPE_CHECKING:
    from boardgames_env.game import Game

End = Literal[
    "line", "full_board", "home", "joined", "no_move", "too_few_men", "borne_off", "dropped", "rules",
    "recurrence", "no_progress", "plies", "illegal", "resigned",
]  # fmt: skip
"""Why a contest has ended.

By the board: a seat holds a winning ``line``; there is a ``full_board``; a man is in the other seat's ``home``; a seat
has ``joined`` its sides of the board; the seat to move has ``no_move`` (at Othello, neither seat has one); a seat has
``too_few_men`` or has ``borne_off`` all of its men; it has ``dropped`` (refused a double); or, in a game that gives no
other reason, the ``rules``. By a limit: ``recurrence`` of a position, ``no_progress`` within some plies, or ``plies``,
whether that draws the contest or cuts it short. From outside: an ``illegal`` action, or a seat has ``resigned``.
"""

ENDS: tuple[str, ...] = ("", *get_args(End))
"""All reasons, by number; the empty one, number 0, stands for a contest that goes on."""

_LINE, _FULL, _FEW, _STUCK, _RULES = map(ENDS.index, ("line", "full_board", "too_few_men", "no_move", "rules"))

ending = kernel(OUTCOME.signature)
"""The decorator of a `Game.board_end`: it takes the last state, and returns a number of `ENDS`."""


def board_end(game: "Game", state: State) -> End:
    """Return why the board has decided a contest, from its last state, which play has made (not checked)."""
    return cast(End, ENDS[board_end_kernel(game).trusting(state)])


def board_end_kernel(game: "Game") -> Kernel:
    """Return the kernel of `board_end`; it returns numbers of `ENDS`."""
    return game.board_end or _line_or_full(game.board.size, deciding_lines(game))


@cache
def deciding_lines(game: "Game") -> tuple[Line, ...]:
    """Return the winning lines that decide contests: none where a whole line captures a man."""
    return () if any(action.kind == "capture" for action in game.actions) else game.board.winning_lines


@cache
def _line_or_full(size: int, lines: tuple[Line, ...]) -> Kernel:
    longest = max(map(len, lines), default=1)
    # (a shorter line has its last location several times)
    rows = [[1 + location for location in line] + [1 + line[-1]] * (longest - len(line)) for line in lines]
    slots = np.array(rows, dtype=np.int64).reshape(-1, longest)

    @ending
    def line_or_full(state: State) -> int:
        for line in range(len(slots)):
            firsts, seconds = 0, 0
            for place in range(longest):
                man = state[slots[line, place]]
                firsts += int(man > 0)
                seconds += int(man < 0)
            if longest in (firsts, seconds):
                return _LINE
        for location in range(size):
            if state[1 + location] == 0:
                return _RULES
        return _FULL

    return line_or_full


@cache
def always(end: End) -> Kernel:
    """Return the `Game.board_end` of games that the board ends for one reason alone, such as ``"no_move"``."""
    number = ENDS.index(end)

    @ending
    def the_only_end(state: State) -> int:
        return number

    return the_only_end


@cache
def full_few_or_stuck(size: int) -> Kernel:
    """Return the `Game.board_end` of games that end by a full board, or if a seat has no man or no move left."""

    @ending
    def men_left(state: State) -> int:
        firsts, seconds = 0, 0
        for slot in range(1, 1 + size):
            firsts += int(state[slot] > 0)
            seconds += int(state[slot] < 0)
        if firsts + seconds == size:
            return _FULL
        return _STUCK if firsts * seconds > 0 else _FEW

    return men_left
