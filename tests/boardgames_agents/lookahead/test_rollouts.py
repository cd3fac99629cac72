"""Rollouts against exact values."""

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

from boardgames_agents.lookahead.evaluator import POINTS
from boardgames_agents.lookahead.expectimax import Expectimax
from boardgames_agents.lookahead.rollout import RolloutOptions, rollout, rollouts
from boardgames_env import BadInputError, Game, Position, make_game
from tests.boardgames_agents.exact import Exact, Pips, Says, race
from tests.variants import sampled

GAME = "hypergammon"


@cache
def a_race() -> Position:
    return race(GAME, [6, 5, 0], [5, 6, 0])


@cache
def contact() -> Position:
    return race(GAME, [4, 20, 2], [20, 18, 3])


@pytest.mark.parametrize(
    "options",
    [
        RolloutOptions(reduce_variance=False),
        RolloutOptions(2592, seed=7),
        *(RolloutOptions(each, seed=seed, reduce_variance=False) for each in (36, 180) for seed in range(3)),
    ],
)
def test_each_roll_comes_equally_often(options: RolloutOptions, game: Game) -> None:
    """A man each, on a point from which any two rolls end the contest: 36 trials say how often, whatever the seed."""
    position = race(game, [6, 0, 0], [1, 1, 0])
    found = rollout(position, Pips(), options).probabilities
    assert found == pytest.approx(Exact(game, Pips()).value(position), abs=1e-6 if options.reduce_variance else 1e-12)


@pytest.mark.parametrize(
    ("made", "reduce_variance"), sampled([a_race, lambda: race(GAME, [6, 5, 1], [5, 3, 0], seat=1)], [False, True])
)
def test_is_unbiased(made: Callable[[], Position], reduce_variance: bool, game: Game) -> None:
    position = made()
    exact = Exact(game, Pips()).value(position)
    found = rollout(position, Pips(), RolloutOptions(1296, seed=3, reduce_variance=reduce_variance))
    assert abs(found.equity - exact @ POINTS) < 4 * found.error
    assert 0 < found.error < 0.05
    for probability, error, truth in zip(found.probabilities, found.errors, exact, strict=True):
        assert abs(probability - truth) <= 4 * error + 1e-6


def test_subtracting_luck_makes_the_error_smaller() -> None:
    plain = rollout(a_race(), Pips(), RolloutOptions(432, reduce_variance=False))
    reduced = rollout(a_race(), Pips(), RolloutOptions(432))
    assert reduced.error < 0.6 * plain.error


@pytest.mark.slow
def test_an_evaluator_that_knows_all_leaves_no_luck(game: Game) -> None:
    exact = Exact(game)
    found = rollout(a_race(), exact, RolloutOptions(72, seed=5))
    assert found.equity == pytest.approx(exact.value(a_race()) @ POINTS, abs=1e-6)
    assert found.error < 1e-6


@pytest.mark.slow
def test_with_and_without_luck_agree_where_seats_meet() -> None:
    plain, reduced = (
        rollout(contact(), Pips(), RolloutOptions(432, seed=4, reduce_variance=each)) for each in (False, True)
    )
    other = rollout(contact(), Pips(), RolloutOptions(432, seed=14))
    assert abs(plain.equity - reduced.equity) < 4 * np.hypot(plain.error, reduced.error)
    assert abs(other.equity - reduced.equity) < 4 * np.hypot(other.error, reduced.error)
    assert sum(reduced.probabilities) == pytest.approx(1, abs=1e-6)


def test_cut_short_after_one_move_it_is_expectimax(game: Game) -> None:
    found = rollout(contact(), Pips(), RolloutOptions(1296, truncate=1, reduce_variance=False))
    ahead = Expectimax(game, Pips()).look_ahead(contact().state[np.newaxis], 1)[0]
    assert found.probabilities == pytest.approx(ahead, abs=1e-6)
    no_luck = rollout(contact(), Pips(), RolloutOptions(5, truncate=1))
    assert no_luck.probabilities == pytest.approx(ahead, abs=1e-6)


@pytest.mark.slow
def test_looking_ahead_changes_how_trials_are_played(game: Game) -> None:
    position = race(game, [6, 4, 0], [6, 3, 0])
    exact = Exact(game)
    found = rollout(position, Pips(), RolloutOptions(1296, plies=3, seed=2))
    assert abs(found.equity - exact.value(position) @ POINTS) < 4 * found.error + 0.01


@pytest.mark.slow
def test_the_same_seed_gives_the_same_result_in_any_number_of_processes() -> None:
    positions = [a_race(), contact()]
    alone = rollouts(positions, Pips(), RolloutOptions(400, seed=9))
    assert rollouts(positions, Pips(), RolloutOptions(400, seed=9, jobs=2)) == alone
    assert rollout(contact(), Pips(), RolloutOptions(400, seed=9)) == alone[1]
    assert rollout(contact(), Pips(), RolloutOptions(400, seed=10)) != alone[1]


def test_the_opening_roll_settles_who_begins(game: Game) -> None:
    found = rollout(game.initial, Pips(), RolloutOptions(180, seed=1, reduce_variance=False))
    assert abs(found.equity) < 4 * found.error


def test_the_cube_stays_where_it_is() -> None:
    with_cube = make_game("hypergammon", cube=True)
    position = race(with_cube, [6, 5, 0], [5, 6, 0])
    assert rollout(position, Pips(), RolloutOptions(108)) == rollout(a_race(), Pips(), RolloutOptions(108))


def test_a_game_without_chance_is_played_out_once() -> None:
    game = make_game("tic_tac_toe")
    won = game.initial.play(0).play(3).play(1).play(4)
    assert rollout(won, Says(), RolloutOptions(3, plies=2)).equity == 1


@pytest.mark.parametrize("options", [{"trials": 0}, {"jobs": 0}, {"plies": 0}, {"truncate": -1}])
def test_refuses_options_out_of_range(options: dict[str, int]) -> None:
    with pytest.raises(BadInputError, match="at least 1"):
        rollout(a_race(), Pips(), RolloutOptions(**options))  # type: ignore[arg-type]


def test_refuses_positions_in_which_a_seat_is_to_move() -> None:
    with pytest.raises(BadInputError, match="awaits chance"):
        rollout(a_race().happen(3), Pips())
