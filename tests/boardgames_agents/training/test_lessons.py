"""Lessons from given starting positions, by the trainer `teacher`, and contests that begin with an opening."""

from pathlib import Path

import pytest

from boardgames_agents.arena.contest import play_contest
from boardgames_agents.policy import Policy
from boardgames_agents.registry import make_agent, make_learner
from boardgames_agents.search import LookAhead
from boardgames_agents.training.starting_positions import Start, load_starts, save_starts
from boardgames_agents.training.trainers import make_trainer
from boardgames_env import BadInputError, Game, IllegalActionError, Position, make_game

GAME = "fives(paired_moves=25)"


@pytest.fixture(scope="module")
def small() -> Game:
    return make_game("tic_tac_toe")


class Witness(Policy):
    """Plays the first legal action, and keeps what it is asked and told."""

    def __init__(self) -> None:
        self.asked: list[Position] = []
        self.told: list[tuple[Position, int]] = []

    def choose(self, position: Position) -> int:
        self.asked.append(position)
        return position.legal_actions[0]

    def saw(self, position: Position, action: int) -> None:
        self.told.append((position, action))


# --- openings -----------------------------------------------------------------------------------------------------


def test_nobody_is_asked_or_told_during_an_opening(small: Game) -> None:
    one, other, watcher = Witness(), Witness(), Witness()
    record = play_contest(small, (one, other), [0], [watcher], opening=(4, 0))
    start = small.initial.play(4).play(0)
    assert record.actions == (4, 0, 1, 2, 3, 5, 6, 7, 8)
    assert (one.asked[0], watcher.told[0]) == (start, (start, 1))
    assert len(watcher.told) == 7
    assert record.plies == 9
    assert record.decisions == (4, 3)
    assert record.positions(small)[2] == start
    assert record.positions(small)[-1].outcome == record.outcome


def test_an_opening_counts_among_the_plies(game: Game) -> None:
    one, other = (make_agent("random", game) for _ in range(2))
    start = load_starts("exam-1", game)[0]
    short = play_contest(make_game("fives(paired_moves=7)"), (one, other), [0], opening=start.actions)
    assert short.plies == len(short.actions) == 14


def test_who_looks_ahead_knows_how_long_an_opening_was(small: Game) -> None:
    class Counting(LookAhead):
        def choose(self, position: Position) -> int:
            plies.append((self.plies_before(position), len(self.seen())))
            return position.legal_actions[0]

    plies: list[tuple[int, int]] = []
    play_contest(small, (Counting(small), Counting(small)), [0], opening=(4, 0))
    assert plies == [(k, k) for k in range(2, 9)]


def test_a_bad_opening_is_refused(small: Game) -> None:
    players = (Witness(), Witness())
    with pytest.raises(IllegalActionError):
        play_contest(small, players, [0], opening=(4, 4))
    with pytest.raises(BadInputError, match="over after its opening"):
        play_contest(small, players, [0], opening=(0, 3, 1, 4, 2))


# --- the trainer --------------------------------------------------------------------------------------------------


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


def test_who_brings_no_teacher_learns_from_the_perfect_player(small: Game) -> None:
    for spec in ("menace", "td"):
        learner = make_learner(spec, small)
        assert learner.teacher is None
        assert make_trainer("teacher", small).meeting(3, learner).players[1].spec == "perfect"


def test_where_nobody_can_teach_a_teacher_must_be_named(game: Game) -> None:
    with pytest.raises(BadInputError, match=r"brings no teacher, .* too large to be solved.*; name one, as in teacher"):
        make_trainer("teacher", game).meeting(0, make_learner("td", game))


def test_another_teacher_can_be_named(game: Game) -> None:
    learner = make_learner("fives", game)
    trainer = make_trainer("teacher(teacher='fives_teacher(level=2)')", game)
    assert trainer.meeting(0, learner).players[1].spec == "fives_teacher(level=2)"
    assert trainer.meeting(0, learner).opening == ()


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
