"""The learner under any trainer, and against itself: what it backs up, and that it goes on where it was."""

import numpy as np
import pytest

from boardgames_agents.arena.contest import play_contest
from boardgames_agents.arena.tournament import tournament
from boardgames_agents.arena.turing import CHALLENGERS
from boardgames_agents.record import Record
from boardgames_agents.registry import make_agent
from boardgames_agents.td.learner import TDLearner
from boardgames_env import BadInputError, Game, make_game
from boardgames_env.contest import turns
from tests.boardgames_agents.td.learners import td, weights

GAME = "tic_tac_toe"


def losing_positions(learner: TDLearner) -> int:
    """How many positions it can be beaten in, whoever it plays: every reply of the opponent is tried."""
    player = learner.frozen()
    lost = set()
    for seat in (0, 1):
        seen, frontier = set(), [make_game(GAME).initial]
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


@pytest.mark.parametrize("spec", ["tic_tac_toe", "achi"])
def test_contest_by_contest_it_learns_what_it_does_in_a_kernel(spec: str) -> None:
    game = make_game(spec)
    one, other = (td(game, hidden=10, alpha=0.1, decay=5, lam_decay=9, epsilon=0, seed=3) for _ in range(2))
    assert isinstance(one, TDLearner)
    practised = one.self_play([1], range(12))
    records = [play_contest(game, (other, other), [1, contest]) for contest in range(12)]
    assert [record.outcome for record in records] == practised.points.tolist()
    assert [record.plies for record in records] == practised.plies.tolist()
    for name, array in one.snapshot().arrays.items():
        np.testing.assert_allclose(other.snapshot().arrays[name], array, rtol=0, atol=1e-6)


@pytest.mark.parametrize("error", ["squared", "cross_entropy"])
@pytest.mark.parametrize(("spec", "inputs", "outputs"), [("tic_tac_toe", "observation", 1), ("hypergammon", "raw", 4)])
def test_a_contest_is_backed_up_as_the_forward_view_says(spec: str, inputs: str, outputs: int, error: str) -> None:
    """With steps too small to matter within a contest, every position moves towards its λ-return (Sutton 1988)."""
    from tests.boardgames_agents.td.reference import Reference

    game, lam, alpha = make_game(spec), 0.6, 5e-4
    watcher = td(game, inputs, 5, outputs, "sigmoid", alpha=alpha, decay=0, lam=lam, error=error, average=0, seed=2)
    reference = Reference(watcher.network, watcher.options)
    before = watcher.snapshot().arrays
    other = make_agent("random", game)
    record = play_contest(game, (other, other), [11], watchers=[watcher])
    assert record.outcome != 0
    befores = [turn.before for turn in turns(game.initial, record.actions, record.events)]
    told = [reference.gradients(each.state) for each in befores if each.awaits_chance == game.rules.has_chance]
    expected = [np.zeros(layer.shape) for layer in before.values()]
    value = reference.ended(record.outcome)
    for turn in range(len(told) - 1, -1, -1):
        if turn < len(told) - 1:
            value = (1 - lam) * told[turn + 1][0] + lam * value
        for away, gradients in zip(value - told[turn][0], told[turn][1], strict=True):
            for change, gradient in zip(expected, gradients, strict=True):
                np.add(change, alpha * float(away) * gradient.numpy(), out=change)
    after = watcher.snapshot().arrays
    for name, change in zip(before, expected, strict=True):
        assert np.abs(change).max() > 1e-5
        np.testing.assert_allclose(after[name] - before[name], change, atol=0.02 * np.abs(change).max())


def test_a_random_action_of_its_own_is_not_backed_up(game: Game) -> None:
    """The turn is worth what the best move would have been, and later turns are not credited to earlier ones."""
    learner = td(game, hidden=5, alpha=0.01, decay=0, lam=1.0, epsilon=1.0, seed=2)
    learner.begin(game, (0, 1), np.random.default_rng(1))
    position = game.initial
    for action in (0, 3, 1, 4):
        learner.saw(position, action)
        position = position.play(action)
    action = learner.choose(position)
    assert action != 2  # with which X would win
    before = learner.network.outcome_probabilities(position.state[None])[0, 0]
    learner.saw(position, action)
    learner.end(Record(game.spec, ("td", "td"), (0, 3, 1, 4, action), outcome=-1, cut=False, plies=5))
    assert learner.network.outcome_probabilities(position.state[None])[0, 0] > before


