"""Learners for the tests, and their weights."""

from typing import Any

from boardgames_agents import td as registered
from boardgames_agents.td.learner import TDLearner
from boardgames_agents.td.options import TDOptions
from boardgames_env import Game


def td(game: Game, *options: Any, **named: Any) -> TDLearner:
    """Make a learner with some options."""
    return registered.td(game, TDOptions(*options, **named))


def weights(learner: TDLearner) -> bytes:
    """Return the weights in a learner's snapshot, with their means."""
    return b"".join(array.tobytes() for array in learner.snapshot().arrays.values())
