"""Algorithms of Stable-Baselines3 as learners: what must hold for every learner, at few games; and their runs."""

import os
import signal
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from boardgames_agents.arena.contest import play_contest
from boardgames_agents.arena.tournament import tournament
from boardgames_agents.policy import MarkovPolicy
from boardgames_agents.registry import make_agent, make_learner, registered_agents
from boardgames_agents.training import run
from boardgames_agents.training.config import write_config
from boardgames_agents.training.run import RunConfig, load_run
from boardgames_agents.training.trainers import registered_trainers
from boardgames_baselines.rl import _KINDS
from boardgames_baselines.rl.config import PPOConfig, configured, family_of
from boardgames_env import BadInputError, Game, make_game
from tests import test_every_learner
from tests.boardgames_agents.training.test_runs import scalars
from tests.boardgames_baselines import needs_rl
from tests.contests import choices, train
from tests.processes import printed
from tests.variants import fast_for, sampled

if TYPE_CHECKING:
    from boardgames_baselines.rl.learner import RLLearner

pytestmark = needs_rl

GAME = "tic_tac_toe"
ON_POLICY = "hidden=16, copies=4, n_steps=4"
OFF_POLICY = "hidden=16, learning_starts=8, batch_size=8, buffer_size=60, target_update_interval=20"
SMALL = {
    "maskable_ppo": f"maskable_ppo({ON_POLICY}, batch_size=8, n_epochs=2, pool_every=2)",
    "ppo": f"ppo({ON_POLICY}, batch_size=8, n_epochs=2, pool=2, pool_every=1)",
    "a2c": f"a2c({ON_POLICY}, pool_every=2)",
    "dqn": f"dqn({OFF_POLICY}, pool_every=5)",
    "qr_dqn": f"qr_dqn({OFF_POLICY}, quantiles=5, pool_every=5)",
}
every_algorithm = pytest.mark.parametrize("name", fast_for(["maskable_ppo", "dqn"], SMALL))


def make(name: str, spec: str = GAME) -> "RLLearner[Any, Any]":
    from boardgames_baselines.rl.learner import RLLearner

    learner = make_agent(SMALL[name], make_game(spec))
    assert isinstance(learner, RLLearner)
    return learner


def test_all_are_registered_and_have_small_settings_here() -> None:
    assert set(SMALL) == set(_KINDS) <= set(registered_agents())


@pytest.mark.parametrize(
    ("trainer", "name"), sampled(["random", "2&7", "fallible(e=0.5)", *registered_trainers()], list(SMALL), one_in=3)
)
def test_every_trainer_teaches_every_algorithm(trainer: str, name: str, game: Game) -> None:
    learner = make(name)
    before = learner.snapshot()
    train(learner, game, trainer, range(12))
    assert before.digest != learner.snapshot().digest
    assert learner.model._n_updates > 0


FAST = [("achi", "maskable_ppo"), ("hypergammon", "dqn")]


@pytest.mark.parametrize(("spec", "name"), fast_for(FAST, product(["achi", "fives", "hypergammon"], SMALL)))
def test_every_algorithm_plays_other_families_of_games(spec: str, name: str) -> None:
    game = make_game(spec)
    learner = make(name, spec)
    assert play_contest(game, (learner, make_agent("random", game)), [1]).plies > 2
    assert len(learner.self_play((0,), range(2)).points) == 2
    assert play_contest(game, (learner.frozen(), make_agent("random", game)), [1]).plies > 2


@pytest.mark.parametrize("name", fast_for(["dqn"], SMALL))
def test_the_same_seed_teaches_the_same_in_any_company(name: str, game: Game) -> None:
    """Global generators settle nothing, and are left as they were."""
    learners = []
    for company in (1, 2):
        np.random.seed(company)
        before = np.random.get_state()[1].tolist()  # type: ignore[union-attr]
        learner = make(name)
        train(learner, game, "2&7", range(8))
        learner.play_episodes_against("random", (5,), range(8, 20))
        learner.self_play((5,), range(20, 30))
        assert np.random.get_state()[1].tolist() == before  # type: ignore[union-attr]
        learners.append(learner)
    assert learners[0].snapshot().digest == learners[1].snapshot().digest


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_a_restored_learner_goes_on_identically(name: str, game: Game) -> None:
    test_every_learner.test_a_restored_learner_goes_on_identically(SMALL[name], game)


