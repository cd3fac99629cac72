"""Expert iteration in a folder: it resumes, it is the same with more processes, and the network becomes better."""

import json
import shutil
import warnings
from collections.abc import Callable
from dataclasses import replace
from math import inf, nan
from pathlib import Path
from typing import Any

import pytest

from boardgames_agents.arena.tournament import tournament
from boardgames_agents.experiments.runner import Workers
from boardgames_agents.improve.examples import ExampleOptions
from boardgames_agents.improve.fitting import FittingOptions
from boardgames_agents.improve.improvement import Improvement
from boardgames_agents.improve.improvement_folder import ImprovementConfig
from boardgames_agents.improve.teacher import SelfPlayOptions
from boardgames_agents.td.network import Network
from boardgames_agents.td.network_file import describe_file, load_network, save_network
from boardgames_agents.td.options import Design
from boardgames_agents.training.run import RunConfig, train
from boardgames_env import BadInputError, Game
from tests.boardgames_agents.improve.improvements import contents, improved, made_in, saved, untrained

GAME = "hypergammon"


@pytest.mark.slow
@pytest.mark.parametrize(
    "teacher", [SelfPlayOptions(), SelfPlayOptions(self_play=30, td_alpha=0.1)], ids=["as it comes", "self-play"]
)
def test_the_same_with_two_processes(tmp_path: Path, config: ImprovementConfig, teacher: SelfPlayOptions) -> None:
    for folder, jobs in (("one", 1), ("two", 2)):
        improved(tmp_path / folder, replace(config, iterations=2, teacher=teacher), jobs)
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_an_improvement_that_was_killed_goes_on(tmp_path: Path, config: ImprovementConfig) -> None:
    whole = improved(tmp_path / "whole", replace(config, iterations=2))
    assert [each.number for each in whole] == [1, 2]
    assert improved(tmp_path / "parts", config) == [
        replace(whole[0], network=tmp_path / "parts" / whole[0].network.relative_to(tmp_path / "whole"))
    ]
    for name in ("examples-0001", "network"):
        made_in(tmp_path / "parts", name).unlink()
    improved(tmp_path / "parts", replace(config, iterations=2))
    assert contents(tmp_path / "parts") == contents(tmp_path / "whole")


def test_the_worse_network_does_not_go_on(tmp_path: Path, config: ImprovementConfig) -> None:
    found = improved(tmp_path / "run", replace(config, iterations=2, fitting=FittingOptions(epochs=3, alpha=1)))
    lost = [each for each in found if not each.improved]
    assert lost
    before = [tmp_path / "run" / "start.safetensors", *(each.network for each in found)]
    assert all(each.network == before[each.number - 1] for each in lost)


@pytest.mark.parametrize("other", [{"hidden": 8}, {"inputs": "raw_by_phase"}])
def test_networks_of_another_design(tmp_path: Path, config: ImprovementConfig, other: dict[str, Any]) -> None:
    improved(tmp_path / "run", replace(config, **other))
    assert load_network(made_in(tmp_path / "run"), untrained().game).design == replace(untrained().design, **other)


def test_the_design_of_a_network_is_kept(tmp_path: Path, config: ImprovementConfig, game: Game) -> None:
    network = Network(game, Design(inputs="raw", hidden=3, outputs=1), seed=1)
    save_network(tmp_path / "first.safetensors", network)
    [found] = improved(tmp_path / "run", config)
    assert describe_file(made_in(tmp_path / "run")).design == network.design
    assert found.examples > 0


def test_what_a_folder_holds_is_not_mixed_with_another(tmp_path: Path, config: ImprovementConfig) -> None:
    improved(tmp_path / "run", config)
    with pytest.raises(BadInputError, match="seed=0, not 1; give another folder"):
        improved(tmp_path / "run", replace(config, seed=1))
    with pytest.raises(BadInputError, match="is not empty and holds no improvement"):
        improved(tmp_path, config)


