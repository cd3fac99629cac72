"""Improvements as only the networks of the package needed them: two networks, filters, races, drawn rolls, blends."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from boardgames_agents.backgammon.race_network import SHIPPED, save_weights, shipped_weights
from boardgames_agents.experiments.runner import Workers
from boardgames_agents.improve.engine import Iteration
from boardgames_agents.td.network import Network
from boardgames_agents.td.network_file import describe_file, load_network
from boardgames_agents.td.options import Design
from boardgames_env import BadInputError, Game, make_game
from networks.examples import WorkshopExampleOptions
from networks.improvement import WorkshopConfig, WorkshopFittingOptions, WorkshopImprovement, joined_networks
from tests.boardgames_agents.improve.improvements import collected, contents, made_in, saved, untrained
from tests.positions import random_positions

GAME = "hypergammon"


@pytest.fixture
def config(tmp_path: Path) -> WorkshopConfig:
    """The configuration of one small iteration, which begins with an untrained network."""
    network, fitting = saved(tmp_path / "first.safetensors", untrained()), WorkshopFittingOptions(epochs=2)
    return WorkshopConfig(GAME, network, 1, rolls=90, block=30, fitting=fitting)


def improved(folder: Path, config: WorkshopConfig, jobs: int = 1) -> list[Iteration]:
    return list(WorkshopImprovement(folder, config, Workers(jobs)).iterations())


DRAWN = WorkshopExampleOptions(plies=3, samples=2, label_lambda=0.6)


@pytest.mark.slow
def test_labels_by_drawn_rolls_are_the_same_with_two_processes(tmp_path: Path, config: WorkshopConfig) -> None:
    for folder, jobs in (("one", 1), ("two", 2)):
        improved(tmp_path / folder, replace(config, examples=DRAWN), jobs)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


@pytest.mark.slow
def test_labels_by_drawn_rolls_are_others(tmp_path: Path, config: WorkshopConfig, game: Game) -> None:
    files = []
    for name, options in (("drawn", DRAWN), ("all", WorkshopExampleOptions(plies=3))):
        improved(tmp_path / name, replace(config, examples=options))
        files.append(made_in(tmp_path / name))
    assert json.loads(describe_file(files[0]).about["options"])["samples"] == 2
    weights = [load_network(file, game).arrays()["hidden"] for file in files]
    assert np.abs(weights[0] - weights[1]).max() > 0


def test_an_improvement_of_two_networks(tmp_path: Path, config: WorkshopConfig, game: Game) -> None:
    other = Network(game, replace(untrained().design, hidden=3), seed=4)
    both = replace(config, inputs="raw_by_phase", joined=saved(tmp_path / "other.safetensors", other))
    improved(tmp_path / "run", both)
    start = load_network(tmp_path / "run" / "start.safetensors", game)
    wanted = joined_networks(untrained(), other)
    states = collected().states
    np.testing.assert_allclose(start.predict_batch(states), wanted.predict_batch(states), atol=1e-6)
    assert start.about["made by"] == f"{both.network} and {both.joined}"
    made = load_network(made_in(tmp_path / "run"), game)
    assert made.design == replace(untrained().design, hidden=8, inputs="raw_by_phase")
    with pytest.raises(BadInputError, match="holds an improvement with joined="):
        improved(tmp_path / "run", replace(both, joined=""))


def test_networks_whose_inputs_do_not_agree_are_not_joined(tmp_path: Path, config: WorkshopConfig) -> None:
    other = Network(make_game("hypergammon"), replace(untrained().design, inputs="expert"), seed=4)
    joined = saved(tmp_path / "other.safetensors", other)
    for inputs, loser in (("", joined), ("raw_by_phase", joined), ("expert", config.network)):
        with pytest.raises(BadInputError, match="would lose what it knows with") as raised:
            improved(tmp_path / "run", replace(config, joined=joined, inputs=inputs))
        assert str(raised.value).startswith(loser)
    assert not (tmp_path / "run").exists()


def test_a_filter_changes_labels(tmp_path: Path, config: WorkshopConfig, game: Game) -> None:
    network = Network(game, Design(inputs="raw", hidden=2, outputs=1), seed=5)
    filtering = saved(tmp_path / "filter.safetensors", network)
    improved(tmp_path / "with", replace(config, filtering=filtering, kept=1))
    improved(tmp_path / "without", config)
    one, other = (contents(tmp_path / name)["iteration-01/examples-0001.safetensors"] for name in ("with", "without"))
    assert one != other


def test_races_left_to_a_network(tmp_path: Path) -> None:
    network = saved(tmp_path / "first.safetensors", Network(make_game("backgammon"), Design(inputs="raw", hidden=2)))
    mine, fitting = tmp_path / "mine.safetensors", WorkshopFittingOptions(epochs=1)
    save_weights(mine, shipped_weights(), {})
    config = WorkshopConfig("backgammon", network, 1, races=str(mine), rolls=40, block=20, fitting=fitting)
    improved(tmp_path / "run", config)
    first = contents(tmp_path / "run")
    mine.unlink()  # (the folder has its own copy)
    made_in(tmp_path / "run", "examples-0001").unlink()
    improved(tmp_path / "run", config)
    assert contents(tmp_path / "run") == first
    assert "races.safetensors" in first
    save_weights(tmp_path / "moved.safetensors", shipped_weights(), {"made by": "the same"})
    improved(tmp_path / "run", replace(config, races=str(tmp_path / "moved.safetensors")))
    weights = shipped_weights()
    save_weights(mine, weights._replace(output_bias=weights.output_bias + 1), {})
    for other in (config, replace(config, races="")):
        with pytest.raises(BadInputError, match="another network for races"):
            improved(tmp_path / "run", other)


def test_a_network_for_races_that_does_not_fit_is_refused(tmp_path: Path, config: WorkshopConfig) -> None:
    for file, sentence in ((SHIPPED, "15 men"), (tmp_path / "none.safetensors", "none.safetensors")):
        with pytest.raises(BadInputError, match=sentence):
            improved(tmp_path / "run", replace(config, races=str(file)))
        assert not (tmp_path / "run").exists()


def test_a_blend_is_between_the_weights_before_and_after(tmp_path: Path, config: WorkshopConfig, game: Game) -> None:
    made = {}
    for blend in (1.0, 0.25):
        improved(tmp_path / str(blend), replace(config, fitting=WorkshopFittingOptions(epochs=2, blend=blend)))
        made[blend] = load_network(made_in(tmp_path / str(blend)), game).arrays()
    for name, before in untrained().arrays().items():
        moved = made[1.0][name] - before
        assert np.abs(moved).max() > 0
        np.testing.assert_allclose(made[0.25][name], before + moved / 4, atol=1e-6)


def test_a_joined_network_that_would_shrink_is_refused_at_once(tmp_path: Path, config: WorkshopConfig) -> None:
    with pytest.raises(BadInputError, match="hidden=9 is not allowed; the joined network has 10 hidden units"):
        improved(tmp_path / "run", replace(config, joined=config.network, hidden=9))
    assert not (tmp_path / "run").exists()


OUT_OF_BOUNDS: list[tuple[Callable[..., object], dict[str, float]]] = [
    *((WorkshopExampleOptions, each) for each in ({"candidates": 1}, {"plies": 5}, {"others": -1}, {"margin": -0.1})),
    *((WorkshopExampleOptions, {"samples": samples, "plies": plies}) for samples, plies in ((37, 3), (-1, 3), (2, 21))),
    (WorkshopExampleOptions, {"samples": 2}),
    (WorkshopExampleOptions, {"replies": 1, "samples": 2, "plies": 3}),
    (WorkshopExampleOptions, {"label_lambda": 0.5, "plies": 3}),
    (WorkshopExampleOptions, {"label_lambda": 1.5, "samples": 2, "plies": 3}),
    *((WorkshopFittingOptions, {"blend": blend}) for blend in (-0.1, 1.1)),
]


@pytest.mark.parametrize(("made", "options"), OUT_OF_BOUNDS)
def test_numbers_are_checked(made: Callable[..., object], options: dict[str, float]) -> None:
    with pytest.raises(BadInputError, match=f"{next(iter(options))}="):
        made(**options)


def test_a_joined_network_predicts_the_mean_before_the_sigmoid(game: Game) -> None:
    one, other = (Network(game, Design(inputs="raw", hidden=hidden, outputs=6), seed=hidden) for hidden in (5, 3))
    for network in (one, other):
        network.layers.output_bias[:] = np.arange(6)
    states = np.array([position.state for position in random_positions(game, 50, seed=3)])
    joined = joined_networks(one, other)
    assert joined.design == replace(one.design, hidden=8)
    found, sums = (
        [np.log(each / (1 - each)) for each in (network.predict_batch(states) for network in networks)]
        for networks in ([joined], [one, other])
    )
    np.testing.assert_allclose(found[0], (sums[0] + sums[1]) / 2, atol=1e-4)


@pytest.mark.parametrize("other", [{"inputs": "expert"}, {"outputs": 4}, {"gammons": "within"}, {"viewer": "0"}])
def test_networks_that_differ_by_more_than_hidden_units_are_not_joined(game: Game, other: dict[str, str]) -> None:
    design = Design(inputs="raw", hidden=5, outputs=6)
    different = Network(game, replace(design, **other))  # type: ignore[arg-type]
    with pytest.raises(BadInputError, match="only the number of hidden units may differ"):
        joined_networks(Network(game, design), different)
