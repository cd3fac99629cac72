"""Self-play: whose examples they are, what contests begin with, and when they end."""

import numpy as np
import pytest

from boardgames_agents.alpha_zero.network import DRAW, LOSS, WIN
from boardgames_agents.alpha_zero.policy_fitting import legal_masks
from boardgames_agents.alpha_zero.self_play import SelfPlayJob, examples_of, self_play
from boardgames_agents.improve.examples import snapshot_of
from boardgames_env import Game, make_game
from tests.boardgames_agents.alpha_zero.self_plays import played, random_network

GAME = "tic_tac_toe"


@pytest.mark.parametrize("name", ["tic_tac_toe", "achi", "hexapawn"])
def test_examples_are_positions_with_a_policy_over_legal_actions_and_a_result(name: str) -> None:
    game, (states, policies, outcomes) = make_game(name), played(name)
    assert all(not game.position(state).is_over for state in states)
    np.testing.assert_allclose(policies.sum(1), 1, rtol=1e-5)
    assert not policies[~legal_masks(game, states)].any()
    assert set(outcomes.tolist()) <= {WIN, DRAW, LOSS}
    assert (states.dtype, policies.dtype, outcomes.dtype) == (np.int8, np.float32, np.int64)


def test_who_moves_last_and_ends_the_contest_wins(game: Game) -> None:
    states, policies, outcomes = played(contests=60)
    ends = [game.position(state).play(int(action)) for state, action in zip(states, policies.argmax(1), strict=True)]
    certain = policies.max(1) > 0.999  # (a win at once is proven, and the only action of the policy)
    won = [row for row, end in enumerate(ends) if certain[row] and end.is_over and end.outcome]
    assert len(won) > 10
    assert (outcomes[won] == WIN).all()


def test_some_contests_begin_as_contests_do_and_some_elsewhere(game: Game) -> None:
    contests = self_play(random_network(game), 8, (1,), range(40))
    openings = [len(each.states) - len(each.policies) for each in contests]
    assert set(openings[::2]) == {0}
    assert len(set(openings[1::2])) > 3
    assert len(examples_of(contests).states) == sum(len(each.policies) for each in contests)


def test_the_same_seed_gives_the_same_examples(game: Game) -> None:
    network = snapshot_of(random_network(game))
    jobs = [SelfPlayJob(GAME, 6, 8, seed, network) for seed in ((1, 2), (1, 2), (1, 3))]
    one, same, other = (job.run() for job in jobs)
    for first, second in zip(one, same, strict=True):
        np.testing.assert_array_equal(first, second)
    assert len(other.states) != len(one.states) or not np.array_equal(other.states, one.states)
    assert jobs[0].description() == jobs[1].description() != jobs[2].description()


@pytest.mark.parametrize("name", ["tic_tac_toe", "mu_torere"])
def test_a_contest_is_the_same_whichever_others_are_played_beside_it(name: str) -> None:
    network = random_network(make_game(name))
    whole = self_play(network, 8, (3,), range(9))
    parts = self_play(network, 8, (3,), range(5)) + self_play(network, 8, (3,), range(5, 9))
    for one, other in zip(whole, parts, strict=True):
        assert one.contest.actions == other.contest.actions
        np.testing.assert_array_equal(one.policies, other.policies)


def test_a_contest_is_drawn_when_a_position_recurs() -> None:
    """(The rules let it come up three times.)"""
    game, recurred = make_game("mu_torere"), 0
    for seed in range(12):
        examples = played("mu_torere", contests=1, seed=seed)
        positions = [game.position(state) for state in examples.states]
        assert len(set(positions)) == len(positions)
        after = {positions[-1].play(action) for action in positions[-1].legal_actions}
        if not any(each.is_over for each in after):
            assert after & set(positions)
            assert (examples.outcomes == DRAW).all()
            recurred += 1
    assert recurred > 1
