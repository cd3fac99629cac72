"""People as learners: what trainers set them, what they are expected to play, and their files."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from boardgames_agents.arena.contest import play_contest
from boardgames_agents.people.course import beginning_of, meeting_of, names_of, next_assignment, suggestions
from boardgames_agents.people.examination import new_examination, next_question, result_of
from boardgames_agents.people.judging.cost import TurnError
from boardgames_agents.people.judging.sources import best_moves
from boardgames_agents.people.pupil import Assignment, Pupil, PupilContest, key_nodes_of
from boardgames_agents.people.pupil_file import PupilFiles, Study
from boardgames_agents.policy import Policy
from boardgames_agents.registry import make_player
from boardgames_agents.training.trainers import registered_trainers
from boardgames_env import BadInputError, Game, make_game
from boardgames_env.contest import replayed
from boardgames_env.position import Position
from tests.boardgames_agents.training.test_trainers import Flawed
from tests.positions import after

GAME = "tic_tac_toe"
TO_ERRORS = "key_nodes(lessons=1, practice=0)"


def erring_student() -> Flawed:
    """Answers the centre at the middle of an edge, and is perfect otherwise."""
    return Flawed({after(GAME, 4): ((1,), (1.0,))})


def play(
    assignment: Assignment, contests: Sequence[PupilContest], student: Policy, exams: Sequence[object] = ()
) -> PupilContest:
    """Play a contest that was set, with an agent in the place of the person."""
    game = make_game(GAME)
    meeting = meeting_of(game, assignment, contests, exams)  # type: ignore[arg-type]
    one, other = (student if seat in meeting.seats else each for seat, each in enumerate(meeting.players))
    record = play_contest(game, (one, other), [1, len(contests)], opening=meeting.opening)
    return PupilContest(assignment, str(len(contests)), record).judged(game)


def course(trainer: str, student: Policy, count: int) -> list[PupilContest]:
    contests: list[PupilContest] = []
    for _ in range(count):
        contests.append(play(next_assignment(make_game(GAME), "me", trainer, contests), contests, student))
    return contests


@pytest.mark.parametrize("trainer", ["2&7", "tutorial", "perfect", "fallible(e=0.5)", *registered_trainers()])
def test_every_trainer_sets_contests(trainer: str, game: Game) -> None:
    played = course(trainer, make_player("random", game), 3)
    assert [each.assignment.number for each in played] == [0, 1, 2]
    for each in played:
        seats = each.assignment.seats
        assert each.assignment.kind == {0: "watching", 1: "lesson", 2: "practice"}[len(seats)]
        assert (each.points is None) == (len(seats) != 1)


def test_the_schedule_is_the_trainers(game: Game) -> None:
    kinds = [each.assignment.kind for each in course("2&1", make_player("perfect", game), 6)]
    assert kinds == ["lesson", "lesson", "practice"] * 2


def test_a_contest_that_was_set_can_be_set_again_later(game: Game) -> None:
    contests = course(TO_ERRORS, erring_student(), 3)
    again = [meeting_of(game, each.assignment, contests, ()) for each in contests]
    assert [each.seats for each in again] == [each.assignment.seats for each in contests]
    with pytest.raises(BadInputError, match="was forgotten"):
        meeting_of(game, contests[-1].assignment, contests[:1], ())


def test_errors_are_expected_until_they_are_learned(game: Game) -> None:
    opening = game.initial.play(4)
    as_second = replace(next_assignment(game, "me", "perfect", []), seats=(1,))
    contests: list[PupilContest] = []
    for answer, alike, known in (
        (1, {1, 3, 5, 7}, (1, 1, 1.0, False, 1)),  # (the middles of the edges are alike)
        (0, {0, 1, 2, 3, 5, 6, 7, 8}, (2, 1, 1.0, False, 1)),
        (2, {0, 2, 6, 8}, (3, 1, 1.0, True, 1)),
    ):
        players = (make_player("perfect", game), erring_student())
        record = play_contest(game, players, [len(contests)], opening=(4, answer))
        contests.append(PupilContest(as_second, str(len(contests)), record).judged(game))
        assert set(expected(contests, opening)) == alike
        (node,) = [each for each in key_nodes_of(game, contests) if each.position == opening]
        assert (node.seen, node.wrong, node.cost, node.is_learned, node.number) == known
    assert expected(contests, game.initial) == tuple(range(9)), "where nobody has been, correct actions are expected"


def expected(contests: Sequence[PupilContest], position: Position) -> tuple[int, ...]:
    prediction = Pupil(make_game(GAME), contests).frozen()
    return prediction.distribution(position)[0]  # type: ignore[attr-defined,no-any-return]


@pytest.fixture(scope="module")
def erring(game: Game) -> list[PupilContest]:
    """A course that begins with contests in which the student meets its error by chance."""
    contests = course("perfect", erring_student(), 20)
    first = next(index for index, each in enumerate(contests) if each.errors)
    contests = contests[: first + 1]
    for _ in range(4):
        contests.append(play(next_assignment(game, "me", TO_ERRORS, contests), contests, erring_student()))
    return contests


def test_key_nodes_leads_a_person_to_its_errors(erring: list[PupilContest], game: Game) -> None:
    assert [bool(each.errors) for each in erring[-5:]] == [True, False, True, False, True]
    assert [each.assignment.seats for each in erring[-4:]] == [(0,), (1,)] * 2
    assert sorted(names_of(meeting_of(game, erring[-1].assignment, erring, ()))) == ["", "your trainer"]


def test_a_trainer_that_sees_too_little_begins_at_an_error(erring: list[PupilContest], game: Game) -> None:
    near_sighted = "key_nodes(lessons=1, practice=0, budget=2)"
    first = replace(erring[0], assignment=replace(erring[0].assignment, trainer=near_sighted))
    assignment = next_assignment(game, "me", near_sighted, [first, *erring[1:]])
    assert assignment.seats == (1,)
    assert meeting_of(game, assignment, erring, ()).opening == (4,)
    assert assignment.opening == 1


@pytest.mark.slow
def test_a_game_too_large_to_be_solved_has_lessons_from_a_search_and_from_errors() -> None:
    large = make_game("qubic")
    trainer = suggestions(large)[0].trainer
    assert trainer == "decisive_moves"
    first = next_assignment(large, "me", trainer, [])
    meeting = meeting_of(large, first, [], ())
    assert (first.seats, first.opening) == ((0,), len(meeting.opening))
    assert beginning_of(first) == "It begins where the right move decides: find it."
    *_, position = replayed(large.initial, meeting.opening, ())
    best, second = best_moves(position, count=2).moves
    assert best.words.startswith("wins") > second.words.startswith("wins") or second.words.startswith("loses")
    record = play_contest(large, (make_player("random", large),) * 2, [5])
    third = [turn for turn in record.turns(large) if turn.seat == 0][2]
    error = PupilContest(replace(first, opening=0), "x", record, (TurnError(third.number, 1.0),))
    own = next_assignment(large, "me", trainer, [error, replace(error, sitting="y", errors=())])
    assert meeting_of(large, own, [error, error], ()).opening == record.actions[: third.number]


def test_a_person_is_saved_and_restored(game: Game) -> None:
    contests = course("perfect", erring_student(), 6)
    one, other = Pupil(game, contests), Pupil(game)
    other.restore(one.snapshot())
    assert other.snapshot().digest == one.snapshot().digest
    assert one.knowledge()["errors"] == sum(len(each.errors or ()) for each in contests)
    with pytest.raises(BadInputError):
        one.choose(game.initial)


def test_suggestions_can_be_made_at_every_kind_of_game(game: Game) -> None:
    assert [each.trainer for each in suggestions(game)][:2] == [TO_ERRORS, "perfect"]
    for other in map(make_game, ("qubic", "hypergammon")):
        for each in suggestions(other):
            next_assignment(other, "me", each.trainer, [])


@pytest.mark.parametrize(("ladder", "challengers"), [(False, 4), (True, 11)])
def test_a_perfect_person_passes_the_examination(ladder: bool, challengers: int, game: Game) -> None:
    exam, student = new_examination(game, 2, ladder), make_player("perfect(style='wise')", game)
    contests: list[PupilContest] = []
    assert exam.size == 2 * challengers
    while assignment := next_question(exam, 0, "me", contests):
        contests.append(play(assignment, contests, student, [exam]))
        assert (result_of(exam, 0, game, contests).verdict is None) == (len(contests) < exam.size)
    result = result_of(exam, 0, game, contests)
    assert [(score.contests, score.reliability) for score in result.scores.values()] == [(2, 100)] * challengers
    assert [each.assignment.seats[0] for each in contests] == [0] * challengers + [1] * challengers
    assert result.verdict is not None
    assert result.verdict.conditions[0].passed
    assert {"expert", "novice", "random"} <= set(result.maximal)


def test_games_without_a_perfect_player_have_other_challengers() -> None:
    game = make_game("qubic")
    exam = new_examination(game, 3)
    assert [name for name, _ in exam.challengers] == ["searcher", "random"]
    assert not result_of(exam, 0, game, []).maximal
    with pytest.raises(BadInputError, match="no perfect player that errs"):
        new_examination(game, 3, whole_ladder=True)


def test_a_file_keeps_studies(tmp_path: Path, game: Game) -> None:
    files, contests = PupilFiles(tmp_path / "pupils"), course("2&7", erring_student(), 4)
    assert files.names() == []
    exam = new_examination(game, 2)

    def changed(study: Study) -> Study:
        for contest in contests:
            study = study.opened("2&7", contest.sitting).with_contest(contest)
        return replace(study.opened("", "there"), exams=(exam,))

    study = files.change("Ann B", game.spec, changed)
    assert study.open == {"": "there"}
    again = PupilFiles(tmp_path / "pupils")
    assert (again.names(), again.study("Ann B", game.spec)) == (["Ann B"], study)
    assert len(study.with_contest(replace(contests[1], errors=None)).contests) == 4
    files.change("Ann B", "achi", lambda study: study)
    files.forget("Ann B", game.spec)
    assert list(files.read("Ann B")) == ["achi"]
    files.remove("Ann B")
    assert files.names() == []


def test_several_programs_may_change_a_file_at_the_same_time(tmp_path: Path, game: Game) -> None:
    def open_one(trainer: str) -> None:
        # (each has opened the file that is locked for itself, as another process would)
        PupilFiles(tmp_path).change("me", game.spec, lambda study: study.opened(trainer, "there"))

    with ThreadPoolExecutor(3) as programs:
        list(programs.map(open_one, map(str, range(15))))
    assert len(PupilFiles(tmp_path).study("me", game.spec).open) == 15
    assert PupilFiles(tmp_path).names() == ["me"]


@pytest.mark.parametrize("name", ["", "../x", "a/b", ".x", "x" * 41, "a ", "a\n", "C:\\x"])
def test_a_name_cannot_be_a_path(name: str, tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="a name has"):
        PupilFiles(tmp_path).read(name)


def test_a_profile_of_another_version_is_refused(tmp_path: Path, game: Game) -> None:
    files, path = PupilFiles(tmp_path), tmp_path / "me.json"
    files.change("me", game.spec, lambda study: study.opened("random", "there"))
    path.write_text(path.read_text(encoding="utf-8").replace('"version": 1', '"version": 2'), encoding="utf-8")
    with pytest.raises(BadInputError, match="its version is 2, not 1"):
        files.read("me")
