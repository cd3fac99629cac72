"""Numbering the positions of a class up to symmetry, without gaps.

A position is two sets of points: those of the mover's men and those of the other seat's. A symmetry carries the
mover's set to the representative of its orbit, and the other set along with it. The row of the position is the
number of the orbit times the number of sets that the other seat may hold, plus the rank of the other set among those.
(R. Gasser, Solving Nine Men's Morris, Games of No Chance, 1996, numbers positions in much the same way.)

Sets of points are bit masks; sets of one size are ranked in ascending order of their masks. Where a set is its
own image under a symmetry, a position can have several rows, all with the same code.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from math import comb
from typing import NamedTuple

import numpy as np

from boardgames_env.games.morris.mills import count
from boardgames_env.kernels import helper
from boardgames_env.kernels.bundle import named_tuple_type
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
        low_count: Number of points in the lower half.
        high: Rank of the upper half, by the number of points in the lower.
        orbit: Number of the orbit of each set of the mover, by rank.
        carrier: The symmetry that carries each set of the mover to the representative of its orbit, by rank.
        representatives: The representative of each orbit.
        keepers_first: Where each orbit's symmetries begin in ``keepers``.
        keepers: The symmetries that map a representative to itself.
        carry: The image of a part of a mask, by symmetry, part and content of the part.
        others: The sets that the other seat may hold, by rank, as bits of the points that the mover leaves free.
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
        """Number of rows."""
        return len(self.representatives) * len(self.others)

    def weights(self) -> Int64s:
        """Return the number of positions that each orbit represents, for each set of the other seat."""
        return len(self.carry) // np.diff(self.keepers_first).astype(np.int64)


INDEX = named_tuple_type(
    Index,
    *(INT32_1D, INT32_1D, INT32_2D),
    *(INT32_1D, INT32_1D, INT32_1D, INT32_1D, INT32_1D),
    *(INT32_3D, INT32_1D, INT64_2D),
)


@cache
def make_index(points: int, group: Group, own: int, other: int) -> Index:
    """Return the index of the positions with ``own`` and ``other`` men on ``points`` points."""
    assert points <= _MOST_POINTS
    orbit, carrier, representatives, keepers_first, keepers = _orbits(points, group, own)
    return Index(
        *_rank_tables(points),
        *(orbit, carrier, representatives, keepers_first, keepers),
        _carry_tables(points, group),
        _subsets(points - own, other),
        _binomials(),
    )


def count_rows(points: int, group: Group, own: int, other: int) -> int:
    """Return the number of rows of an index without making it."""
    return count_positions(points, group, own, 0) * comb(points - own, other)


@cache
def count_positions(points: int, group: Group, own: int, other: int) -> int:
    """Return the number of positions of a class up to symmetry.

    They are orbits of pairs of sets: as many as the mean number of pairs that a symmetry keeps (Burnside's lemma).
    """
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
    """Return the masks of all sets of a size in ascending order."""
    if size > points:
        return np.zeros(0, dtype=np.int32)
    if size == 0:
        return np.zeros(1, dtype=np.int32)
    without, within = _subsets(points - 1, size), _subsets(points - 1, size - 1)
    return np.concatenate([without, within | np.int32(1 << (points - 1))])


@cache
def _rank_tables(points: int) -> tuple[Int32s, Int32s, Int32s]:
    """Return ``low``, ``low_count`` and ``high``. A set's rank is the sum of p over k for its k-th point p."""
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
    """Return the images of parts of masks, shape ``(symmetries, 3, 512)``."""
    tables = np.zeros((len(group), 3, 1 << _CHUNK), dtype=np.int32)
    contents = np.arange(1 << _CHUNK)
    for which, symmetry in enumerate(group):
        for point in range(points):
            part, bit = divmod(point, _CHUNK)
            tables[which, part] |= (((contents >> bit) & 1) << symmetry[point]).astype(np.int32)
    return tables


@cache
def _orbits(points: int, group: Group, size: int) -> list[Int32s]:
    """Return the fields from ``orbit`` to ``keepers`` for sets of one size."""
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
    """Return the orbit of a set, and the symmetry to the representative."""
    lower = own & 0x1FFF
    rank = index.low[lower] + index.high[index.low_count[lower], own >> 13]
    return int(index.orbit[rank]), int(index.carrier[rank])


@helper
def carried(index: Index, symmetry: int, mask: int) -> int:
    """Return the image of a set."""
    carry = index.carry
    return int(
        carry[symmetry, 0, mask & 0x1FF] | carry[symmetry, 1, (mask >> 9) & 0x1FF] | carry[symmetry, 2, mask >> 18]
    )


@helper
def rank_beside(index: Index, own: int, other: int) -> int:
    """Return the rank of ``other`` among the sets of its size beside ``own``."""
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
    """Return the row of a position that is read; `write_row` writes all of its rows."""
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
    """Return the set that ``packed`` is among the points that ``own`` leaves free."""
    mask = 0
    point = 0
    while packed != 0:
        if (own >> point) & 1 == 0:
            mask |= (packed & 1) << point
            packed >>= 1
        point += 1
    return mask
