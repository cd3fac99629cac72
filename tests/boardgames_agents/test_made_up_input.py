"""What a caller makes up is refused before it reaches a compiled kernel."""

from typing import Any

import numpy as np
import pytest

from boardgames_agents.alpha_zero.network import PolicyDesign, PolicyNetwork
from boardgames_agents.alpha_zero.search import TreeSearch
from boardgames_agents.arena.exact_outcomes import exact_outcomes
from boardgames_agents.backgammon.race_evaluator import with_tables
from boardgames_agents.fives.minimax import FivesSearch
from boardgames_agents.hoyle.learner import Hoyle
from boardgames_agents.lookahead.evaluator import POINTS, Preferences
from boardgames_agents.lookahead.expansion import fold
from boardgames_agents.lookahead.expectimax import Expectimax
from boardgames_agents.policy import Distribution, MarkovPolicy, Snapshot
from boardgames_agents.registry import make_agent
from boardgames_agents.search.alpha_beta import AlphaBeta
from boardgames_agents.td.learner import TDLearner
from boardgames_agents.td.network import Network
from boardgames_agents.td.options import Design
from boardgames_env import BadInputError, Game, History, IllegalActionError, Position, make_game
from boardgames_env.game import Rules
from boardgames_env.kernels import ONGOING, Actions, Features, State, encode, initial, legal, outcome, play
from boardgames_env.moves import MOST_ACTIONS, MOST_MOVES, moves_of
from tests.positions import random_positions

GAME = "tic_tac_toe"


@pytest.mark.parametrize(
    ("agent", "game", "other"),
    [
        ("alpha_beta(nodes=10)", "tic_tac_toe", "lose_tic_tac_toe"),
        ("mcts(playouts=10)", "achi", "tic_tac_toe"),
        ("informed", "tic_tac_toe", "achi"),
        ("hoyle", "tic_tac_toe", "qubic"),
        ("td", "tic_tac_toe", "achi"),
        ("fives_student", "fives", "qubic"),
        ("pubeval", "backgammon", "tic_tac_toe"),
        pytest.param("a2c", "tic_tac_toe", "achi", marks=pytest.mark.slow),
    ],
)
def test_agents_refuse_positions_of_other_games_and_those_that_are_over(agent: str, game: str, other: str) -> None:
    made = make_agent(agent, make_game(game))
    made.begin(make_game(game), (0,), np.random.default_rng(0))
    (own,), (foreign,) = (random_positions(make_game(each), 1, seed=1) for each in (game, other))
    assert made.choose(own) in own.legal_actions
    with pytest.raises(BadInputError, match=f"of {other}: .* is not a position of {game}"):
        made.choose(foreign)
    if game == "tic_tac_toe":
        over = Position.unchecked(make_game(game), np.array([1, 1, 1, 1, -1, -1, 0, 0, 0, 0], dtype=np.int8))
        with pytest.raises(BadInputError, match="no seat is to move"):
            made.choose(over)


def test_learners_learn_from_legal_actions_of_their_game(game: Game) -> None:
    for name in ("td", "q_learning"):
        learner = make_agent(name, game)
        learner.begin(game, (0, 1), np.random.default_rng(0))
        with pytest.raises(BadInputError, match="action 1000000 is not legal"):
            learner.saw(game.initial, 10**6)
    with pytest.raises(BadInputError, match="is not a position of tic_tac_toe"):
        make_agent("td", game).begin(make_game("qubic"), (0, 1), np.random.default_rng(0))


def test_a_search_values_legal_actions(game: Game) -> None:
    with pytest.raises(BadInputError, match="action 9 is not legal"):
        AlphaBeta(game, nodes=10).values(game.initial, among=[0, 9])


def td_network(game: Game) -> Network:
    learner = make_agent("td", game)
    assert isinstance(learner, TDLearner)
    return learner.network


