"""What every solved game can be asked, however it was solved."""

from abc import ABC, abstractmethod

from boardgames_env.game import Game
from boardgames_env.position import Position


class Solution(ABC):
    """Values and distances of a game's positions, those of play without `Limits`.

    Attributes:
        game: The game.
        acyclic: Whether no position can ever recur.
    """

    game: Game
    acyclic: bool

    @abstractmethod
    def value(self, position: Position) -> int:
        """What best play gives the seat to move: +1, 0 or −1."""

    @abstractmethod
    def distance(self, position: Position) -> int | None:
        """Plies to the end of the contest when the winner hurries and the loser delays; ``None`` for a draw."""

    def knows(self, position: Position) -> bool:
        """Whether it can tell what a position is worth; parts of a game may have been solved and others not."""
        return True

    def value_for(self, position: Position, seat: int) -> int:
        """What best play gives a seat: +1, 0 or −1."""
        value = self.value(position)
        return value if position.seat == seat else -value
