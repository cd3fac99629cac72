"""Small improvements for tests, which begin with an untrained network."""

from functools import cache
from pathlib import Path

from boardgames_agents.experiments.runner import Workers
from boardgames_agents.improve.engine import Iteration
from boardgames_agents.improve.examples import Collector, ExampleOptions, Examples
from boardgames_agents.improve.improvement import Improvement
from boardgames_agents.improve.improvement_folder import ImprovementConfig
from boardgames_agents.td.network import Network
from boardgames_agents.td.network_file import save_network
from boardgames_agents.td.options import Design
from boardgames_env import make_game

ROLLS, OPTIONS = 60, ExampleOptions(candidates=3)


@cache
def untrained(seed: int = 3) -> Network:
    return Network(make_game("hypergammon"), Design(inputs="raw", hidden=5, outputs=6, gammons="within"), seed=seed)


def saved(path: Path, network: Network, **about: str) -> str:
    """Save a network; return the spec of the agent that plays by it."""
    save_network(path, network, about)
    return f"td_net(file={str(path)!r})"


def collected(seed: int = 1) -> Examples:
    return Collector(untrained(), OPTIONS).collect(ROLLS, (seed,))


def improved(folder: Path, config: ImprovementConfig, jobs: int = 1) -> list[Iteration]:
    return list(Improvement(folder, config, Workers(jobs)).iterations())


def made_in(folder: Path, name: str = "network") -> Path:
    """The file of the first iteration's network, or of another of its files."""
    return folder / "iteration-01" / f"{name}.safetensors"


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*.*") if path.is_file()}
