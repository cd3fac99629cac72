"""RLlib's PPO learns in our environment, with a module of ours that masks illegal actions."""

import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

SCRIPT = Path(__file__).parents[2] / "docs" / "examples" / "rllib_ppo.py"
PYTHON = os.environ.get("RLLIB_PYTHON", sys.executable if find_spec("ray") and find_spec("tree") else None)


@pytest.mark.slow
@pytest.mark.skipif(PYTHON is None, reason="RLlib is not installed; RLLIB_PYTHON can name a Python that has it")
def test_the_script_learns_for_an_iteration() -> None:
    assert PYTHON is not None
    # a folder of its own: Ray neither finds another on this machine nor is found
    with TemporaryDirectory(prefix="ray") as folder:
        done = subprocess.run(
            [PYTHON, SCRIPT, "--iterations", "1"],
            check=False, capture_output=True, text=True, timeout=400, env={**os.environ, "RAY_TMPDIR": folder},
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    (contests, points) = re.findall(r"^1: (\d+) contests, (\S+) points each$", done.stdout, re.MULTILINE)[0]
    # three or four actions each: an illegal action would end contests sooner, with −1 for us
    assert 1024 / 4.6 < int(contests) < 1024 / 3
    assert -0.6 < float(points) < 0.9
