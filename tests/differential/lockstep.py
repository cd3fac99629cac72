"""Random contests played here and in OpenSpiel at once."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from boardgames_env import Game, Position

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed; pip install 'boardgames-env[oracles]'")


def play_both(
    game: Game,
    oracle: str,
    numbers: Sequence[int],
    contests: int,
    ends: Callable[[Position, Any], bool] = lambda position, theirs: False,
) -> int:
    """Play contests at random in both, asserting that legal actions and outcomes agree in every position.

    ``numbers`` are OpenSpiel's of our actions. A comparison ends before the contest does where ``ends`` is true of a
    position and OpenSpiel's state. Return the number of compared positions.
    """
    rules = pyspiel.load_game(oracle)
    compared = 0
    for contest in range(contests):
        rng = np.random.default_rng([20, contest])
        position, theirs = game.initial, rules.new_initial_state()
        while not ends(position, theirs):
            compared += 1
            assert position.is_over == theirs.is_terminal(), position.text
            if position.is_over:
                assert [position.points_for(seat) for seat in (0, 1)] == theirs.returns(), position.text
                break
            assert position.seat == theirs.current_player(), position.text
            ours = {numbers[action]: action for action in position.legal_actions}
            assert len(ours) == len(position.legal_actions)
            assert sorted(ours) == theirs.legal_actions(), position.text
            number = sorted(ours)[rng.integers(len(ours))]
            position = position.after(ours[number])
            theirs.apply_action(number)
    return compared
