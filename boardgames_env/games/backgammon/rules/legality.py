"""The check of made-up states: why no contest reaches one."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from boardgames_env.errors import BadInputError
from boardgames_env.games.backgammon.rules import backgammon_board as board
from boardgames_env.kernels import Kernel, State

SEATS = (board.WHITE.name, board.BLACK.name)
"""The names of the seats."""

if TYPE_CHECKING:
    from boardgames_env.game import Game


def men_of(state: State, seat: int) -> list[int]:
    """Return a seat's men in its tray, on its own points 1 to 24, and on its bar (25)."""
    points = state[1 : 1 + board.POINTS].tolist()
    own = points if seat == 0 else [-men for men in reversed(points)]
    return [abs(int(state[board.TRAYS + seat])), *(max(men, 0) for men in own), abs(int(state[board.BARS + seat]))]


def demand_backgammon(game: "Game") -> None:
    """Raise `BadInputError` for a game that is not played on a backgammon board."""
    if game.board is not board.BOARD:
        raise BadInputError(f"{game.name} is not a game of backgammon")


def legality(begin: Kernel, family: board.BackgammonRules) -> Callable[[State], str | None]:
    """Return a function that says why no contest reaches a state, or returns ``None``.

    It checks that the men, the dice, the cube and the stage fit together, not that a contest leads there.
    """

    def why_not(state: State) -> str | None:
        return (
            _wrong_checkers(state, family.men)
            or _wrong_dice(state)
            or (_wrong_cube(state, family.beavers) if family.cube else _wrong_without_a_cube(state))
            or (_wrong_score(state, family) if family.match_length else None)
            or _wrong_opening(state, begin)
        )

    return why_not


def _wrong_checkers(state: State, men: int) -> str | None:
    for seat, own in enumerate((1, -1)):
        if own * int(state[board.BARS + seat]) < 0 or own * int(state[board.TRAYS + seat]) < 0:
            return f"{SEATS[1 - seat]}'s men are on the bar or in the tray of {SEATS[seat]}"
        if (found := sum(men_of(state, seat))) != men:
            return f"{SEATS[seat]} has {found} men, on the board, the bar and off; each side has {men}"
    all_off = [abs(int(state[board.TRAYS + seat])) == men for seat in (0, 1)]
    if all(all_off):
        return "there are no men on the board"
    if any(all_off) and not (state[board.STAGE] == board.OVER and all_off[state[0]]):
        return f"all men of {SEATS[all_off.index(True)]} are off the board, so that it has won and nobody is to move"
    if state[board.STAGE] == board.OVER and not any(all_off):
        return "a game is over when all men of the side to move are off the board, and only then or by a dropped double"
    return None


def _wrong_dice(state: State) -> str | None:
    numbers = state[board.DICE + 1 : board.DICE + 7].tolist()
    shown = sorted(number for number in numbers if number)
    if state[board.STAGE] != board.MOVING:
        return "there are dice to play before they are rolled" if shown else None
    if shown in ([1, 1], [1], [2], [3], [4]):
        return None
    return f"{numbers} dice that show 1 to 6 are no part of a roll; a side plays one or two dice, or up to four alike"


def _wrong_without_a_cube(state: State) -> str | None:
    if state[board.CUBE] or state[board.OWNER]:
        return "the cube has been turned, but the contest is played without one"
    if state[board.STAGE] not in (*range(board.OPENING, board.DOUBLING), board.OVER):
        return f"slot {board.STAGE}, the stage, is {state[board.STAGE]}, which needs a cube"
    return None


def _wrong_cube(state: State, beavers: bool) -> str | None:
    turned, owner, stage = int(state[board.CUBE]), int(state[board.OWNER]), int(state[board.STAGE])
    if not board.OPENING <= stage <= board.OVER:
        return f"slot {board.STAGE}, the stage, is {stage}; it is {board.OPENING} to {board.OVER}"
    if not 0 <= turned <= board.MOST_TURNS_OF_THE_CUBE or owner not in (-1, 0, 1):
        return f"the cube has been turned {turned} times and its owner is {owner}; it is 0 to 6 times, and -1, 0 or 1"
    if (turned == 0) != (owner == 0):
        return "the cube has an owner as soon as it has been turned, and not before"
    return _wrong_doubling(state, beavers) if board.DOUBLING <= stage <= board.DROPPED else None


def _wrong_doubling(state: State, beavers: bool) -> str | None:
    turned, owner, stage = int(state[board.CUBE]), int(state[board.OWNER]), int(state[board.STAGE])
    own = 1 - 2 * int(state[0])
    if turned == board.MOST_TURNS_OF_THE_CUBE:
        return "the cube shows its largest number and cannot be turned"
    if owner == (-own if stage == board.DOUBLING else own):
        return "only the side that has the cube doubles, or either while it is in the middle"
    if stage == board.BEAVERED and not (beavers and turned):
        return "a double is turned again only where beavers are played, and by the side that then has the cube"
    return None


def _wrong_score(state: State, family: board.BackgammonRules) -> str | None:
    away, most = state[board.AWAY : board.AWAY + 2].tolist(), family.match_length
    crawford, stage = int(state[board.CRAWFORD]), int(state[board.STAGE])
    if not all(1 <= each <= most for each in away):
        return f"the sides need {away[0]} and {away[1]} points; in a match to {most} each needs 1 to {most}"
    if crawford not in (0, 1) or (crawford and min(away) > 1):
        return "only a game in which a side needs a single point is the Crawford game"
    if crawford and (state[board.CUBE] or board.DOUBLING <= stage <= board.DROPPED):
        return "nobody doubles in the Crawford game"
    return None


def _wrong_opening(state: State, begin: Kernel) -> str | None:
    if state[board.STAGE] != board.OPENING:
        return None
    start = np.zeros_like(state)
    begin.run(start)
    start[board.STATE_SIZE :] = state[board.STATE_SIZE :]  # (a match can be at any score)
    return None if (state == start).all() else "the opening roll is made before anything else"
