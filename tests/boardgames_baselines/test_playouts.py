"""Random play in one kernel."""

import numpy as np
import pytest

from boardgames_baselines.benchmarks.random_play import Playouts, play_random
from boardgames_env import BadInputError, Game, make_game
from tests.variants import WITH_CHANCE, over


def test_the_figures_of_a_seed_stay_what_they_are() -> None:
    played = play_random(make_game("tic_tac_toe"), 50, np.random.default_rng(5))
    assert played == Playouts(wins=22, draws=11, losses=17, cuts=0, actions=385, points=5)


@over(WITH_CHANCE)
def test_dice_follow_from_the_generator_and_favour_nobody(game: Game) -> None:
    one, again, another = (play_random(game, 400, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert one == again != another
    assert one.wins + one.losses == 400
    # five standard deviations
    assert abs(one.wins - 200) < 50
    assert 0 < abs(one.points) < 300


def test_points_count_gammons_too() -> None:
    played = play_random(make_game("hypergammon"), 2_000, np.random.default_rng(1))
    assert played.points != played.wins - played.losses


def test_no_contests_are_refused() -> None:
    with pytest.raises(BadInputError, match="contests=0"):
        play_random(make_game("tic_tac_toe"), 0, np.random.default_rng(0))
