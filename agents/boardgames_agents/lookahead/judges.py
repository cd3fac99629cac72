"""Agents whose judgement others can go by, to analyse positions and contests."""

from typing import Protocol, runtime_checkable

from boardgames_agents.lookahead.evaluator import Evaluator
from boardgames_agents.registry import make_player
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game


@runtime_checkable
class Judges(Protocol):
    """A policy that can say how likely each outcome is."""

    @property
    def evaluator(self) -> Evaluator:
        """What says so."""


def evaluator_of(spec: str, game: Game) -> Evaluator:
    """The evaluator that an agent goes by, however deeply the agent itself looks ahead.

    Args:
        spec: The agent's spec; a learner judges as well as it has learned to.
        game: The game.

    Raises:
        BadInputError: If there is no such agent at this game, or it goes by something else.
    """
    player = make_player(spec, game)
    if not isinstance(player, Judges):
        raise BadInputError(
            f"{spec} does not say how likely each outcome is; take an agent that does, such as a network's"
        )
    return player.evaluator