@every_algorithm
def test_a_frozen_learner_learns_nothing_and_a_snapshot_is_a_copy(name: str, game: Game) -> None:
    test_every_learner.test_a_frozen_learner_learns_nothing(SMALL[name], game)
    learner = make(name)
    snapshot = learner.snapshot()
    digest = snapshot.digest
    learner.self_play((1,), range(60))
    assert snapshot.digest == digest != learner.snapshot().digest


@every_algorithm
def test_its_loop_plays_as_many_contests_as_it_is_asked_for(name: str) -> None:
    learner = make(name)
    for contests in (range(1), range(1, 3), range(3, 40)):
        practised = learner.play_episodes_against("fallible(e=0.5)", (1,), contests)
        assert practised.points.shape == practised.plies.shape == (len(contests),)
        assert set(practised.points) <= {-1.0, 0.0, 1.0}


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_the_pool_grows_up_to_its_size(name: str) -> None:
    learner = make(name)
    learner.self_play((1,), range(100))
    assert len(learner._pool) == learner.config.pool or learner.config.pool == 10
    assert len(learner._pool) > 1
    assert all(np.isfinite(value) for value in learner.knowledge().values())


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_the_skill_plays_the_same_and_is_small(name: str, game: Game) -> None:
    learner, other = make(name), make(name)
    learner.self_play((1,), range(200))
    other.restore(learner.skill())
    assert choices(learner.frozen(), game) == choices(other.frozen(), game)
    skill, whole = (
        sum(array.nbytes for array in made.arrays.values()) for made in (learner.skill(), learner.snapshot())
    )
    assert skill < whole if "dqn" in name else skill == whole


def test_another_networks_snapshot_is_refused() -> None:
    with pytest.raises(BadInputError, match="weights of another network"):
        make("ppo", "achi(recurrences=2)").restore(make("ppo", "fives").snapshot())


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("ppo(gamma=2)", "gamma=2 is not allowed; it must be from 0 to 1"),
        ("ppo(batch_size=100)", "batch_size=100 is not allowed; it must divide"),
        ("ppo(learning_rate=-1.0)", "learning_rate=-1.0 is not allowed"),
        ("a2c(n_steps=0)", "n_steps=0 is not allowed"),
        ("ppo(layers=1000)", "layers=1000 is not allowed"),
        ("ppo(layers=2, hidden=10000)", "layers=2 with hidden=10000 are not allowed; layers × hidden²"),
        ("qr_dqn(quantiles=1000000)", "quantiles=1000000 is not allowed"),
        ("dqn(copies=2)", "copies=2 is not allowed"),
        ("dqn(clip_range=0.1)", "dqn has no option 'clip_range'; its options are"),
        ("qr_dqn(quantiles='many')", "quantiles='many' is not allowed"),
    ],
)
def test_settings_that_make_no_sense_are_refused(spec: str, said: str, game: Game) -> None:
    with pytest.raises(BadInputError, match=said):
        make_agent(spec, game)


def test_families_have_settings_of_their_own() -> None:
    assert [family_of(make_game(name)) for name in ("achi", "fives", "backgammon")] == ["small", "large", "dice"]
    assert configured(PPOConfig, make_game("fives"), {"hidden": None}).hidden == 256
    assert configured(PPOConfig, make_game("fives"), {"hidden": 32}).hidden == 32


@pytest.mark.slow
def test_masked_ppo_learns_to_beat_the_random_player(game: Game) -> None:
    learner = make_learner("maskable_ppo(copies=32, n_steps=16, batch_size=128, learning_rate=0.003)", game)
    before = tournament(game, learner.frozen(), "random", 100, seed=1).score
    learner.play_episodes_against("random", (0,), range(3000))
    after = tournament(game, learner.frozen(), "random", 100, seed=1).score
    assert after.power > max(75, before.power)


