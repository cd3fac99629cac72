"""Sweeps on a Ray cluster of several nodes: what joblib comes to, each piece counted once, whatever is lost."""

import os
import socket
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.boardgames_agents.training.test_runs import stop_after

pytest.importorskip("ray", reason="the extra ray is not installed")

from boardgames_agents.arena.match_store import MatchStore
from boardgames_agents.experiments import ray_cluster
from boardgames_agents.experiments.runner import Runner, RunnerOptions, Workers, run_jobs
from boardgames_agents.league.entrants import Entrant
from boardgames_agents.league.league_tables import pairs_data
from boardgames_agents.league.round_robin import League, play, store_path
from boardgames_agents.policy import Snapshot
from boardgames_agents.training.run import RunConfig, load_run, train
from boardgames_agents.training.sweep import TrainingJob, train_all
from boardgames_baselines.papers.outcome import play_trials
from boardgames_baselines.papers.trial import Trial
from boardgames_env.errors import BadInputError
from tests.boardgames_agents.experiments.jobs import Deadly, Noted, Refused, Square, Sum
from tests.conftest import Command
from tests.processes import python

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("default")]  # Ray warns of its own doings

EXAMPLES = Path(__file__).parents[3] / "docs" / "examples"
CONFIG = RunConfig("tic_tac_toe", "menace", "self", contests=300, test_every=150, checkpoint_every=100)


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A head node that carries out nothing, and one node that does: each a process group of its own."""
    from ray.cluster_utils import Cluster

    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    made = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, "include_dashboard": False})
    made.add_node(num_cpus=2)
    yield made
    import ray

    ray.shutdown()
    made.shutdown()


@pytest.fixture
def workers(cluster: Any) -> Workers:
    return Workers(backend="ray", address=cluster.address)


def test_small_pieces_are_grouped_and_numbered(workers: Workers, monkeypatch: pytest.MonkeyPatch) -> None:
    sent = []
    send = ray_cluster.JoinedCluster.send
    monkeypatch.setattr(
        ray_cluster.JoinedCluster, "send", lambda self, works: sent.append(len(works)) or send(self, works)
    )
    found = list(run_jobs([Square(number) for number in range(500)], workers))
    assert sorted(found) == [(number, number**2) for number in range(500)]
    assert sum(sent) == 500
    assert len(sent) < 50


@pytest.mark.parametrize("seconds", [0.1, 2.0])
def test_a_node_is_killed_and_everything_is_counted_once(
    cluster: Any, workers: Workers, tmp_path: Path, seconds: float
) -> None:
    doomed = cluster.add_node(num_cpus=2)
    cluster.wait_for_nodes()
    pieces = int(16 / (1 + seconds))
    found = []
    jobs = [Noted(number, tmp_path / "begun", doomed.node_id, seconds) for number in range(pieces)]
    for done in run_jobs(jobs, workers):
        found.append(done)
        if doomed.any_processes_alive():
            cluster.remove_node(doomed, allow_graceful=False)
    assert sorted(found) == [(number, number) for number in range(pieces)]
    begun = [line.split() for line in (tmp_path / "begun").read_text(encoding="utf-8").splitlines()]
    lost = {number for number, node in begun if node == doomed.node_id}
    again = {number for number, node in begun if node != doomed.node_id}
    assert lost
    assert again == {str(number) for number in range(pieces)}


def test_what_a_piece_refuses_is_one_sentence_and_what_was_done_is_kept(workers: Workers) -> None:
    found = []
    with pytest.raises(BadInputError, match=r"^this cannot be done$"):
        found += run_jobs([Square(1), Refused(), Square(2)], workers)
    assert list(run_jobs([Square(3)], workers)) == [(0, 9)]


def test_a_piece_that_kills_every_worker_is_given_up(workers: Workers, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_cluster, "RETRIES", 1)
    with pytest.raises(BadInputError, match=r"lost with its worker .* 2 times"):
        list(run_jobs([Deadly()], workers))


def test_a_worker_with_another_program_refuses(workers: Workers, monkeypatch: pytest.MonkeyPatch) -> None:
    own = ray_cluster.program()
    monkeypatch.setattr(ray_cluster, "program", lambda: replace(own, sources={**own.sources, "boardgames_agents": "0"}))
    with pytest.raises(BadInputError, match=r"the worker at .* has another version of the package boardgames_agents"):
        list(run_jobs([Square(1)], workers))


def test_what_was_learned_travels_once(workers: Workers, monkeypatch: pytest.MonkeyPatch) -> None:
    """And every piece has its own copy."""
    import ray

    put, stored = ray.put, []
    monkeypatch.setattr(ray, "put", lambda thing: stored.append(len(thing)) or put(thing))
    learned = Snapshot({"numbers": np.zeros(100_000)})
    assert sorted(run_jobs([Sum(learned)] * 20, workers)) == [(number, 100_000.0) for number in range(20)]
    assert len(stored) == 1


def league(folder: Path, workers: Workers) -> tuple[str, int]:
    menace = Entrant.trained("menace", contests=200)
    asked = League(("tic_tac_toe",), (menace, Entrant("random"), Entrant("fallible(e=0.5)")), 120, 3)
    table = pairs_data(play(asked, folder, workers)).csv()
    return table, sum(len(each.records) for each in MatchStore(store_path(folder)).tournaments())


def test_a_league_is_the_same_to_the_last_contest(workers: Workers, tmp_path: Path) -> None:
    here, there = league(tmp_path / "here", Workers()), league(tmp_path / "there", workers)
    assert here == there
    assert there[1] == 3 * 120
    assert league(tmp_path / "there", workers) == there, "nothing is played twice"


def test_a_paper_s_trials_are_the_same(workers: Workers, tmp_path: Path) -> None:
    trial = Trial("tic_tac_toe", "menace", "self", 30, challengers=(("random", "random"),))
    found = [
        play_trials(Runner(tmp_path / str(number), RunnerOptions(workers=each)), "trials", {"one": trial}, 4)
        for number, each in enumerate((Workers(jobs=2), workers))
    ]
    assert found[0]["one"].runs == found[1]["one"].runs


def test_seeds_are_trained_elsewhere_and_go_on_from_what_is_here(workers: Workers, tmp_path: Path) -> None:
    configs = [replace(CONFIG, seed=seed) for seed in range(4)]
    wanted = [train(tmp_path / "here" / str(each.seed), each).learner.snapshot().digest for each in configs]

    with pytest.raises(KeyboardInterrupt):
        train(tmp_path / "there" / "2", configs[2], stop_after(150))
    trainings = [TrainingJob(tmp_path / "there" / str(each.seed), each) for each in configs]
    for _ in range(2):  # the second time all is done
        done: list[None] = []
        train_all(trainings, workers, lambda done=done: done.append(None))
        assert len(done) == 4
        runs = [load_run(each.folder) for each in trainings]
        assert [run.learner.snapshot().digest for run in runs] == wanted
        assert all(run.done for run in runs)
    events = [len(list(each.folder.glob("events.*"))) for each in trainings]
    assert events == [1, 1, 2, 1]


def test_a_folder_of_another_run_is_refused_and_left_as_it_is(workers: Workers, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("precious", encoding="utf-8")
    with pytest.raises(BadInputError, match="is not empty and holds no run"):
        train_all([TrainingJob(tmp_path, CONFIG)], workers)
    assert (tmp_path / "mine").read_text(encoding="utf-8") == "precious"


def test_the_command_line_finds_the_cluster(command: Command, workers: Workers, tmp_path: Path) -> None:
    words = ("train", "tic_tac_toe", "menace", "--contests", 20, "--test-every", 0, "--seeds", "0-2")
    address = ("--backend", "ray", "--address", workers.address)
    code, out, err = command(*words, *address, "--run", tmp_path / "runs")
    assert code == 0, err
    assert "seed-2" in out
    words = ("league", "tic_tac_toe", "--agents", "random,perfect", "--contests", 10, "--folder", tmp_path / "league")
    assert command(*words, *address)[0] == 0
    assert (tmp_path / "league" / "pairs.csv").exists()


def test_agents_of_one_s_own_must_be_there_too(workers: Workers, tmp_path: Path) -> None:
    code = f"""
