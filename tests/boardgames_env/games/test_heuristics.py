"""What must hold for the heuristics of every game that has them."""

import numpy as np

from boardgames_env import Game, Position
from tests.variants import WITH_HEURISTICS, over

BOUND = 10_000


def positions_of_contests(game: Game, contests: int) -> list[Position]:
    rng = np.random.default_rng(6)
    found = []
    for _ in range(contests):
        position = game.initial
        while not position.is_over and len(found) < 400 * contests:
            found.append(position)
            position = position.after(int(rng.choice(position.legal_actions)))
    return found


@over(WITH_HEURISTICS)
def test_worths_gains_and_forcing_actions_are_what_they_say(game: Game) -> None:
    heuristics = game.heuristics
    assert heuristics
    room = np.empty(game.num_actions, dtype=np.int32)
    for position in positions_of_contests(game, 4):
        worth = heuristics.evaluate(position.state)
        assert -BOUND < worth < BOUND
        # (a mirror image looks as good)
        assert {heuristics.evaluate(image.state) for image in position.images()} == {worth}
        if position.state[-1] == 0:  # (no captures are due: what is good for one seat is bad for the other)
            turned = position.state.copy()
            turned[0] = 1 - turned[0]
            assert heuristics.evaluate(turned) == -worth
        if heuristics.forcing:
            forcing = room[: heuristics.forcing(position.state, room)].tolist()
            assert len(set(forcing)) == len(forcing)
            assert set(forcing) <= set(position.legal_actions)
        if heuristics.gain:
            for action in position.legal_actions[::7]:
                reached = position.after(action)
                if not reached.is_over:
                    after = heuristics.evaluate(reached.state) * (1 if reached.seat == position.seat else -1)
                    assert heuristics.gain(position.state, action) == after - worth
