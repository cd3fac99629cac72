"""Self-play: whose examples they are, what contests begin with, and when they end."""

import numpy as np
import pytest

from boardgames_agents.alpha_zero.network import DRAW, LOSS, WIN
from boardgames_agents.alpha_zero.policy_fitting import legal_masks
from boardgames_agents.alpha_zero.self_play import examples_of, positions_at_random, self_play, self_played
from boardgames_agents.arena.position_graph import graph_of
from boardgames_agents.improve.network_job import NetworkJob, snapshot_of
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


def test_every_second_contest_begins_elsewhere(game: Game) -> None:
    contests = self_play(random_network(game), 8, (1,), range(40))
    starts = [each.states[0].tobytes() for each in contests]
    assert set(starts[::2]) == {game.initial.key}
    assert len(set(starts[1::2])) > 15
    assert len(examples_of(contests).states) == sum(len(each.policies) for each in contests)


@pytest.mark.parametrize("name", ["tant_fant", "lose_tic_tac_toe"])
def test_contests_begin_at_nearly_all_positions_sooner_or_later(name: str) -> None:
    """A contest of random moves is over before it reaches most of those of tant fant."""
    graph = graph_of(make_game(name))
    starts = [positions_at_random(graph.game, np.random.default_rng(seed)) for seed in range(20)]
    assert all(len(each) == len({*map(bytes, each)}) for each in starts)
    reached = {state.tobytes() for each in starts for state in each}
    assert reached <= {state.tobytes() for state in graph.states[graph.ongoing]}
    assert len(reached) > 0.95 * graph.ongoing.sum()


def test_the_same_seed_gives_the_same_examples(game: Game) -> None:
    networks = (snapshot_of(random_network(game)),)
    jobs = [NetworkJob(self_played, GAME, seed, (6, 8), networks) for seed in ((1, 2), (1, 2), (1, 3))]
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
