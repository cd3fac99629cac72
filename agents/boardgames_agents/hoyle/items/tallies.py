"""Tallies: how long contests are, and whether it is an advantage to move first."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from boardgames_agents.hoyle.item import Experience, Item
from boardgames_agents.policy import Snapshot
from boardgames_agents.policy.knowledge import KnowledgeEntry
from boardgames_env.game import Game


@dataclass
class Tallies(Item):
    """Average contest length, and the advantage of going first (1994, section 2.2).

    Attributes:
        contests: Contests that ended by the rules.
        moves: Moves made in them.
        first: Contests won by the seat that moved first.
        second: Contests won by the other seat.
    """

    name = "tallies"
    contests: int = 0
    moves: int = 0
    first: int = 0
    second: int = 0

    @property
    def average_length(self) -> float:
        """Moves per contest; 0 before the first contest."""
        return self.moves / self.contests if self.contests else 0.0

    @property
    def going_first(self) -> float:
        """Contests won by the seat that moved first less those won by the other, as a share of all; 0 at first."""
        return (self.first - self.second) / self.contests if self.contests else 0.0

    def learn(self, experience: Experience) -> None:
        """Count the contest, unless it was cut short."""
        if experience.outcome is None or not experience.turns:
            return
        points = experience.points_for(experience.turns[0].view.seat) or 0
        self.contests += 1
        self.moves += sum(turn.whole for turn in experience.turns)
        self.first += points > 0
        self.second += points < 0

    def entries(self, game: Game) -> Iterator[KnowledgeEntry]:
        """Yield the averages in words."""
        length = f"average contest length: {self.average_length:.1f} moves in {self.contests:,} contests"
        yield KnowledgeEntry(self.name, length)
        won = f"going first: {self.first:,} contests won by the first to move, {self.second:,} by the other"
        yield KnowledgeEntry(self.name, won)

    @property
    def space(self) -> int:
        """One: the basic unit that every game has."""
        return 1

    def snapshot(self) -> Snapshot:
        """Return the counts."""
        return Snapshot({"counts": np.array([self.contests, self.moves, self.first, self.second], dtype=np.int64)})

    def restore(self, snapshot: Snapshot) -> None:
        """Restore the counts of a snapshot."""
        counts = snapshot.arrays["counts"]
        if counts.shape != (4,) or (counts < 0).any():
            raise ValueError("the counts are not four non-negative whole numbers")
        self.contests, self.moves, self.first, self.second = counts.tolist()
