"""The rules of backgammon as kernels: observation, what may be played, and the end."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from boardgames_env.ending import ENDS, ending
from boardgames_env.game import Rules
from boardgames_env.games.backgammon.rules.backgammon_board import (
    AWAY,
    BAR,
    BARS,
    CRAWFORD,
    CUBE,
    DICE,
    DROPPED,
    HOME,
    MOST_TURNS_OF_THE_CUBE,
    MOVING,
    NO_MOVE,
    OPENING,
    OWNER,
    POINTS,
    STAGE,
    STATE_SIZE,
    TRAYS,
    BackgammonRules,
)
from boardgames_env.games.backgammon.rules.backgammon_moves import whole_moves
from boardgames_env.games.backgammon.rules.steps import count, dice_left, points_of, sources, step, write_prefixes
from boardgames_env.games.backgammon.rules.turns import (
    OPENING_ROLLS,
    answer,
    dice,
    end_contest,
    pass_turn,
    roll,
    rolled,
    write_answers,
    write_rolls,
)
from boardgames_env.kernels import (
    ONGOING,
    Actions,
    Features,
    Kernel,
    State,
    chance_events,
    encode,
    happen,
    helper,
    initial,
    inlined,
    legal,
    outcome,
)
from boardgames_env.kernels import play as play_kernel
from boardgames_env.match_score import MatchScore, is_crawford_next

UNITS = 4
"""Features of a seat's men on a point."""

_TRAYS_AND_BARS = 2 * POINTS * UNITS
_DICE = _TRAYS_AND_BARS + 4
_TO_MOVE = _DICE + 6
_STAGE = _TO_MOVE + 1
_CUBE = _STAGE + 8


def num_features(family: BackgammonRules) -> int:
    """Return the length of an observation."""
    return _CUBE + 3 * family.cube + 3 * bool(family.match_length)


@helper
def _write_men(features: Features, first: int, number: int) -> None:
    for unit in range(min(number, UNITS - 1)):
        features[first + unit] = 1
    if number > 3:
        features[first + 3] = (number - 3) / 12


def observe(family: BackgammonRules) -> Kernel:
    """Return the ``encode`` kernel; the game's page lists the features."""
    men, cube, length = family.men, family.cube, family.match_length
    score = _CUBE + 3 * cube

    @encode
    def observe_all(state: State, viewer: int, features: Features) -> None:
        features[:] = 0
        own = 1 - 2 * viewer
        for point in range(1, POINTS + 1):
            number = own * state[point if viewer == 0 else POINTS + 1 - point]
            if number != 0:
                first = UNITS * (point - 1) + (0 if number > 0 else POINTS * UNITS)
                _write_men(features, first, abs(number))
        for k in range(2):
            seat = viewer if k == 0 else 1 - viewer
            features[_TRAYS_AND_BARS + k] = abs(state[BARS + seat]) / men
            features[_TRAYS_AND_BARS + 2 + k] = abs(state[TRAYS + seat]) / men
        for die in range(6):
            features[_DICE + die] = state[DICE + 1 + die] / 4
        features[_TO_MOVE] = state[0] == viewer
        features[_STAGE + int(state[STAGE])] = 1
        if cube:
            features[_CUBE] = state[CUBE] / MOST_TURNS_OF_THE_CUBE
            features[_CUBE + 1] = state[OWNER] == own
            features[_CUBE + 2] = state[OWNER] == -own
        if length > 0:
            features[score] = state[AWAY + viewer] / length
            features[score + 1] = state[AWAY + 1 - viewer] / length
            features[score + 2] = state[CRAWFORD]

    return observe_all


Start = tuple[tuple[int, int], ...]
"""A starting position: pairs of a seat's own point and the number of its men there, the same for both seats."""

_is_crawford_next = helper(is_crawford_next)


@helper
def set_up(state: State, start: NDArray[np.int64]) -> None:
    """Put the men where they begin, with the cube in the middle."""
    for slot in range(STATE_SIZE):
        state[slot] = 0
    for i in range(len(start)):
        point, number = start[i]
        state[point] = number
        state[POINTS + 1 - point] = -number
    state[STAGE] = OPENING


