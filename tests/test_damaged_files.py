"""Damaged files: what is read is what was written, or the file is refused by name in one sentence."""

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from boardgames_agents.arena.match_store import MatchStore
from boardgames_agents.arena.score import Score
from boardgames_agents.arena.tournament import tournament
from boardgames_agents.backgammon.race_network import load_weights, save_weights, shipped_weights
from boardgames_agents.experiments.runner import Runner
from boardgames_agents.fives.coefficients import INITIAL, load
from boardgames_agents.improve.examples import Examples
from boardgames_agents.improve.improvement import _load_examples, _save_examples
from boardgames_agents.improve.improvement_folder import ImprovementConfig, demand_same
from boardgames_agents.league.entrants import LeaguePlayer, Roster
from boardgames_agents.league.league_folder import Schedule, read_schedule, write_schedule
from boardgames_agents.people.pupil_file import PupilFiles
from boardgames_agents.policy import Snapshot
from boardgames_agents.record import read_records, write_records
from boardgames_agents.td.network import Network
from boardgames_agents.td.network_file import describe_file, load_network, save_network
from boardgames_agents.td.options import Design
from boardgames_agents.training.checkpoint import Checkpoint, load_latest, save_checkpoint
from boardgames_agents.training.run import RunConfig, read_config, train
from boardgames_agents.training.starting_positions import Start, load_starts, save_starts
from boardgames_agents.training.verdict import RunVerdict, read_verdict, write_verdict
from boardgames_env import BadInputError, make_game
from boardgames_env.json_file import write_json
from boardgames_env.solve import ClassTables, load_table, save_table, solve_reachable
from boardgames_env.solve.bearoff import Bearoff, read_bearoff, write_bearoff
from boardgames_env.solve.morris.classes import PositionClass
from tests.boardgames_agents.experiments.jobs import Doubled

GAME = "tic_tac_toe"


@dataclass(frozen=True)
class Kind:
    """A kind of file.

    Attributes:
        write: Writes one into a folder and returns its path.
        read: Returns all that is read from such a file.
        is_sealed: Whether it has a checksum. People write the others, so that a change may be meant.
    """

    write: Callable[[Path], Path]
    read: Callable[[Path], Any]
    is_sealed: bool = True


def write_network(folder: Path) -> Path:
    save_network(folder / "net.safetensors", Network(make_game(GAME), Design(hidden=5), seed=3), {"seed": "3"})
    return folder / "net.safetensors"


def read_network(path: Path) -> Any:
    return describe_file(path), as_lists(load_network(path, make_game(GAME)).arrays())


def write_table(folder: Path) -> Path:
    save_table(solve_reachable(make_game(GAME)), folder / "table.safetensors")
    return folder / "table.safetensors"


def read_table(path: Path) -> Any:
    table = load_table(make_game(GAME), path)
    arrays = {name: getattr(table, name) for name in ("states", "slots", "values", "distances")}
    return table.acyclic, as_lists(arrays)


CLASS = PositionClass(3, 3)


def write_class(folder: Path) -> Path:
    tables = ClassTables(make_game("five_mens_morris"), folder)
    tables.keep(CLASS, np.arange(tables.classes.rows(CLASS), dtype=np.int16), 1.5)
    return tables.path(CLASS)


def read_class(path: Path) -> Any:
    tables = ClassTables(make_game("five_mens_morris"), path.parent)
    return tables.codes(CLASS).tobytes(), tables.seconds(CLASS)


def write_bearoff_tables(folder: Path) -> Path:
    arrays = (np.arange(12, dtype=np.float32).reshape(-1, each) for each in (2, 3, 4))
    write_bearoff(Bearoff(*arrays), folder / "bearoff.safetensors")
    return folder / "bearoff.safetensors"


def write_matches(folder: Path) -> Path:
    store = MatchStore(folder / "matches.sqlite")
    for seed in range(4):
        store.add(tournament(GAME, "perfect", "random", 10, seed, records=True))
    store.add(tournament("hypergammon", "random", "random", 2, 0, records=True))
    return store.path


def read_matches(path: Path) -> Any:
    store = MatchStore(path)
    played = store.tournaments()
    times = [record.seconds for each in played for record in each.records]
    return played, times, store.standings("tic_tac_toe")


def write_record(folder: Path) -> Path:
    write_records(folder / "contests.json", tournament(GAME, "perfect", "random", 8, 1, records=True).records)
    return folder / "contests.json"


JOBS = {number: Doubled(number) for number in range(8)}


