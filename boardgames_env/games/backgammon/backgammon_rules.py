"""The rules of backgammon as kernels: what may be played, and how a contest ends."""

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
    BackgammonRules,
)
from boardgames_env.games.backgammon.backgammon_moves import whole_moves
from boardgames_env.games.backgammon.observation import observe
from boardgames_env.games.backgammon.steps import count, dice_left, points_of, sources, step, write_prefixes
from boardgames_env.games.backgammon.turns import answer, dice, end_contest, pass_turn, roll, write_answers
from boardgames_env.kernels import ONGOING, Actions, Kernel, State, helper, initial, inlined, legal, outcome
from boardgames_env.kernels import play as play_kernel

Start = tuple[tuple[int, int], ...]
"""A starting position: pairs of a seat's own point and the number of its men there, the same for both seats."""


def begin_with(start: Start) -> Kernel:
    """Return the ``initial`` kernel of a starting position."""
    given = np.array(start, dtype=np.int64)

    @initial
    def begin(state: State) -> None:
        state[:] = 0
        for i in range(len(given)):
            point, number = given[i]
            state[point] = number
            state[POINTS + 1 - point] = -number
        state[PHASE] = OPENING

    return begin


@inlined
def can_go_on(state: State, seat: int) -> bool:
    """Return whether a seat can play another of the dice that are left."""
    # (after the first of two dice only one is left, and of doubles one is as good as another)
    die, _ = dice_left(state)
    if die == 0:
        return False
    own, barred = points_of(state, seat)
    return bool(sources(own, barred, die) != 0)


@helper
def multiple(state: State, jacoby: bool) -> int:
    """Return 1 if the seat to move has won a single game, 2 for a gammon, 3 for a backgammon."""
    seat = state[0]
    if state[TRAYS + 1 - seat] != 0 or (jacoby and state[CUBE] == 0):
        return 1
    if state[BARS + 1 - seat] != 0:
        return 3
    for point in range(1, HOME + 1):
        if count(state, seat, point) < 0:
            return 3
    return 2


def losses(jacoby: bool, state: State, seat: int) -> int:
    """Return the most points that a seat can still lose: those of a backgammon as long as it has borne off no man."""
    stake = 1 << int(state[CUBE])
    return stake if state[TRAYS + seat] != 0 or (jacoby and state[CUBE] == 0) else 3 * stake


def rules(start: Start, family: BackgammonRules) -> Rules:
    """Return the rules of a game with a starting position."""
    men, cube, jacoby, beavers = family.men, family.cube, family.jacoby, family.beavers

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
            if abs(state[TRAYS + seat]) == men:
                end_contest(state)
                return
            if can_go_on(state, seat):
                return
        pass_turn(state, cube)

    @outcome
    def points(state: State) -> int:
        phase = state[PHASE]
        if phase < DROPPED:
            return ONGOING
        stake = 1 << int(state[CUBE])
        own = 1 - 2 * int(state[0])
        return -own * stake if phase == DROPPED else multiple(state, jacoby) * own * stake

    return Rules(
        begin_with(start), prefixes, play, points, observe(men, cube), dice, roll, whole_moves(men, cube, beavers)
    )
