"""The results of tests that are kept in runs."""

from pathlib import Path

from boardgames_agents.arena.score import Score
from boardgames_agents.training.run import (
    RunConfig,
    RunProgress,
    RunVerdict,
    is_in_progress,
    read_progress,
    read_verdict,
    train,
    write_verdict,
)

SCORES = {"perfect": Score(0, 4, 1, points=-1, squares=1, seconds=0.25), "random": Score(wins=5)}
VERDICT = RunVerdict(40, 5, 7, SCORES, {"perfect": 0.0, "random": 87.5}, False, ("power",))


def test_the_result_of_a_test_comes_back_as_it_was(tmp_path: Path) -> None:
    assert read_verdict(tmp_path) is None
    for verdict in (VERDICT, RunVerdict(1, 2, 3, {}, {}, None)):
        write_verdict(tmp_path, verdict)
        assert read_verdict(tmp_path) == verdict


def test_the_progress_of_a_run_is_read_without_its_learner(tmp_path: Path) -> None:
    seen: list[RunProgress] = []
    config = RunConfig("tic_tac_toe", "menace", "random", 6, checkpoint_every=4)
    train(tmp_path, config, on_contest=lambda contests: seen.append(read_progress(tmp_path)) if contests > 4 else None)
    assert [(each.contests, each.done, each.in_progress) for each in seen] == [(4, False, True), (6, True, True)]
    found = read_progress(tmp_path)
    assert (found.config, found.contests, found.done, found.in_progress) == (config, 6, True, False)
    assert not is_in_progress(tmp_path / "nowhere")
