"""The simulated cluster: what can be worked out by hand comes out, and nothing is lost or done twice unseen."""

from dataclasses import replace

import numpy as np
import pytest

from boardgames_baselines.benchmarks.cluster import Cluster, Head, simulate

FREE = Head(send=0.0, receive=0.0, write=0.0, flush=0.0, watch=0.0)
BARE = Cluster(workers=4, start=0.0, latency=0.0)


def test_equal_pieces_and_a_head_that_costs_nothing_keep_everybody_at_work() -> None:
    found = simulate(BARE, FREE, [3.0] * 40)
    assert found.seconds == 30.0
    assert (found.utilisation, found.repeated, found.head) == (1.0, 0.0, 0.0)
    assert (found.tasks, found.lost) == (40, 0)


def test_small_pieces_travel_together() -> None:
    found = simulate(BARE, FREE, [0.01] * 10_000)
    assert found.tasks < 200
    assert found.utilisation > 0.95


def test_workers_that_start_late_are_of_no_use_before() -> None:
    assert simulate(Cluster(4, start=30.0, latency=0.0), FREE, [3.0] * 40).utilisation == pytest.approx(0.5)


def test_a_head_that_cannot_keep_up_is_busy_and_workers_are_not() -> None:
    found = simulate(Cluster(100, start=0.0), replace(FREE, send=0.001, receive=0.001, write=0.05), [1.0] * 2000)
    assert found.seconds >= 2000 * 0.05
    assert found.head > 0.95
    assert found.utilisation < 0.25


def test_what_comes_in_while_the_head_is_flushing_is_flushed_together() -> None:
    found = simulate(Cluster(100, start=0.0), replace(FREE, flush=0.05), [1.0] * 2000)
    assert found.seconds < 2000 * 0.05 / 3
    assert found.utilisation > 0.8


def test_what_is_lost_with_a_worker_is_done_again() -> None:
    pieces = np.random.default_rng(0).exponential(10.0, 2000).tolist()
    cluster = Cluster(8, start=1.0, lost_every=300.0, noticed_after=5.0, back_after=20.0)
    found = simulate(cluster, FREE, pieces, seed=1)
    assert found == simulate(cluster, FREE, pieces, seed=1)
    expected = 2000 * 10.0 / 300.0  # losses in as many seconds of work
    assert 0.5 * expected < found.lost < 1.5 * expected
    assert 0.0 < found.repeated < 0.1
    away = (found.seconds * 8 - sum(pieces)) / (found.seconds * 8)
    assert found.utilisation == pytest.approx(1 - away)
    assert found.utilisation > 0.8


def test_answers_that_come_at_once_at_the_end_are_all_taken() -> None:
    for seed in range(60):
        pieces = np.random.default_rng(seed).lognormal(-1.7, 0.3, 1000).tolist()
        assert simulate(Cluster(50, start=30.0), FREE, pieces, seed).utilisation > 0
