"""Games of marks in a row against OpenSpiel: its ``gomoku`` is all of them, its action numbers are ours."""

import pytest

from boardgames_env import make_game
from tests.differential.lockstep import play_both


@pytest.mark.parametrize(
    ("spec", "oracle"),
    [
        ("tic_tac_toe", "tic_tac_toe"),
        ("lose_tic_tac_toe", "gomoku(size=3,connect=3,anti=true)"),
        ("qubic", "gomoku(size=4,dims=3,connect=4)"),
        ("fives", "gomoku(size=10,connect=5)"),
    ],
)
def test_random_contests(spec: str, oracle: str) -> None:
    game = make_game(spec)
    assert play_both(game, oracle, range(game.num_actions), contests=1000) > 5000
