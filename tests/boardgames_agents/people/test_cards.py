"""Cards of one's own mistakes: their schedule, positions that symmetries map to each other, and the person's file."""

from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from boardgames_agents.arena.contest import play_contest
from boardgames_agents.people.cards import INTERVALS, Card, CardAnswer, due_first, with_mistakes
from boardgames_agents.people.course import Course, findings_in
from boardgames_agents.people.pupil import Assignment
from boardgames_agents.people.pupil_file import PupilFiles
from boardgames_agents.registry import make_player
from boardgames_env import BadInputError, Game, make_game
from boardgames_env.json_file import write_json
from tests.positions import after

GAME = "tic_tac_toe"
TODAY = date(2026, 2, 27)


def card(*actions: int, cost: float = 1.0, source: str = "x") -> Card:
    """Return the card of a position in which everything but a corner loses."""
    return Card(tuple(after(GAME, *actions).state.tolist()), (1,), (0,), cost, TODAY, sources=(source,))


def test_intervals_double_and_a_wrong_answer_begins_anew() -> None:
    asked, days = card(4), []
    for is_right in (*[True] * 8, False, True):
        asked = asked.answered(is_right, TODAY)
        days.append((asked.due - TODAY).days)
    assert days == [2, 4, 8, 16, 32, 64, 64, 64, 1, 2]
    assert tuple(2**box for box in range(7)) == INTERVALS


def test_positions_that_symmetries_map_to_each_other_are_one_card(game: Game) -> None:
    edge, other_edge, centre = card(1), card(3, source="y"), card(4)
    practised = replace(edge, box=3, due=TODAY + timedelta(8))
    found = with_mistakes([practised, centre], [other_edge], game)
    assert found == (replace(other_edge, sources=("x", "y")), centre)
    assert with_mistakes(found, [other_edge], game) == found, "the same error counts once"
    assert with_mistakes([practised], [edge], game) == (practised,)


def test_the_first_due_come_first_and_of_those_the_costliest() -> None:
    later, cheap, dear = replace(card(4), due=TODAY + timedelta(1), cost=9.0), card(1, cost=0.5), card(0, cost=2.0)
    assert due_first([later, cheap, dear]) == [dear, cheap, later]


@pytest.mark.parametrize(("actions", "is_right"), [((0,), True), ((8,), True), ((1,), False)])
def test_every_turn_that_gives_nothing_away_is_right(actions: tuple[int, ...], is_right: bool, game: Game) -> None:
    found = CardAnswer.of(card(4), game, actions)
    assert (found.is_right, found.judged.cost) == (is_right, 1.0 - is_right)


def test_what_is_no_whole_turn_is_refused(game: Game) -> None:
    for actions in ((), (4,), (0, 1)):
        with pytest.raises(BadInputError):
            CardAnswer.of(card(4), game, actions)


def test_errors_of_lessons_are_kept_and_answered_in_the_persons_file(tmp_path: Path, game: Game) -> None:
    files = PupilFiles(tmp_path)
    course = Course(files, "Ann", game, lambda: TODAY)
    assignment = Assignment("Ann", "perfect", 0, "lesson", (1,), 0)
    record = play_contest(game, (make_player("perfect", game), make_player("worst", game)), [1])
    course.keep(assignment, record, findings=findings_in(assignment, record.turns(game)))
    (kept, *_) = files.study("Ann", GAME).cards
    assert (kept.due, kept.box, kept.sources) == (TODAY, 0, ("contest 1",))
    for _ in range(2):  # (it counts once a day)
        found, after_answer = course.answer(kept, kept.better)
        assert (found.is_right, after_answer.box, after_answer.due) == (True, 1, TODAY + timedelta(2))
    with pytest.raises(BadInputError):
        Course(files, "Eve", game).answer(kept, kept.better)


def test_a_file_of_an_earlier_version_has_no_cards_yet(tmp_path: Path, game: Game) -> None:
    studies = {GAME: {"contests": [], "exams": [], "open": {}}}
    write_json(tmp_path / "Ann.json", {"format": "boardgames pupil", "version": 1, "studies": studies})
    files = PupilFiles(tmp_path)
    assert files.study("Ann", GAME).cards == ()
    Course(files, "Ann", game).keep_cards([card(4)])
    assert files.study("Ann", GAME).cards == (card(4),)


def test_a_cards_turn_may_have_several_actions() -> None:
    morris = make_game("five_mens_morris")
    position = after("five_mens_morris", 0, 3, 1, 4)
    mill = next(each for each in position.legal_actions if position.play(each).seat == position.seat)
    asked = Card(tuple(position.state.tolist()), (mill,), (mill, 0), 1.0, TODAY)
    with pytest.raises(BadInputError, match="the turn is not over"):
        CardAnswer.of(asked, morris, (mill,))
