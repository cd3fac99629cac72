"""OpenSpiel's tree search as an agent of ours."""

import numpy as np
import pytest

from boardgames_agents.arena.contest import play_contest
from boardgames_agents.arena.tournament import tournament
from boardgames_agents.registry import make_agent
from boardgames_env import BadInputError, make_game

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed; pip install 'boardgames-env[open_spiel]'")


def test_it_finds_in_our_rules_what_it_finds_in_openspiel_s_own() -> None:
    game, own = make_game("tic_tac_toe"), pyspiel.load_game("tic_tac_toe")
    rng = np.random.default_rng(4)
    compared = 0
    for contest in range(20):
        position, state = game.initial, own.new_initial_state()
        while not position.is_over:
            agent = make_agent("open_spiel_mcts(simulations=50,rollouts=2,c=1.5)", game)
            agent.begin(game, (position.seat,), np.random.default_rng(contest))
            chances = np.random.default_rng(contest).integers(2**31, size=2).tolist()
            evaluator = pyspiel.RandomRolloutEvaluator(2, chances[0])
            assert agent.choose(position) == pyspiel.MCTSBot(
                own, evaluator, 1.5, 50, 1000, True, chances[1], False
            ).step(state)
            action = int(rng.choice(position.legal_actions))
            position = position.play(action)
            state.apply_action(action)
            compared += 1
    assert compared > 100


def test_it_beats_the_random_player() -> None:
    assert tournament(make_game("achi"), "open_spiel_mcts(simulations=50)", "random", 20, seed=1).score.wins >= 18


@pytest.mark.parametrize("spec", ["achi", "five_mens_morris(plies=40)", "hypergammon"])
def test_the_same_seed_gives_the_same_contest_at_any_game(spec: str) -> None:
    game = make_game(spec)

    def played(seed: int) -> tuple[int, ...]:
        players = (make_agent("open_spiel_mcts(simulations=10)", game), make_agent("random", game))
        return play_contest(game, players, [seed]).actions

    assert played(1) == played(1)
    assert played(1) != played(2)


@pytest.mark.parametrize("wrong", ["simulations=1", "rollouts=0", "c=-1.0"])
def test_what_is_not_allowed_is_one_sentence(wrong: str) -> None:
    with pytest.raises(BadInputError, match="is not allowed; it must be at least"):
        make_agent(f"open_spiel_mcts({wrong})", make_game("tic_tac_toe"))
