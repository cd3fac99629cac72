"""Judgements of turns: what they gave away, and the value before them to seat 0."""

import pytest

from boardgames_agents.people.judging.cost import judgement_of, mark
from boardgames_env import make_game
from boardgames_env.position import Position
from tests.boardgames_agents.people.judging.test_sources import after


def test_a_draw_given_away_costs_a_point_and_a_win_given_to_the_other_two() -> None:
    assert judgement_of(after("tic_tac_toe", "0"), (1,)).cost == 1
    assert judgement_of(after("tic_tac_toe", "0"), (4,)).cost == 0
    both = after("tic_tac_toe", "0", "3", "1", "4")  # 2 wins, 8 loses
    found = judgement_of(both, (8,))
    assert (found.cost, found.best.text) == (2, "2")
    assert found.played is not None
    assert found.played.words == "loses in 2 plies"
    assert judgement_of(both, (2,)).fall == 0


def test_values_are_those_of_seat_0() -> None:
    assert judgement_of(after("tic_tac_toe", "0", "1")).points == 1  # X is to move, and wins
    assert judgement_of(after("tic_tac_toe", "0", "1", "2")).points == 0
    assert judgement_of(after("tic_tac_toe", "0", "3", "1", "4", "8")).points == -1  # O is to move, and wins
    alone = judgement_of(make_game("tic_tac_toe").initial)
    assert (alone.played, alone.cost, alone.fall) == (None, 0, 0)


def test_predicted_points_count_from_where_they_are_marked() -> None:
    rolls = (event.position for event in make_game("backgammon").initial.events())
    opening = next(each for each in rolls if "white to play 3-1" in each.text)
    plays = {
        opening.game.notation.write(opening, move.actions): move.actions
        for move in opening.moves()
        if opening.game.notation
    }
    assert judgement_of(opening, plays["8/5 6/5"]).cost == 0
    bad = judgement_of(opening, plays["6/5 6/3"])
    assert bad.cost == bad.fall > 0.04
    assert bad.points == pytest.approx(bad.best.value)


def test_a_search_proves_what_is_given_away() -> None:
    position = after("qubic", "0", "60", "1", "50", "2", "40")
    assert judgement_of(position).points == 1
    assert judgement_of(position, (3,)).cost == 0
    assert judgement_of(position, (44,)).cost >= 1
    quiet: Position = after("qubic", "0")
    assert -1 < judgement_of(quiet).points < 1
    assert judgement_of(quiet, (1,)).cost == 0


def test_means_of_random_contests_prove_nothing() -> None:
    position = make_game("hypergammon").initial.events()[0].position
    found = judgement_of(position, position.moves()[0].actions)
    assert (found.known.kind, found.played, found.cost) == ("tried", None, 0)
    assert -3 <= found.points <= 3


def test_marks() -> None:
    assert [mark(error) for error in (0, 0.039, 0.04, 0.08, 0.159, 0.16, 2)] == ["", "", "?!", "?", "?", "??", "??"]