def test_the_loop_takes_a_batch_for_the_random_player_only() -> None:
    envs = [make("ppo")._env(opponent) for opponent in ("random", "perfect")]
    assert [type(env).__name__ for env in envs] == ["BatchVecEnv", "DummyVecEnv"]


# --- runs: killed and resumed, and a snapshot of another algorithm ---

KILLED = """
import os, signal, sys
from pathlib import Path
from boardgames_agents.registry import make_agent
from boardgames_agents.training.run import RunConfig, train
from boardgames_env import make_game
from tests.boardgames_baselines.test_rl_learners import config, SMALL
make_agent(SMALL["ppo"], make_game("tic_tac_toe"))  # imports everything once, for all children

def killed(name, trainer):
    def kill(contests):
        if contests >= 40:
            os.kill(os.getpid(), signal.SIGKILL)
    train(Path(sys.argv[1]) / name / trainer / "killed", config(name, trainer), kill)

for name, trainer in (argument.split(maxsplit=1) for argument in sys.argv[2:]):
    child = os.fork()
    if child == 0:
        killed(name, trainer)
        os._exit(0)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""

EVERY_WAY = [(name, trainer) for name in SMALL for trainer in ("random", "self", "2&7")]


def config(name: str, trainer: str) -> RunConfig:
    return RunConfig(
        "tic_tac_toe", SMALL[name], trainer, contests=90, test_every=40, test_contests=2, checkpoint_every=30
    )


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes cannot be forked here")
@pytest.mark.slow
def test_trainings_that_are_killed_go_on_to_the_same_result(tmp_path: Path) -> None:
    codes = printed(KILLED, tmp_path, *(f"{name} {trainer}" for name, trainer in EVERY_WAY))
    assert [int(line) for line in codes.split()] == [-signal.SIGKILL] * len(EVERY_WAY)
    for name, trainer in EVERY_WAY:
        folder = tmp_path / name / trainer
        assert load_run(folder / "killed").contests == 30
        run.train(folder / "killed", config(name, trainer))
        run.train(folder / "whole", config(name, trainer))
        killed, whole = (load_run(folder / each).learner.snapshot().digest for each in ("killed", "whole"))
        assert killed == whole, f"{name} {trainer}"
        whole, again = scalars(folder / "whole"), scalars(folder / "killed")
        assert set(again) == set(whole)
        for tag, points in whole.items():
            assert again[tag] == points, f"{name} {trainer}: {tag}"
        for tag in ("power/random", "state/updates"):
            assert [step for step, _ in whole[tag]] == [0, 40, 80, 90]


@pytest.mark.slow
def test_nothing_is_pickled(tmp_path: Path) -> None:
    run.train(tmp_path, config("dqn", "random"))
    kinds = {path.suffix for path in tmp_path.rglob("*") if path.is_file() and "tfevents" not in path.name}
    assert kinds == {".json", ".safetensors", ""}  # (the last one is the lock, which is empty)


@pytest.mark.slow
def test_a_model_of_another_algorithm_is_refused(tmp_path: Path) -> None:
    run.train(tmp_path, config("ppo", "random"))
    write_config(tmp_path, config("dqn", "random"))
    with pytest.raises(BadInputError, match="this is a snapshot of PPO, not of DQN"):
        load_run(tmp_path)


def test_a_network_also_plays_its_game_with_other_options() -> None:
    """It does so if it has a preference for each action."""
    own, other = make_game("achi"), make_game("achi(recurrences=2)")
    learner = make_learner("ppo(hidden=4)", own)
    player, usual = learner.frozen_at(other), learner.frozen()
    assert isinstance(player, MarkovPolicy)
    assert isinstance(usual, MarkovPolicy)
    assert player.distribution(other.initial) == usual.distribution(own.initial)
    with pytest.raises(BadInputError, match="no preference for each of the 156 actions"):
        make_learner("ppo(hidden=4)", make_game("backgammon")).frozen_at(make_game("backgammon(cube=True)"))
