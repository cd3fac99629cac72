"""Which game of ours is played by an OpenSpiel game's rules, and what its actions are called there."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pyspiel

from boardgames_agents.policy import Policy
from boardgames_baselines.open_spiel.games import BoardGame
from boardgames_env.actions import Action
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.games import make_game
from boardgames_env.position import Position

COUNTERPARTS = {
    "tic_tac_toe": "tic_tac_toe",
    "gomoku(size=3,connect=3)": "tic_tac_toe",
    "gomoku(size=3,connect=3,anti=true)": "lose_tic_tac_toe",
    "gomoku(size=4,dims=3,connect=4)": "qubic",
    "gomoku(size=10,connect=5)": "fives",
    "nine_mens_morris": "nine_mens_morris(fly_at=3)",
}
"""OpenSpiel's games that are ours, too, action for action.

They end as ours do but for limits: OpenSpiel's nine men's morris is drawn after 200 turns, whatever was repeated.
"""


class Counterpart(ABC):
    """A game of ours in which an OpenSpiel game can be followed."""

    game: Game

    @abstractmethod
    def event(self, number: int, opening: bool) -> int:
        """What OpenSpiel's outcome of chance is here; ``opening`` if nothing has been played yet."""

    @abstractmethod
    def actions(self, position: Position, number: int) -> tuple[int, ...]:
        """What OpenSpiel's action is here, one step after the other.

        Raises:
            BadInputError: If nothing of that number can be played here.
        """

    @abstractmethod
    def choice(self, position: Position, policy: Policy, legal: Sequence[int]) -> int:
        """The number of the action that an agent plays, one of those that are legal in OpenSpiel.

        Raises:
            BadInputError: If it is not legal there.
        """


@dataclass(frozen=True)
class OneToOne(Counterpart):
    """A counterpart where an action is an action, and chance decides the same.

    Attributes:
        numbers: What OpenSpiel calls each of our actions; one-to-one among those that are legal together.
    """

    game: Game
    numbers: tuple[int, ...]

    def event(self, number: int, opening: bool) -> int:
        """The same number."""
        return number

    def actions(self, position: Position, number: int) -> tuple[int, ...]:
        """The action of that number."""
        found = tuple(action for action in position.legal_actions if self.numbers[action] == number)
        if len(found) != 1:
            raise not_there(self.game, number)
        return found

    def choice(self, position: Position, policy: Policy, legal: Sequence[int]) -> int:
        """The number of the action that the agent plays."""
        number = self.numbers[policy.choose(position)]
        if number not in legal:
            raise not_here(policy, number, position)
        return number


def not_there(game: Game, number: int) -> BadInputError:
    """What is raised where our game has no such action."""
    return BadInputError(f"{game.spec} has no legal action that OpenSpiel calls {number} where it plays that")


def not_here(policy: Policy, action: object, position: Position) -> BadInputError:
    """What is raised where OpenSpiel's game has no such action."""
    return BadInputError(f"{policy.spec} plays {action}, which is not legal in OpenSpiel's game here: {position.text}")


def counterpart(theirs: Any) -> Counterpart:
    """The game of ours that an OpenSpiel game is, or one that is made of it if it is small; see `open_spiel`.

    Raises:
        BadInputError: If there is none and none can be made.
    """
    if isinstance(theirs, BoardGame):
        return OneToOne(theirs.game, tuple(range(theirs.game.num_actions)))
    if theirs.get_type().short_name == "backgammon":
        from boardgames_baselines.open_spiel.backgammon_counterpart import BackgammonCounterpart

        return BackgammonCounterpart(theirs)
    for name, spec in COUNTERPARTS.items():
        if _same_rules(pyspiel.load_game(name), theirs):
            game = make_game(spec)
            return OneToOne(game, tuple(_number(action, game) for action in game.actions))
    game = make_game("open_spiel", load=str(theirs).removesuffix("()"))
    return OneToOne(game, tuple(range(game.num_actions)))


def _same_rules(one: Any, other: Any) -> bool:
    """Whether two games of OpenSpiel have one name and the same parameters, those left at their defaults included."""

    def full(game: Any) -> dict[str, Any]:
        return {**game.get_type().parameter_specification, **game.get_parameters()}

    return bool(one.get_type().short_name == other.get_type().short_name and full(one) == full(other))


def _number(action: Action, game: Game) -> int:
    """What OpenSpiel calls an action: by the location, and moves by both ends, after all locations."""
    if action.kind == "move":
        start, end = action.locations
        return game.board.size * (1 + start) + end
    return action.locations[0]
