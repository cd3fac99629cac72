"""The TD(λ) learner: its arithmetic against autograd and the forward view, and how well it plays."""

import subprocess
import sys
from collections.abc import Sequence

import numpy as np
import pytest
import torch

from agents.arena.contest import Record, play_contest
from agents.arena.tournament import tournament
from agents.arena.turing import CHALLENGERS
from agents.policy import make_agent
from agents.td import td
from agents.td.learner import TDLearner, afterstate_values, best_actions
from agents.td.network import Network, Parameters
from boardgames_env import BadInputError, Game, Position, make_game

GAME = make_game("tic_tac_toe")


def positions_of(game: Game, actions: Sequence[int]) -> list[Position]:
    """The positions of a contest, the last one left out."""
    positions = [game.initial]
    for action in actions[:-1]:
        positions.append(positions[-1].play(action))
    return positions


def by_autograd(weights: dict[str, torch.Tensor], features: torch.Tensor) -> torch.Tensor:
    """The network's output before its tanh."""
    return (
        torch.relu(features @ weights["hidden"] + weights["hidden_bias"]) @ weights["output"] + weights["output_bias"]
    )


def test_the_gradient_is_the_one_autograd_finds() -> None:
    network, traces = Network(19, 7, seed=3), Parameters(19, 7)
    features = GAME.initial.play(0).play(4).features()
    traces.flat[:] = 2.0
    value = network.trace(features, traces, keep=0.5, sign=-1.0)
    weights = {name: torch.from_numpy(array).requires_grad_() for name, array in network.arrays().items()}
    output = by_autograd(weights, torch.from_numpy(features))
    output.backward()
    assert value == pytest.approx(torch.tanh(output).item(), abs=1e-6)
    assert value == pytest.approx(network.values(features[None])[0], abs=1e-6)
    for name, layer in weights.items():
        assert layer.grad is not None
        np.testing.assert_allclose(traces.layers[name], 1.0 - layer.grad.numpy(), rtol=1e-5, atol=1e-6)


def test_a_contest_is_backed_up_as_the_forward_view_says() -> None:
    """With steps too small to matter within a contest, every position moves towards its λ-return (Sutton 1988)."""
    lam, alpha = 0.6, 5e-4
    watcher = td(GAME, hidden=5, alpha=alpha, decay=0, lam=lam, seed=2)
    before = watcher.snapshot().arrays
    other = make_agent("random", GAME)
    record = play_contest(GAME, (other, other), [11], watchers=[watcher])
    assert record.outcome != 0
    weights = {name: torch.from_numpy(array).double().requires_grad_() for name, array in before.items()}
    positions = positions_of(GAME, record.actions)
    signs = [1 if position.seat == 0 else -1 for position in positions]
    outputs = [
        sign * by_autograd(weights, torch.from_numpy(position.features()).double())
        for sign, position in zip(signs, positions, strict=True)
    ]
    predictions = [torch.tanh(output).item() for output in outputs]
    expected = {name: np.zeros_like(array, dtype=float) for name, array in before.items()}
    value = float(record.outcome)
    for turn in range(len(outputs) - 1, -1, -1):
        if turn < len(outputs) - 1:
            value = (1 - lam) * predictions[turn + 1] + lam * value
        gradients = torch.autograd.grad(outputs[turn], list(weights.values()))
        for name, gradient in zip(weights, gradients, strict=True):
            expected[name] += alpha * (value - predictions[turn]) * gradient.numpy()
    after = watcher.snapshot().arrays
    for name, change in expected.items():
        assert np.abs(change).max() > 1e-4
        np.testing.assert_allclose(after[name] - before[name], change, atol=1e-5)


