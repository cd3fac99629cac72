"""AgileRL's PPO learns on a compiled batch, and takes the mask from it by itself."""

from pathlib import Path

import pytest

from tests.clients import EXAMPLES, client, python_with, run

PYTHON = python_with("agilerl", "AGILERL_PYTHON")


@pytest.mark.slow
@pytest.mark.skipif(PYTHON is None, reason="AgileRL is not installed; AGILERL_PYTHON can name a Python that has it")
@client("masked PPO on a compiled batch", "agilerl", None, PYTHON)
def test_its_ppo_learns(tmp_path: Path) -> None:
    told = run(EXAMPLES / "agilerl_ppo.py", folder=tmp_path, python=PYTHON)
    points = [float(each) for each in told.splitlines()[-1].removeprefix("points a contest: ").split()]
    assert len(points) == 5
    assert sum(points[-3:]) / 3 > 0.3  # random play scores 0 against itself
