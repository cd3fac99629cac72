"""RLlib's PPO learns in our environments, with a module of ours that masks illegal actions."""

import re
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from tests.clients import EXAMPLES, client, python_with, run

PYTHON = python_with("tree", "RLLIB_PYTHON")  # (which Ray brings for RLlib alone)
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(PYTHON is None, reason="RLlib is not installed; RLLIB_PYTHON can name a Python that has it"),
]


def told_by(script: str, iterations: int) -> str:
    # a folder of its own: Ray neither finds another on this machine nor is found
    with TemporaryDirectory(prefix="ray") as folder:
        options = ["--iterations", str(iterations)]
        return run(EXAMPLES / script, *options, folder=Path(folder), python=PYTHON, RAY_TMPDIR=folder)


@client("masked PPO against an opponent inside", "ray", None, PYTHON)
def test_one_seat_learns_for_an_iteration() -> None:
    told = told_by("rllib_ppo.py", 1)
    (contests, points) = re.findall(r"^1: (\d+) contests, (\S+) points each$", told, re.MULTILINE)[0]
    # three or four actions each: an illegal action would end contests sooner, with −1 for us
    assert 1024 / 4.6 < int(contests) < 1024 / 3
    assert -0.6 < float(points) < 0.9


@client("masked PPO in both seats, by its own `PettingZooEnv`", "ray", None, PYTHON)
def test_both_seats_learn_for_two_iterations() -> None:
    told = told_by("rllib_both_seats.py", 2)
    for contests, first, second in re.findall(r"^\d: (\d+) contests, (\S+) (\S+)$", told, re.MULTILINE):
        assert 1024 / 9 <= int(contests) < 1024 / 5
        assert float(first) == -float(second)  # an illegal action would cost the offender alone
    assert told.count("contests") == 2
