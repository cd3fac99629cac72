"""Which states of backgammon there are."""

import pytest

from boardgames_env import BadInputError, make_game
from boardgames_env.games.backgammon.rules.backgammon_board import (
    AWAY,
    BEAVERED,
    CRAWFORD,
    CUBE,
    DICE,
    DOUBLED,
    DOUBLING,
    MOVING,
    OPENING,
    OVER,
    OWNER,
    ROLLING,
    STAGE,
)
from tests.boardgames_env.games.backgammon_contests import START, position_of

MATCH = "hypergammon(cube=True,match_length=5)"
CLOSED = {6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2}


def test_men_on_both_bars_and_shut_out_are_allowed():
    closed_out = position_of("backgammon", {**CLOSED, 25: 3}, {**CLOSED, 25: 3}, dice=(6, 5))
    assert [closed_out.game.action_text(action) for action in closed_out.legal_actions] == ["no move"]


@pytest.mark.parametrize(
    ("own", "other", "why"),
    [
        ({**START, 6: 6}, START, "white has 16 men, on the board, the bar and off; each side has 15"),
        (START, {**START, 24: 1}, "black has 14 men"),
        ({0: 15}, {0: 15}, "there are no men on the board"),
        ({0: 15}, START, "all men of white are off the board, so that it has won"),
        ({25: -1, 6: 14}, START, "black's men are on the bar or in the tray of white"),
        (START, {0: -2, 6: 15}, "white's men are on the bar or in the tray of black"),
    ],
)
def test_men_that_cannot_be(own, other, why):
    with pytest.raises(BadInputError, match=f"no contest of backgammon reaches this state: {why}"):
        position_of("backgammon", own, other, stage=ROLLING)


@pytest.mark.parametrize(
    ("spec", "slots", "why"),
    [
        ("backgammon", {0: 2}, "slot 0 of a state is the seat to move, 0 or 1, not 2"),
        ("backgammon", {STAGE: MOVING}, "no part of a roll"),
        ("backgammon", {STAGE: MOVING, DICE + 1: 2, DICE + 2: 1}, "no part of a roll"),
        ("backgammon", {STAGE: MOVING, DICE + 1: 5}, "no part of a roll"),
        ("backgammon", {STAGE: MOVING, DICE + 1: -1, DICE + 2: 1}, "no part of a roll"),
        ("backgammon", {DICE + 3: 1}, "dice to play before they are rolled"),
        ("backgammon", {STAGE: OVER}, "a game is over when"),
        ("backgammon", {STAGE: 8}, "slot 35, the stage, is 8"),
        ("backgammon", {STAGE: DOUBLING}, "which needs a cube"),
        ("backgammon", {CUBE: 1, OWNER: 1}, "played without one"),
        ("backgammon", {STAGE: OPENING, 0: 1}, "the opening roll is made before anything else"),
        ("backgammon(cube=True)", {STAGE: -1}, "the stage, is -1"),
        ("backgammon(cube=True)", {CUBE: 7, OWNER: 1}, "has been turned 7 times"),
        ("backgammon(cube=True)", {CUBE: 1}, "has an owner as soon as it has been turned"),
        ("backgammon(cube=True)", {STAGE: DOUBLING, CUBE: 1, OWNER: -1}, "only the side that has the cube"),
        ("backgammon(cube=True)", {STAGE: DOUBLED, CUBE: 1, OWNER: 1}, "only the side that has the cube"),
        ("backgammon(cube=True)", {STAGE: DOUBLED, CUBE: 6, OWNER: -1}, "cannot be turned"),
        ("backgammon(cube=True)", {STAGE: BEAVERED, CUBE: 1, OWNER: -1}, "only where beavers are played"),
        (MATCH, {AWAY: 0}, "the sides need 0 and 5 points; in a match to 5 each needs 1 to 5"),
        (MATCH, {AWAY + 1: 6}, "the sides need 5 and 6 points"),
        (MATCH, {CRAWFORD: 1}, "only a game in which a side needs a single point"),
        (MATCH, {CRAWFORD: 2}, "only a game in which a side needs a single point"),
    ],
)  # fmt: skip
def test_what_does_not_fit_together(spec, slots, why):
    game = make_game(spec)
    state = game.initial.state.copy()
    for slot, value in {STAGE: ROLLING, **slots}.items():
        state[slot] = value
    with pytest.raises(BadInputError, match=why):
        game.position(state)
