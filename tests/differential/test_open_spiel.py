"""Our games in OpenSpiel: under its own checks, bots, searches and solvers.

What is imported here registers one more game with us, so it waits until all tests that run over the registry are
collected.
"""

import copy
import os
import pickle
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from boardgames_env import BadInputError, Contest, Limits, Position, make_game, registered_games
from boardgames_env.solve import solve
from tests.processes import printed

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed; pip install 'boardgames-env[open_spiel]'")

NAMES = sorted(registered_games())


@pytest.fixture(scope="module")
def spiel() -> Any:
    import boardgames_baselines.open_spiel

    return boardgames_baselines.open_spiel


def random_contest(state: Any, seed: int) -> Any:
    """The state a contest at random ends in."""
    rng = np.random.default_rng(seed)
    while not state.is_terminal():
        state.apply_action(int(rng.choice(state.legal_actions())))
    return state


@pytest.mark.parametrize("name", NAMES)
def test_every_game_passes_the_checks_of_openspiel(spiel: Any, name: str) -> None:
    game = pyspiel.load_game(f"boardgames_{name}")
    assert game.num_distinct_actions() == make_game(name).num_actions
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


def test_an_option_without_a_type_of_openspiel_is_refused(spiel: Any) -> None:
    with pytest.raises(BadInputError, match=r"score=\(1, 2\)"):
        spiel.spiel_game(make_game("backgammon", match_length=3, score=(1, 2)))


@pytest.mark.parametrize(
    "spec",
    [
        "tic_tac_toe",
        "achi(recurrences=2)",
        "five_mens_morris(plies=30)",
        "hypergammon(cube=True)",
        "hypergammon(match_length=3)",
    ],
)
def test_contests_are_ours(spiel: Any, spec: str) -> None:
    """What OpenSpiel plays at random is the same contest here, to the end that the history gives it."""
    game = make_game(spec)
    for seed in range(5):
        theirs = random_contest(spiel.spiel_game(spec).new_initial_state(), seed)
        contest = Contest(game)
        for action in theirs.history():
            assert not contest.is_over
            (contest.happen if contest.position.awaits_chance else contest.play)(action)
        assert contest.is_over
        assert theirs.returns() == [contest.points, -contest.points]
        assert theirs.position == contest.position


def test_what_a_state_tells(spiel: Any) -> None:
    game = spiel.spiel_game("achi(adjacent=True)")
    ours = make_game("achi(adjacent=True)")
    state = game.new_initial_state()
    assert state.current_player() == 0
    assert [state.action_to_string(action) for action in state.legal_actions()] == [
        ours.action_text(action) for action in ours.initial.legal_actions
    ]
    state.apply_action(4)
    position = ours.initial.play(4)
    for player in (0, 1):
        assert state.observation_tensor(player) == position.features(player).tolist()
    assert state.legal_actions_mask() == [int(a in position.legal_actions) for a in range(ours.num_actions)]
    assert state.information_state_string(0) == "4"
    with pytest.raises(BadInputError, match="not legal"):
        state.apply_action(4)


def test_dice_are_chance_nodes(spiel: Any) -> None:
    game = spiel.spiel_game("backgammon(cube=True)")
    assert (game.min_utility(), game.max_utility()) == (-192, 192)
    assert game.get_type().chance_mode == pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
    state = game.new_initial_state()
    assert state.is_chance_node()
    outcomes = state.chance_outcomes()
    assert len(outcomes) == 30
    assert sum(probability for _, probability in outcomes) == pytest.approx(1)
    state.apply_action(outcomes[7][0])
    mover = state.current_player()
    assert mover == state.position.seat
    state.apply_action(state.legal_actions()[0])
    assert state.current_player() == mover  # one die is left


def test_clones_go_on_by_themselves(spiel: Any) -> None:
    state = spiel.spiel_game("pong_hau_ki").new_initial_state()
    for _ in range(3):
        state.apply_action(state.legal_actions()[0])
    twins = [state.clone(), copy.deepcopy(state), pickle.loads(pickle.dumps(state))]
    ends = [random_contest(twin, seed=3) for twin in twins]
    assert state.move_number() == 3
    assert len({str(end) for end in ends}) == 1
    assert len({tuple(end.history()) for end in ends}) == 1


@pytest.mark.parametrize("spec", ["tic_tac_toe", "achi(adjacent=True)"])
def test_games_are_pickled_with_their_options(spiel: Any, spec: str) -> None:
    """Also for another process, which has registered nothing yet."""
    pickled = pickle.dumps(spiel.spiel_game(spec))
    assert pickle.loads(pickled).game is make_game(spec)
    assert printed(f"import pickle; print(pickle.loads({pickled!r}))").strip() == str(pickle.loads(pickled))


def test_a_game_that_is_registered_later() -> None:
    code = """
import pyspiel
from boardgames_baselines.open_spiel import spiel_game
import four_corners
pyspiel.random_sim_test(spiel_game("four_corners"), num_sims=2, serialize=True, verbose=False)
print(pyspiel.load_game("boardgames_four_corners"))
"""
    path = os.pathsep.join(["docs/examples", *sys.path])
    assert printed(code, PYTHONPATH=path) == "boardgames_four_corners()\n"


def test_openspiel_solves_a_game_to_the_values_of_our_solver(spiel: Any) -> None:
    from open_spiel.python.algorithms import minimax_solver

    game = make_game("lose_tic_tac_toe")
    solution, theirs = solve(game), spiel.spiel_game(game)
    table = minimax_solver.MinimaxSolver(str(theirs)).solve()
    pending, seen = [theirs.new_initial_state()], set()
    while pending:
        state = pending.pop()
        if state.is_terminal() or str(state) in seen:
            continue
        seen.add(str(state))
        assert table[str(state)].value == solution.value(state.position), str(state)
        pending += [state.child(action) for action in state.legal_actions()]
    assert len(seen) == len(table) > 4000


