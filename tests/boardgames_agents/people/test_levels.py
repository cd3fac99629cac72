"""Levels of strength at every game."""

import re

import pytest

from boardgames_agents.arena.tournament import tournament
from boardgames_agents.people.levels import LEVELS, level_of, levels_of, predictor_of
from boardgames_agents.people.session import PlaySession
from boardgames_agents.registry import make_player
from boardgames_env import BadInputError, Game, make_game
from tests.variants import EACH_GAME, WITH_CHANCE, cut_short, over, sampled

LARGEST_SOLVED = ("seven_mens_morris", "six_mens_morris")
EACH = [name for name in EACH_GAME if name not in LARGEST_SOLVED]


@over(sampled(EACH, one_in=6))
def test_every_game_has_its_levels_and_an_agent_for_each(game: Game) -> None:
    levels = levels_of(game)
    assert list(levels) == [name for name in LEVELS if name in levels]
    assert {"easy", "normal", "hard"} <= set(levels)
    for level in levels.values():
        assert level.strength
        short = cut_short(game) if game.rules.has_chance else game
        session = PlaySession(short, (make_player(level.agent, short), None), (1,))
        if not session.is_persons_turn:
            assert session.advance() in session.positions[0].legal_actions


@pytest.mark.parametrize("spec", [pytest.param(spec, marks=pytest.mark.slow) for spec in LARGEST_SOLVED])
def test_the_largest_games_that_are_solved_have_a_perfect_level(spec: str) -> None:
    assert level_of(make_game(spec), "perfect").agent == "perfect"


def test_the_levels_of_a_solved_game_err_less_and_less() -> None:
    assert [level.agent for level in levels_of(make_game("tic_tac_toe")).values()] == [
        "fallible(e=0.7)", "fallible(e=0.3)", "fallible(e=0.1)", "perfect",
    ]  # fmt: skip
    assert level_of(make_game("achi"), "normal").strength == "a perfect player that plays 3 moves in 10 at random"


def test_a_network_of_the_package_is_the_hard_level_where_it_beats_other_searches() -> None:
    hard = {spec: levels_of(make_game(spec))["hard"].agent for spec in ("connect_four", "connect_four(columns=6)")}
    assert hard == {
        "connect_four": "alpha_zero(simulations=1000)",
        "connect_four(columns=6)": "alpha_beta(nodes=100000)",
    }
    assert levels_of(make_game("nine_mens_morris"))["hard"].agent == "alpha_zero(simulations=1000)"
    assert levels_of(make_game("nine_mens_morris(fly_at=3)"))["hard"].agent == "alpha_beta(nodes=100000)"
    assert levels_of(make_game("five_mens_morris"))["hard"].agent == "fallible(e=0.1)"


@pytest.mark.parametrize("spec", ["backgammon", "connect_four(columns=10, rows=4)", "qubic"])
def test_where_nothing_is_perfect_the_levels_are_named(spec: str) -> None:
    with pytest.raises(BadInputError, match=f"nothing here plays {re.escape(spec)} perfectly; its levels are: easy, "):
        level_of(make_game(spec), "perfect")
    with pytest.raises(BadInputError, match="there is no level 'master'; the levels are: easy, normal, hard, perfect"):
        level_of(make_game(spec), "master")


def test_a_network_predicts_the_games_with_dice() -> None:
    found = {spec: predictor_of(make_game(spec)) for spec in WITH_CHANCE}
    assert found == {"backgammon": "td_gammon", "hypergammon": "td_gammon"}


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["tic_tac_toe", "qubic"])
def test_the_hard_level_beats_the_easy_one(spec: str) -> None:
    levels = levels_of(make_game(spec))
    assert tournament(spec, levels["hard"].agent, levels["easy"].agent, 12, seed=9).score.points > 0
