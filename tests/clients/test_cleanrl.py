"""CleanRL's programs train at our games, from a checkout, by the id alone."""

import re
from pathlib import Path

import pytest
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

from tests.clients import SOURCES, changed, client, needs_source, run

pytestmark = [pytest.mark.slow, needs_source("cleanrl")]
PROGRAMS = {
    "ppo": ["--total-timesteps", "2048"],
    "dqn": ["--total-timesteps", "1000", "--learning-starts", "200", "--buffer-size", "500"],
}
GAME = ["--env-id", "boardgames_env:boardgames/TicTacToe-v0"]

RETURNS = {
    'if "final_info" in infos:': 'if "episode" in infos:',
    'for info in infos["final_info"]:': 'for info in [{"episode": {key: r[k] for key, r in infos["episode"].items()}}'
    ' for k in np.flatnonzero(infos["_episode"])]:',
}
"""It looks for the returns where Gymnasium had them before version 1, and would print none of any environment."""


@client("`ppo.py`, `dqn.py`", "cleanrl")
@pytest.mark.parametrize("name", PROGRAMS)
def test_it_trains(name: str, tmp_path: Path) -> None:
    root = SOURCES / "cleanrl"
    run(root / "cleanrl" / f"{name}.py", *GAME, *PROGRAMS[name], folder=tmp_path, PYTHONPATH=str(root))
    (events,) = tmp_path.glob("runs/**/events.*")
    log = EventAccumulator(str(events.parent)).Reload()
    losses = [each.value for tag in log.Tags()["scalars"] if tag.startswith("losses/") for each in log.Scalars(tag)]
    assert len(losses) > 5
    assert all(abs(loss) < 100 for loss in losses)


@client("`ppo.py`, `dqn.py`, which print returns", "cleanrl", 2)
@pytest.mark.parametrize("name", PROGRAMS)
def test_it_prints_returns(name: str, tmp_path: Path) -> None:
    root = SOURCES / "cleanrl"
    program = changed(root / "cleanrl" / f"{name}.py", RETURNS, tmp_path)
    told = run(program, *GAME, *PROGRAMS[name], folder=tmp_path, PYTHONPATH=str(root))
    returns = {float(each) for each in re.findall(r"episodic_return=(\S+)", told)}
    assert {-1.0, 1.0} <= returns <= {-1.0, 0.0, 1.0}
