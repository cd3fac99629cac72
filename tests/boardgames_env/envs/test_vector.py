"""The batched environment does what Gymnasium's own batches of single environments do."""

import copy
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import data_equivalence
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from boardgames_env import BadInputError, Game, Limits, make_game, registered_games
from boardgames_env.envs.registration import gymnasium_id
from boardgames_env.envs.single import BoardGameEnv
from boardgames_env.envs.vector import BoardGameVectorEnv, make_vector_env
from tests.boardgames_env.envs.conftest import ACHI_ROUND, ACHI_WITHOUT_A_LINE, BY_SPEC, GAMES, KINDS_OF_COPY
from tests.variants import EACH_SMALL_GAME, is_small, over, sampled

every_game = over(GAMES)
WITHOUT_RECURRENCES = ["backgammon", "fives", "hypergammon", "lose_tic_tac_toe", "qubic", "tic_tac_toe"]
COPIES = 5


def make(game: Game, mode: str | None = None, **more: Any) -> Any:
    id = gymnasium_id(registered_games()[game.name])
    return gymnasium.make_vec(id, num_envs=COPIES, vectorization_mode=mode, **game.options, **more)


def actions(info: dict[str, Any], rng: np.random.Generator, any_of_them: float = 0.0) -> Any:
    """Random actions: legal ones, but for some that may be anything."""
    mask = info["action_mask"]
    legal = (rng.random(mask.shape) * mask).argmax(axis=1)
    anything = rng.integers(-1, mask.shape[1] + 1, size=len(mask))
    return np.where(rng.random(len(mask)) < any_of_them, anything, legal)


def assert_equal_runs(one: Any, other: Any, steps: int, seed: Any, any_of_them: float) -> int:
    """Step two batches alike; how many contests ended."""
    rng = np.random.default_rng(0)
    seen = one.reset(seed=seed)
    assert data_equivalence(seen, other.reset(seed=seed), exact=True)
    ended = 0
    for _ in range(steps):
        chosen = actions(seen[-1], rng, any_of_them)
        seen = one.step(chosen)
        assert data_equivalence(seen, other.step(chosen), exact=True)
        ended += int((seen[2] | seen[3]).sum())
    return ended


@pytest.mark.parametrize(
    ("game", "kwargs", "any_of_them"),
    sampled(GAMES, [{}, {"seat": 0}, {"seat": 1}, {"opponent": None}], [0.0, 0.1]),
    **BY_SPEC,
)
def test_a_batch_equals_single_environments(game: Game, kwargs: dict[str, Any], any_of_them: float) -> None:
    one, other = make(game, **kwargs), make(game, mode="sync", **kwargs)
    assert one.metadata["autoreset_mode"] == other.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    assert one.observation_space == other.observation_space
    assert one.action_space == other.action_space
    assert assert_equal_runs(one, other, 200 if is_small(game) else 600, 7, any_of_them) > 5
    # without a seed all goes on: whose turn it is to open, and the opponents' chances
    assert_equal_runs(one, other, 30, None, any_of_them)
    assert_equal_runs(one, other, 30, [3, None, 3, 4, None], any_of_them)


@pytest.mark.parametrize(
    "limits",
    [
        {"recurrences": 2},
        {"recurrences": 3, "key": "symmetry"},
        {"plies": 7, "plies_draw": False},
        {"recurrences": 2, "plies": 12},
        {"recurrences": 1000},  # more positions are kept than there is room for to begin with
    ],
    ids=str,
)
def test_limits_hold_in_a_batch(limits: dict[str, Any]) -> None:
    game = replace(make_game("achi"), limits=Limits(**limits))
    one = BoardGameVectorEnv(game, COPIES, None)
    other = SyncVectorEnv([lambda: BoardGameEnv(game, opponent=None) for _ in range(COPIES)])
    one.reset(seed=1)
    other.reset(seed=1)
    plan = (*ACHI_WITHOUT_A_LINE, *ACHI_ROUND * 40)
    ply = ended = 0
    for _ in range(200):
        chosen = np.full(COPIES, plan[ply])
        seen = one.step(chosen)
        assert data_equivalence(seen, other.step(chosen), exact=True)
        is_over = (seen[2] | seen[3]).all()
        ended += int(is_over)
        assert not seen[1].any()
        # the step after the last does not play its action
        ply = -1 if is_over else ply + 1
    assert ended > 3 or (ended == 0 and limits == {"recurrences": 1000})


