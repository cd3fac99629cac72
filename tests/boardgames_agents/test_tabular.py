"""Q-learning and Monte-Carlo control learn what is known."""

import pytest

from boardgames_agents.arena.tournament import tournament
from boardgames_agents.registry import make_agent
from boardgames_agents.tabular import TabularLearner
from boardgames_env import make_game
from tests.test_every_learner import train

GAME = make_game("tic_tac_toe")


def trained(spec: str, trainer: str, contests: int) -> TabularLearner:
    learner = make_agent(spec, GAME)
    assert isinstance(learner, TabularLearner)
    train(learner, GAME, trainer, range(contests))
    return learner


@pytest.mark.parametrize("spec", ["q_learning", pytest.param("mc_control", marks=pytest.mark.slow)])
def test_they_learn_not_to_lose(spec: str) -> None:
    player = trained(spec, "self", 2000).frozen()
    assert tournament(GAME, player, "random", 200, seed=3).score.reliability >= 98
    assert tournament(GAME, player, "perfect", 100, seed=3).score.reliability >= 95


@pytest.mark.slow
def test_q_learning_finds_the_values_of_positions_whoever_plays() -> None:
    """It learns what best play is worth, from watching two players who play at random."""
    learner = trained("q_learning(alpha=1.0)", "watch(a='random', b='random')", 3000)
    solution = {
        GAME.initial.play(4): 0,  # the centre
        GAME.initial.play(4).play(1): 1,  # answered at a side: won
        GAME.initial.play(4).play(0): 0,
        GAME.initial.play(1): 0,
    }
    assert {position: learner.table.value(position) for position in solution} == solution


def test_monte_carlo_control_values_the_play_it_has_seen() -> None:
    learner = trained("mc_control", "watch(a='random', b='random')", 1500)
    assert 0.2 < learner.table.value(GAME.initial.play(4)) < 0.7  # seat 0 wins more, at random