def test_a_contest_that_was_cut_short_teaches_no_outcome(game: Game) -> None:
    learner = td(game, hidden=5)
    learner.begin(game, (), np.random.default_rng(1))
    learner.saw(game.initial, 4)
    before = weights(learner)
    learner.end(Record(game.spec, ("a", "b"), (4,), outcome=0, cut=True, plies=1))
    assert weights(learner) == before


def test_the_learning_rate_halves(game: Game) -> None:
    learner = td(game, hidden=5, alpha=0.2, decay=10)
    rates = []
    for contest in range(21):
        rates.append(learner.knowledge()["learning rate"])
        if contest % 2:
            play_contest(game, (learner, learner), [contest])
        else:
            learner.self_play([1], range(contest, contest + 1))
    assert (rates[0], rates[10], rates[20]) == pytest.approx((0.2, 0.1, 0.2 / 3))
    lambdas = td(game, lam=0.8, lam_decay=4).options.lambdas(range(5)).tolist()
    assert lambdas == pytest.approx([0.8, 0.64, 0.8 / 1.5, 0.8 / 1.75, 0.4])


def test_practice_in_one_call_or_several_is_the_same(game: Game) -> None:
    whole, parts, other = (td(game, hidden=6, seed=5) for _ in range(3))
    points = [parts.self_play([7], part).points for part in (range(11), range(11, 11), range(11, 30))]
    assert np.concatenate(points).tolist() == whole.self_play([7], range(30)).points.tolist()
    other.self_play([8], range(30))
    assert weights(parts) == weights(whole) != weights(other)


def test_it_plays_with_the_mean_of_its_weights(game: Game) -> None:
    """The first samples count alike; and in parts, or taken up again, it comes out the same."""
    whole, first, second, plain = (td(game, hidden=6, average=average) for average in (5000, 5000, 5000, 0))
    whole.self_play([7], range(2500))
    first.self_play([7], range(1300))
    second.restore(first.snapshot())
    second.self_play([7], range(1300, 2500))
    assert weights(whole) == weights(second)
    plain.self_play([7], range(1000))
    after_1000 = plain.network.arrays()
    plain.self_play([7], range(1000, 2000))
    np.testing.assert_allclose(first.learned.layers.hidden, after_1000["hidden"], atol=1e-6)
    for name, layer in plain.network.arrays().items():
        np.testing.assert_allclose(whole.learned.arrays()[name], (after_1000[name] + layer) / 2, atol=1e-6)
    with pytest.raises(BadInputError, match="another option average"):
        plain.restore(whole.snapshot())


def test_snapshots_of_another_network_are_refused(game: Game) -> None:
    learner = td(game, hidden=6)
    for other in (td(game, hidden=7), td(game, hidden=6, outputs=4), td(make_game("six_mens_morris"), hidden=6)):
        with pytest.raises(BadInputError, match="weights of another network"):
            learner.restore(other.snapshot())


def test_weights_without_measure_are_told_of(game: Game) -> None:
    learner = td(game, hidden=6, alpha=1e38)
    with pytest.raises(BadInputError, match="train with a smaller learning rate alpha"):
        learner.self_play([1], range(50))


def test_a_little_self_training_helps_a_lot(game: Game) -> None:
    learner = td(game)
    before = losing_positions(learner)
    learner.self_play([1], range(1500))
    assert losing_positions(learner) < before / 4


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_self_training_reaches_full_reliability(seed: int, game: Game) -> None:
    """After 30,000 contests with itself it cannot be beaten, and so not in 1,000 contests with each challenger."""
    learner = td(game, seed=seed)
    learner.self_play([seed], range(30_000))
    assert losing_positions(learner) == 0
    for challenger in CHALLENGERS:
        assert tournament(game, learner, challenger.spec(), 1000, seed=seed).score.reliability == 100
