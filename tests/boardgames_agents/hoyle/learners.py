"""Hoyles to test with."""

from boardgames_agents.hoyle import Hoyle
from boardgames_agents.registry import make_agent
from boardgames_agents.training.trainers import make_trainer
from boardgames_env import Game


def hoyle(game: Game, spec: str = "hoyle", contests: int = 0, trainer: str = "2&7") -> Hoyle:
    """One that has been trained for so many contests."""
    learner = make_agent(spec, game)
    assert isinstance(learner, Hoyle)
    if contests:
        train(learner, game, trainer, range(contests))
    return learner


def train(learner: Hoyle, game: Game, trainer: str, contests: range) -> None:
    regime = make_trainer(trainer, game)
    for contest in contests:
        regime.meeting(contest, learner).play(game, learner, (5, contest))
