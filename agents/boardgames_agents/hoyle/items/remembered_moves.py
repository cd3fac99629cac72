"""Moves by rote: experts', Hoyle's own, and openings that beat it; and tallies of contests."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil

import numpy as np

from boardgames_agents.hoyle.items import Experience, Item, as_keys, as_rows, position_of
from boardgames_agents.policy import Snapshot
from boardgames_agents.policy.explanation import counted
from boardgames_agents.policy.knowledge import KnowledgeEntry
from boardgames_env.game import Game

_OPENING = 0.1


class _Moves(Item):
    """Moves by rote: pairs of the key of a position and the key of the position after the move, with counts."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._moves: dict[bytes, dict[bytes, list[int]]] = {}

    def made_in(self, key: bytes) -> dict[bytes, list[int]]:
        """Return the moves from a position: the keys of the positions after them, with counts."""
        return self._moves.get(key, {})

    def entries(self, game: Game) -> Iterator[KnowledgeEntry]:
        """Yield the number of moves."""
        yield KnowledgeEntry(self.name, f"{counted(self.space, 'move')} from {counted(len(self._moves), 'position')}")

    @property
    def space(self) -> int:
        """The number of moves kept."""
        return sum(len(moves) for moves in self._moves.values())

    def snapshot(self) -> Snapshot:
        """Return the moves, a row each: from and to."""
        return _snapshot_of([(here, there) for here, moves in self._moves.items() for there in moves], self._size)

    def restore(self, snapshot: Snapshot) -> None:
        """Restore the moves of a snapshot."""
        self._moves = {}
        for here, there in _pairs_of(snapshot):
            self._moves.setdefault(here, {})[there] = []


class ExpertMoves(_Moves):
    """The moves of experts, or only those of ``winners``; the trainer declares which seats experts play."""

    name = "expert moves"

    def __init__(self, size: int, winners: bool = False) -> None:
        super().__init__(size)
        self._winners = winners

    def learn(self, experience: Experience) -> None:
        """Remember the experts' moves, and add them to the examples as correct."""
        models = [seat for seat in experience.experts if not self._winners or (experience.points_for(seat) or 0) > 0]
        for turn in experience.turns:
            if turn.view.seat in models:
                self._moves.setdefault(turn.view.key, {})[turn.choice.key] = []
        for turn in experience.turns:
            if turn.view.seat in models and turn.whole:
                experience.examples.append((turn.view, frozenset(self._moves[turn.view.key])))


class HoyleMoves(_Moves):
    """The moves that Hoyle has voted for, by rote, with the numbers of contests lost, drawn and won.

    (The paper says "a move the program has made". But of all moves made in 100 contests it keeps fewer than ten at the
    simplest game, where there are nearly forty. The moves that tier 3 decided are about as many as it keeps; what tier
    1 decides it would decide again.) With ``losses``, only moves of contests that Hoyle lost are kept.
    """

    name = "Hoyle moves"

    def __init__(self, size: int, losses: bool = False) -> None:
        super().__init__(size)
        self._losses = losses

    def learn(self, experience: Experience) -> None:
        """Remember Hoyle's moves, unless the contest was cut short."""
        if experience.outcome is None:
            return
        made = {(turn.view.key, turn.choice.key, turn.view.seat): None for turn in experience.turns if turn.voted}
        for here, there, seat in made:
            if seat == experience.loser or not self._losses:
                counts = self._moves.setdefault(here, {}).setdefault(there, [0, 0, 0])
                counts[1 + int(np.sign(experience.points_for(seat) or 0))] += 1

    def snapshot(self) -> Snapshot:
        """Return the moves, a row each: from, to, and the counts."""
        counts = [counts for moves in self._moves.values() for counts in moves.values()]
        array = np.array(counts, dtype=np.int64).reshape(len(counts), 3)
        return Snapshot({**super().snapshot().arrays, "counts": array})

    def restore(self, snapshot: Snapshot) -> None:
        """Restore the moves of a snapshot."""
        super().restore(snapshot)
        for (here, there), counts in zip(_pairs_of(snapshot), snapshot.arrays["counts"].tolist(), strict=True):
            self._moves[here][there] = counts


class Openings(Item):
    """Reliable openings: the first tenth of the moves of a contest that Hoyle, moving second, lost.

    Source: Epstein 1994, section 2.2.
    """

    name = "openings"

    def __init__(self, size: int) -> None:
        self._size = size
        self._moves: dict[tuple[bytes, bytes], None] = {}

    def made_in(self, key: bytes) -> set[bytes]:
        """Return the keys of the positions to which openings move from a position."""
        return {there for here, there in self._moves if here == key}

    def learn(self, experience: Experience) -> None:
        """Remember the winner's opening if Hoyle moved second and lost."""
        whole = [turn for turn in experience.turns if turn.whole]
        if not whole or experience.loser is None:
            return
        first = whole[0].view.seat
        if experience.loser == first or experience.loser not in experience.seats or first in experience.seats:
            return
        for turn in whole[: ceil(_OPENING * len(whole))]:
            if turn.view.seat == first:
                self._moves[turn.view.key, turn.choice.key] = None

    def entries(self, game: Game) -> Iterator[KnowledgeEntry]:
        """Yield the positions after the openings."""
        for _, there in self._moves:
            yield KnowledgeEntry(self.name, "this opening has beaten Hoyle", position_of(game, there))

    @property
    def space(self) -> int:
        """The number of moves kept."""
        return len(self._moves)

    def snapshot(self) -> Snapshot:
        """Return the moves, a row each: from and to."""
        return _snapshot_of(list(self._moves), self._size)

    def restore(self, snapshot: Snapshot) -> None:
        """Restore the openings of a snapshot."""
        self._moves = dict.fromkeys(_pairs_of(snapshot))


def _snapshot_of(pairs: Sequence[tuple[bytes, bytes]], size: int) -> Snapshot:
    return Snapshot({"from": as_rows([here for here, _ in pairs], size), "to": as_rows([to for _, to in pairs], size)})


def _pairs_of(snapshot: Snapshot) -> list[tuple[bytes, bytes]]:
    return list(zip(as_keys(snapshot.arrays["from"]), as_keys(snapshot.arrays["to"]), strict=True))


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
        length = f"average contest length: {self.average_length:.1f} moves in {counted(self.contests, 'contest')}"
        yield KnowledgeEntry(self.name, length)
        won = f"going first: {counted(self.first, 'contest')} won by the first to move, {self.second:,} by the other"
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