@over(EACH_SMALL_GAME)
def test_a_batch_with_policies_for_opponents_equals_single_environments(game: Game) -> None:
    one, other = make(game, opponent="worst"), make(game, mode="sync", opponent="worst")
    assert assert_equal_runs(one, other, 100, 7, 0.1) > 5


@pytest.mark.parametrize(("game", "twin"), sampled(GAMES, KINDS_OF_COPY), **BY_SPEC)
def test_a_copy_goes_on_identically(game: Game, twin: Callable[[Any], Any]) -> None:
    env = make(game)
    _, info = env.reset(seed=1)
    rng = np.random.default_rng(0)
    for _ in range(10):
        *_, info = env.step(actions(info, rng))
    other = twin(env)
    for _ in range(60):
        chosen = actions(info, rng)
        seen = env.step(chosen)
        assert data_equivalence(seen, other.step(chosen), exact=True)
        info = seen[-1]


@every_game
def test_what_is_given_out_stays_as_it_is(game: Game) -> None:
    env = make(game, opponent=None)
    seen = [env.reset(seed=0)]
    before = copy.deepcopy(seen[0])
    rng = np.random.default_rng(0)
    for _ in range(20):
        seen.append(env.step(actions(seen[-1][-1], rng)))
    assert data_equivalence(seen[0], before, exact=True)
    # and what is done to it changes nothing
    other = copy.deepcopy(env)
    chosen = actions(seen[-1][-1], rng)
    for array in (*seen[-1][:4], *seen[-1][4].values()):
        array[...] = 1
    assert data_equivalence(env.step(chosen), other.step(chosen), exact=True)


def test_a_batch_is_drawn() -> None:
    env = make(make_game("achi"), render_mode="ansi")
    env.reset(seed=0)
    assert env.render() == (make_game("achi").initial.text,) * COPIES
    with pytest.raises(BadInputError, match="human"):
        make(make_game("achi"), render_mode="human")


def test_each_copy_has_an_opponent_of_its_own() -> None:
    made = make_vector_env("tic_tac_toe", 3, opponent="worst")
    assert isinstance(made, SyncVectorEnv)
    assert len({id(env.unwrapped.opponent) for env in made.envs}) == 3  # type: ignore[attr-defined]


def test_bad_input_is_refused() -> None:
    env = BoardGameVectorEnv("tic_tac_toe", 3, None)
    with pytest.raises(ResetNeeded):
        env.step(np.zeros(3, dtype=np.int64))
    env.reset(seed=0)
    for wrong in (np.zeros(2, dtype=np.int64), np.zeros(3), [[0, 0, 0]], 0):
        with pytest.raises(BadInputError, match=r"shape \(3,\)"):
            env.step(wrong)  # type: ignore[arg-type]
    with pytest.raises(BadInputError, match="2 seeds"):
        env.reset(seed=[1, 2])
    with pytest.raises(BadInputError, match="reset_mask"):
        env.reset(options={"reset_mask": np.ones(3, dtype=np.bool_)})
    for opponent in (None, "worst"):
        with pytest.raises(BadInputError, match="num_envs=0"):
            make_vector_env("tic_tac_toe", 0, opponent)
    with pytest.raises(BadInputError, match="num_envs=0"):
        BoardGameVectorEnv("tic_tac_toe", 0)
    with pytest.raises(BadInputError, match="needs an opponent"):
        BoardGameVectorEnv("tic_tac_toe", 2, None, seat=0)
    with pytest.raises(BadInputError, match="threads=0"):
        BoardGameVectorEnv("tic_tac_toe", 4, threads=0)
    with pytest.raises(BadInputError, match="threads=2 is not for achi, whose positions are kept"):
        BoardGameVectorEnv("achi", 4, threads=2)


@pytest.mark.parametrize(
    ("game", "size", "opponent"), sampled(WITHOUT_RECURRENCES, [1, 5, 64], ["random", None]), **BY_SPEC
)
def test_threads_change_nothing(game: Game, size: int, opponent: str | None) -> None:
    alone, shared = (BoardGameVectorEnv(game, size, opponent, threads=threads) for threads in (1, 3))
    rng = np.random.default_rng(0)
    steps = [alone.reset(seed=3), shared.reset(seed=3)]
    for _ in range(40):
        assert data_equivalence(*steps)
        actions = rng.integers(game.num_actions, size=size)
        steps = [alone.step(actions), shared.step(actions)]
