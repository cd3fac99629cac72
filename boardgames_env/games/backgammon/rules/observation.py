"""The observation: everything about a position, in numbers from 0 to 1."""

from boardgames_env.games.backgammon.rules.backgammon_board import (
    AWAY,
    BARS,
    CRAWFORD,
    CUBE,
    DICE,
    MOST_TURNS_OF_THE_CUBE,
    OWNER,
    POINTS,
    STAGE,
    TRAYS,
    BackgammonRules,
)
from boardgames_env.kernels import Features, Kernel, State, encode, helper

UNITS = 4
"""Features of a seat's men on a point."""

_TRAYS_AND_BARS = 2 * POINTS * UNITS
_DICE = _TRAYS_AND_BARS + 4
_TO_MOVE = _DICE + 6
_PHASE = _TO_MOVE + 1
_CUBE = _PHASE + 8


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
        features[_PHASE + int(state[STAGE])] = 1
        if cube:
            features[_CUBE] = state[CUBE] / MOST_TURNS_OF_THE_CUBE
            features[_CUBE + 1] = state[OWNER] == own
            features[_CUBE + 2] = state[OWNER] == -own
        if length > 0:
            features[score] = state[AWAY + viewer] / length
            features[score + 1] = state[AWAY + 1 - viewer] / length
            features[score + 2] = state[CRAWFORD]

    return observe_all
