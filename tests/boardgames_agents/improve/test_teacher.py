"""The self-play of an improvement before each iteration: what it learns, and that it can be resumed."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from boardgames_agents.improve.fitting import FittingOptions
from boardgames_agents.improve.improvement_folder import ImprovementConfig
from boardgames_agents.improve.teacher import SelfPlayOptions, mean_of
from boardgames_agents.td.learner import TDLearner
from boardgames_agents.td.network_file import describe_file, load_network
from boardgames_agents.td.options import TDOptions
from boardgames_env import BadInputError, Game
from tests.boardgames_agents.improve.improvements import contents, improved, made_in, untrained

GAME = "hypergammon"


@pytest.fixture
def config(config: ImprovementConfig) -> ImprovementConfig:
    return replace(config, teacher=SelfPlayOptions(self_play=30, td_alpha=0.1))


def test_a_branch_is_self_play_from_the_network_before(tmp_path: Path, config: ImprovementConfig, game: Game) -> None:
    improved(tmp_path / "run", config)
    for branch in (0, 1):
        network = untrained().copy()
        options = TDOptions(alpha=0.1, decay=5, lam=0.4, error="squared", epsilon=0, average=10)
        learner = TDLearner(network, options)
        learner.self_play((config.seed, 1, 2, branch), range(30))
        made = load_network(made_in(tmp_path / "run", f"branch-{branch}"), game)
        for name, layer in learner.learned.arrays().items():
            np.testing.assert_array_equal(made.arrays()[name], layer)


def test_the_teacher_is_the_mean_of_its_branches() -> None:
    first = untrained().arrays()
    second = {name: layer + 2 for name, layer in first.items()}
    for name, layer in mean_of(untrained(), [first, second]).arrays().items():
        np.testing.assert_allclose(layer, first[name] + 1, atol=1e-6)


def test_the_teacher_labels_and_is_what_is_fitted(tmp_path: Path, config: ImprovementConfig, game: Game) -> None:
    [found] = improved(tmp_path / "run", config)
    teacher = made_in(tmp_path / "run", "teacher")
    again = replace(config, network=f"td_net(file={str(teacher)!r})", teacher=SelfPlayOptions())
    [alone] = improved(tmp_path / "alone", again)
    assert (found.loss_before, found.loss_after) == (alone.loss_before, alone.loss_after)
    assert not np.array_equal(load_network(teacher, game).layers.hidden, untrained().layers.hidden)


def test_not_a_network_of_another_design_learns_by_self_play(tmp_path: Path, config: ImprovementConfig) -> None:
    with pytest.warns(UserWarning, match="begins anew"):
        improved(tmp_path / "run", replace(config, inputs="expert"))
    teacher, fitted = (describe_file(made_in(tmp_path / "run", name)) for name in ("teacher", "network"))
    assert teacher.design == untrained().design
    assert fitted.design == replace(untrained().design, inputs="expert")
    assert teacher.about["made by"] == f"self-play of iteration 1 from {config.network}"
    assert json.loads(teacher.about["options"])["self_play"] == 30


def test_a_teacher_goes_on_where_the_fitted_network_is_worse(tmp_path: Path, config: ImprovementConfig) -> None:
    teacher = SelfPlayOptions(self_play=2000, td_alpha=0.3)
    fitting = FittingOptions(epochs=3, alpha=1)
    [found] = improved(tmp_path / "run", replace(config, teacher=teacher, fitting=fitting))
    assert not found.improved
    assert found.network.name == "teacher.safetensors"


def test_self_play_that_was_killed_goes_on(tmp_path: Path, config: ImprovementConfig) -> None:
    two = replace(config, iterations=2)
    improved(tmp_path / "run", two)
    whole = contents(tmp_path / "run")
    for file in ("branch-1", "teacher", "network", "examples-0002"):
        (tmp_path / "run" / "iteration-02" / f"{file}.safetensors").unlink()
    improved(tmp_path / "run", two)
    assert contents(tmp_path / "run") == whole


@pytest.mark.parametrize("options", [{"branches": 3}, {"td_alpha": 0.5}, {"lam": 0.9}])
def test_options_of_self_play_are_refused_without_it(options: dict[str, float]) -> None:
    with pytest.raises(BadInputError, match=f"{next(iter(options))}=.* is for self-play, and there is none"):
        SelfPlayOptions(**options)  # type: ignore[arg-type]