@pytest.mark.parametrize("spec", ["pong_hau_ki(recurrences=1000)", "pong_hau_ki(placing=True, recurrences=1000)"])
def test_openspiel_finds_the_same_positions_and_iterates_to_their_values(spiel: Any, spec: str) -> None:
    """Also where positions recur: from 0 on, its iteration leaves 0 what nobody can force."""
    from open_spiel.python.algorithms.get_all_states import get_all_states

    theirs, solution = spiel.spiel_game(spec), solve(make_game(spec))
    states = get_all_states(theirs, include_terminals=True, to_string=str, stop_if_encountered=True)
    assert len(states) == make_game(spec).positions
    pytest.importorskip("cvxpy", reason="OpenSpiel's value iteration imports cvxpy, which is not installed")
    from open_spiel.python.algorithms.value_iteration import value_iteration

    values = value_iteration(theirs, depth_limit=-1, threshold=0, cyclic_game=True)
    for text, state in states.items():
        assert values[text] == solution.value_for(state.position, 0), text


def test_a_bot_of_openspiel_against_an_agent_of_ours(spiel: Any) -> None:
    game = spiel.spiel_game("tic_tac_toe")
    evaluator = pyspiel.RandomRolloutEvaluator(1, 5)
    for player in (0, 1):
        theirs = pyspiel.MCTSBot(game, evaluator, 2.0, 100, 10, True, 7, False)
        bots = [theirs, theirs]
        bots[player] = spiel.PolicyBot("perfect", game, player)
        for _ in range(2):
            assert pyspiel.evaluate_bots(game.new_initial_state(), bots, 11)[player] >= 0


def test_a_bot_gives_the_same_contest_again(spiel: Any) -> None:
    from open_spiel.python.algorithms import evaluate_bots

    game = spiel.spiel_game("hypergammon")

    def contest() -> tuple[list[int], list[float]]:
        bots = [spiel.PolicyBot("random", game, player, seed=(4, player)) for player in (0, 1)]
        state = game.new_initial_state()
        evaluate_bots.evaluate_bots(state, bots, np.random.RandomState(1))
        return state.history(), state.returns()

    assert contest() == contest()


def test_a_policy_is_told_what_it_sees_elsewhere(spiel: Any) -> None:
    """In the seat it plays, every action of either, and a new contest where the history is not the old one's."""
    from boardgames_agents.experts import RandomPlayer

    told: list[Any] = []

    class Witness(RandomPlayer):
        def begin(self, game: Any, seats: Any, rng: Any) -> None:
            super().begin(game, seats, rng)
            told.append(seats)

        def saw(self, position: Position, action: int) -> None:
            told.append(action)

    game = spiel.spiel_game("tic_tac_toe")
    bot = spiel.PolicyBot(Witness(make_game("tic_tac_toe")), game, 1)
    state = game.new_initial_state()
    state.apply_action(4)
    action = bot.step(state)
    state.apply_action(action)
    state.apply_action(next(iter(state.legal_actions())))
    bot.step(state)
    assert told == [(1,), 4, action, state.history()[2]]
    other = game.new_initial_state()
    other.apply_action(8)
    bot.step(other)
    assert told[4:] == [(1,), 8]


def test_bots_play_the_versions_of_openspiel(spiel: Any) -> None:
    """The perfect agent never loses OpenSpiel's tic-tac-toe; at its morris an agent's contest runs to the end."""
    game = pyspiel.load_game("tic_tac_toe")
    for player in (0, 1):
        bots = [pyspiel.make_uniform_random_bot(seat, 3) for seat in (0, 1)]
        bots[player] = spiel.PolicyBot("perfect", game, player)
        results = [pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)[player] for seed in range(20)]
        assert min(results) >= 0
        assert sum(results) > 10
    morris = pyspiel.load_game("nine_mens_morris")
    bots = [spiel.PolicyBot("random", morris, player, seed=(player,)) for player in (0, 1)]
    state = morris.new_initial_state()
    while not state.is_terminal():
        state.apply_action(bots[state.current_player()].step(state))
    assert state.move_number() > 20


def test_seats_observe_states_of_their_game(spiel: Any) -> None:
    game, other = spiel.spiel_game("achi"), spiel.spiel_game("qubic").new_initial_state()
    observer = game.make_py_observer()
    with pytest.raises(BadInputError, match="viewer=2 is not allowed"):
        observer.set_from(game.new_initial_state(), 2)
    with pytest.raises(ValueError, match=r"from shape \(129,\) into shape \(19,\)"):
        observer.set_from(other, 0)
    with pytest.raises(BadInputError, match="a state of achi has shape"):
        game.state_at(other.position)


def test_what_is_wrong_is_said(spiel: Any) -> None:
    game, bot = spiel.spiel_game("tic_tac_toe"), spiel.PolicyBot
    own = pyspiel.load_game("tic_tac_toe").new_initial_state()
    wrong: list[tuple[Callable[[], object], str]] = [
        (lambda: spiel.spiel_game("chess"), "there is no game 'chess'"),
        (lambda: spiel.spiel_game(replace(make_game("achi"), limits=Limits(plies=4))), "not registered"),
        (lambda: bot("random", game, 2), "0 or 1"),
        (lambda: bot("nobody", game, 0), "there is no agent"),
        (lambda: bot("random", game, 1).step(game.new_initial_state()), "not to move"),
        (lambda: bot("random", game, 0).step(own), "this bot plays"),
        (lambda: bot("random", pyspiel.load_game("nim"), 0), "has the rules of no game of ours"),
    ]
    for attempt, why in wrong:
        with pytest.raises(BadInputError, match=why):
            attempt()
