"""Q-learning and Monte-Carlo control learn what is known."""

import pytest

from boardgames_agents.arena.tournament import tournament
from boardgames_agents.registry import make_agent
from boardgames_agents.tabular.action_values import TabularLearner
from boardgames_env import Game, make_game
from tests.contests import train

GAME = "tic_tac_toe"


def trained(spec: str, trainer: str, contests: int) -> TabularLearner:
    game = make_game(GAME)
    learner = make_agent(spec, game)
    assert isinstance(learner, TabularLearner)
    train(learner, game, trainer, range(contests))
    return learner


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["q_learning", "mc_control"])
def test_they_learn_not_to_lose(spec: str, game: Game) -> None:
    player = trained(spec, "self", 2000).frozen()
    assert tournament(game, player, "random", 200, seed=3).score.reliability >= 98
    assert tournament(game, player, "perfect", 100, seed=3).score.reliability >= 95


@pytest.mark.slow
def test_q_learning_finds_the_values_of_positions_whoever_plays(game: Game) -> None:
    """It learns what best play is worth, from watching two players who play at random."""
    learner = trained("q_learning(alpha=1.0)", "watch(a='random', b='random')", 3000)
    solution = {
        game.initial.play(4): 0,  # the centre
        game.initial.play(4).play(1): 1,  # answered at a side: won
        game.initial.play(4).play(0): 0,
        game.initial.play(1): 0,
    }
    assert {position: learner.table.value(position) for position in solution} == solution


@pytest.mark.slow
def test_monte_carlo_control_values_the_play_it_has_seen(game: Game) -> None:
    learner = trained("mc_control", "watch(a='random', b='random')", 1500)
    assert 0.2 < learner.table.value(game.initial.play(4)) < 0.7  # seat 0 wins more, at random
