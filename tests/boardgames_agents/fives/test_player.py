"""The agents that play: student, teacher and tester."""

from pathlib import Path

import numpy as np
import pytest

from boardgames_agents.arena.tournament import tournament
from boardgames_agents.fives import FivesPlayer
from boardgames_agents.fives.coefficients import INITIAL, Coefficients
from boardgames_agents.policy.explanation import Explains
from boardgames_agents.registry import make_agent
from boardgames_env import Game, make_game
from tests.positions import play

GAME = "fives"
LEARNED = (560, 450, 300, 222.5, 122.5)


def player(spec: str) -> FivesPlayer:
    game = make_game(GAME)
    policy = make_agent(spec, game)
    assert isinstance(policy, FivesPlayer)
    policy.begin(game, (0,), np.random.default_rng(0))
    return policy


@pytest.mark.parametrize(
    ("spec", "level", "width"), [("fives_student", 3, 3), ("fives_teacher", 5, 10), ("fives_tester", 3, 3)]
)
def test_the_papers_three(spec: str, level: int, width: int) -> None:
    made = player(spec)
    assert made.spec == spec
    assert (made.search.solver.level, made.search.solver.width) == (level, width)
    assert made.coefficients == INITIAL


def test_coefficients_are_told_or_come_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "coefficients.json"
    Coefficients(LEARNED).save(path)
    from_file = player(f"fives_teacher(coefficients={str(path)!r})")
    told = player(f"fives_student(coefficients={LEARNED})")
    assert from_file.coefficients == told.coefficients == Coefficients(LEARNED)
    assert from_file.search.solver.coefficients.tolist() == [*LEARNED, 0, 0]


def test_wins_against_random_play_from_both_seats(game: Game) -> None:
    assert tournament(game, "fives_tester", "random", 20, seed=1).score.wins == 20


def test_explains_in_numbers_of_the_seat_to_move(game: Game) -> None:
    made = player("fives_student(level=2)")
    assert isinstance(made, Explains)
    position = play(game.initial, 33, 43, 34, 44, 35, 45, 99)  # O to move: both have three in a row, open at both ends
    told = made.explanation(position)
    assert told.title == "decided by minimax, level 2 and width 3"
    assert told.columns == ("", "move", "evaluation", "value after 2 plies")
    assert len(told.rows) == 3
    chosen = [row for row in told.rows if row[0]]
    assert [int(row[1]) for row in chosen] == [made.choose(position)]
    worth = made.search.score(position.state)
    assert [float(row[3]) for row in told.rows if row[0]] == [worth]
    assert max(float(row[3]) for row in told.rows) == worth
    assert told.facts == ("full open three: 1 own, 1 of the other seat, × 300 = 0",)
    assert {region.title: region.locations for region in told.regions} == {
        "X: full open three, 33 to 35": (33, 34, 35),
        "O: full open three, 43 to 45": (43, 44, 45),
    }


def test_an_explanation_says_what_was_expected(game: Game) -> None:
    made = player("fives_student")
    position = play(game.initial, 33, 43, 34, 44, 35, 45)
    expected = made.choose(position)
    other = next(int(row[1]) for row in made.explanation(position).rows if int(row[1]) != expected)
    told = made.explanation(position, other)
    assert [int(row[1]) for row in told.rows if row[0]] == [other]
    assert told.facts[0] == f"{expected} was expected, {other} was played"
    assert made.explanation(position, expected) == made.explanation(position)
    assert made.explanation(game.initial).facts == ("no feature is on the board",)
