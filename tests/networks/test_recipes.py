"""The networks that come with the package are those that `make networks` makes."""

import json
import shlex
import subprocess
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest

from boardgames_agents.alpha_zero.network import PolicyNetwork, load_network
from boardgames_agents.alpha_zero.player import NETS as OF_ALPHA_ZERO
from boardgames_agents.alpha_zero.player import STRONGER_THAN
from boardgames_agents.alpha_zero.self_improvement import SelfPlayConfig
from boardgames_agents.backgammon.td_gammon import NETS
from boardgames_agents.improve.batch_td import RoundOptions
from boardgames_agents.improve.improvement_folder import as_data, flat
from boardgames_agents.improve.teacher import SelfPlayOptions
from boardgames_agents.td.network_file import describe_file, save_network
from boardgames_env import make_game
from networks.__main__ import half
from networks.examples import WorkshopExampleOptions
from networks.improvement import WorkshopConfig, WorkshopFittingOptions
from tests.boardgames_agents.alpha_zero.self_plays import random_network

ROOT = Path(__file__).parents[2]

RENAMED = {"--filter": "filtering", "--join": "joined"}
"""The fields of options whose names are others."""

FLAGS = ("--exact",)
"""The options without a value."""


def commands(target: str) -> list[list[str]]:
    """The words of the commands that make would run, the first of which names the program."""
    printed = subprocess.run(
        ["make", "--dry-run", "--always-make", "--old-file", ".venv/.installed", target],
        cwd=ROOT,
        check=True,
        capture_output=True,
        encoding="utf-8",
    ).stdout
    found = [shlex.split(line) for line in printed.replace("\\\n", "").splitlines()]
    return [
        ["networks", *words[3:]] if words[1:3] == ["-m", "networks"] else words
        for words in found
        if Path(words[0]).name in ("boardgames", "python")
    ]


def option(words: list[str], name: str) -> str:
    return words[words.index(f"--{name}") + 1]


def assert_same_training(words: list[str], made: list[str]) -> None:
    assert words[1:3] == made[1:3] == ["train", "backgammon"]
    assert {made[3], "--trainer", "self"} < set(words)
    for number in ("contests", "seed"):
        assert option(words, number) == option(made, number)


@pytest.mark.parametrize("name", ["td_gammon_raw", "td_gammon_1995"])
def test_networks_of_self_play(name: str) -> None:
    [words] = commands(name)
    assert_same_training(words, shlex.split(describe_file(NETS / f"{name}.safetensors").about["command"]))


def parsed(words: list[str]) -> tuple[list[str], dict[str, str]]:
    """Return the arguments and the options of a command, of which flags are `FLAGS` or begin with ``--no-``."""
    arguments, options, rest = list[str](), dict[str, str](), iter(words[2:])
    for word in rest:
        if word.startswith("--no-"):
            options[word.removeprefix("--no-")] = "False"
        elif word in FLAGS:
            options[word.removeprefix("--")] = "True"
        elif word.startswith("--"):
            options[RENAMED.get(word, word.removeprefix("--").replace("-", "_"))] = next(rest)
        else:
            arguments.append(word)
    return arguments, options


def assert_same_improvement(words: list[str], about: Mapping[str, str]) -> None:
    """An option that there was not when the network was made has its default, but for forced rolls, then left out."""
    (game, network), given = parsed(words)
    stage = "batch TD(λ) of" if "rounds" in given else "expert"
    assert about["made by"] == f"{stage} iteration {given['iterations']} from {network}"
    made = {"forced": False, **json.loads(about["options"])}
    assert (made.pop("game"), made.pop("network")) == (game, network) == ("backgammon", network)
    declared = (WorkshopConfig, WorkshopExampleOptions, WorkshopFittingOptions, SelfPlayOptions, RoundOptions)
    wanted = {each.name: str(each.default) for options in declared for each in fields(options)} | given
    assert made.keys() < wanted.keys()
    assert given.keys() - made.keys() <= {"run", "jobs", "iterations"}
    assert {name: str(value) for name, value in made.items()} == {name: wanted[name] for name in made}


def test_the_best_network() -> None:
    made_by = commands("td_gammon")
    of_races, (self_play, export), improvements = made_by[:2], made_by[2:4], made_by[4:]
    about = describe_file(NETS / "td_gammon.safetensors").about
    source = f"td_net(file={export[3]!r})"
    assert {tuple(each[:2]) for each in of_races} == {("networks", "race-network")}
    assert {option(each, "races") for each in improvements} == {each[2] for each in of_races}
    assert export[1:3] == ["export", option(self_play, "run")]
    made = [*json.loads(about["started from"]), about]
    assert_same_training(self_play, shlex.split(made[0]["command"]))
    for words, result in zip(improvements, made[1:], strict=True):
        assert source in words
        assert_same_improvement(words, result)
        file = "teacher" if "--rounds" in words else "network"
        source = f"td_net(file='{option(words, 'run')}/iteration-0{option(words, 'iterations')}/{file}.safetensors')"


@pytest.mark.parametrize("file", [pytest.param(file, id=file.stem) for file in sorted(OF_ALPHA_ZERO.glob("*"))])
def test_networks_of_alpha_zero(file: Path) -> None:
    improve, half = commands(file.stem)
    (game, network), given = parsed(improve)
    about = dict(describe_file(file, PolicyNetwork).about)
    assert (game, network) == (file.stem, "alpha_zero")
    assert about.pop("made by") == f"expert iteration {given.pop('iterations')} from alpha_zero"
    wanted = {**flat(as_data(SelfPlayConfig(game))), **given}
    made = json.loads(about.pop("options"))
    assert {name: str(value) for name, value in made.items()} == {name: str(wanted[name]) for name in made}
    assert half[1:4] == ["half", given["run"], f"{given['run']}.safetensors"]
    assert about == ({STRONGER_THAN: option(half, "stronger-than")} if "--stronger-than" in half else {})


@pytest.mark.parametrize(("folder", "number"), [(NETS, 5), (OF_ALPHA_ZERO, 7)])
def test_their_size(folder: Path, number: int) -> None:
    files = list(folder.glob("*.safetensors"))
    assert len(files) == number
    assert sum(file.stat().st_size for file in files) < 3_000_000


def test_weights_of_half_the_precision_play_alike(tmp_path: Path) -> None:
    network = random_network(make_game("tic_tac_toe"))
    save_network(tmp_path / "whole", network, {"made by": "this test"})
    half(tmp_path / "whole", tmp_path / "half", stronger_than="random")
    assert describe_file(tmp_path / "half", PolicyNetwork).about == {"made by": "this test", STRONGER_THAN: "random"}
    states = network.game.initial.state[None]
    for one, other in zip(
        network.predict(states), load_network(tmp_path / "half", network.game).predict(states), strict=True
    ):
        np.testing.assert_allclose(one, other, atol=0.01)
