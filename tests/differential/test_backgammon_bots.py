"""Our agents at OpenSpiel's backgammon: contests are the same in both, man by man."""

from typing import Any

import numpy as np
import pytest

from boardgames_env import BadInputError, make_game
from tests.differential.test_backgammon import men_of_openspiel, seen_by_openspiel

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed; pip install 'boardgames-env[open_spiel]'")

NAMES = {
    "backgammon": "backgammon(scoring_type=full_scoring)",
    "hypergammon": "backgammon(scoring_type=full_scoring,hyper_backgammon=True)",
}


def played(name: str, agents: tuple[str, str], seed: int) -> Any:
    """The bots, and OpenSpiel's state at the end; both bots have followed it there."""
    from boardgames_baselines.open_spiel import PolicyBot

    game, rng = pyspiel.load_game(NAMES[name]), np.random.default_rng(seed)
    bots = [PolicyBot(agent, game, player, (seed, player)) for player, agent in enumerate(agents)]
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes, likely = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(rng.choice(outcomes, p=likely)))
            continue
        bot = bots[state.current_player()]
        action = bot.step(state)
        # (of a double that cannot be played out, OpenSpiel has the seat pass when here its turn is over)
        assert bot.position.awaits_chance or bot.position.seat == state.current_player()
        assert seen_by_openspiel(bot.position.state[np.newaxis])[0] == men_of_openspiel(state)
        state.apply_action(action)
    for bot in bots:
        bot.restart_at(state)
    return bots, state


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("seed", range(8))
def test_a_contest_is_the_same_in_both(name: str, seed: int) -> None:
    bots, state = played(name, ("random", "random"), seed)
    for bot in bots:
        assert bot.position.is_over
        assert bot.position.game == make_game(name)
        points = [bot.position.points_for(seat) for seat in (0, 1)]
        if name == "backgammon":
            assert points == state.returns()
        else:  # (whose returns are 0 in OpenSpiel 2.0.2, whoever wins)
            assert [f"{seat}: 3" in str(state) for seat in "XO"] == [each > 0 for each in points]


def test_a_trained_network_wins_there() -> None:
    points = [played("backgammon", ("td_gammon", "random"), seed)[1].returns()[0] for seed in range(8)]
    points += [played("backgammon", ("random", "td_gammon"), seed)[1].returns()[1] for seed in range(8)]
    assert sum(points) > 20


def test_an_agent_that_cannot_play_it_is_refused() -> None:
    from boardgames_baselines.open_spiel import PolicyBot

    with pytest.raises(BadInputError, match="is a game of chance"):
        PolicyBot("perfect", pyspiel.load_game("backgammon"), 0)
