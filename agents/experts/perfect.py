"""The perfect player and its opposite: players that know the value of every position."""

from collections.abc import Callable, Iterable
from typing import Literal

from agents.policy import Distribution, MarkovPolicy, agent, uniform
from boardgames_env.game import Game
from boardgames_env.position import Position
from boardgames_env.solve import Table, solve

Style = Literal["uniform", "wise"]
Choose = Callable[[Iterable[int]], int]


@agent("perfect")
class PerfectPlayer(MarkovPolicy):
    """Plays correct moves only: all of them equally likely, or as a wise competitor would choose (style="wise").

    A correct action keeps the value of the position. In a game that can cycle, a won position is only kept won
    for ever by going by values alone, so there the correct actions of a won position are those that win soonest.

    The wise competitor of Epstein 1994 (note 1; "a perfect player as trainer" means this one there) prefers,
    among the correct actions, those that leave the opponent the largest share of losing replies, and opens as the
    game's own sources advise (`Game.openings`), where they do.

    Raises:
        BadInputError: If the game is too large to be solved.
    """

    def __init__(self, game: Game, style: Style = "uniform") -> None:
        super().__init__()
        self.style = style
        self.table = solve(game)

    def distribution(self, position: Position) -> Distribution:
        """The correct actions, equally likely; the wise style narrows them down."""
        correct = correct_actions(self.table, position)
        if self.style == "uniform":
            return uniform(correct)
        advised = position.game.openings if position == position.game.initial else {}
        if openings := {action: advised[action] for action in correct if action in advised}:
            total = sum(openings.values())
            return tuple(openings), tuple(weight / total for weight in openings.values())
        hopes = {action: self._hope(position, action) for action in correct}
        return uniform(tuple(action for action in correct if hopes[action] == max(hopes.values())))

    def _hope(self, position: Position, action: int) -> float:
        """The share of the opponent's replies that lose; 1 if the action ends the contest or keeps the turn."""
        reached = position.after(action)
        if reached.is_over or reached.seat == position.seat:
            return 1.0
        replies = [self.table.value_for(reached.after(reply), position.seat) for reply in reached.legal_actions]
        return replies.count(1) / len(replies)


@agent("worst")
class WorstPlayer(MarkovPolicy):
    """Always makes the worst possible move: it gives away whatever it can, as soon as it can.

    One of the trainers that Epstein 1994 (section 5) proposes.

    Raises:
        BadInputError: If the game is too large to be solved.
    """

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.table = solve(game)

    def distribution(self, position: Position) -> Distribution:
        """The actions that lead to the worst value: those that lose soonest, or if all win, those that win latest."""
        worst = _by_value(self.table, position, min)
        value = self.table.value_for(position.after(worst[0]), position.seat)
        return uniform(_by_distance(self.table, position, worst, max if value > 0 else min))


def correct_actions(table: Table, position: Position) -> tuple[int, ...]:
    """The actions that keep the position's value; where the game can cycle and it is won, those that win soonest."""
    best = _by_value(table, position, max)
    if table.acyclic or table.value(position) < 1:
        return best
    return _by_distance(table, position, best, min)


def _by_value(table: Table, position: Position, choose: Choose) -> tuple[int, ...]:
    """The legal actions whose value for the seat to move is the greatest, or the least."""
    values = {action: table.value_for(position.after(action), position.seat) for action in position.legal_actions}
    wanted = choose(values.values())
    return tuple(action for action, value in values.items() if value == wanted)


def _by_distance(table: Table, position: Position, actions: tuple[int, ...], choose: Choose) -> tuple[int, ...]:
    """Those of some actions, all of one value, after which the contest ends soonest, or latest."""
    distances = {action: table.distance(position.after(action)) or 0 for action in actions}
    wanted = choose(distances.values())
    return tuple(action for action in actions if distances[action] == wanted)
