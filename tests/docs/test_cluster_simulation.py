"""The simulation of a cluster gives the figures on the page."""

import runpy
from pathlib import Path

import numpy as np
import pytest

SCRIPT = Path(__file__).parents[2] / "docs" / "examples" / "cluster_simulation.py"


@pytest.mark.parametrize(("seconds", "in_use", "lost"), [(10, 0.801, 2), (60, 0.930, 5), (600, 0.948, 23)])
def test_the_rows_of_160_processors_are_reproduced(seconds: int, in_use: float, lost: int) -> None:
    simulate = runpy.run_path(str(SCRIPT))["simulate"]
    jobs = seconds * np.random.default_rng((0, 160)).lognormal(-0.045, 0.3, 20 * 160)
    _, used, repeated, found, _, tasks = simulate(160, jobs.tolist())
    assert (round(used, 3), found, tasks) == (in_use, lost, 3200)
    assert 0 < repeated < 0.005
