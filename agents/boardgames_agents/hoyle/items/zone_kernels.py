"""Kernels of zones, the regions that a contestant's men hold, and of their features.

The predrawn lines and the locations on them are a graph. A *zone* of a contestant is a connected set of locations that
holds at least one of its men and otherwise only its men and empty locations. Which empty locations depends on the type:

* *one-step*, *two-step* and *multi-step*: those at distance one, at distance one or two, at any distance from its men;
* *piece-bounded*: those that no man of the other contestant could ever slide to while the contestant's own men stay;
* *private*: those at distance one from its men and not at distance one from the other's;
* *extended-private*: those at distance one or two from its men and at neither from the other's.

Distance is the number of slides from one location to the other over empty locations. The zones of a type are the
connected components of the contestant's men and such locations that contain a man. (If a location in between does not
belong to the type, a man two steps away may be in another zone. A lone man is a piece-bounded zone too; otherwise the
paper's statements about its Figure 8.5 would not hold for one position.)

Sets of locations are bit masks in int64, so a board has at most `MOST_LOCATIONS`.

Source: S. L. Epstein, *Learning to Play Expertly* (2001), section 4.2.
"""

from typing import NamedTuple

import numpy as np
from numba import types

from boardgames_env.kernels import helper, kernel
from boardgames_env.kernels.bundle import named_tuple_type
from boardgames_env.kernels.signatures import FLOAT64_2D, FLOAT64_4D, INT64_1D, INT64_2D, Float64s, Int64s

TYPES = ("one-step", "two-step", "multi-step", "piece-bounded", "private", "extended-private")
FEATURES = (
    *("pieces", "locations", "density", "compactness"),
    *("lines", "short lines", "long lines", "path length", "zones"),
)
"""The features of a zone. Short lines have two locations, path length is the largest distance between two locations
within the zone, and the last is 1 for every zone, so that its total is the number of zones."""

STATISTICS = ("minimum", "maximum", "average", "total")
MOST_LOCATIONS = 63


class BoardArrays(NamedTuple):
    """A board as arrays.

    Attributes:
        edges: The pairs of adjacent locations, shape ``(edges, 2)``.
        lines: The predrawn lines as bit masks.
        points: The picture coordinates of the locations, shape ``(locations, 2)``.
    """

    edges: Int64s
    lines: Int64s
    points: Float64s


_BOARD = named_tuple_type(BoardArrays, INT64_2D, INT64_1D, FLOAT64_2D)


class ZoneBuffers(NamedTuple):
    """Buffers: sets of locations, shape ``(2, locations)``, and the features of a zone."""

    reached: Int64s
    features: Float64s


@helper
def next_to(mask: int, edges: Int64s) -> int:
    """Return the locations adjacent to a set."""
    found = 0
    for edge in range(len(edges)):
        one, other = edges[edge, 0], edges[edge, 1]
        found |= ((mask >> one) & 1) << other | ((mask >> other) & 1) << one
    return found


@helper
def spread(mask: int, within: int, edges: Int64s) -> int:
    """Return what can be reached from a set along lines within a region, the set included."""
    reached = mask
    while True:
        wider = reached | next_to(reached, edges) & within
        if wider == reached:
            return reached
        reached = wider


@helper
def size_of(mask: int) -> int:
    """Return the number of locations in a set."""
    count = 0
    while mask:
        mask &= mask - 1
        count += 1
    return count


@helper
def write_grounds(own: int, other: int, empty: int, edges: Int64s, grounds: Int64s) -> None:
    """Write, for each type, the locations of which a contestant's zones consist."""
    one_step = next_to(own, edges) & empty
    two_step = one_step | next_to(one_step, edges) & empty
    others_one_step = next_to(other, edges) & empty
    others_two_step = others_one_step | next_to(others_one_step, edges) & empty
    grounds[0] = own | one_step
    grounds[1] = own | two_step
    grounds[2] = own | spread(one_step, empty, edges)
    grounds[3] = own | empty & ~spread(others_one_step, empty, edges)
    grounds[4] = own | one_step & ~others_one_step
    grounds[5] = own | two_step & ~others_two_step


@helper
def diameter(zone: int, edges: Int64s, reached: Int64s) -> int:
    """Return the largest distance between two locations within a zone; ``reached`` is a buffer."""
    for location in range(reached.shape[1]):
        reached[0, location] = 1 << location
    steps = 0
    while True:
        before, after = steps % 2, (steps + 1) % 2
        for location in range(reached.shape[1]):
            reached[after, location] = reached[before, location]
        grows = False
        for edge in range(len(edges)):
            one, other = edges[edge, 0], edges[edge, 1]
            if (zone >> one) & (zone >> other) & 1:
                reached[after, one] |= reached[before, other]
                reached[after, other] |= reached[before, one]
                grows |= reached[after, one] != reached[before, one]
                grows |= reached[after, other] != reached[before, other]
        if not grows:
            return steps
        steps += 1


