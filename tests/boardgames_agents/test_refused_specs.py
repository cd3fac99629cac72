"""Agents with options that are not allowed, and at games that they cannot play."""

import pytest

from boardgames_agents.registry import make_agent
from boardgames_env import BadInputError, make_game
from tests.variants import WITH_CHANCE

NO_DICE = ("perfect", "fallible(e=0.5)", "reasonable", "worst", "informed", "alpha_beta", "menace", "hoyle")
OTHER_GAMES = [(agent, game) for agent in ("pubeval", "gnubg", "gnubg_engine") for game in ("hypergammon", "achi")]


@pytest.mark.parametrize(
    ("spec", "message", "game"),
    [
        *((agent, f"backgammon with 15 men a seat only, not {game}", game) for agent, game in OTHER_GAMES),
        *((agent, f"^{game} is a game of chance, and [^.]*$", game) for agent in NO_DICE for game in WITH_CHANCE),
        *((agent, "table", "backgammon") for agent in ("q_learning", "mc_control")),
        ("gnubg(plies=-1)", "plies=-1 is not allowed", "backgammon"),
        ("gnubg(plies=4)", "plies=4 is not allowed", "backgammon"),
        ("gnubg_engine(plies=9)", "plies=9 is not allowed", "backgammon"),
        ("fallible(e=-0.1)", "must be from 0 to 1", "tic_tac_toe"),
        ("fallible(e=1.1)", "e=1.1 is not allowed; it must be from 0 to 1", "tic_tac_toe"),
        ("reasonable(x=-0.1)", "must be from 0 to 1", "tic_tac_toe"),
        ("reasonable(x=1.1)", "must be from 0 to 1", "tic_tac_toe"),
        ("perfect(style='bold')", "style must be one of 'uniform', 'opening', 'wise'", "tic_tac_toe"),
        ("alpha_beta(nodes=0)", "nodes=0 is not allowed", "tic_tac_toe"),
        ("alpha_beta(depth=65)", "depth=65 is not allowed; it must be from 1 to 64", "tic_tac_toe"),
        ("alpha_beta(width=-1)", "width=-1 is not allowed", "tic_tac_toe"),
        ("alpha_beta(width=5)", "actions have no gains; use 0", "achi"),
        ("mcts(playouts=0)", "playouts=0 is not allowed", "tic_tac_toe"),
        ("mcts(c=-1.0)", "c=-1.0 is not allowed", "tic_tac_toe"),
        ("menace(beads=0)", "beads=0", "tic_tac_toe"),
        ("q_learning(alpha=0)", "is not allowed", "tic_tac_toe"),
        ("q_learning(alpha=1.5)", "is not allowed", "tic_tac_toe"),
        ("mc_control(epsilon=2)", "is not allowed", "tic_tac_toe"),
        ("self_tested(learner='random')", "does not learn", "tic_tac_toe"),
        ("self_tested(learner='nobody')", "no agent 'nobody'", "tic_tac_toe"),
        ("self_tested(tester='human')", "a person", "tic_tac_toe"),
        ("self_tested(every=0)", "every=0", "tic_tac_toe"),
        ("self_tested(contests=0)", "contests=0", "tic_tac_toe"),
        ("self_tested(seed=-1)", "seed=-1", "tic_tac_toe"),
        ("self_tested(place='memory')", "place='memory'", "tic_tac_toe"),
    ],
)
def test_what_is_refused_is_named(spec: str, message: str, game: str) -> None:
    with pytest.raises(BadInputError, match=message):
        make_agent(spec, make_game(game))
