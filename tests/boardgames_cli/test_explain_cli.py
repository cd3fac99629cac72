"""`boardgames explain` and `play --explain`, for any agent that can tell why it plays as it does."""

import re
from pathlib import Path

import pytest

from boardgames_agents.training.run import RunConfig, load_run, train
from tests.conftest import Run

GAME = "fives(opening=2, paired_moves=25)"


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that has trained a learner other than hoyle."""
    folder = tmp_path_factory.mktemp("runs") / "fives"
    train(folder, RunConfig(GAME, "fives(exam='')", "fives_teacher(level=3)", contests=2))
    return folder


def test_explain_shows_moves_and_features(boardgames: Run, trained: Path) -> None:
    out = boardgames("explain", trained, "0 1 2")
    run = load_run(trained)
    position = run.game.initial.play(0).play(1).play(2)
    assert position.text.splitlines()[0] in out
    explanation = run.learner.frozen().explanation(position)  # type: ignore[attr-defined]
    arrow = re.findall(r"^ → +(\d+) +(\S+) +(\S+)", out, flags=re.MULTILINE)
    assert arrow == [row[1:] for row in explanation.rows if row[0]]
    assert explanation.facts
    for fact in explanation.facts:
        assert fact in out.splitlines()
