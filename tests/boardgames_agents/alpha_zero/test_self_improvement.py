"""AlphaZero in a folder: it resumes, it is the same with more processes, and the network becomes better."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from boardgames_agents.alpha_zero.network import PolicyDesign, load_network
from boardgames_agents.alpha_zero.policy_fitting import PolicyFitting
from boardgames_agents.alpha_zero.self_improvement import SelfImprovement, SelfPlayConfig
from boardgames_agents.alpha_zero.self_play import PolicyExamples
from boardgames_agents.experiments.runner import Workers
from boardgames_agents.improve.engine import Iteration
from boardgames_agents.td.network_file import save_network
from boardgames_env import BadInputError, make_game
from boardgames_env.array_file import array_bytes, arrays_in
from tests.boardgames_agents.alpha_zero.self_plays import SMALL, random_network
from tests.boardgames_agents.improve.improvements import contents

CONFIG = SelfPlayConfig(
    *("hexapawn", "alpha_zero", 2),
    contests=20,
    block=5,
    simulations=8,
    design=SMALL,
    fitting=PolicyFitting(epochs=2, batch=32),
)


def improved(folder: Path, config: SelfPlayConfig = CONFIG, jobs: int = 1) -> list[Iteration]:
    return list(SelfImprovement(folder, config, Workers(jobs)).iterations())


@pytest.mark.parametrize("block", [0, 3], ids=["learned from", "set apart"])
@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"outcomes": lambda outcomes: np.array(3)}, r"outcomes has shape \(\)"),
        ({"policies": np.ones_like}, "policies are not all probabilities that add up to 1"),
        ({name: lambda array: array[:0] for name in PolicyExamples._fields}, "it has none"),
    ],
    ids=["no axis", "no probabilities", "empty"],
)
def test_examples_that_are_none_are_refused_with_their_file(
    change: dict[str, Any], sentence: str, block: int, tmp_path: Path
) -> None:
    """Also those without a checksum, which people may write."""
    improved(tmp_path, replace(CONFIG, iterations=1))
    file = tmp_path / "iteration-01" / f"examples-{block:04}.safetensors"
    arrays = arrays_in(file.read_bytes())
    file.write_bytes(array_bytes({name: change.get(name, np.asarray)(array) for name, array in arrays.items()}))
    for name in ("network.safetensors", "measures.json"):
        (file.parent / name).unlink()
    with pytest.raises(BadInputError, match=f"{file.name} is damaged, or does not hold examples .{sentence}"):
        improved(tmp_path, replace(CONFIG, iterations=1))


@pytest.mark.slow
def test_the_same_with_two_processes(tmp_path: Path) -> None:
    for folder, jobs in (("one", 1), ("two", 2)):
        improved(tmp_path / folder, jobs=jobs)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_one_that_was_killed_goes_on(tmp_path: Path) -> None:
    whole = improved(tmp_path / "run")
    files = contents(tmp_path / "run")
    for name in ("examples-0002.safetensors", "network.safetensors", "measures.json"):
        (tmp_path / "run" / "iteration-02" / name).unlink()
    assert improved(tmp_path / "run") == whole
    assert contents(tmp_path / "run") == files


def test_the_table_has_the_exact_measures(tmp_path: Path) -> None:
    first, last = improved(tmp_path / "run")
    header, *rows = (tmp_path / "run" / "iterations.csv").read_text(encoding="utf-8").splitlines()
    assert len(rows) == 2
    assert {"value kept alone", "exploitability with search"} <= set(first.measures)
    assert header.split(",")[:2] == ["iteration", "examples"]
    assert rows[1].endswith(f"{last.measures['exploitability with search']:.6f}")


def test_it_goes_on_from_a_file(tmp_path: Path) -> None:
    network = random_network(make_game("hexapawn"), PolicyDesign(layers=1, width=5))
    save_network(tmp_path / "x.safetensors", network)
    config = replace(CONFIG, network=f"alpha_zero(network={str(tmp_path / 'x.safetensors')!r})", iterations=1)
    with pytest.raises(BadInputError, match="another design"):
        improved(tmp_path / "run", config)
    [found] = improved(tmp_path / "run", replace(config, design=PolicyDesign()))
    assert load_network(found.network, network.game).design == network.design
    folder = f"alpha_zero(network={str(tmp_path / 'run')!r})"
    [after] = improved(tmp_path / "other", replace(config, network=folder, design=PolicyDesign()))
    assert load_network(after.network, network.game).design == network.design


@pytest.mark.parametrize(
    ("other", "sentence"),
    [
        ({"game": "hypergammon"}, "has dice"),
        ({"network": "random"}, "hexapawn has no dice, so random cannot learn .*; give alpha_zero"),
        ({"network": "alpha_zero(simulations=3)"}, "cannot learn"),
        ({"network": "alpha_zero(network='none')"}, "there is no file none"),
        ({"network": "alpha_zero(network=5)"}, "network=5 is not allowed; network must be text"),
        ({"design": PolicyDesign(inputs="raw")}, "hexapawn has no encoding 'raw'"),
    ],
)
def test_what_cannot_be_improved_is_refused_before_anything_is_written(
    tmp_path: Path, other: dict[str, object], sentence: str
) -> None:
    with pytest.raises(BadInputError, match=sentence):
        improved(tmp_path / "run", replace(CONFIG, **other))  # type: ignore[arg-type]
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    "options", [{"iterations": 0}, {"contests": 7}, {"simulations": 0}, {"window": 0}, {"seed": -1}]
)
def test_numbers_are_checked(options: dict[str, int]) -> None:
    with pytest.raises(BadInputError, match=f"{next(iter(options))}="):
        replace(CONFIG, **options)  # type: ignore[arg-type]
