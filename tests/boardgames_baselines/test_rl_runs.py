"""Runs of Stable-Baselines3's algorithms: killed and resumed; what is on TensorBoard; a snapshot of another one."""

import os
import signal
from pathlib import Path

import pytest

from boardgames_agents.training.run import RunConfig, load_run, train
from boardgames_env import BadInputError
from tests.boardgames_agents.training.test_runs import scalars
from tests.boardgames_baselines import needs_rl
from tests.boardgames_baselines.test_rl_learners import SMALL
from tests.processes import printed

pytestmark = needs_rl

KILLED = """
import os, signal, sys
from pathlib import Path
from boardgames_agents.registry import make_agent
from boardgames_agents.training.run import RunConfig, train
from boardgames_env import make_game
from tests.boardgames_baselines.test_rl_runs import config, SMALL
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
        train(folder / "killed", config(name, trainer))
        train(folder / "whole", config(name, trainer))
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
    train(tmp_path, config("dqn", "random"))
    kinds = {path.suffix for path in tmp_path.rglob("*") if path.is_file() and "tfevents" not in path.name}
    assert kinds == {".json", ".safetensors", ""}  # (the last one is the lock, which is empty)


@pytest.mark.slow
def test_a_model_of_another_algorithm_is_refused(tmp_path: Path) -> None:
    train(tmp_path, config("ppo", "random"))
    path = tmp_path / "config.json"
    path.write_text(path.read_text().replace(SMALL["ppo"], SMALL["dqn"]))
    with pytest.raises(BadInputError, match="this is a snapshot of PPO, not of DQN"):
        load_run(tmp_path)
