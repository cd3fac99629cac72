"""Moves by clicks: the locations of an action."""

from functools import lru_cache

from boardgames_env.board import Line
from boardgames_env.position import Position


@lru_cache(maxsize=4096)
def locations_of(position: Position, action: int) -> Line:
    """Return the locations of a legal action in the order in which they are clicked.

    They are those that the action names. Of one that names none they are those where the seat's own men become fewer,
    and then those where they become more; there are none if it moves no men on the board.
    """
    game = position.game
    if named := game.actions[action].locations:
        return named
    sign = 1 - 2 * position.seat
    own, later = (
        [max(0, sign * men) for men in each.state[1 : 1 + game.board.size].tolist()]
        for each in (position, position.after(action))
    )
    fewer = [location for location in range(game.board.size) if later[location] < own[location]]
    more = [location for location in range(game.board.size) if later[location] > own[location]]
    return (*fewer, *more)
