from pathlib import Path

import pytest

from boardgames_agents.improve.fitting import FittingOptions
from boardgames_agents.improve.improvement_folder import ImprovementConfig
from tests.boardgames_agents.improve.improvements import saved, untrained


@pytest.fixture
def config(tmp_path: Path) -> ImprovementConfig:
    """The configuration of one small iteration, which begins with an untrained network."""
    network, fitting = saved(tmp_path / "first.safetensors", untrained()), FittingOptions(epochs=2)
    return ImprovementConfig("hypergammon", network, 1, rolls=90, block=30, fitting=fitting)
