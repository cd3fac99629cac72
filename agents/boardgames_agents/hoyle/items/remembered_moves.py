"""Moves that were made: experts' moves, Hoyle's own, and the openings that beat it."""

from collections.abc import Iterator
from math import ceil

import numpy as np

from boardgames_agents.hoyle.item import Experience, Item, KnowledgeEntry, as_keys, as_rows, position_of
from boardgames_agents.policy import Snapshot
from boardgames_env.game import Game

_OPENING = 0.1


class ExpertMoves(Item):
    """The moves that experts have made, by rote: Hoyle is told who is one.

    A move is the key of a position and that of the position it leads to.

    Args:
        size: The length of a state.
        winners: Whether only the moves of contests that the expert won are kept.
    """

    name = "expert moves"

    def __init__(self, size: int, winners: bool = False) -> None:
        self._size = size
        self._winners = winners
        self._moves: dict[bytes, dict[bytes, None]] = {}

    def made_in(self, key: bytes) -> set[bytes]:
        """The keys of the positions that experts have gone to from a position."""
        return set(self._moves.get(key, ()))

    def learn(self, experience: Experience) -> None:
        """Remember the experts' moves, and that they are correct."""
        models = [seat for seat in experience.experts if not self._winners or (experience.points_for(seat) or 0) > 0]
        for turn in experience.turns:
            if turn.view.seat in models:
                self._moves.setdefault(turn.view.key, {})[turn.choice.key] = None
        for turn in experience.turns:
            if turn.view.seat in models and turn.whole:
                experience.examples.append((turn.view, frozenset(self._moves[turn.view.key])))

    def entries(self, game: Game) -> Iterator[KnowledgeEntry]:
        """How many there are."""
        yield KnowledgeEntry(self.name, f"{self.space:,} moves from {len(self._moves):,} positions")

    @property
    def space(self) -> int:
        """How many moves are kept."""
        return sum(len(moves) for moves in self._moves.values())

    def snapshot(self) -> Snapshot:
        """The moves: where from and where to, a row each."""
        pairs = [(here, there) for here, moves in self._moves.items() for there in moves]
        return Snapshot(
            {
                "from": as_rows([here for here, _ in pairs], self._size),
                "to": as_rows([there for _, there in pairs], self._size),
            }
        )

    def restore(self, snapshot: Snapshot) -> None:
        """Know the moves of a snapshot."""
        self._moves = {}
        for here, there in zip(as_keys(snapshot.arrays["from"]), as_keys(snapshot.arrays["to"]), strict=True):
            self._moves.setdefault(here, {})[there] = None


class HoyleMoves(Item):
    """The moves that Hoyle has voted for, by rote, with how the contests ended.

    (The paper says "a move the program has made". Of all the moves made in 100 contests it keeps fewer than ten at the
    simplest game, where there are nearly forty; about as many as it keeps are those that tier 3 decided. What
    tier 1 decides it would decide again.)

    Args:
        size: The length of a state.
        losses: Whether only the moves of contests that Hoyle lost are kept.
    """

    name = "Hoyle moves"

    def __init__(self, size: int, losses: bool = False) -> None:
        self._size = size
        self._losses = losses
        self._tried: dict[bytes, dict[bytes, list[int]]] = {}

    def made_in(self, key: bytes) -> dict[bytes, list[int]]:
        """The keys of the positions that Hoyle has gone to from a position: contests then lost, drawn and won."""
        return self._tried.get(key, {})

    def learn(self, experience: Experience) -> None:
        """Remember Hoyle's moves; a contest that was cut short says nothing of them."""
        if experience.outcome is None:
            return
        made = {(turn.view.key, turn.choice.key, turn.view.seat): None for turn in experience.turns if turn.voted}
        for here, there, seat in made:
            if seat == experience.loser or not self._losses:
                self._counts(here, there)[1 + _sign(experience.points_for(seat) or 0)] += 1

    def _counts(self, here: bytes, there: bytes) -> list[int]:
        return self._tried.setdefault(here, {}).setdefault(there, [0, 0, 0])

    def entries(self, game: Game) -> Iterator[KnowledgeEntry]:
        """How many there are."""
        yield KnowledgeEntry(self.name, f"{self.space:,} moves from {len(self._tried):,} positions")

    @property
    def space(self) -> int:
        """How many moves are kept."""
        return sum(len(moves) for moves in self._tried.values())

    def snapshot(self) -> Snapshot:
        """The moves: where from, where to, and the counts, a row each."""
        rows = [(here, there, counts) for here, moves in self._tried.items() for there, counts in moves.items()]
        return Snapshot(
            {
                "from": as_rows([here for here, _, _ in rows], self._size),
                "to": as_rows([there for _, there, _ in rows], self._size),
                "counts": np.array([counts for _, _, counts in rows], dtype=np.int64).reshape(len(rows), 3),
            }
        )

    def restore(self, snapshot: Snapshot) -> None:
        """Know the moves of a snapshot."""
        self._tried = {}
        rows = (as_keys(snapshot.arrays["from"]), as_keys(snapshot.arrays["to"]), snapshot.arrays["counts"].tolist())
        for here, there, counts in zip(*rows, strict=True):
            self._counts(here, there)[:] = counts


class Openings(Item):
    """Reliable openings: the first tenth of the moves of a contest that Hoyle, moving second, lost.

    Source: Epstein 1994, section 2.2.
    """

    name = "openings"

    def __init__(self, size: int) -> None:
        self._size = size
        self._moves: dict[tuple[bytes, bytes], None] = {}

    def made_in(self, key: bytes) -> set[bytes]:
        """The keys of the positions that openings go to from a position."""
        return {there for here, there in self._moves if here == key}

    def learn(self, experience: Experience) -> None:
        """Remember the winner's opening, if Hoyle moved second and lost."""
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
        """The positions that the openings lead to."""
        for _, there in self._moves:
            yield KnowledgeEntry(self.name, "who opened so has beaten Hoyle", position_of(game, there))

    @property
    def space(self) -> int:
        """How many moves are kept."""
        return len(self._moves)

    def snapshot(self) -> Snapshot:
        """The moves: where from and where to, a row each."""
        return Snapshot(
            {
                "from": as_rows([here for here, _ in self._moves], self._size),
                "to": as_rows([there for _, there in self._moves], self._size),
            }
        )

    def restore(self, snapshot: Snapshot) -> None:
        """Know the openings of a snapshot."""
        pairs = zip(as_keys(snapshot.arrays["from"]), as_keys(snapshot.arrays["to"]), strict=True)
        self._moves = dict.fromkeys(pairs)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)