def test_a_random_action_of_its_own_is_not_backed_up() -> None:
    """After one, the turn is worth what the best move would have been, and earlier turns hear nothing of it."""
    learner = td(GAME, hidden=5, alpha=0.01, decay=0, lam=1.0, epsilon=1.0, seed=2)
    position = GAME.position([0, 1, 1, 0, -1, -1, 0, 0, 0, 0])  # X wins at 2
    learner.begin(GAME, (0, 1), np.random.default_rng(1))
    action = learner.choose(position)
    assert action != 2
    learner.saw(position, action)
    before = learner._network.values(position.features()[None])[0]
    learner.end(Record(GAME.spec, ("td", "td"), (action,), outcome=-1, cut=False, plies=1))
    assert learner._network.values(position.features()[None])[0] > before


def test_a_contest_that_was_cut_short_teaches_no_outcome() -> None:
    learner = td(GAME, hidden=5)
    learner.begin(GAME, (), np.random.default_rng(1))
    learner.saw(GAME.initial, 4)
    before = learner.snapshot().arrays
    learner.end(Record(GAME.spec, ("a", "b"), (4,), outcome=0, cut=True, plies=1))
    for name, array in learner.snapshot().arrays.items():
        np.testing.assert_array_equal(array, before[name])


def test_afterstates_are_seen_by_the_mover() -> None:
    network = Network(19, 5, seed=1)
    wins = GAME.position([0, 1, 1, 0, -1, -1, 0, 0, 0, 0])
    moves = wins.moves()
    values = afterstate_values(network, [move.afterstate for move in moves], mover=0)
    assert values[0] == 1.0  # the points, where the contest is over
    for move, value in zip(moves[1:], values[1:], strict=True):
        seen_by_opponent = network.values(move.afterstate.features()[None])[0]
        assert value == pytest.approx(-seen_by_opponent, abs=1e-6)
    assert best_actions(network, wins) == ((2,), 1.0)


def test_the_learning_rate_halves() -> None:
    learner = td(GAME, alpha=0.2, decay=10)
    rates = []
    for contest in range(21):
        rates.append(learner.learning_rate)
        play_contest(GAME, (learner, learner), [contest])
    assert (rates[0], rates[10], rates[20]) == pytest.approx((0.2, 0.1, 0.2 / 3))


@pytest.mark.parametrize(
    "options",
    ["hidden=0", "lam=1.5", "lam=-0.1", "epsilon=2", "alpha=-1", "decay=-1", "seed=-1", "hidden='big'"],
)
def test_options_that_make_no_sense_are_refused(options: str) -> None:
    with pytest.raises(BadInputError, match=f"{options.partition('=')[0]}=.* is not allowed"):
        make_agent(f"td({options})", GAME)


def test_registering_it_imports_no_torch() -> None:
    code = "import agents.td, sys; print('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


def losing_positions(learner: TDLearner) -> int:
    """How many positions it can be beaten in, whoever it plays: every reply of the opponent is tried."""
    player = learner.frozen()
    lost = set()
    for seat in (0, 1):
        seen, frontier = set(), [GAME.initial]
        while frontier:
            position = frontier.pop()
            if position.key in seen:
                continue
            seen.add(position.key)
            if position.points_for(seat) == -1:
                lost.add(position.key)
            if not position.is_over:
                replies = player.distribution(position)[0] if position.seat == seat else position.legal_actions
                frontier += [position.after(action) for action in replies]
    return len(lost)


def test_a_little_self_training_helps_a_lot() -> None:
    learner = td(GAME)
    before = losing_positions(learner)
    for contest in range(1500):
        play_contest(GAME, (learner, learner), [1, contest])
    assert losing_positions(learner) < before / 4


@pytest.mark.parametrize("seed", [0, pytest.param(1, marks=pytest.mark.slow), pytest.param(2, marks=pytest.mark.slow)])
def test_self_training_reaches_full_reliability(seed: int) -> None:
    """After 30,000 contests with itself it cannot be beaten, and so not in 1,000 contests with each challenger."""
    learner = td(GAME, seed=seed)
    for contest in range(30_000):
        play_contest(GAME, (learner, learner), [seed, contest])
    assert losing_positions(learner) == 0
    for challenger in CHALLENGERS:
        assert tournament(GAME, learner, challenger.spec(), 1000, seed=seed).score.reliability == 100
