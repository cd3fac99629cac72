"""The perfect player and its opposite: players that know the value of every position."""

from abc import abstractmethod
from collections.abc import Callable, Iterable
from typing import Literal

from boardgames_agents.policy import Distribution, MarkovPolicy, Rng, drawn, uniform
from boardgames_agents.registry import agent
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.position import Position
from boardgames_env.solve import Solution, solve

Style = Literal["uniform", "opening", "wise", "values"]
Choose = Callable[[Iterable[int]], int]


class TablePlayer(MarkovPolicy):
    """A policy that goes by the values of positions.

    It goes by the position alone, but for games whose contests are drawn after so many plies: a win that takes
    more than are left is none, so there it goes by the plies too.

    Raises:
        BadInputError: If the game is too large to be solved.
    """

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.table = solve(game)
        self._limit = 0
        self._plies = 0
        self._seat = 0

    @abstractmethod
    def distribution(self, position: Position, left: int | None = None) -> Distribution:
        """The actions it may choose, and how likely each is, with so many plies left (``None``: no limit)."""

    def begin(self, game: Game, seats: tuple[int, ...], rng: Rng) -> None:
        """A contest begins: nobody has moved."""
        super().begin(game, seats, rng)
        self._limit, self._plies, self._seat = game.limits.plies, 0, game.initial.seat

    def saw(self, position: Position, action: int) -> None:
        """Count the plies."""
        if position.seat != self._seat:
            self._plies += 1
            self._seat = position.seat

    def given(self, position: Position, action: int) -> None:
        """Count the plies."""
        self.saw(position, action)

    def choose(self, position: Position) -> int:
        """An action drawn from `distribution`."""
        if not self._limit:
            return super().choose(position)
        turn_begins = position.seat != self._seat
        return drawn(self.distribution(position, self._limit - self._plies - turn_begins), self.rng)


@agent("perfect")
class PerfectPlayer(TablePlayer):
    """Plays correct moves only: all of them equally likely, or as a wise competitor would choose (style="wise").

    A correct action keeps the value of the position. In a game that can cycle, a won position is only kept won
    for ever by going by values alone (style="values"); so there, in the other styles, the correct actions of a won
    position are those that win soonest.

    The wise competitor of Epstein 1994 (note 1; "a perfect player as trainer" means this one there) prefers,
    among the correct actions, those that leave the opponent the largest share of losing replies, and opens as the
    game's own sources advise (`Game.openings`), where they do. With style="opening" it is wise in its opening only,
    which is all that the note speaks of.

    Raises:
        BadInputError: If the game is too large to be solved.
    """

    def __init__(self, game: Game, style: Style = "uniform") -> None:
        super().__init__(game)
        self.style = style

    def distribution(self, position: Position, left: int | None = None) -> Distribution:
        """The correct actions, equally likely; the wise style narrows them down."""
        correct = self._correct(position, left)
        if self.style not in ("opening", "wise"):
            return uniform(correct)
        advised = position.game.openings if position == position.game.initial else {}
        if openings := {action: advised[action] for action in correct if action in advised}:
            total = sum(openings.values())
            return tuple(openings), tuple(weight / total for weight in openings.values())
        if self.style == "opening":
            return uniform(correct)
        hopes = {action: self._hope(position, action, left) for action in correct}
        return uniform(tuple(action for action in correct if hopes[action] == max(hopes.values())))

    def _correct(self, position: Position, left: int | None) -> tuple[int, ...]:
        """The actions that keep the value; of a won position, where the game can cycle, those that win soonest."""
        best, value = _by_value(self.table, position, max, left)
        if self.table.acyclic or self.style == "values" or value < 1:
            return best
        return _by_distance(self.table, position, best, min)

    def _hope(self, position: Position, action: int, left: int | None) -> float:
        """The share of the opponent's replies that lose; 1 if the action ends the contest.

        If the action keeps the turn, that of the best correct action that follows.
        """
        reached = position.after(action)
        if reached.is_over:
            return 1.0
        left = _left_after(position, reached, left)
        if reached.seat == position.seat:
            return max(self._hope(reached, following, left) for following in self._correct(reached, left))
        replies = [
            _worth(self.table, reply, position.seat, _left_after(reached, reply, left))
            for reply in map(reached.after, reached.legal_actions)
        ]
        return replies.count(1) / len(replies)


@agent("worst")
class WorstPlayer(TablePlayer):
    """Always makes the worst possible move: it gives away whatever it can, as soon as it can.

    One of the trainers that Epstein 1994 (section 5) proposes.

    Raises:
        BadInputError: If the game is too large to be solved.
    """

    def distribution(self, position: Position, left: int | None = None) -> Distribution:
        """The actions that lead to the worst value: those that lose soonest, or if all win, those that win latest."""
        worst, value = _by_value(self.table, position, min, left)
        return uniform(_by_distance(self.table, position, worst, max if value > 0 else min))


def can_be_perfect(game: Game) -> bool:
    """Whether there is a perfect player of a game; if it has not been solved before, it is now."""
    try:
        solve(game)
    except BadInputError:
        return False
    return True


def _left_after(position: Position, reached: Position, left: int | None) -> int | None:
    """How many plies are left after an action."""
    return left if left is None or reached.seat == position.seat else left - 1


def _worth(table: Solution, position: Position, seat: int, left: int | None) -> int:
    """What best play gives a seat: +1, 0 or −1; a win that takes more plies than are left is none."""
    value = table.value_for(position, seat)
    return 0 if value and left is not None and (table.distance(position) or 0) > left else value


def _by_value(table: Solution, position: Position, choose: Choose, left: int | None) -> tuple[tuple[int, ...], int]:
    """The legal actions whose value for the seat to move is the greatest, or the least; and that value."""
    values = {}
    for action in position.legal_actions:
        reached = position.after(action)
        values[action] = _worth(table, reached, position.seat, _left_after(position, reached, left))
    wanted = choose(values.values())
    return tuple(action for action, value in values.items() if value == wanted), wanted


def _by_distance(table: Solution, position: Position, actions: tuple[int, ...], choose: Choose) -> tuple[int, ...]:
    """Those of some actions, all of one value, after which the contest ends soonest, or latest."""
    distances = {action: table.distance(position.after(action)) or 0 for action in actions}
    wanted = choose(distances.values())
    return tuple(action for action in actions if distances[action] == wanted)
