"""What must hold for every learner in the registry, under every trainer, at every game."""

import numpy as np
import pytest

from boardgames_agents.arena.contest import play_contest
from boardgames_agents.arena.tournament import tournament
from boardgames_agents.policy import Snapshot
from boardgames_agents.registry import make_agent, make_learner, registered_agents
from boardgames_agents.training.trainers import registered_trainers
from boardgames_env import BadInputError, Game
from tests.boardgames_agents.training.test_runs import any_of
from tests.contests import choices, train
from tests.test_every_agent import LEARNERS, PLAYS, pairs
from tests.variants import EACH_LARGE_GAME, EACH_SMALL_GAME, cut_short, sampled

TRAINERS = [*registered_trainers(), "random", "2&7", "fallible(e=0.5)"]
ALL_ROUND = [name for name in LEARNERS if PLAYS.get(name) != ["fives"]]
TESTED = "self_tested(learner='td(hidden=8)', every=10, contests=4, tester='worst')"
TESTED_TWICE = f"self_tested(learner={TESTED!r}, every=30, contests=4, tester='random')"


every_learner = pytest.mark.parametrize(
    ("name", "game"), sampled(ALL_ROUND, EACH_SMALL_GAME, one_in=2), indirect=["game"]
)


@pytest.mark.parametrize(
    ("trainer", "name", "game"), sampled(TRAINERS, ALL_ROUND, EACH_SMALL_GAME, rounds=2), indirect=["game"]
)
def test_every_trainer_teaches_every_learner(trainer: str, name: str, game: Game) -> None:
    learner = make_learner(name, game)
    before = learner.snapshot().digest
    train(learner, game, trainer, range(12))
    assert learner.snapshot().digest != before


@pytest.mark.parametrize(("name", "game"), pairs(LEARNERS, EACH_LARGE_GAME, turn=1), indirect=["game"])
@pytest.mark.parametrize("trainer", ["self", pytest.param("random", marks=pytest.mark.slow)])
def test_every_learner_learns_large_games_that_nobody_plays_perfectly(trainer: str, name: str, game: Game) -> None:
    learner = make_learner(name, cut_short(game))
    before = learner.snapshot().digest
    train(learner, cut_short(game), trainer, range(4))
    assert learner.snapshot().digest != before


@pytest.mark.parametrize(
    ("name", "game"), [*sampled(ALL_ROUND, EACH_SMALL_GAME, one_in=2), (TESTED_TWICE, "tic_tac_toe")], indirect=["game"]
)
def test_a_restored_learner_goes_on_identically(name: str, game: Game) -> None:
    whole, first, second = (make_learner(name, game) for _ in range(3))
    for learner in (whole, first):
        train(learner, game, "2&7", range(11))
        learner.self_play((2,), range(20))
    second.restore(first.snapshot())
    assert first.snapshot().digest == second.snapshot().digest
    for learner in (whole, second):
        train(learner, game, "2&7", range(11, 24))
        learner.self_play((2,), range(20, 40))
        learner.play_episodes_against("random", (2,), range(20, 40))
    assert whole.snapshot().digest == second.snapshot().digest
    assert choices(whole.frozen(), game) == choices(second.frozen(), game)


@every_learner
def test_knowledge_is_named_numbers_and_snapshots_are_copies_of_their_own_kind(name: str, game: Game) -> None:
    learner = make_learner(name, game)
    train(learner, game, "self", range(5))
    assert learner.knowledge()
    assert all(np.isfinite(value) for value in learner.knowledge().values())
    undeclared = [each for each in learner.knowledge() if not any_of(registered_agents()[name].curves, each)]
    assert not undeclared, "the agent's page has a formula for every curve"
    snapshot = learner.snapshot()
    digest = snapshot.digest
    train(learner, game, "self", range(5, 20))
    assert snapshot.digest == digest
    with pytest.raises(BadInputError, match="snapshot"):
        learner.restore(Snapshot({"strange": np.zeros((2, 2))}, {}))


@every_learner
def test_a_frozen_learner_learns_nothing(name: str, game: Game) -> None:
    learner = make_learner(name, game)
    train(learner, game, "self", range(10))
    frozen = learner.frozen()
    before, chosen = learner.snapshot().digest, choices(frozen, game)
    other = make_agent("random", game)
    for contest in range(10):
        play_contest(game, (frozen, other), [8, contest])
    assert tournament(game, learner, other, 10, 0).players == (learner.spec, "random")
    assert learner.snapshot().digest == before
    assert choices(frozen, game) == chosen
    train(learner, game, "self", range(10, 60))
    assert choices(frozen, game) == chosen
