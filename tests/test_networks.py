"""The networks that come with the package are those that `make networks` makes."""

import json
import shlex
import subprocess
from pathlib import Path

import pytest

from boardgames_agents.race.weights_file import SHIPPED
from boardgames_agents.td.network_file import describe_file
from boardgames_agents.td_gammon import NETS

ROOT = Path(__file__).parents[1]


def commands(target: str) -> list[list[str]]:
    """The words of the commands that make would run."""
    printed = subprocess.run(
        ["make", "--dry-run", "--always-make", "--old-file", ".venv/.installed", target],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    found = [shlex.split(line) for line in printed.replace("\\\n", "").splitlines()]
    return [words for words in found if Path(words[0]).name == "boardgames"]


def option(words: list[str], name: str) -> str:
    return words[words.index(f"--{name}") + 1]


@pytest.mark.parametrize("name", ["td_gammon_raw", "td_gammon_1995"])
def test_networks_of_self_play(name: str) -> None:
    [words] = commands(name)
    made = shlex.split(describe_file(NETS / f"{name}.safetensors").about["command"])
    assert words[1:3] == made[1:3] == ["train", "backgammon"]
    assert {made[3], "--trainer", "self"} < set(words)
    for number in ("contests", "seed"):
        assert option(words, number) == option(made, number)


def test_the_best_network() -> None:
    race, self_play, improve = commands("td_gammon")
    assert race[1] == "race-network"
    assert option(improve, "races") == race[2]
    about = describe_file(NETS / "td_gammon.safetensors").about
    assert improve[1:4] == ["improve", "backgammon", f"trained(run={option(self_play, 'run')!r})"]
    assert about["made by"] == f"expert iteration {option(improve, 'iterations')} from {improve[3]}"
    options = json.loads(about["options"])
    given = dict(zip(improve[4::2], improve[5::2], strict=True))
    named = {name.removeprefix("--").replace("filter", "filtering"): value for name, value in given.items()}
    for other in ("run", "iterations", "jobs"):
        named.pop(other)
    assert named == {name: str(options[name]) for name in named}


def test_their_size() -> None:
    files = [*NETS.glob("*.safetensors"), SHIPPED]
    assert len(files) == 4
    assert sum(file.stat().st_size for file in files) < 3_000_000
