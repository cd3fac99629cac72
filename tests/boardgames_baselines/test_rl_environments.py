"""Stable-Baselines3's `VecEnv` over our batches."""

from functools import partial

import numpy as np
import pytest

from boardgames_env import Game, make_game
from boardgames_env.envs.single import BoardGameEnv
from boardgames_env.envs.vector import BoardGameVectorEnv
from tests.boardgames_baselines import needs_rl
from tests.variants import over, sampled

pytestmark = needs_rl

COPIES = 7
every_game = over(
    sampled(["tic_tac_toe", "achi(recurrences=2)", "five_mens_morris(plies=30)", "hypergammon"], one_in=3)
)


def any_legal(masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return (rng.random(masks.shape) * masks).argmax(axis=1)


@every_game
def test_a_batch_does_what_the_dummy_does(game: Game) -> None:
    from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
    from stable_baselines3.common.vec_env import DummyVecEnv

    from boardgames_baselines.rl.vec_env import BatchVecEnv

    ours, theirs = BatchVecEnv(game, COPIES), DummyVecEnv([partial(BoardGameEnv, game)] * COPIES)
    assert is_masking_supported(ours)
    for env in (ours, theirs):
        env.seed(5)
    np.testing.assert_array_equal(ours.reset(), theirs.reset())
    rng, ended = np.random.default_rng(0), 0
    for step in range(60):
        masks = get_action_masks(ours)
        np.testing.assert_array_equal(masks, get_action_masks(theirs))
        actions = any_legal(masks, rng)
        if step % 10 == 3:
            actions[0] = game.num_actions - 1  # legal or not
        one, other = ours.step(actions), theirs.step(actions)
        for mine, its in zip(one[:3], other[:3], strict=True):
            np.testing.assert_array_equal(mine, its)
        for copy in np.flatnonzero(one[2]):
            mine, its = one[3][copy], other[3][copy]
            np.testing.assert_array_equal(mine["terminal_observation"], its["terminal_observation"])
            assert (mine["TimeLimit.truncated"], mine["seat"]) == (its["TimeLimit.truncated"], its["seat"])
            ended += 1
    assert ended > 3 or game.rules.has_chance


@every_game
def test_some_copies_can_take_a_step_without_the_others(game: Game) -> None:
    whole, parts = (BoardGameVectorEnv(game, COPIES, "random") for _ in range(2))
    parts.reset(seed=3)
    _, infos = whole.reset(seed=3)
    rng = np.random.default_rng(1)
    for _ in range(60):
        actions = any_legal(infos["action_mask"], rng)
        expected = whole.step(actions)
        which = rng.permutation(COPIES)
        for some in (which[:3], which[3:]):
            found = parts.step_some(some, actions[some])
            for mine, its in zip(found[:4], expected[:4], strict=True):
                np.testing.assert_array_equal(mine, its[some])
            np.testing.assert_array_equal(found[4]["action_mask"], expected[4]["action_mask"][some])
        infos = expected[4]


def test_copies_have_nothing_of_their_own() -> None:
    from boardgames_baselines.rl.vec_env import BatchVecEnv

    env = BatchVecEnv(make_game("tic_tac_toe"), 2)
    assert env.get_attr("num_envs") == [2, 2]
    assert env.env_is_wrapped(object) == [False, False]  # type: ignore[arg-type]
    with pytest.raises(AttributeError, match="share one batch"):
        env.set_attr("game", None)
    with pytest.raises(AttributeError, match="have no method dance"):
        env.env_method("dance")


@every_game
def test_a_pool_plays_the_other_seat(game: Game) -> None:
    """Its opponents are asked in the other seat's positions only, and what they win, the learner loses."""
    from boardgames_baselines.rl.vec_env import PoolVecEnv

    asked: list[int] = []
    rng = np.random.default_rng(2)

    def opponent(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        assert observations.shape == (len(masks), game.num_features)
        asked.append(len(observations))
        return any_legal(masks, rng)

    env = PoolVecEnv(game, COPIES, [opponent, opponent])
    env.playing[:] = np.arange(COPIES) % 2
    env.seed(4)
    env.reset()
    seats: list[list[int]] = [[] for _ in range(COPIES)]
    points: list[float] = []
    for _ in range(100):
        assert (env._movers == env._seats).all()
        _, rewards, over, infos = env.step(any_legal(env.action_masks(), rng))
        assert not rewards[~over].any()
        for copy in np.flatnonzero(over):
            seats[copy].append(infos[copy]["seat"])
            points.append(rewards[copy])
    assert sum(asked) > 50
    assert all(each == [k % 2 for k in range(len(each))] for each in seats)
    if game.name == "tic_tac_toe":
        assert {-1.0, 1.0} <= set(points)
        assert abs(np.mean(points)) < 0.3