def write_results(folder: Path) -> Path:
    Runner(folder).results("doubles", JOBS)
    return folder / "results.jsonl"


def read_results(path: Path) -> Any:
    runner = Runner(path.parent)
    return runner.ignored, runner.results("doubles", JOBS)


def write_checkpoint(folder: Path) -> Path:
    arrays = {"weights": np.arange(20, dtype=np.float32)}
    return save_checkpoint(folder, Checkpoint(7, 2, False, Snapshot(arrays, {"seed": 5, "name": "x"})))


def read_checkpoint(path: Path) -> Any:
    found = load_latest(path.parent.parent)
    assert found
    return found.contests, found.streak, found.done, found.snapshot.data, as_lists(found.snapshot.arrays)


def write_race_network(folder: Path) -> Path:
    save_weights(folder / "races.safetensors", shipped_weights(), {"made by": "x"})
    return folder / "races.safetensors"


def write_examples(folder: Path) -> Path:
    arrays = (np.arange(12, dtype=dtype).reshape(-1, 6) for dtype in (np.int8, np.int64, np.int8, np.float32))
    _save_examples(folder / "examples.safetensors", Examples(*arrays))
    return folder / "examples.safetensors"


RUN = RunConfig(GAME, "menace", "random", 6)


def write_run(folder: Path) -> Path:
    train(folder, RUN)
    return folder / "config.json"


IMPROVEMENT = ImprovementConfig("hypergammon", "td_net(file='x')", 2)


def write_improvement(folder: Path) -> Path:
    write_json(folder / "config.json", asdict(IMPROVEMENT), indent=1)
    return folder / "config.json"


def read_improvement(path: Path) -> Any:
    demand_same(path.parent, IMPROVEMENT)


def write_test(folder: Path) -> Path:
    write_verdict(folder, RunVerdict(40, 5, 7, {"perfect": Score(0, 4, 1, points=-1)}, {"random": 87.5}, False))
    return folder / "test.json"


def write_pupil(folder: Path) -> Path:
    PupilFiles(folder).change("me", GAME, lambda study: study.opened("random", "here"))
    return folder / "me.json"


def write_league(folder: Path) -> Path:
    players = tuple(LeaguePlayer(name, name, name, "") for name in ("perfect", "random"))
    write_schedule(Schedule("abc", 20, 3, (Roster(GAME, players, {"x": "y"}, ("z",)),)), folder)
    return folder / "league.json"


def write_coefficients(folder: Path) -> Path:
    INITIAL.save(folder / "coefficients.json")
    return folder / "coefficients.json"


def write_starts(folder: Path) -> Path:
    save_starts(folder / "starts.json", [Start((0, 1), (2, 40))], "a test")
    return folder / "starts.json"


def as_lists(arrays: Any) -> dict[str, Any]:
    return {name: (array.dtype.str, array.tolist()) for name, array in sorted(arrays.items())}


KINDS = {
    "network": Kind(write_network, read_network),
    "table": Kind(write_table, read_table),
    "class table": Kind(write_class, read_class),
    "bear-off tables": Kind(write_bearoff_tables, lambda path: as_lists(vars(read_bearoff(path)))),
    "race network": Kind(write_race_network, lambda path: as_lists(load_weights(path)._asdict())),
    "examples": Kind(write_examples, lambda path: as_lists(_load_examples(path)._asdict())),
    "match store": Kind(write_matches, read_matches),
    "record": Kind(write_record, read_records),
    "results": Kind(write_results, read_results),
    "checkpoint's arrays": Kind(lambda folder: write_checkpoint(folder) / "learner.safetensors", read_checkpoint),
    "checkpoint's data": Kind(lambda folder: write_checkpoint(folder) / "checkpoint.json", read_checkpoint),
    "configuration of a run": Kind(write_run, lambda path: read_config(path.parent)),
    "configuration of an improvement": Kind(write_improvement, read_improvement),
    "test of a run": Kind(write_test, lambda path: read_verdict(path.parent)),
    "profile of a person": Kind(write_pupil, lambda path: PupilFiles(path.parent).read("me")),
    "league": Kind(write_league, lambda path: read_schedule(path.parent)),
    "coefficients": Kind(write_coefficients, load, is_sealed=False),
    "starting positions": Kind(write_starts, lambda path: load_starts(str(path), make_game("fives")), is_sealed=False),
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
    """Half of the damages are single bits of the first part of the file, a quarter any bits, and a quarter cuts."""
    path = KINDS[kind].write(tmp_path)
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
