"""What must hold for the heuristics of every game that has them."""

import numpy as np

from boardgames_env import Game
from tests.dice import random_positions
from tests.variants import OWN_RULES, WITH_HEURISTICS, fast_for, over, variants_of

BOUND = 10_000


@over(fast_for(WITH_HEURISTICS, variants_of(WITH_HEURISTICS, OWN_RULES)))
def test_worths_gains_and_forcing_actions_are_what_they_say(game: Game) -> None:
    heuristics = game.heuristics
    assert heuristics
    room = np.empty(game.num_actions, dtype=np.int32)
    for position in random_positions(game, 600, 6):
        worth = heuristics.evaluate(position.state)
        assert -BOUND < worth < BOUND
        # (a mirror image looks as good)
        assert {heuristics.evaluate(image.state) for image in position.images()} == {worth}
        if not hasattr(game.family, "placing_ends") or position.state[-1] == 0:  # (no captures are due)
            turned = position.state.copy()
            turned[0] = 1 - turned[0]
            assert heuristics.evaluate(turned) == -worth
        if heuristics.forcing:
            forcing = room[: heuristics.forcing(position.state, room)].tolist()
            assert len(set(forcing)) == len(forcing)
            assert set(forcing) <= set(position.legal_actions)
        if heuristics.gain:
            for action in position.legal_actions:
                reached = position.after(action)
                if not reached.is_over:
                    after = heuristics.evaluate(reached.state) * (1 if reached.seat == position.seat else -1)
                    assert heuristics.gain(position.state, action) == after - worth
