"""Moves by clicks: the locations that may be chosen next, and the action that they make."""

from collections.abc import Mapping
from functools import lru_cache

from boardgames_env.board import Line
from boardgames_env.position import Position


class ClickedMove:
    """The locations clicked so far for the next action of a position.

    An action takes the clicks on its `locations_of`, in order. If more clicks could make another action, a second click
    on the last location ends it. Actions without locations are `answers`, chosen by their text.

    Attributes:
        position: The position.
        clicked: The locations clicked so far.
    """

    def __init__(self, position: Position) -> None:
        self.position = position
        self.clicked: Line = ()
        self._actions: dict[Line, int] = {}
        self.answers: dict[str, int] = {}
        """The legal actions that no click makes, by their text."""
        for action in position.legal_actions:
            if locations := locations_of(position, action):
                self._actions.setdefault(locations, action)
            else:
                self.answers[position.game.action_text(action)] = action

    def next_locations(self) -> tuple[int, ...]:
        """Return the locations that may be clicked next, in ascending order."""
        ends = {self.clicked[-1]} if self.clicked in self._actions else set()
        return tuple(sorted(ends | set(self._continuations())))

    def click(self, location: int) -> int | None:
        """Click a location; return the action if that makes one.

        A location that is not possible here begins anew, with itself if an action begins there.
        """
        if self.clicked in self._actions and location == self.clicked[-1]:
            return self._done()
        onward = self._continuations()
        if location not in onward:
            self.clicked = ()
            onward = self._continuations()
            if location not in onward:
                return None
        self.clicked = onward[location]
        is_made = self.clicked in self._actions and not self._continuations()
        return self._done() if is_made else None

    def _continuations(self) -> Mapping[int, Line]:
        """Return the locations that may be clicked next, and all that have been clicked then."""
        done = len(self.clicked)
        return {
            locations[done]: locations[: done + 1]
            for locations in self._actions
            if self._begins(locations) and len(locations) > done
        }

    def _begins(self, locations: Line) -> bool:
        return locations[: len(self.clicked)] == self.clicked

    def _done(self) -> int:
        action = self._actions[self.clicked]
        self.clicked = ()
        return action


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
