"""AlphaZero under trainers: what it learns from, when it is fitted, and that it becomes better."""

from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest

from boardgames_agents.alpha_zero.exact_measures import ExactMeasures
from boardgames_agents.alpha_zero.learner import AlphaZeroLearner, LearnerOptions
from boardgames_agents.arena.contest import play_contest
from boardgames_agents.arena.exploitability import ExactTester, markov
from boardgames_agents.arena.position_graph import graph_of
from boardgames_agents.policy import Forfeit, Policy
from boardgames_agents.registry import make_agent, make_learner
from boardgames_agents.training import run
from boardgames_env import BadInputError, Game, make_game
from boardgames_env.position import Position
from boardgames_env.spec import Spec
from tests.contests import train

GAME = "tic_tac_toe"
OPTIONS = LearnerOptions(layers=1, width=16, simulations=8, every=4, window=6, epochs=2)


@pytest.mark.parametrize("trainer", ["self", "random", "watch"])
def test_all_decisions_of_a_contest_are_examples(game: Game, trainer: str) -> None:
    learner = AlphaZeroLearner(game, OPTIONS)
    played = [contest.actions for contest in train(learner, game, trainer, range(3))]
    assert learner.knowledge()["examples"] == sum(map(len, played))
    assert learner.knowledge()["loss"] == 0


def test_it_learns_from_what_it_watches_the_results_as_each_seat_sees_them(game: Game) -> None:
    learner, perfect, worst = AlphaZeroLearner(game, OPTIONS), make_agent("perfect", game), make_agent("worst", game)
    record = play_contest(game, (perfect, worst), [1], watchers=[learner])
    assert record.outcome == 1
    arrays = learner.snapshot().arrays
    np.testing.assert_array_equal(arrays["outcomes"], np.where(arrays["states"][:, 0] == 0, 0, 2))
    np.testing.assert_allclose(arrays["policies"].sum(1), 1, rtol=1e-5)


def test_it_is_fitted_every_few_contests_to_the_last_ones(game: Game) -> None:
    learner = AlphaZeroLearner(game, OPTIONS)
    before = learner.network.arrays()
    for contests, is_fitted in ((3, False), (1, True)):
        learner.self_play((1,), range(contests))
        assert np.array_equal(before["output"], learner.network.arrays()["output"]) != is_fitted
    learner.self_play((2,), range(8))
    assert len(learner.snapshot().arrays["sizes"]) == OPTIONS.window


def test_what_its_searches_remember_of_positions_ends_with_a_fit(game: Game) -> None:
    learner, other = (AlphaZeroLearner(game, OPTIONS) for _ in range(2))
    train(learner, game, "self", range(4))
    train(other, game, "random", range(3))
    other.restore(learner.snapshot())
    played = [[contest.actions for contest in train(each, game, "self", range(4, 7))] for each in (learner, other)]
    assert played[0] == played[1]
    assert learner.snapshot().digest == other.snapshot().digest


def test_contests_in_a_row_do_not_depend_on_where_they_pause(game: Game) -> None:
    whole, parts = (AlphaZeroLearner(game, OPTIONS) for _ in range(2))
    found = whole.self_play((5,), range(11))
    played = [parts.self_play((5,), each) for each in (range(2), range(2, 9), range(9, 11))]
    assert whole.snapshot().digest == parts.snapshot().digest
    np.testing.assert_array_equal(found.points, np.concatenate([each.points for each in played]))


def test_afresh_it_plays_each_position_as_if_the_contest_began_there_and_is_tested_exactly(game: Game) -> None:
    player = markov(AlphaZeroLearner(game, replace(OPTIONS, afresh=True)).frozen())
    graph = graph_of(game)
    positions = [graph.position(row) for row in np.flatnonzero(graph.ongoing)[:300].tolist()]
    found = player.distributions(positions)
    assert len({distribution[0] for distribution in found}) > 5
    contests = make_learner(str(Spec("alpha_zero_learner", asdict(OPTIONS))), game).frozen()
    for position, distribution in zip(positions, found, strict=True):
        contests.begin(game, (0, 1), np.random.default_rng(0))
        assert player.distribution(position) == distribution == ((contests.choose(position),), (1.0,))
    assert 0 < ExactTester(game).test(player).exploitability <= 2
    with pytest.raises(BadInputError, match="cannot be tested exactly"):
        markov(AlphaZeroLearner(game, OPTIONS).frozen())


@pytest.mark.slow
def test_it_learns_to_play_a_tiny_game_perfectly() -> None:
    game = make_game("hexapawn")
    learner = AlphaZeroLearner(game, LearnerOptions(width=32, every=100, epochs=10))
    learner.self_play((1,), range(1000))
    found = ExactMeasures(game).measure(learner.network, 16)
    assert found["value kept alone"] > 0.95
    assert found["exploitability with search"] == 0


def test_there_must_be_a_device_before_anything_is_played(game: Game) -> None:
    learner = AlphaZeroLearner(game, replace(OPTIONS, device="nonsense"))
    with pytest.raises(BadInputError, match="no device 'nonsense'"):
        learner.self_play((1,), range(1))
    with pytest.raises(BadInputError, match="no device 'nonsense'"):
        learner.begin(game, (0,), np.random.default_rng(0))


def test_a_run_without_its_device_leaves_no_folder(tmp_path: Path) -> None:
    config = run.RunConfig("tic_tac_toe", "alpha_zero_learner(device='nonsense')", contests=10)
    with pytest.raises(BadInputError, match="no device 'nonsense'"):
        run.train(tmp_path / "run", config)
    assert not (tmp_path / "run").exists()


def test_a_contest_that_is_forfeited_at_once_teaches_nothing(game: Game) -> None:
    class Mute(Policy):
        def choose(self, position: Position) -> int:
            raise Forfeit("nothing to say")

    learner = AlphaZeroLearner(game, OPTIONS)
    play_contest(game, (Mute(), learner), [1])
    assert learner.knowledge()["examples"] == 0


@pytest.mark.parametrize(
    "options",
    [
        {"every": 0},
        {"every": 10**20},
        {"window": 0},
        {"window": 10**20},
        {"simulations": 0},
        {"simulations": 2_000_000},
        {"width": 0},
        {"epochs": 0},
    ],
)
def test_numbers_are_checked(options: dict[str, int]) -> None:
    with pytest.raises(BadInputError, match=f"{next(iter(options))}="):
        LearnerOptions(**options)  # type: ignore[arg-type]
