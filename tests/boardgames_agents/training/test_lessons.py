"""Lessons from given starting positions, by the trainer `teacher`."""

from pathlib import Path

import pytest

from boardgames_agents.registry import make_learner
from boardgames_agents.training.starting_positions import Start, load_starts, save_starts
from boardgames_agents.training.trainers import make_trainer
from boardgames_env import BadInputError, Game, make_game

GAME = "fives(paired_moves=25)"


@pytest.fixture(scope="module")
def small() -> Game:
    return make_game("tic_tac_toe")


def test_the_learner_moves_first_from_one_position_after_another(game: Game) -> None:
    learner = make_learner("fives", game)
    trainer = make_trainer("teacher(starts='lessons-2')", game)
    starts = load_starts("lessons-2", game)
    for contest in range(7):
        meeting = trainer.meeting(contest, learner)
        assert meeting.players == (learner, learner.teacher)
        assert (meeting.seats, meeting.experts) == ((0,), (1,))
        assert meeting.opening == starts[contest % 5].actions
    assert meeting.play(game, learner, (0,)).actions[:10] == starts[1].actions


def test_who_teaches(small: Game, game: Game) -> None:
    """The learner's own teacher or the one that is named, or else the perfect player, where there is one."""
    for spec in ("menace", "td"):
        learner = make_learner(spec, small)
        assert learner.teacher is None
        assert make_trainer("teacher", small).meeting(3, learner).players[1].spec == "perfect"
    with pytest.raises(BadInputError, match=r"brings no teacher, .* too large to be solved.*; name one, as in teacher"):
        make_trainer("teacher", game).meeting(0, make_learner("td", game))
    meeting = make_trainer("teacher(teacher='fives_teacher(level=2)')", game).meeting(0, make_learner("fives", game))
    assert (meeting.players[1].spec, meeting.opening) == ("fives_teacher(level=2)", ())


def test_a_tested_learner_has_the_teacher_of_its_own(game: Game) -> None:
    learner = make_learner("self_tested(learner='fives(self_test=False)',tester='fives_tester',contests=2)", game)
    trainer = make_trainer("teacher(starts='lessons-1')", game)
    before = learner.knowledge()["predictions"]
    trainer.meeting(0, learner).play(game, learner, (0,))
    assert learner.teacher is not None
    assert learner.knowledge()["predictions"] > before == 0


def test_starting_positions_must_fit_the_game(tmp_path: Path, small: Game, game: Game) -> None:
    save_starts(tmp_path / "small.json", (Start((0,), (4,)),), "")
    learner = make_learner("td", small)
    trainer = make_trainer(f"teacher(teacher='random',starts={str(tmp_path / 'small.json')!r})", small)
    assert trainer.meeting(0, learner).play(small, learner, (0,)).actions[:2] == (0, 4)
    with pytest.raises(BadInputError, match="lies off the board"):
        make_trainer("teacher(starts='lessons-1')", small)
    with pytest.raises(BadInputError, match="begins with men on the board"):
        make_trainer("teacher(starts='lessons-1')", make_game("fives(opening=1)"))
    with pytest.raises(BadInputError, match="no starting positions"):
        make_trainer("teacher(starts='nowhere')", game)
