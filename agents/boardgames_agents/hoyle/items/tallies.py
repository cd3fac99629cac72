"""What is counted: how long contests are, and whether it is good to go first."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from boardgames_agents.hoyle.item import Experience, Item, KnowledgeEntry
from boardgames_agents.policy import Snapshot
from boardgames_env.game import Game


@dataclass
class Tallies(Item):
    """Average contest length, and the advantage of going first (1994, section 2.2).

    Attributes:
        contests: Contests that came to an end.
        moves: Moves made in them.
        first: Contests won by whoever went first.
        second: Contests won by the other.
    """

    name = "tallies"
    contests: int = 0
    moves: int = 0
    first: int = 0
    second: int = 0

    @property
    def average_length(self) -> float:
        """Moves a contest; 0 before any."""
        return self.moves / self.contests if self.contests else 0.0

    @property
    def going_first(self) -> float:
        """Contests won by whoever went first, less those won by the other, as a share of all; 0 before any."""
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
        """The averages in words."""
        yield KnowledgeEntry(
            self.name, f"average contest length: {self.average_length:.1f} moves in {self.contests:,} contests"
        )
        yield KnowledgeEntry(
            self.name, f"going first: {self.first:,} contests won by who did, {self.second:,} by the other"
        )

    @property
    def space(self) -> int:
        """One: this is the basic unit that every game has."""
        return 1

    def snapshot(self) -> Snapshot:
        """The counts."""
        return Snapshot({"counts": np.array([self.contests, self.moves, self.first, self.second], dtype=np.int64)})

    def restore(self, snapshot: Snapshot) -> None:
        """Know the counts of a snapshot."""
        counts = snapshot.arrays["counts"]
        if counts.shape != (4,) or counts.dtype != np.int64 or (counts < 0).any():
            raise ValueError("the counts are not four whole numbers from 0")
        self.contests, self.moves, self.first, self.second = counts.tolist()
