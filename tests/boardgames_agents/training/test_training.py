"""Trainers and stopping rules."""

from functools import cache

import pytest

from boardgames_agents.policy import ContestInfo, Episodes, Learner
from boardgames_agents.record import Record
from boardgames_agents.registry import make_learner
from boardgames_agents.training.loop import StoppingRule, TrainingLoop, streak_after
from boardgames_agents.training.trainers import Meeting, make_trainer
from boardgames_env import BadInputError, Game, make_game

GAME = "tic_tac_toe"


@cache
def menace() -> Learner:
    return make_learner("menace", make_game(GAME))


def seats(trainer: str, contests: int) -> list[tuple[int, ...]]:
    made = make_trainer(trainer, make_game(GAME))
    meetings = [made.meeting(contest, menace()) for contest in range(contests)]
    for meeting in meetings:
        assert tuple(seat for seat in (0, 1) if meeting.players[seat] is menace()) == meeting.seats
    return [meeting.seats for meeting in meetings]


def test_the_learners_seats() -> None:
    assert seats("fallible(e=0.1)", 5) == [(0,), (1,), (0,), (1,), (0,)]
    assert set(seats("self", 4)) == {(0, 1)}
    assert seats("2&7", 20) == ([(0,), (1,)] + [(0, 1)] * 7) * 2 + [(0,), (1,)]
    assert seats("lessons(lessons=1, practice=1)", 6) == [(0,), (0, 1), (1,), (0, 1), (0,), (0, 1)]
    assert seats("2 & 7", 20) == seats("lessons", 20)
    assert set(seats("watch(a='perfect', b='random')", 4)) == {()}


@pytest.mark.parametrize("trainer", ["0&0", "lessons(lessons=-1)", "nobody", "2&", "lessons(expert='nobody')"])
def test_trainers_that_make_no_sense_are_refused(trainer: str, game: Game) -> None:
    with pytest.raises(BadInputError):
        make_trainer(trainer, game)


def record(outcome: int, cut: bool = False) -> Record:
    return Record("tic_tac_toe", ("a", "b"), (), outcome, cut, plies=0)


def meeting(*learner_seats: int) -> Meeting:
    return Meeting((menace(), menace()), learner_seats)


def test_the_behavioral_standard_asks_for_draws_in_self_play_and_no_loss_elsewhere() -> None:
    assert streak_after(4, meeting(0, 1), record(0)) == 5
    assert streak_after(4, meeting(0, 1), record(1)) == 0
    assert streak_after(4, meeting(0, 1), record(-1)) == 0
    assert streak_after(4, meeting(0), record(1)) == 5
    assert streak_after(4, meeting(0), record(0)) == 5
    assert streak_after(4, meeting(0), record(-1)) == 0
    assert streak_after(4, meeting(1), record(-1)) == 5
    assert streak_after(4, meeting(1), record(1)) == 0
    assert streak_after(4, meeting(), record(1)) == 4
    assert streak_after(4, meeting(0), record(0, cut=True)) == 0
    assert streak_after(4, meeting(0, 1), record(0, cut=True)) == 0


def test_a_learner_that_trains_another_does_not_learn_itself(game: Game) -> None:
    other = make_trainer("menace", game).meeting(0, menace()).players[1]
    assert not isinstance(other, Learner)
    assert other.spec == "menace"


def test_a_training_ends_by_contests_or_by_standard() -> None:
    rule = StoppingRule(contests=100, standard=10)
    assert [rule.is_met(50, 9), rule.is_met(50, 10), rule.is_met(100, 0)] == [False, True, True]
    assert not StoppingRule(contests=100).is_met(99, 99)
    for contests, standard in ((0, 0), (-1, 5), (5, -1)):
        with pytest.raises(BadInputError):
            StoppingRule(contests, standard)


def test_the_loop_pauses_where_it_is_asked_to(game: Game) -> None:
    learner = make_learner("td(hidden=2)", game)
    trainer, rule = make_trainer("self", game), StoppingRule(10)
    loop = TrainingLoop(game, learner, trainer, rule, (1,), pause=lambda contests: contests - contests % 4 + 4)
    steps = list(loop.steps(contests=2))
    assert [(step.contests, step.done) for step in steps] == [(4, False), (8, False), (10, True)]
    assert all(isinstance(step.played, Episodes) for step in steps)
    one_by_one = TrainingLoop(game, learner, trainer, rule, (1,), in_a_row=False)
    assert [step.contests for step in one_by_one.steps(contests=7)] == [8, 9, 10]


def test_the_learner_knows_who_is_an_expert(game: Game) -> None:
    learner = make_learner("menace", game)
    make_trainer("2&1", game).meeting(1, learner).play(game, learner, (0,))
    assert learner.info == ContestInfo(experts=(0,))
    make_trainer("2&1", game).meeting(2, learner).play(game, learner, (0,))
    assert learner.info == ContestInfo(practice=True)