@pytest.mark.parametrize(
    "states", [np.zeros((2, 9), np.int8), np.zeros(10, np.int8), np.zeros((2, 10)), np.zeros((2, 11), np.int8)]
)
def test_networks_and_look_aheads_take_states_of_their_game(states: Any, game: Game) -> None:
    network = td_network(game)
    for ask in (network.predict_batch, network.encode_batch, Expectimax(game, network, plies=2).outcome_probabilities):
        with pytest.raises(BadInputError, match=r"those of tic_tac_toe are int8 of shape \(n, 10\)"):
            ask(states)
    with pytest.raises(BadInputError, match=r"3 moves from 10 slots do not fit \(2, 10\) afterstates"):
        network.evaluate_afterstates(game.initial.state, np.zeros((2, 10), np.int8), 3)


@pytest.mark.parametrize("spec", ["backgammon", "hypergammon(cube=True)", "backgammon(match_length=5)"])
@pytest.mark.parametrize("value", [-128, -16, 16, 127])
def test_networks_take_states_within_the_bounds_of_the_game(spec: str, value: int) -> None:
    """Encodings of backgammon find their inputs in tables by the men on a point."""
    game = make_game(spec)
    states = np.tile(game.initial.state, (200, 1))
    states[117, 5] = value
    for name in game.encodings:
        network = Network(game, Design(name, 2, 6))
        for ask in (network.predict_batch, network.encode_batch, network.outcome_probabilities):
            with pytest.raises(BadInputError, match=f"reaches state 117: slot 5 holds {value}; it is from -"):
                ask(states)
            assert len(ask(states[:117])) > 0
        with pytest.raises(BadInputError, match=f"slot 5 holds {value}"):
            network.evaluate_afterstates(states[0], states[117:], 1)


@pytest.mark.parametrize("seat", [-128, -1, 2, 127])
def test_states_have_a_seat_to_move(seat: int, game: Game) -> None:
    states, network = np.tile(game.initial.state, (3, 1)), td_network(game)
    search = TreeSearch(game, PolicyNetwork(game, PolicyDesign()))
    asked = (network.predict_batch, network.outcome_probabilities, search.search, search.best_actions)
    for ask in (*asked, lambda states: moves_of(game, states[2])):
        ask(states)
    states[2, 0] = seat
    for ask in asked:
        with pytest.raises(BadInputError, match=f"slot 0 of state 2 is the seat to move, 0 or 1, not {seat}"):
            ask(states)
    with pytest.raises(BadInputError, match=f"slot 0 of state 0 is the seat to move, 0 or 1, not {seat}"):
        moves_of(game, states[2])


def test_best_replies_take_arrays_that_fit() -> None:
    game = make_game("hypergammon")
    network, states = Network(game, Design("raw", 2, 6)), np.tile(game.initial.state, (2, 1))
    utility, draws = np.array([POINTS, POINTS]), np.zeros(2)
    assert network.best_replies(states, Preferences(utility, -1, 1), draws, 0).means.shape == (2, 6)
    for wrong in (np.zeros((0, 0)), np.zeros((1, 6)), POINTS):
        with pytest.raises(BadInputError, match="utility of shape"):
            network.best_replies(states, Preferences(wrong, -1, 1), draws, 0)
    for decline, stake in ((-2, 1), (-1, 0)):
        with pytest.raises(BadInputError, match="is not allowed"):
            network.best_replies(states, Preferences(utility, decline, stake), draws, 0)
    declined, plain = (network.best_replies(states, Preferences(utility, each, 1), draws, 0) for each in (10**6, -1))
    np.testing.assert_array_equal(declined.means, plain.means)


class Constant:
    """An evaluator that returns the same array for all states."""

    def __init__(self, numbers: Any) -> None:
        self.numbers = numbers

    def outcome_probabilities(self, states: Any) -> Any:
        return np.broadcast_to(self.numbers, (len(states), len(self.numbers)))