from pathlib import Path
import opportunist
from boardgames_agents.league.entrants import Entrant
from boardgames_agents.league.round_robin import League, play
from boardgames_agents.experiments.runner import Workers
asked = League(("tic_tac_toe",), (Entrant("opportunist"), Entrant("random")), 10)
play(asked, Path({str(tmp_path)!r}), Workers(backend="ray", address={workers.address!r}))
"""
    told = python(code=code, PYTHONPATH=str(EXAMPLES))
    assert "has not all modules that are needed (No module named 'opportunist')" in told.stderr


@pytest.mark.parametrize("listening", [True, False])
def test_an_address_that_does_not_answer(
    command: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, listening: bool
) -> None:
    import ray

    ray.shutdown()
    monkeypatch.setattr(ray_cluster, "PATIENCE", 6.0)
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1] if listening else 1}"
        with pytest.raises(BadInputError, match=f"no Ray cluster answers at {address}"):
            list(run_jobs([Square(1)], Workers(backend="ray", address=address)))
        words = ("league", "tic_tac_toe", "--agents", "random,perfect", "--folder", tmp_path)
        code, _, err = command(*words, "--backend", "ray", "--address", address)  # (Ray prints on its own)
        assert (code, err.count("\n")) == (2, 1)
        assert f"no Ray cluster answers at {address}" in err
