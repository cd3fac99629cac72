"""The rules of backgammon as kernels: what may be played step by step, and how a contest ends."""

import numpy as np

from boardgames_env.game import Rules
from boardgames_env.games.backgammon.backgammon_board import (
    BAR,
    BARS,
    CUBE,
    DICE,
    DROPPED,
    HOME,
    MOVING,
    NO_MOVE,
    OPENING,
    PHASE,
    POINTS,
    TRAYS,
)
from boardgames_env.games.backgammon.backgammon_moves import end_contest, whole_moves
from boardgames_env.games.backgammon.dice import dice, roll
from boardgames_env.games.backgammon.doubling import answer, pass_turn, write_answers
from boardgames_env.games.backgammon.observation import observe
from boardgames_env.games.backgammon.steps import count, dice_left, points_of, sources, step, write_prefixes
from boardgames_env.kernels import ONGOING, Actions, Kernel, State, initial, legal, outcome
from boardgames_env.kernels import play as play_kernel


def begin_with(men: tuple[tuple[int, int], ...]) -> Kernel:
    """An ``initial`` kernel: each seat has so many men on its own points, given as pairs of point and men."""
    given = np.array(men, dtype=np.int64)

    @initial
    def begin(state: State) -> None:
        state[:] = 0
        for i in range(len(given)):
            point, number = given[i]
            state[point] = number
            state[POINTS + 1 - point] = -number
        state[PHASE] = OPENING

    return begin


def rules(men: tuple[tuple[int, int], ...], cube: bool, jacoby: bool, beavers: bool) -> Rules:
    """The rules.

    Args:
        men: Where each seat's men begin, pairs of its own point and how many.
        cube: Whether there is a doubling cube.
        jacoby: Whether gammons and backgammons count only once the cube has been turned.
        beavers: Whether a seat that takes a double may turn the cube at once and keep it.
    """
    total = sum(number for _, number in men)

    @legal
    def prefixes(state: State, actions: Actions) -> int:
        return write_prefixes(state, actions) if state[PHASE] == MOVING else write_answers(state, beavers, actions)

    @play_kernel
    def play(state: State, action: int) -> None:
        if action > NO_MOVE:
            answer(state, action)
            return
        if action < NO_MOVE:
            seat = state[0]
            die = action // BAR + 1
            step(state, seat, action % BAR + 1, die)
            state[DICE + die] -= 1
            if abs(state[TRAYS + seat]) == total:
                end_contest(state)
                return
            # (after the first of two dice only one is left, and of doubles one is as good as another)
            die, _ = dice_left(state)
            if die > 0:
                own, barred = points_of(state, seat)
                if sources(own, barred, die):
                    return
        pass_turn(state, cube)

    @outcome
    def points(state: State) -> int:
        phase = state[PHASE]
        if phase < DROPPED:
            return ONGOING
        stake = 1 << int(state[CUBE])
        own = 1 - 2 * int(state[0])
        if phase == DROPPED:
            return -own * stake
        seat = state[0]
        if state[TRAYS + 1 - seat] != 0 or (jacoby and state[CUBE] == 0):
            return own * stake
        if state[BARS + 1 - seat] != 0:
            return 3 * own * stake
        for point in range(1, HOME + 1):
            if count(state, seat, point) < 0:
                return 3 * own * stake
        return 2 * own * stake

    return Rules(
        begin_with(men), prefixes, play, points, observe(total, cube), dice, roll, whole_moves(total, cube, beavers)
    )