def test_evaluators_return_six_probabilities_for_each_state(game: Game) -> None:
    with pytest.raises(BadInputError, match=r"an evaluator returned shape \(9, 3\); it must return \(9, 6\)"):
        Expectimax(game, Constant(np.zeros(3))).best_move(game.initial.state)
    search = Expectimax(game, Constant(np.full(6, np.nan)))
    replies = search.replier.to(game.initial.state[None].copy())
    best, values = np.full(1, -7, dtype=np.int32), search.values(replies.states, replies.points)
    fold.run(replies, values, np.ones((2, 6)), np.ones(len(values), dtype=np.bool_), best, np.empty((1, 6)))
    assert best.tolist() == [replies.which[0]]  # where no number is the best, the first reply


def test_tables_of_bearing_off_take_states_of_backgammon(game: Game) -> None:
    backgammon = make_game("backgammon")
    with pytest.raises(BadInputError, match=r"those of backgammon are int8 of shape \(n, 38\)"):
        with_tables(td_network(game), backgammon).outcome_probabilities(np.zeros((2, 10), dtype=np.int8))


class Illegal(MarkovPolicy):
    """An agent that has its rules wrong."""

    def distribution(self, position: Position) -> Distribution:
        return (10**6,), (1.0,)


def test_what_agents_choose_is_played_if_it_is_legal(game: Game) -> None:
    with pytest.raises(IllegalActionError, match="Illegal chose action 1000000, which is not legal here"):
        exact_outcomes(game, Illegal(), Illegal())


def test_the_search_of_fives_takes_its_states_levels_and_ranks(game: Game) -> None:
    search, state = FivesSearch(make_game("fives")), make_game("fives").initial.state
    for ask in (search.choose, search.score, search.children):
        with pytest.raises(BadInputError, match=r"of shape \(1, 10\)"):
            ask(game.initial.state)
    with pytest.raises(BadInputError, match="level=-1"):
        search.score(state, -1)
    with pytest.raises(BadInputError, match="3 ranks are not allowed; there are 100 cells"):
        search.choose(state, np.zeros(3, dtype=np.int32))


def test_hoyle_restores_states_that_contests_reach() -> None:
    hoyle = Hoyle(make_game("mu_torere"))
    saved = hoyle.snapshot()
    made_up = np.array([[1, *[0] * 8, -1, -1]], dtype=np.int8)
    name = "significant and dangerous states"
    arrays = {**saved.arrays, f"{name}/dangerous": made_up, f"{name}/chances": made_up}
    with pytest.raises(BadInputError, match="no contest of mu_torere reaches this state"):
        hoyle.restore(Snapshot(arrays, saved.data))


def test_histories_take_states_of_their_game() -> None:
    history = History(make_game("achi"))
    history.begin(make_game("achi").initial.state)
    for note in (history.begin, history.add):
        with pytest.raises(BadInputError, match="a state of achi has 11 slots, not 3"):
            note(np.zeros(3, dtype=np.int8))


@initial
def empty(state: State) -> None:
    state[:] = 0


@legal
def empty_cells(state: State, actions: Actions) -> int:
    cells = np.flatnonzero(state[1:] == 0)
    actions[: len(cells)] = cells
    return len(cells)


@play
def mark(state: State, action: int) -> None:
    state[1 + action] = 1


@outcome
def full(state: State) -> int:
    return 0 if state[1:].all() else ONGOING


@encode
def bias(state: State, viewer: int, features: Features) -> None:
    features[0] = 1


@pytest.mark.slow
def test_moves_stay_within_their_arrays() -> None:
    """One seat marks all cells in one turn: a move is cut after some actions, and the moves after some number."""
    board = make_game("fives").board
    game = Game("Marks", board, Rules(empty, empty_cells, mark, full, bias), 1 + board.size, 1)
    afterstates, actions = moves_of(game, game.initial.state)
    assert len(afterstates) == len(np.unique(afterstates, axis=0)) == MOST_MOVES
    assert set((actions >= 0).sum(axis=1)) == set(afterstates.sum(axis=1)) == {MOST_ACTIONS}
