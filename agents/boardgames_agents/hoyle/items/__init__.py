"""Items of useful knowledge, and what they are learned from (Epstein 2001, section 3.1).

Each module of this package has items of one kind.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from boardgames_agents.hoyle.forr import ForrAdvisor
from boardgames_agents.hoyle.position_view import Choice, PositionView
from boardgames_agents.policy import Rng, Snapshot
from boardgames_agents.policy.explanation import Region
from boardgames_agents.policy.knowledge import KnowledgeEntry
from boardgames_env.game import Game
from boardgames_env.position import Position


@dataclass(frozen=True)
class ContestTurn:
    """A move of a contest.

    Attributes:
        view: The position in which it was made.
        choice: The move.
        whole: Whether a turn began there. (The rest of a turn after each of its actions is a turn of its own.)
        voted: Whether it was made by a vote of Hoyle.
    """

    view: PositionView
    choice: Choice
    whole: bool = True
    voted: bool = False


@dataclass(frozen=True)
class Experience:
    """A contest that Hoyle has played or watched.

    Attributes:
        turns: Its moves in order.
        outcome: The points of seat 0, or ``None`` if a limit cut the contest short.
        seats: The seats that Hoyle played.
        experts: The seats that experts played.
        rng: The random generator for learning from this contest.
        examples: Positions whose correct moves have become known, for the items learned later: the view, and the keys
            of the positions after the correct moves.
    """

    turns: tuple[ContestTurn, ...]
    outcome: int | None
    seats: tuple[int, ...]
    experts: tuple[int, ...]
    rng: Rng
    examples: list[tuple[PositionView, frozenset[bytes]]] = field(default_factory=list)

    def points_for(self, seat: int) -> int | None:
        """Return the points of a seat, or ``None`` if the contest was cut short."""
        return self.outcome if self.outcome is None or seat == 0 else -self.outcome

    @property
    def loser(self) -> int | None:
        """The seat that lost, or ``None`` if neither did."""
        return None if not self.outcome else int(self.outcome > 0)


class Item(ABC):
    """An item of useful knowledge.

    Attributes:
        name: Its name.
        trigger: When it is learned.
    """

    name: str
    trigger: str = "after each contest"

    @abstractmethod
    def learn(self, experience: Experience) -> None:
        """Learn from a contest."""

    def advisors(self) -> Sequence[ForrAdvisor[PositionView, Choice]]:
        """Return the Advisors that have been learned for this game."""
        return ()

    def regions(self, view: PositionView) -> Iterator[Region]:
        """Yield the locations of a position that the knowledge is about, to be drawn on the board; none by default."""
        return iter(())

    def entries(self, game: Game) -> Iterator[KnowledgeEntry]:
        """Yield the pieces of knowledge to be shown, if any."""
        return iter(())

    @property
    @abstractmethod
    def space(self) -> int:
        """The number of pieces of knowledge kept."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing has been learned yet."""
        return not self.space

    @abstractmethod
    def snapshot(self) -> Snapshot:
        """Return the knowledge as plain data."""

    @abstractmethod
    def restore(self, snapshot: Snapshot) -> None:
        """Restore a snapshot, whose arrays have the types of this item's own and rows of the same shapes.

        Raises:
            ValueError: If it is damaged.
        """


def as_rows(keys: Sequence[bytes], size: int) -> NDArray[np.int8]:
    """Return states as an array of shape ``(n, size)``, int8."""
    return np.frombuffer(b"".join(keys), dtype=np.int8).reshape(len(keys), size)


def as_keys(rows: NDArray[np.int8]) -> list[bytes]:
    """Return the rows of an array as states."""
    return [row.tobytes() for row in rows.astype(np.int8, copy=False)]


def position_of(game: Game, state: bytes) -> Position:
    """Return the position of a state."""
    return game.position(np.frombuffer(state, dtype=np.int8))
