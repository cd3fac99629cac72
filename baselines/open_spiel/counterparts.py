"""Which game of ours is played by an OpenSpiel game's rules, and what its actions are called there."""

from dataclasses import dataclass
from typing import Any

import pyspiel

from baselines.open_spiel.games import BoardGame
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
"""OpenSpiel's games that are ours, too.

They end as ours do but for limits: OpenSpiel's nine men's morris is drawn after 200 turns, whatever was repeated.
"""


@dataclass(frozen=True)
class Counterpart:
    """A game of ours in which an OpenSpiel game can be followed.

    Attributes:
        game: The game of ours.
        numbers: What OpenSpiel calls each of our actions; one-to-one among those that are legal together.
    """

    game: Game
    numbers: tuple[int, ...]

    def after(self, position: Position, number: int) -> tuple[Position, int | None]:
        """The position after what OpenSpiel calls by a number, and our action, or ``None`` if it was chance's.

        Raises:
            BadInputError: If nothing of that number can be played here, or happen.
        """
        if position.awaits_chance:
            return position.happen(number), None
        actions = [action for action in position.legal_actions if self.numbers[action] == number]
        if len(actions) != 1:
            raise BadInputError(
                f"{self.game.spec} has no legal action that OpenSpiel calls {number} where it plays that"
            )
        return position.after(actions[0]), actions[0]


def counterpart(theirs: Any) -> Counterpart:
    """The game of ours that an OpenSpiel game is, or one that is made of it if it is small; see `open_spiel`.

    Args:
        theirs: A ``pyspiel.Game``, which may be one of ours.

    Raises:
        BadInputError: If there is none and none can be made.
    """
    if isinstance(theirs, BoardGame):
        return Counterpart(theirs.game, tuple(range(theirs.game.num_actions)))
    for name, spec in COUNTERPARTS.items():
        if _same_rules(pyspiel.load_game(name), theirs):
            game = make_game(spec)
            return Counterpart(game, tuple(_number(action, game) for action in game.actions))
    game = make_game("open_spiel", load=str(theirs).removesuffix("()"))
    return Counterpart(game, tuple(range(game.num_actions)))


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
