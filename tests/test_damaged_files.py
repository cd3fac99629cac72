"""Damaged files: what is read is what was written, or the file is refused by name in one sentence."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from boardgames_agents.alpha_zero.network import PolicyDesign, PolicyNetwork
from boardgames_agents.alpha_zero.network import load_network as load_policy
from boardgames_agents.alpha_zero.self_improvement import read_measures, write_measures
from boardgames_agents.arena.match_store import MatchStore
from boardgames_agents.arena.score import Score
from boardgames_agents.backgammon.race_network import load_weights, save_weights, shipped_weights
from boardgames_agents.experiments.runner import Runner
from boardgames_agents.fives.coefficients import INITIAL, load
from boardgames_agents.improve.engine import load_examples, save_examples
from boardgames_agents.improve.examples import Examples
from boardgames_agents.improve.improvement_folder import ImprovementConfig, demand_same
from boardgames_agents.league.entrants import LeaguePlayer, Roster
from boardgames_agents.league.league_folder import Schedule, read_schedule, write_schedule
from boardgames_agents.people.pupil_file import PupilFiles
from boardgames_agents.policy import MarkovPolicy, Snapshot
from boardgames_agents.record import read_records, write_records
from boardgames_agents.registry import make_agent
from boardgames_agents.td.network import Network
from boardgames_agents.td.network_file import describe_file, load_network, save_network
from boardgames_agents.td.options import Design
from boardgames_agents.training.checkpoint import Checkpoint, load_latest, save_checkpoint
from boardgames_agents.training.run import RunConfig, RunVerdict, read_config, read_verdict, train, write_verdict
from boardgames_agents.training.starting_positions import Start, load_starts, save_starts
from boardgames_env import BadInputError, make_game
from boardgames_env.envs.single import BoardGameEnv
from boardgames_env.json_file import write_json
from boardgames_env.solve import ClassTables, load_table, save_table, solve_reachable
from boardgames_env.solve.bearoff import Bearoff, read_bearoff, write_bearoff
from boardgames_env.solve.morris.classes import PositionClass
from tests.boardgames_agents.experiments.jobs import Doubled
from tests.contests import recorded
from tests.positions import random_positions
from tests.processes import ROOT

GAME = "tic_tac_toe"


@dataclass(frozen=True)
class Kind:
    """A kind of file.

    Attributes:
        name: Its path in a folder.
        write: Writes one there.
        read: Returns all that is read from such a file.
        is_sealed: Whether it has a checksum. People or other programs write the others, so that a change may be meant.
    """

    name: str
    write: Callable[[Path], object]
    read: Callable[[Path], Any]
    is_sealed: bool = True


CLASS = PositionClass(3, 3)
JOBS = {number: Doubled(number) for number in range(8)}
RUN = RunConfig(GAME, "menace", "random", 6)
MEASURES = {"value kept alone": 0.75, "exploitability alone": 1.0}
IMPROVEMENT = ImprovementConfig("hypergammon", "td_net(file='x')", 2)


def as_lists(arrays: Any) -> dict[str, Any]:
    return {name: (array.dtype.str, array.tolist()) for name, array in sorted(arrays.items())}


def read_table(path: Path) -> Any:
    table = load_table(make_game(GAME), path)
    arrays = {name: getattr(table, name) for name in ("states", "slots", "values", "distances")}
    return table.acyclic, as_lists(arrays)


def class_tables(path: Path) -> ClassTables:
    return ClassTables(make_game("five_mens_morris"), path.parent)


def write_class(path: Path) -> None:
    tables = class_tables(path)
    tables.keep(CLASS, np.arange(tables.classes.rows(CLASS), dtype=np.int16), 1.5)


def write_examples(path: Path) -> None:
    states = np.tile(make_game(GAME).initial.state, (2, 1))
    labels = np.arange(12, dtype=np.float32).reshape(-1, 6)
    save_examples(path, Examples(states, np.arange(2), np.zeros(2, dtype=np.int8), labels))


def write_policy(path: Path) -> None:
    save_network(path, PolicyNetwork(make_game(GAME), PolicyDesign(width=4)), {"seed": "1"})


def read_policy(path: Path) -> Any:
    network = load_policy(path, make_game(GAME))
    return network.design, network.about, as_lists(network.arrays())


def write_matches(path: Path) -> None:
    store = MatchStore(path)
    for seed in range(4):
        store.add(recorded(GAME, "perfect", contests=10, seed=seed))
    store.add(recorded("hypergammon", contests=2))


def read_matches(path: Path) -> Any:
    store = MatchStore(path)
    played = store.tournaments()
    times = [record.seconds for each in played for record in each.records]
    return played, times, store.standings("tic_tac_toe")


def read_results(path: Path) -> Any:
    runner = Runner(path.parent)
    return runner.ignored, runner.results("doubles", JOBS)


def write_checkpoint(path: Path) -> None:
    arrays = {"weights": np.arange(20, dtype=np.float32)}
    save_checkpoint(path.parents[1], Checkpoint(7, 2, False, Snapshot(arrays, {"seed": 5, "name": "x"})))


def read_checkpoint(path: Path) -> Any:
    found = load_latest(path.parents[1])
    assert found
    return found.contests, found.streak, found.done, found.snapshot.data, as_lists(found.snapshot.arrays)


def write_test(path: Path) -> None:
    score = Score(0, 4, 1, points=-1)
    write_verdict(path.parent, RunVerdict(40, 5, 7, {"perfect": score}, {"random": 87.5}, False))


def write_league(path: Path) -> None:
    players = tuple(LeaguePlayer(name, name, name, "") for name in ("perfect", "random"))
    write_schedule(Schedule("abc", 20, 3, (Roster(GAME, players, {"x": "y"}, ("z",)),)), path.parent)


def preferences(agent: str, path: Path) -> Any:
    """Return what the player of a network that somebody has brought chooses in some positions."""
    player = make_agent(f"{agent}(file={str(path)!r})", make_game(GAME))
    assert isinstance(player, MarkovPolicy)
    return [player.distribution(position) for position in random_positions(make_game(GAME), 5, 0)]


def write_sb3(path: Path) -> None:
    ppo = pytest.importorskip("stable_baselines3", reason="the extra rl is not installed").PPO
    env = BoardGameEnv(GAME, opponent="random")
    ppo("MlpPolicy", env, policy_kwargs={"net_arch": [4]}, seed=0, device="cpu").save(path)


def write_program(path: Path) -> None:
    pytest.importorskip("torch", reason="the extra torch is not installed")
    path.write_bytes((ROOT / "tests" / "data" / "net.pt2").read_bytes())


KINDS = {
    "network": Kind(
        "net.safetensors",
        lambda path: save_network(path, Network(make_game(GAME), Design(hidden=5), seed=3), {"seed": "3"}),
        lambda path: (describe_file(path), as_lists(load_network(path, make_game(GAME)).arrays())),
    ),
    "table": Kind("x.safetensors", lambda path: save_table(solve_reachable(make_game(GAME)), path), read_table),
    "class table": Kind(
        "3-3.safetensors",
        write_class,
        lambda path: (class_tables(path).codes(CLASS).tobytes(), class_tables(path).seconds(CLASS)),
    ),
    "bear-off tables": Kind(
        "x.safetensors",
        lambda path: write_bearoff(Bearoff(*(np.ones((3, columns), np.float32) for columns in (2, 3, 4))), path),
        lambda path: as_lists(vars(read_bearoff(path))),
    ),
    "race network": Kind(
        "races.safetensors",
        lambda path: save_weights(path, shipped_weights(), {"made by": "x"}),
        lambda path: as_lists(load_weights(path)._asdict()),
    ),
    "examples": Kind(
        "x.safetensors",
        write_examples,
        lambda path: as_lists(load_examples(path, Examples, make_game(GAME))._asdict()),
    ),
    "network of alpha_zero": Kind("x.safetensors", write_policy, read_policy),
    "measures of a network": Kind("measures.json", lambda path: write_measures(path, MEASURES), read_measures),
    "match store": Kind("matches.sqlite", write_matches, read_matches),
    "record": Kind(
        "contests.json",
        lambda path: write_records(path, recorded(GAME, "perfect", contests=8, seed=1).records),
        read_records,
    ),
    "results": Kind("results.jsonl", lambda path: Runner(path.parent).results("doubles", JOBS), read_results),
    "checkpoint's arrays": Kind("000000000007/learner.safetensors", write_checkpoint, read_checkpoint),
    "checkpoint's data": Kind("000000000007/checkpoint.json", write_checkpoint, read_checkpoint),
    "configuration of a run": Kind(
        "config.json", lambda path: train(path.parent, RUN), lambda path: read_config(path.parent)
    ),
    "configuration of an improvement": Kind(
        "config.json",
        lambda path: write_json(path, asdict(IMPROVEMENT), indent=1),
        lambda path: demand_same(path.parent, IMPROVEMENT),
    ),
    "test of a run": Kind("test.json", write_test, lambda path: read_verdict(path.parent)),
    "profile of a person": Kind(
        "me.json",
        lambda path: PupilFiles(path.parent).change("me", GAME, lambda study: study.opened("random", "here")),
        lambda path: PupilFiles(path.parent).read("me"),
    ),
    "league": Kind("league.json", write_league, lambda path: read_schedule(path.parent)),
    "network of Stable-Baselines3": Kind("x.zip", write_sb3, lambda path: preferences("sb3", path), is_sealed=False),
    "exported program": Kind("x.pt2", write_program, lambda path: preferences("torch", path), is_sealed=False),
    "coefficients": Kind("coefficients.json", INITIAL.save, load, is_sealed=False),
    "starting positions": Kind(
        "starts.json",
        lambda path: save_starts(path, [Start((0, 1), (2, 40))], "a test"),
        lambda path: load_starts(str(path), make_game("fives")),
        is_sealed=False,
    ),
}
"""The kinds of files. (Compiled kernels have tests of their own.)"""


def damaged(whole: bytes, seed: int) -> bytes:
    """Return the content with one bit flipped, at every second seed within its first part, or cut off."""
    rng = np.random.default_rng(seed)
    if seed % 4 == 3:
        return whole[: rng.integers(1, len(whole))]
    changed = bytearray(whole)
    changed[rng.integers(len(whole) if seed % 2 else min(len(whole), 1500))] ^= 1 << int(rng.integers(8))
    return bytes(changed)


@pytest.mark.parametrize("damages", [6, pytest.param(400, marks=pytest.mark.slow)])
@pytest.mark.parametrize("kind", KINDS)
def test_damage_is_a_sentence_that_names_the_file(kind: str, damages: int, tmp_path: Path) -> None:
    path = tmp_path / KINDS[kind].name
    KINDS[kind].write(path)
    whole, read = path.read_bytes(), KINDS[kind].read(path)
    for seed in range(damages):
        path.unlink()  # (the old file may be mapped)
        path.write_bytes(damaged(whole, seed))
        try:
            found = KINDS[kind].read(path)
        except BadInputError as error:
            message = str(error)
        else:
            assert found == read or not KINDS[kind].is_sealed, f"damage {seed} is not noticed"
            continue
        assert path.name in message, seed
        assert "\n" not in message, seed