@helper
def compactness(zone: int, points: Float64s) -> float:
    """Return the ratio of the smaller to the larger side of the smallest upright rectangle around a zone.

    Sides are measured between locations. (The paper does not mention degenerate rectangles: here a zone on a vertical
    or horizontal line has compactness 0, and a single location 1.)
    """
    left, right, top, bottom = np.inf, -np.inf, np.inf, -np.inf
    for location in range(len(points)):
        if (zone >> location) & 1:
            left, right = min(left, points[location, 0]), max(right, points[location, 0])
            top, bottom = min(top, points[location, 1]), max(bottom, points[location, 1])
    width, height = right - left, bottom - top
    longer = max(width, height)
    return min(width, height) / longer if longer > 0 else 1.0


@helper
def write_features(zone: int, own: int, board: BoardArrays, buffers: ZoneBuffers) -> None:
    """Write the features of a zone."""
    features = buffers.features
    short = long = 0
    for line in board.lines:
        if line & zone == line:
            if size_of(line) == 2:
                short += 1
            else:
                long += 1
    features[0] = size_of(zone & own)
    features[1] = size_of(zone)
    features[2] = features[0] / features[1]
    features[3] = compactness(zone, board.points)
    features[4] = short + long
    features[5] = short
    features[6] = long
    features[7] = diameter(zone, board.edges, buffers.reached)
    features[8] = 1.0


@helper
def write_statistics(ground: int, own: int, board: BoardArrays, buffers: ZoneBuffers, values: Float64s) -> None:
    """Write the statistics of each feature over the zones of a ground."""
    features = buffers.features
    for feature in range(len(features)):
        values[feature, 0], values[feature, 1], values[feature, 3] = np.inf, -np.inf, 0.0
    zones = 0
    left = own
    while left:
        zone = spread(left & -left, ground, board.edges)
        left &= ~zone
        zones += 1
        write_features(zone, own, board, buffers)
        for feature in range(len(features)):
            values[feature, 0] = min(values[feature, 0], features[feature])
            values[feature, 1] = max(values[feature, 1], features[feature])
            values[feature, 3] += features[feature]
    for feature in range(len(features)):
        values[feature, 2] = values[feature, 3] / zones


@helper
def copy(here: Float64s, there: Float64s) -> None:
    """Copy one table to another. (Assignment does the same, but takes seconds to compile.)"""
    for row in range(len(here)):
        for column in range(here.shape[1]):
            there[row, column] = here[row, column]


@kernel(types.void(INT64_2D, _BOARD, FLOAT64_4D))
def zone_values(men: Int64s, board: BoardArrays, values: Float64s) -> None:
    """Write the values of every type, feature and statistic of zones for some contestants.

    Args:
        men: The locations of each contestant's men and of the other's, shape ``(contestants, 2)``.
        board: The board.
        values: Shape ``(contestants, types, features, statistics)``; NaN for a contestant without men.
    """
    everywhere = (1 << len(board.points)) - 1
    kinds, noticed = values.shape[1:3]
    grounds = np.empty(kinds, dtype=np.int64)
    buffers = ZoneBuffers(np.empty((2, len(board.points)), dtype=np.int64), np.empty(noticed, dtype=np.float64))
    for row in range(len(men)):
        own, other = men[row, 0], men[row, 1]
        if own == 0:
            values[row].fill(np.nan)
            continue
        write_grounds(own, other, everywhere & ~(own | other), board.edges, grounds)
        for kind in range(kinds):
            same = 0
            while grounds[same] != grounds[kind]:
                same += 1
            if same < kind:  # types often have the same grounds
                copy(values[row, same], values[row, kind])
                continue
            write_statistics(grounds[kind], own, board, buffers, values[row, kind])


@kernel(types.void(types.int64, types.int64, _BOARD, INT64_1D))
def zone_locations(own: int, other: int, board: BoardArrays, found: Int64s) -> None:
    """Write the locations of all zones of each type of the contestant with the men ``own``."""
    everywhere = (1 << len(board.points)) - 1
    write_grounds(own, other, everywhere & ~(own | other), board.edges, found)
    for kind in range(len(found)):
        found[kind] = spread(own, found[kind], board.edges)
