"""The interface of every solved game, however it was solved."""

from abc import ABC, abstractmethod

from boardgames_env.game import Game
from boardgames_env.position import Position


class Solution(ABC):
    """Values and distances of a game's positions under best play without `Limits`.

    Attributes:
        game: The game.
        acyclic: Whether no position can recur.
    """

    game: Game
    acyclic: bool

    @abstractmethod
    def value(self, position: Position) -> int:
        """Return the value for the seat to move: +1, 0 or −1."""

    @abstractmethod
    def distance(self, position: Position) -> int | None:
        """Return the plies to the end if the winner hurries and the loser delays; ``None`` for a draw."""

    def knows(self, position: Position) -> bool:
        """Return whether the solution holds the value of a position; a game may be solved in part."""
        return True

    def value_for(self, position: Position, seat: int) -> int:
        """Return the value for a seat: +1, 0 or −1."""
        value = self.value(position)
        return value if position.seat == seat else -value
