"""pgx's versions of our games: random contests in both at once."""

from typing import Any

import numpy as np
import pytest

from boardgames_env import make_game
from tests.variants import fast_for

pgx = pytest.importorskip("pgx", reason="pgx is not installed; pip install 'boardgames-env[bench]'")


def columns_of(observation: Any) -> Any:
    """pgx's observation of a board as our features: own men by location, then the other seat's."""
    return np.moveaxis(observation, -1, 0).ravel()


@pytest.mark.parametrize("contests", fast_for([40], [40, 2000]))
@pytest.mark.parametrize("name", ["connect_four"])
def test_random_contests(name: str, contests: int) -> None:
    """Legal actions, observations, whose turn it is, and who has won and when."""
    import jax

    theirs, game, rng = pgx.make(name), make_game(name), np.random.default_rng(9)
    step = jax.jit(jax.vmap(theirs.step))
    state = jax.jit(jax.vmap(theirs.init))(jax.random.split(jax.random.PRNGKey(0), contests))
    first = np.array(state.current_player)
    positions = [game.initial] * contests
    compared = 0
    while any(not position.is_over for position in positions):
        masks, seen = np.array(state.legal_action_mask), np.array(state.observation)
        movers, over = np.array(state.current_player), np.array(state.terminated)
        actions = np.zeros(contests, dtype=np.int32)
        for number, position in enumerate(positions):
            assert position.is_over == over[number], position.text
            if not position.is_over:
                assert tuple(np.flatnonzero(masks[number])) == position.legal_actions, position.text
                assert position.seat == (movers[number] != first[number])
                assert (position.features()[: 2 * game.board.size] == columns_of(seen[number])).all()
                actions[number] = rng.choice(position.legal_actions)
                positions[number] = position.after(int(actions[number]))
                compared += 1
        state = step(state, jax.numpy.asarray(actions))
        rewards = np.array(state.rewards)
        for number, position in enumerate(positions):
            if not over[number]:
                points = [position.points_for(seat) or 0 for seat in (0, 1)]
                assert rewards[number].tolist() == points[:: 1 if first[number] == 0 else -1], position.text
    assert np.array(state.terminated).all()
    assert compared > 7 * contests