def begin_with(start: Start, score: MatchScore | None) -> Kernel:
    """Return the ``initial`` kernel of a starting position, and of the score of a match if there is one."""
    given = np.array(start, dtype=np.int64)
    numbers = np.array([*score.away, score.is_crawford] if score else [], dtype=np.int64)

    @initial
    def begin(state: State) -> None:
        set_up(state, given)
        for i in range(len(numbers)):
            state[AWAY + i] = numbers[i]

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


@helper
def points_of_game(state: State, jacoby: bool) -> int:
    """Return the points of seat 0 in a game that is over."""
    own, stake = 1 - 2 * int(state[0]), 1 << int(state[CUBE])
    return -own * stake if state[STAGE] == DROPPED else multiple(state, jacoby) * own * stake


def losses(jacoby: bool, state: State, seat: int) -> int:
    """Return the most points that a seat can still lose: those of a backgammon as long as it has borne off no man.

    Once the seats have passed each other and no man is left in the other's home, those of a gammon.
    """
    stake = 1 << int(state[CUBE])
    if state[TRAYS + seat] != 0 or (jacoby and state[CUBE] == 0):
        return stake
    last, its_last = (
        max((point for point in range(1, BAR + 1) if count(state, each, point) > 0), default=0)
        for each in (seat, 1 - seat)
    )
    has_left = last <= POINTS - HOME and last + its_last <= POINTS
    return (2 if has_left else 3) * stake


_DROPPED, _BORNE_OFF = map(ENDS.index, ("dropped", "borne_off"))


@ending
def board_end(state: State) -> int:
    """Return why the board has ended a game or, with it, a match."""
    return _DROPPED if state[STAGE] == DROPPED else _BORNE_OFF


def rules(start: Start, family: BackgammonRules) -> Rules:
    """Return the rules of a game with a starting position."""
    men, cube, jacoby, beavers = family.men, family.cube, family.jacoby, family.beavers

    @legal
    def prefixes(state: State, actions: Actions) -> int:
        return write_prefixes(state, actions) if state[STAGE] == MOVING else write_answers(state, beavers, actions)

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
        return ONGOING if state[STAGE] < DROPPED else int(points_of_game(state, jacoby))

    made = Rules(
        begin_with(start, family.first_score),
        prefixes,
        play,
        points,
        observe(family),
        dice,
        rolled,
        whole_moves(family),
    )
    return replace(made, **whole_match(start)) if family.is_whole_match else made


def whole_match(start: Start) -> dict[str, Kernel]:
    """Return the kernels in which a whole match differs from a game of it.

    Where a game is over and the match is not, its last position awaits the opening roll of the next game, by which the
    men are set up and the score is written.
    """
    given = np.array(start, dtype=np.int64)

    @helper
    def winner_of_match(state: State) -> int:
        """Return the seat that has won the match, -1 if none has."""
        if state[STAGE] < DROPPED:
            return -1
        points = points_of_game(state, False)
        seat = 0 if points > 0 else 1
        return seat if abs(points) >= state[AWAY + seat] else -1

    @outcome
    def points(state: State) -> int:
        winner = winner_of_match(state)
        return ONGOING if winner < 0 else 1 - 2 * winner

    @chance_events
    def events(state: State, cases: Actions) -> int:
        if state[STAGE] >= DROPPED and winner_of_match(state) < 0:
            cases[:OPENING_ROLLS] = 1
            return OPENING_ROLLS
        return int(write_rolls(state, cases))

    @happen
    def happens(state: State, event: int) -> None:
        if state[STAGE] >= DROPPED:
            points = points_of_game(state, False)
            fewest = min(state[AWAY], state[AWAY + 1])
            state[AWAY + (points < 0)] -= abs(points)
            state[CRAWFORD] = _is_crawford_next(fewest, min(state[AWAY], state[AWAY + 1]))
            set_up(state, given)
        roll(state, event)

    return {"outcome": points, "chance_events": events, "happen": happens}
