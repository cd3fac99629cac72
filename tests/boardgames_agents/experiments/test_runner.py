"""Sweeps: tasks are dealt out so that every piece is done once, whoever does it."""

import pytest

from boardgames_agents.experiments.program import Program, program
from boardgames_agents.experiments.ray_cluster import Tasks
from boardgames_agents.experiments.runner import Workers, run_jobs
from boardgames_env.errors import BadInputError
from tests.boardgames_agents.experiments.jobs import Square


def test_every_piece_is_dealt_once_and_what_was_not_done_again() -> None:
    tasks = Tasks(10, seconds=1.0)
    assert [tasks.deal(1) for _ in range(3)] == [(0,), (1,), (2,)]  # nobody knows yet how long one takes
    tasks.back((0,), (0.25,))
    assert tasks.deal(1) == (3, 4, 5, 6)[: -(-7 // 2)]
    tasks.back((3, 4, 5, 6), (0.9, 0.9))
    assert [tasks.deal(1) for _ in range(6)] == [(5,), (6,), (7,), (8,), (9,), ()]


def test_tasks_shrink_towards_the_end_so_that_workers_end_together() -> None:
    tasks = Tasks(100, seconds=1.0)
    tasks.back(tasks.deal(4), (1e-9,))
    sizes = []
    while task := tasks.deal(4):
        sizes.append(len(task))
    assert sizes[0] == 13
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-8:] == [1] * 8
    assert sum(sizes) == 99


@pytest.mark.parametrize(
    ("told", "message"),
    [
        ({"jobs": 0}, "jobs=0 is not allowed"),
        ({"backend": "dask"}, "there is no backend 'dask'; the backends are: joblib, ray"),
        ({"backend": "ray"}, "the backend ray needs an address"),
        ({"backend": "ray", "address": "auto", "jobs": 2}, "jobs=2 is not for the backend ray"),
        ({"address": "auto"}, "address='auto' is not for the backend joblib"),
    ],
)
def test_workers_are_checked(told: dict[str, object], message: str) -> None:
    with pytest.raises(BadInputError, match=message):
        Workers(**told)  # type: ignore[arg-type]


def test_another_program_is_told_of_in_words() -> None:
    own = program()
    assert set(own.sources) >= {"boardgames_agents", "boardgames_baselines", "boardgames_env"}
    assert own.difference(program()) == ""
    changed = Program({**own.sources, "boardgames_agents": "0"}, own.versions)
    assert own.difference(changed) == "another version of the package boardgames_agents"
    assert changed.digest != own.digest
    assert own.difference(own.part("boardgames_agents")) == "no package boardgames_baselines"
    older = Program(own.sources, {**own.versions, "numpy": "1.0"})
    assert older.digest != own.digest
    assert own.difference(older) == f"numpy 1.0 and not {own.versions['numpy']}"


def test_pieces_of_work_are_numbered() -> None:
    works = [Square(number) for number in (3, 1, 2)]
    assert list(run_jobs(works)) == [(0, 9), (1, 1), (2, 4)]
    assert sorted(run_jobs(works, Workers(jobs=2))) == [(0, 9), (1, 1), (2, 4)]
