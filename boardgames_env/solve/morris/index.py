"""Two sets of men on a board, numbered up to symmetry without gaps.

A position of a class has the mover's men on ``own`` of the board's points and the other seat's on ``other``. A
symmetry carries the mover's set to the one that stands for its orbit, and the other's set along. The row of the
position is then the orbit's number times the number of sets the other may hold, plus the rank of the other's set
among those. (R. Gasser, Solving Nine Men's Morris, Games of No Chance, 1996, numbers positions in much the same way.)

Sets of points are bit masks; sets of one size are ranked in ascending order of their masks. Where a set is its
own image under a symmetry, a position can have several rows, which all say the same.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numba import types

from boardgames_env.games.morris.bitboards import count
from boardgames_env.kernels import helper
from boardgames_env.kernels.signatures import INT32_1D, INT32_2D, INT32_3D, INT64_2D, Int16s, Int32s, Int64s

Group = tuple[tuple[int, ...], ...]
"""Symmetries of a board, as `Board.automorphisms` gives them."""

_HALF = 13  # bits of the lower part of a mask, in the tables for ranks
_CHUNK = 9  # bits of each of the three parts of a mask, in the tables for symmetries
_MOST_POINTS = 25


class Index(NamedTuple):
    """The rows of one class of positions.

    Attributes:
        low: Rank of the lower half of a mask.
        low_count: How many points that has.
        high: Rank of the upper half, by the number of points in the lower.
        orbit: Number of the orbit of each set of the mover, by rank.
        carrier: The symmetry that carries it to the set that stands for the orbit.
        representatives: Those sets.
        keepers_first: Where each orbit's keepers begin in the following.
        keepers: The symmetries that keep a representative.
        carry: The symmetries on masks, by part and content of the part.
        others: The sets that the other seat may hold, by rank, as bits of the points that the mover leaves.
        binomials: ``binomials[n, k]``: n over k.
    """

    low: Int32s
    low_count: Int32s
    high: Int32s
    orbit: Int32s
    carrier: Int32s
    representatives: Int32s
    keepers_first: Int32s
    keepers: Int32s
    carry: Int32s
    others: Int32s
    binomials: Int64s

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return len(self.representatives) * len(self.others)

    def weights(self) -> Int64s:
        """How many positions each orbit stands for, per set of the other seat."""
        return len(self.carry) // np.diff(self.keepers_first).astype(np.int64)


INDEX: Any = types.NamedTuple(
    (
        *(INT32_1D, INT32_1D, INT32_2D),
        *(INT32_1D, INT32_1D, INT32_1D, INT32_1D, INT32_1D),
        *(INT32_3D, INT32_1D, INT64_2D),
    ),
    Index,
)


@cache
def make_index(points: int, group: Group, own: int, other: int) -> Index:
    """The index of the positions with ``own`` men of the mover and ``other`` of the other seat on ``points`` points."""
    assert points <= _MOST_POINTS
    low, low_count, high = _rank_tables(points)
    orbit, carrier, representatives, keepers_first, keepers = _orbits(points, group, own)
    return Index(
        low=low,
        low_count=low_count,
        high=high,
        orbit=orbit,
        carrier=carrier,
        representatives=representatives,
        keepers_first=keepers_first,
        keepers=keepers,
        carry=_carry_tables(points, group),
        others=_subsets(points - own, other),
        binomials=_binomials(),
    )


def count_rows(points: int, group: Group, own: int, other: int) -> int:
    """How many rows the index of a class has, without making it whole."""
    return _burnside(points, group, own, 0) * comb(points - own, other)


def count_positions(points: int, group: Group, own: int, other: int) -> int:
    """How many positions of a class there are up to symmetry (Burnside's lemma)."""
    return _burnside(points, group, own, other)


@cache
def _burnside(points: int, group: Group, own: int, other: int) -> int:
    """Orbits of the pairs of sets: the mean, over the group, of how many pairs a symmetry keeps."""
    kept = 0
    for symmetry in group:
        # a kept pair consists of whole cycles: one factor 1 + x^length + y^length for each
        ways = Counter({(0, 0): 1})
        for length in _cycle_lengths(symmetry):
            for (a, b), number in list(ways.items()):
                ways[a + length, b] += number
                ways[a, b + length] += number
        kept += ways[own, other]
    return kept // len(group)


def _cycle_lengths(permutation: Sequence[int]) -> list[int]:
    lengths, seen = [], set()
    for start in permutation:
        point, length = start, 0
        while point not in seen:
            seen.add(point)
            point, length = permutation[point], length + 1
        if length:
            lengths.append(length)
    return lengths


@cache
def _binomials() -> Int64s:
    size = _MOST_POINTS + 2
    return np.array([[comb(n, k) for k in range(size)] for n in range(size)], dtype=np.int64)


@cache
def _subsets(points: int, size: int) -> Int32s:
    """The masks of all sets of a size, ascending."""
    if size > points:
        return np.zeros(0, dtype=np.int32)
    if size == 0:
        return np.zeros(1, dtype=np.int32)
    without, within = _subsets(points - 1, size), _subsets(points - 1, size - 1)
    return np.concatenate([without, within | np.int32(1 << (points - 1))])


@cache
def _rank_tables(points: int) -> tuple[Int32s, Int32s, Int32s]:
    """``low``, ``low_count`` and ``high``: a set's rank is the sum of p over k, p being its k-th point."""
    low, low_count = _part_of_rank(_HALF, 0, np.zeros(1 << _HALF, dtype=np.int32))
    width = max(points - _HALF, 0)
    high = [_part_of_rank(width, _HALF, np.full(1 << width, below, dtype=np.int32))[0] for below in range(_HALF + 1)]
    return low, low_count, np.array(high, dtype=np.int32)


def _part_of_rank(width: int, first: int, count: Int32s) -> tuple[Int32s, Int32s]:
    rank = np.zeros(1 << width, dtype=np.int64)
    for bit in range(width):
        there = (np.arange(1 << width) >> bit) & 1
        count = count + there.astype(np.int32)
        rank += there * _binomials()[first + bit, count]
    return rank.astype(np.int32), count


@cache
def _carry_tables(points: int, group: Group) -> Int32s:
    """Where each symmetry carries each part of a mask: shape ``(symmetries, 3, 512)``."""
    tables = np.zeros((len(group), 3, 1 << _CHUNK), dtype=np.int32)
    contents = np.arange(1 << _CHUNK)
    for which, symmetry in enumerate(group):
        for point in range(points):
            part, bit = divmod(point, _CHUNK)
            tables[which, part] |= (((contents >> bit) & 1) << symmetry[point]).astype(np.int32)
    return tables


@cache
def _orbits(points: int, group: Group, size: int) -> list[Int32s]:
    """``orbit``, ``carrier``, ``representatives``, ``keepers_first`` and ``keepers`` for the sets of one size."""
    tables = _carry_tables(points, group)
    sets = _subsets(points, size)
    least, carrier = sets.copy(), np.zeros(len(sets), dtype=np.int32)
    for which in range(1, len(group)):
        images = _images(tables[which], sets)
        better = images < least
        least[better] = images[better]
        carrier[better] = which
    representatives, orbit = np.unique(least, return_inverse=True)
    kept = np.array([_images(table, representatives) == representatives for table in tables])
    orbits, keepers = np.nonzero(kept.T)
    first = np.searchsorted(orbits, np.arange(len(representatives) + 1))
    return [each.astype(np.int32) for each in (orbit, carrier, representatives, first, keepers)]


def _images(table: Int32s, sets: Int32s) -> Int32s:
    part = (1 << _CHUNK) - 1
    images: Int32s = table[0, sets & part] | table[1, (sets >> _CHUNK) & part] | table[2, sets >> (2 * _CHUNK)]
    return images


@helper
def orbit_of(index: Index, own: int) -> tuple[int, int]:
    """The orbit of a set of the mover, and the symmetry that carries it to the set that stands for it."""
    lower = own & 0x1FFF
    rank = index.low[lower] + index.high[index.low_count[lower], own >> 13]
    return int(index.orbit[rank]), int(index.carrier[rank])


@helper
def carried(index: Index, symmetry: int, mask: int) -> int:
    """The image of a set."""
    carry = index.carry
    return int(
        carry[symmetry, 0, mask & 0x1FF] | carry[symmetry, 1, (mask >> 9) & 0x1FF] | carry[symmetry, 2, mask >> 18]
    )


@helper
def rank_beside(index: Index, own: int, other: int) -> int:
    """The rank of a set among the sets of its size beside another."""
    rank = 0
    size = 0
    while other != 0:
        least = other & -other
        other ^= least
        size += 1
        rank += index.binomials[count((least - 1) & ~own), size]
    return rank


@helper
def row_of(index: Index, own: int, other: int) -> int:
    """The row of a position: the one that is read. `write_row` writes all there are."""
    orbit, carrier = orbit_of(index, own)
    beside = rank_beside(index, int(index.representatives[orbit]), carried(index, carrier, other))
    return orbit * len(index.others) + beside


@helper
def write_row(index: Index, codes: Int16s, own: int, other: int, code: int) -> None:
    """Write a code into every row of a position."""
    orbit, carrier = orbit_of(index, own)
    representative = int(index.representatives[orbit])
    image = carried(index, carrier, other)
    for k in range(index.keepers_first[orbit], index.keepers_first[orbit + 1]):
        beside = rank_beside(index, representative, carried(index, int(index.keepers[k]), image))
        codes[orbit * len(index.others) + beside] = code


@helper
def spread_out(own: int, packed: int) -> int:
    """The set that ``packed`` is among the points that ``own`` leaves."""
    mask = 0
    point = 0
    while packed != 0:
        if (own >> point) & 1 == 0:
            mask |= (packed & 1) << point
            packed >>= 1
        point += 1
    return mask
