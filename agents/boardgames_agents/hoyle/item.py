"""What an item of useful knowledge is, and what it is learned from (Epstein 2001, section 3.1)."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from boardgames_agents.hoyle.exhibit import KnowledgeEntry
from boardgames_agents.hoyle.position_view import Choice, PositionView
from boardgames_agents.policy import Rng, Snapshot
from boardgames_env.game import Game

if TYPE_CHECKING:
    from boardgames_agents.hoyle import advisors


@dataclass(frozen=True)
class Turn:
    """A move that was made in a contest.

    Attributes:
        view: The position it was made in.
        choice: The move.
        whole: Whether a turn began there. (After the first action of a turn the rest of it is a turn of its own.)
        voted: Whether Hoyle made it, by a vote.
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
        outcome: The points of seat 0, or ``None`` for a contest that was cut short.
        seats: The seats that Hoyle played.
        experts: The seats whose player is an expert.
        rng: The generator of chances while this contest is learned from.
        examples: Positions in which the correct moves have become known, to be used by what learns after this: the
            view, and the keys of the positions that the correct moves lead to.
    """

    turns: tuple[Turn, ...]
    outcome: int | None
    seats: tuple[int, ...]
    experts: tuple[int, ...]
    rng: Rng
    examples: list[tuple[PositionView, frozenset[bytes]]] = field(default_factory=list)

    def points_for(self, seat: int) -> int | None:
        """The outcome as a seat sees it."""
        return self.outcome if self.outcome is None or seat == 0 else -self.outcome

    @property
    def loser(self) -> int | None:
        """The seat that lost, or ``None`` if neither did."""
        return None if not self.outcome else int(self.outcome > 0)


class Item(ABC):
    """An item of useful knowledge.

    Attributes:
        name: What it is called.
        trigger: When it is learned.
    """

    name: str
    trigger: str = "after each contest"

    @abstractmethod
    def learn(self, experience: Experience) -> None:
        """Learn from a contest."""

    def advisors(self) -> "Sequence[advisors.Advisor]":
        """Advisors of this game's own that have been learned."""
        return ()

    def entries(self, game: Game) -> Iterator[KnowledgeEntry]:
        """What is known, one by one, to be shown; nothing, if there is nothing to see.

        Args:
            game: The game it is knowledge of.
        """
        return iter(())

    @property
    @abstractmethod
    def space(self) -> int:
        """How many pieces of knowledge are kept."""

    @abstractmethod
    def snapshot(self) -> Snapshot:
        """What is known, as plain data."""

    @abstractmethod
    def restore(self, snapshot: Snapshot) -> None:
        """Know what a snapshot says."""


def as_rows(keys: Sequence[bytes], size: int) -> NDArray[np.int8]:
    """States as an array with a row for each, shape ``(n, size)``, int8."""
    return np.frombuffer(b"".join(keys), dtype=np.int8).reshape(len(keys), size)


def as_keys(rows: NDArray[np.int8]) -> list[bytes]:
    """The rows of an array as states."""
    return [row.tobytes() for row in rows.astype(np.int8, copy=False)]
