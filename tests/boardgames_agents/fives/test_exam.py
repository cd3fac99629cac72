from functools import cache
from itertools import product

import numpy as np
import pytest

from boardgames_agents.arena.contest import play_contest
from boardgames_agents.fives.coefficients import INITIAL, Coefficients
from boardgames_agents.fives.exam import MOST_MOVES, Exam, score_of
from boardgames_agents.fives.making import make_starts
from boardgames_agents.fives.minimax import FivesSearch
from boardgames_agents.fives.player import FivesPlayer
from boardgames_agents.training.starting_positions import Start, load_starts
from boardgames_env import BadInputError, Game, make_game
from tests.boardgames_agents.fives.plain import grid_game

GAME = "fives"


@cache
def exam_1() -> Exam:
    game = make_game(GAME)
    return Exam(game, load_starts("exam-1", game))


OTHER = Coefficients((560, 300, 450, 122.5, 222.5))


@pytest.mark.parametrize(
    ("points", "plies", "score"),
    [
        (1, 13, 97.5),  # the paper's example: x's seventh mark is 6.5 paired moves, which are 7
        (1, 14, 97.5),
        (1, 11, 100),
        (1, 12, 100),
        (-1, 11, 0),
        (-1, 12, 0),
        (1, 50, 52.5),
        (-1, 49, 47.5),
        (0, 50, 50),
    ],
)
def test_scores(points: int, plies: int, score: float) -> None:
    assert score_of(points, plies) == score


def test_a_sooner_win_and_a_later_loss_score_more() -> None:
    scores = [score_of(-1, plies) for plies in range(11, 51, 2)]
    scores += [score_of(1, plies) for plies in range(49, 10, -2)]
    assert scores == sorted(scores)
    assert len(set(scores)) == 40


@pytest.mark.parametrize(
    ("level", "width", "seed"),
    [(1, 1, 2), (2, 5, 2), (4, 4, 2), *(pytest.param(3, 3, seed, marks=pytest.mark.slow) for seed in range(8))],
)
def test_exam_0_is_even_for_any_solver_against_itself(level: int, width: int, seed: int, game: Game) -> None:
    """The student is the tester, and both the exam and the scoring are symmetric."""
    exam = Exam(game, make_starts(game, "exam", seed), OTHER, level, width)
    sittings = exam.sit(FivesSearch(game, OTHER, level, width))
    assert np.mean([sitting.score for sitting in sittings]) == 50
    for straight, dual in zip(sittings[::2], sittings[1::2], strict=True):
        assert (straight.seat, dual.seat) == (0, 1)
        assert straight.actions == dual.actions
        assert straight.points == -dual.points


def test_an_exam_is_the_contests_that_players_play() -> None:
    game = make_game(f"fives(paired_moves={MOST_MOVES})")
    student, tester = FivesPlayer(game, coefficients=OTHER), FivesPlayer(game)
    sittings = exam_1().sit(student.search)
    cases = list(product(load_starts("exam-1", make_game(GAME)), (0, 1)))
    assert len(cases) == 10
    for sitting, (start, seat) in zip(sittings, cases, strict=True):
        players = (student, tester) if seat == 0 else (tester, student)
        record = play_contest(game, players, [0], opening=start.actions)
        assert record.actions == (*start.actions, *sitting.actions)
        assert record.points_for(seat) == sitting.points
        assert score_of(sitting.points, record.plies) == sitting.score
    assert exam_1().score(student.search) == np.mean([sitting.score for sitting in sittings]) != 50


@pytest.mark.slow
def test_contests_end_with_the_25th_paired_move(game: Game) -> None:
    exam = Exam(game, make_starts(game, "exam", 3, count=30), level=4, width=8)
    drawn = [sitting for sitting in exam.sit(FivesSearch(game, level=4, width=8)) if sitting.points == 0]
    assert drawn
    assert all(len(sitting.actions) == 40 and sitting.score == 50 for sitting in drawn)


@pytest.mark.parametrize("count", [10, pytest.param(30, marks=pytest.mark.slow)])
def test_the_teacher_is_the_better_player(count: int, game: Game) -> None:
    exam = Exam(game, make_starts(game, "exam", 100, count))
    assert exam.score(FivesSearch(game, INITIAL, 5, 10)) > 65


def test_bad_exams_are_refused(game: Game) -> None:
    with pytest.raises(BadInputError, match="without starting positions"):
        Exam(game, ())
    with pytest.raises(BadInputError, match="marked twice"):
        Exam(game, (Start((1,), (1,)),))
    with pytest.raises(BadInputError, match="width=0"):
        Exam(game, load_starts("exam-1", game), width=0)
    checkered = [cell for cell in range(100) if (cell % 10 + 2 * (cell // 10)) % 4 < 2]
    rest = sorted({*range(100)} - {*checkered})
    with pytest.raises(BadInputError, match="25 paired moves is not allowed in an exam"):
        Exam(game, (Start(tuple(checkered[:25]), tuple(rest[:25])),))
    with pytest.raises(BadInputError, match="a student of 7 × 6 cells is not allowed in an exam of 10 × 10"):
        exam_1().sit(FivesSearch(grid_game(7, 6)))