def test_a_folder_that_a_killed_process_has_begun_is_begun_again(tmp_path: Path, config: ImprovementConfig) -> None:
    begun = tmp_path / "run"
    improved(begun, config)
    made = made_in(begun).read_bytes()
    shutil.rmtree(begun / "iteration-01")
    for file in ("config.json", "iterations.csv"):
        (begun / file).unlink()
    (begun / ".config.json.0123456789ab").touch()
    improved(begun, config)
    assert made_in(begun).read_bytes() == made


def test_a_network_that_begins_anew_is_announced(tmp_path: Path, config: ImprovementConfig) -> None:
    with pytest.warns(UserWarning, match="begins anew: .* cannot take over what td_net"):
        Improvement(tmp_path / "smaller", replace(config, hidden=2))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Improvement(tmp_path / "larger", replace(config, hidden=20, further="20"))


def test_iterations_that_are_there_need_no_time(tmp_path: Path, config: ImprovementConfig) -> None:
    folder = tmp_path / "run"
    improved(folder, replace(config, iterations=2))
    table = (folder / "iterations.csv").read_bytes()
    improvement = Improvement(folder, replace(config, iterations=3))
    iterations = improvement.iterations(lambda: False)
    next(iterations)
    assert (folder / "iterations.csv").read_bytes() == table
    assert [each.number for each in iterations] == [2]
    assert [each.number for each in improvement.iterations()] == [1, 2, 3]
    assert (folder / "iterations.csv").read_bytes().startswith(table)


def test_a_folder_of_an_earlier_version_is_refused(tmp_path: Path, config: ImprovementConfig) -> None:
    improved(tmp_path / "run", config)
    path = tmp_path / "run" / "config.json"
    there = json.loads(path.read_text(encoding="utf-8"))
    del there["fitting"]["rolls_per_step"], there["sha256"]
    path.write_text(json.dumps(there), encoding="utf-8")
    with pytest.raises(BadInputError, match="an improvement of an earlier version, without rolls_per_step"):
        improved(tmp_path / "run", config)


@pytest.mark.parametrize("words", ["5", "not JSON", "a dream", '{"by": "me"}'])
def test_what_others_wrote_about_a_network_is_kept(tmp_path: Path, config: ImprovementConfig, words: str) -> None:
    save_network(tmp_path / "first.safetensors", untrained(), {"started from": words})
    improved(tmp_path / "run", config)
    earlier, own = json.loads(describe_file(made_in(tmp_path / "run")).about["started from"])
    assert own == {}
    assert earlier == {"5": 5, '{"by": "me"}': {"by": "me"}}.get(words, words)


def test_the_network_says_what_it_was_made_from(tmp_path: Path, config: ImprovementConfig) -> None:
    about = {"command": "boardgames train hypergammon td", "contests": "3"}
    save_network(tmp_path / "first.safetensors", untrained(), about)
    [found] = improved(tmp_path / "run", config)
    file = made_in(tmp_path / "run")
    made = describe_file(file).about
    assert json.loads(made["started from"]) == [about]
    assert json.loads(made["options"])["rolls"] == config.rolls
    assert made["made by"] == f"expert iteration 1 from {config.network}"
    assert found.number == 1
    improved(tmp_path / "again", replace(config, network=f"td_net(file={str(file)!r})"))
    started = describe_file(made_in(tmp_path / "again")).about["started from"]
    assert json.loads(started) == [about, {name: made[name] for name in ("made by", "options")}]


def test_a_damaged_file_is_named(tmp_path: Path, config: ImprovementConfig) -> None:
    improved(tmp_path / "run", config)
    file = made_in(tmp_path / "run", "examples-0000")
    file.write_bytes(file.read_bytes()[:200])
    with pytest.raises(BadInputError, match=r"examples-0000.safetensors is damaged, .*; remove it"):
        improved(tmp_path / "run", config)


