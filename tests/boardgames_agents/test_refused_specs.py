"""Agents with options that are not allowed, and at games that they cannot play."""

import pytest

from boardgames_agents.registry import make_agent
from boardgames_env import BadInputError, make_game
from tests.variants import WITH_CHANCE

NO_DICE = ("fallible(e=0.5)", "reasonable", "worst", "informed", "alpha_beta", "menace", "hoyle")
FIVES = ("fives", "fives_student", "fives_teacher", "fives_tester")
NO_ROW = [(agent, game) for agent in FIVES for game in ("tic_tac_toe", "qubic", "achi", "backgammon")]
OTHER_GAMES = [(agent, game) for agent in ("pubeval", "gnubg", "gnubg_engine") for game in ("hypergammon", "achi")]

OUT_OF_BOUNDS = {
    "backgammon": "gnubg(plies=-1) gnubg(plies=4) gnubg_engine(plies=9)",
    "tic_tac_toe": """
        alpha_beta(nodes=0) alpha_beta(width=-1) mcts(playouts=0) mcts(c=-1.0) menace(beads=0)
        q_learning(alpha=0) q_learning(alpha=1.5) mc_control(epsilon=2) td(hidden=0) td(outputs=3) td(lam=1.5)
        td(lam=-0.1) td(lam_decay=-1) td(epsilon=2) td(temperature=-1) td(openings=-1) td(alpha=-1) td(decay=-1)
        td(seed=-1) hoyle(budget=1000001) self_tested(every=0) self_tested(contests=0) self_tested(seed=-1)
    """,
    "fives": "fives(level=0) fives(width=0) fives(threshold=-1)",
}
"""Agents with a number that an option does not allow, by game."""


@pytest.mark.parametrize(
    ("game", "spec"), [(game, spec) for game in OUT_OF_BOUNDS for spec in OUT_OF_BOUNDS[game].split()]
)
def test_numbers_that_are_not_allowed_are_named(game: str, spec: str) -> None:
    with pytest.raises(BadInputError, match=f"{spec.partition('(')[2].removesuffix(')')} is not allowed"):
        make_agent(spec, make_game(game))


@pytest.mark.parametrize(
    ("spec", "message", "game"),
    [
        *((agent, f"backgammon with 15 men a seat only, not {game}", game) for agent, game in OTHER_GAMES),
        *((agent, f"^{game} is a game of chance, and [^.]*$", game) for agent in NO_DICE for game in WITH_CHANCE),
        ("perfect", r"^backgammon cannot be solved: of the games with dice [^.]*$", "backgammon"),
        *((agent, f"^{game} is another kind of game; this agent plays where one mark", game) for agent, game in NO_ROW),
        *(
            (agent, "with 15 men a seat, not hypergammon; .*: boardgames train hypergammon .*trained", "hypergammon")
            for agent in ("td_gammon_1995", "td_gammon_raw")
        ),
        ("td_gammon", "achi is not a game of backgammon", "achi"),
        *((agent, "table", "backgammon") for agent in ("q_learning", "mc_control")),
        ("deep_blue", "no agent 'deep_blue'; the agents are: .*perfect", "achi"),
        ("fallible(e=-0.1)", "must be from 0 to 1", "tic_tac_toe"),
        ("fallible(e=1.1)", "e=1.1 is not allowed; it must be from 0 to 1", "tic_tac_toe"),
        ("reasonable(x=-0.1)", "must be from 0 to 1", "tic_tac_toe"),
        ("reasonable(x=1.1)", "must be from 0 to 1", "tic_tac_toe"),
        ("perfect(style='bold')", "style must be one of 'uniform', 'opening', 'wise'", "tic_tac_toe"),
        ("alpha_beta(depth=65)", "depth=65 is not allowed; it must be from 1 to 64", "tic_tac_toe"),
        ("alpha_beta(width=5)", "actions have no gains; use 0", "achi"),
        ("alpha_beta(tables='nowhere')", "there is no folder nowhere", "nine_mens_morris"),
        ("alpha_beta(tables='.')", "is not a morris game", "fives"),
        ("td(device='cuda')", "td has no option 'device'", "tic_tac_toe"),
        *((name, f"{name} needs the option file", "tic_tac_toe") for name in ("sb3", "td_net", "torch")),
        *((f"{name}(file='no')", "there is no file no, ", "tic_tac_toe") for name in ("sb3", "td_net", "torch")),
        ("hoyle(budget=0)", "budget=0 is not allowed; it must be from 1 to 1,000,000", "tic_tac_toe"),
        ("hoyle(budget='large')", "budget must be", "tic_tac_toe"),
        ("hoyle(voting='loud')", "voting must be", "tic_tac_toe"),
        ("hoyle(only='Panic, Deep Thought')", "Hoyle has no Advisor 'Deep Thought'; its Advisors are: ", "tic_tac_toe"),
        ("hoyle(without='victory')", "Hoyle has no Advisor 'victory'; its Advisors are: .*Victory", "tic_tac_toe"),
        ("fives(teacher_level=0)", "level=0", "fives"),
        ("fives(teacher_width=101)", "width=101", "fives"),
        ("fives(coefficients=(),broken=True)", "0 coefficients", "fives"),
        ("fives(practice_exam='nowhere')", "no starting positions 'nowhere'", "fives"),
        ("fives(exam='nowhere')", "no starting positions 'nowhere'", "fives"),
        ("fives(viewer='x')", "viewer='x'", "fives"),
        ("fives(ties='none')", "ties='none'", "fives"),
        ("fives_student(width=0)", "width=0 is not allowed; it must be from 1 to 100", "fives"),
        ("fives_student(width=101)", "width=101 is not allowed; it must be from 1 to 100", "fives"),
        ("fives_teacher(level=0)", "level=0 is not allowed; it must be from 1 to 20", "fives"),
        ("fives_teacher(level=21)", "level=21 is not allowed; it must be from 1 to 20", "fives"),
        ("fives_student(coefficients=(1, 2))", "2 coefficients are not allowed; there are 5, or 7", "fives"),
        ("fives_student(coefficients=(1, 2, 'x', 4, 5))", "the coefficient of full open three is 'x'", "fives"),
        ("fives_student(coefficients=7)", "coefficients must be text or values in brackets", "fives"),
        ("fives_student(coefficients='nowhere')", "there is no file nowhere", "fives"),
        ("fives_student(ties='highest')", "ties must be one of 'lowest', 'random'", "fives"),
        ("fives_tester(width=4)", "fives_tester has no option 'width'", "fives"),
        ("self_tested(learner='random')", "does not learn", "tic_tac_toe"),
        ("self_tested(learner='nobody')", "no agent 'nobody'", "tic_tac_toe"),
        ("self_tested(tester='human')", "a person", "tic_tac_toe"),
        ("self_tested(place='memory')", "place='memory'", "tic_tac_toe"),
    ],
)
def test_what_is_refused_is_named(spec: str, message: str, game: str) -> None:
    with pytest.raises(BadInputError, match=message):
        make_agent(spec, make_game(game))
