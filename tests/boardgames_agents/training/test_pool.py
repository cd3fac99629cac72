"""Training against a pool of the learner's own earlier selves."""

from pathlib import Path

import numpy as np
import pytest

from boardgames_agents.policy import Snapshot, joined, parted
from boardgames_agents.registry import make_learner
from boardgames_agents.training.checkpoint import Checkpoint, load_latest, save_checkpoint
from boardgames_agents.training.run import RunConfig, train
from boardgames_agents.training.trainers import make_trainer
from boardgames_env import BadInputError, Game
from tests.boardgames_agents.training.test_runs import Stopped
from tests.variants import sampled

GAME = "tic_tac_toe"


def test_the_learner_meets_its_earlier_selves_in_turn(game: Game) -> None:
    learner, trainer = make_learner("menace", game), make_trainer("pool(every=3, size=2)", game)
    opponents = []
    for contest in range(12):
        meeting = trainer.meeting(contest, learner)
        assert meeting.seats == (contest % 2,)
        assert meeting.experts == ()
        assert meeting.players[contest % 2] is learner
        opponents.append(meeting.players[1 - contest % 2])
        meeting.play(game, learner, (5, contest))
    assert learner not in opponents
    assert [opponents.index(each) for each in opponents] == [0, 0, 0, 3, 0, 0, 6, 6, 3, 6, 10, 10]


@pytest.mark.parametrize(
    ("learner", "trainer"),
    sampled(
        ["menace", "td(hidden=4)"], ["pool(every=7, size=3)", "phases(plan=((11, 'watch'), (2, 'pool(every=4)')))"]
    ),
)
def test_a_training_that_was_stopped_goes_on_with_the_same_pool(learner: str, trainer: str, tmp_path: Path) -> None:
    config = RunConfig(GAME, learner, trainer, 60, seed=3, checkpoint_every=5)
    whole = train(tmp_path / "whole", config)
    for moment in (8, 23, 41):
        with pytest.raises(KeyboardInterrupt):
            train(tmp_path / "stopped", config, Stopped(moment))
    stopped = train(tmp_path / "stopped", config)
    assert stopped.learner.snapshot().digest == whole.learner.snapshot().digest


def test_names_of_a_learners_arrays_are_not_taken_for_the_trainers(tmp_path: Path) -> None:
    learner = Snapshot({"trainer/w": np.ones(2, dtype=np.float32)})
    save_checkpoint(tmp_path, Checkpoint(3, 0, False, learner))
    found = load_latest(tmp_path)
    assert found
    assert list(found.snapshot.arrays) == ["trainer/w"]
    before = list(tmp_path.iterdir())
    with pytest.raises(BadInputError, match="a learner whose arrays have names that begin with trainer/"):
        save_checkpoint(tmp_path, Checkpoint(4, 0, False, learner, trainer=joined([])))
    assert list(tmp_path.iterdir()) == before


def test_snapshots_that_were_joined_come_apart() -> None:
    one, none = Snapshot({}, {"beads": 3}), Snapshot()
    assert parted(joined([one, none, joined([one])])) == [one, none, joined([one])]
    assert parted(joined([])) == []
