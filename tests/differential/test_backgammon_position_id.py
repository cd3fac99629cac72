"""Position IDs and legal plays against GNU Backgammon's own code."""

import pytest

from boardgames_env.games.backgammon.backgammon_board import MOVING, PHASE
from boardgames_env.games.backgammon.legality import men_of
from boardgames_env.games.backgammon.position_id import parse_position, position_id
from tests.boardgames_env.games.backgammon_contests import random_contest

gnubg_nn = pytest.importorskip("gnubg_nn")


def board_of(position):
    """gnubg's board: the seat not to move and the one to move, 24 points and the bar each."""
    return [men_of(position.state, seat)[1:] for seat in (1 - position.seat, position.seat)]


def test_ids_are_gnubgs():
    compared = 0
    for seed in range(10):
        for position in random_contest("backgammon", seed)[1]:
            if position.is_over:
                continue
            text = gnubg_nn.position_id(board_of(position))
            assert position_id(position) == text
            assert [list(side) for side in gnubg_nn.board_from_position_id(text)] == board_of(position)
            if position.state[PHASE] != MOVING and position.seat == 0:
                read = parse_position(position.game, text)
                assert read.state[1:29].tolist() == position.state[1:29].tolist()
            compared += 1
    assert compared > 1000