@pytest.mark.parametrize(
    ("other", "sentence"),
    [
        ({"network": "random"}, "random does not predict outcomes"),
        ({"inputs": "rew"}, "hypergammon has no encoding 'rew'"),
        ({"hidden": 10_000_000}, "hidden=10000000 is not allowed"),
    ],
)
def test_networks_that_cannot_be_made_are_refused_before_anything_is_written(
    tmp_path: Path, config: ImprovementConfig, other: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(BadInputError, match=sentence):
        improved(tmp_path / "run", replace(config, **other))
    assert not (tmp_path / "run").exists()


def test_labels_with_a_filter(tmp_path: Path, config: ImprovementConfig, game: Game) -> None:
    network = Network(game, Design(inputs="raw", hidden=2, outputs=1), seed=5)
    filtering = saved(tmp_path / "filter.safetensors", network)
    other = replace(config, filtering=filtering, kept=1)
    improved(tmp_path / "run", other)
    first = contents(tmp_path / "run")
    (tmp_path / "filter.safetensors").unlink()  # (the folder has its own copy)
    made_in(tmp_path / "run", "examples-0001").unlink()
    improved(tmp_path / "run", other)
    assert contents(tmp_path / "run") == first
    improved(tmp_path / "whole", config)
    assert contents(tmp_path / "run").keys() - contents(tmp_path / "whole").keys() == {"filter.safetensors"}
    labels = (contents(tmp_path / folder)["iteration-01/examples-0001.safetensors"] for folder in ("run", "whole"))
    assert next(labels) != next(labels)


def test_what_needs_a_filter_is_refused_without_one(config: ImprovementConfig) -> None:
    with pytest.raises(BadInputError, match="kept=2 needs a filter, and there is none"):
        replace(config, kept=2)


OUT_OF_BOUNDS: dict[Callable[..., object], list[dict[str, float]]] = {
    ImprovementConfig: [{"iterations": 0}, {"rolls": 1500}, {"rolls": 105, "block": 10}, {"window": 0}, {"seed": -1}],
    ExampleOptions: [{"candidates": 1}, {"plies": 1}, {"plies": 5}, {"replies": 0, "plies": 3}, {"replies": 1}],
    FittingOptions: [{"comparison": -1}, {"comparison": inf}, {"comparison": nan}],
    SelfPlayOptions: [{"self_play": -1}, {"branches": 0}, {"td_alpha": 2}, {"lam": 1.1}],
}


@pytest.mark.parametrize(("made", "options"), [(made, each) for made in OUT_OF_BOUNDS for each in OUT_OF_BOUNDS[made]])
def test_numbers_are_checked(made: Callable[..., object], options: dict[str, float]) -> None:
    specs = {"game": "hypergammon", "network": "td", "iterations": 1} if made is ImprovementConfig else {}
    with pytest.raises(BadInputError, match=f"{next(iter(options))}="):
        made(**{**specs, **options})


@pytest.mark.slow
def test_iterations_gain_more_than_three_times_as_many_contests_of_self_play(tmp_path: Path, game: Game) -> None:
    """They begin after 100,000 contests, when self-play has nearly levelled off."""
    settings = "inputs='raw', hidden=40, outputs=6, gammons='within', epsilon=0, alpha=0.1, decay=40000, lam=0.4"

    def trained(contests: int) -> str:
        """Return the spec of a network that self-play alone has trained."""
        run = tmp_path / str(contests)
        learner = f"td({settings}, average={contests // 3})"
        train(run, RunConfig("hypergammon", learner, "self", contests, checkpoint_every=contests))
        return f"trained(run={str(run)!r})"

    config = ImprovementConfig(
        *("hypergammon", trained(100_000), 3),
        rolls=20_000,
        block=500,
        examples=ExampleOptions(candidates=4),
        fitting=FittingOptions(epochs=8, alpha=0.004),
    )
    *_, last = Improvement(tmp_path / "better", config, Workers(2)).iterations()
    assert last.improved
    found = tournament(game, f"td_net(file={str(last.network)!r})", trained(300_000), 40_000, 9, jobs=2)
    assert found.score.points > 0
