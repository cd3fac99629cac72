"""The language of zones: expressions such as "average density of one-step zones", and their changes by moves.

An expression is a type of zone, a feature, a statistic over the zones of one contestant, and a stage of the contest:
6 × 9 × 4 × 2 = 432 (Epstein 2001, section 4.2). Arrays hold them as ``[stage, value]``, shape ``(2, 216)``.

An *attitude* is that values distinguish winners, or losers, from all others. For each value there are three lists, of
its values for winners, in draws and for losers. Only the length of a list, its sum and its sum of squares are kept,
which suffice for means, standard deviations and tests.
"""

from collections.abc import Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

from boardgames_agents.hoyle.game_frame import GameFrame
from boardgames_agents.hoyle.items.zone_kernels import (
    FEATURES,
    MOST_LOCATIONS,
    STATISTICS,
    TYPES,
    BoardArrays,
    zone_locations,
    zone_values,
)
from boardgames_agents.hoyle.position_view import Choice, PositionView
from boardgames_env.errors import BadInputError

STAGES = ("placing", "sliding")
PLACING, SLIDING = range(2)
VALUES = tuple(
    f"{statistic} {feature} of {kind} zones" for kind, feature, statistic in product(TYPES, FEATURES, STATISTICS)
)
"""The names of the values in order."""

_SAME = 1e-9
"""Values and means that differ by less are equal: sums of the same numbers in another order differ by rounding."""

Men = tuple[int, int]
"""The locations of a contestant's men and of the other's, as bit masks."""


def described(stage: int, value: int, direction: int) -> str:
    """Return an expression and its direction in words."""
    return f"{'higher' if direction > 0 else 'lower'} {VALUES[value]}, {STAGES[stage]}"


def kind_of(value: int) -> int:
    """Return the type of zones that a value is about, its number in `TYPES`."""
    return value // (len(FEATURES) * len(STATISTICS))


class Zoning:
    """The zones of a game's board.

    Attributes:
        possible: Whether the board has predrawn lines: without them there are no zones.

    Raises:
        BadInputError: If the board has predrawn lines, and more locations than fit into a bit mask of 63.
    """

    def __init__(self, frame: GameFrame) -> None:
        board = frame.game.board
        self.possible = bool(frame.lines)
        if not self.possible:
            return
        if board.size > MOST_LOCATIONS:
            raise BadInputError(f"zones need a board of at most {MOST_LOCATIONS} locations; this one has {board.size}")
        edges = [(here, there) for here, next_to in enumerate(board.adjacency) for there in next_to if here < there]
        self._board = BoardArrays(
            np.array(edges, dtype=np.int64),
            np.array(frame.lines, dtype=np.int64),
            np.array(board.points, dtype=np.float64),
        )
        self._seen: tuple[PositionView, dict[bytes, int], NDArray[np.int8]] | None = None

    def values(self, contestants: Sequence[Men]) -> NDArray[np.float64]:
        """Return the values of the expressions for some contestants, shape ``(n, 216)``; NaN for one without men."""
        values = np.empty((len(contestants), len(TYPES), len(FEATURES), len(STATISTICS)))
        men = np.array(contestants, dtype=np.int64).reshape(-1, 2)
        zone_values.run(men, self._board, values)
        return values.reshape(len(contestants), len(VALUES))

    def locations(self, men: Men, kind: int) -> int:
        """Return the locations of all zones of a type of one contestant, as a bit mask; none without men."""
        found = np.zeros(len(TYPES), dtype=np.int64)
        zone_locations.run(*men, self._board, found)
        return int(found[kind])

    def changes(self, view: PositionView, options: Sequence[Choice]) -> NDArray[np.int8]:
        """Return the changes of the expressions' values by moves from a position, shape ``(options, 216)``, int8.

        They are from −2 to 2: the sign of the change of the mover's value less that of the other contestant's. A value
        that does not exist before or after does not change.
        """
        if self._seen is None or self._seen[0] is not view:
            rows = {choice.key: row for row, choice in enumerate(view.choices)}
            self._seen = (view, rows, self._changes(view))
        _, rows, changes = self._seen
        return changes[[rows[option.key] for option in options]]

    def _changes(self, view: PositionView) -> NDArray[np.int8]:
        contestants = [(view.own, view.enemy), (view.enemy, view.own)]
        for choice in view.choices:
            contestants += [(choice.own, choice.enemy), (choice.enemy, choice.own)]
        values = self.values(contestants).reshape(-1, 2, len(VALUES))
        differences = values[1:] - values[0]
        signs = (differences > _SAME).astype(np.int8) - (differences < -_SAME).astype(np.int8)
        changed: NDArray[np.int8] = signs[:, 0] - signs[:, 1]
        return changed


def stage_of(view: PositionView, choice: Choice) -> int:
    """Return the stage of a move: `PLACING` if it puts a man on the board, `SLIDING` if it moves one.

    The rest of a turn, such as a capture, may do neither; it belongs to the stage of the next moves.
    """
    if choice.own != view.own:
        return PLACING if choice.own.bit_count() > view.own.bit_count() else SLIDING
    return PLACING if choice.points is None and choice.then.places else SLIDING


WON, DRAWN, LOST = range(3)
SIGNIFICANCE = 0.01
"""The significance level of a two-sided test, for 99 % confidence."""


class Samples:
    """The three lists of many values; the values of a group are added together.

    Attributes:
        counts: The lengths of the lists, shape ``(3, groups)``, int64.
        sums: Their sums, shape ``(3, groups, values)``, float64.
        squares: Their sums of squares, the same shape.
    """

    def __init__(self, groups: int, values: int) -> None:
        self.counts = np.zeros((3, groups), dtype=np.int64)
        self.sums = np.zeros((3, groups, values))
        self.squares = np.zeros((3, groups, values))

    def add(self, outcome: int, group: int, values: NDArray[np.float64]) -> None:
        """Append values to the lists of an outcome; shape ``(n, values)``."""
        self.counts[outcome, group] += len(values)
        self.sums[outcome, group] += values.sum(axis=0)
        self.squares[outcome, group] += np.square(values).sum(axis=0)

    @property
    def means(self) -> NDArray[np.float64]:
        """The lists' means, shape ``(3, groups, values)``; 0 for an empty list."""
        means: NDArray[np.float64] = self.sums / np.maximum(self.counts, 1)[..., None]
        return means

    @property
    def variances(self) -> NDArray[np.float64]:
        """The sample variances of the lists, shape ``(3, groups, values)``; 0 for less than two values."""
        counts = self.counts[..., None]
        variances: NDArray[np.float64] = (self.squares - counts * self.means**2) / np.maximum(counts - 1, 1)
        return np.maximum(variances, 0.0)

    def attitudes(self, of: int) -> NDArray[np.int8]:
        """Return the direction, 1 or −1, in which values of an outcome differ significantly from both others, or 0.

        The shape is ``(groups, values)``.
        """
        one, other = [self._direction(of, outcome) for outcome in (WON, DRAWN, LOST) if outcome != of]
        return np.where(one == other, one, np.int8(0))

    def spreads(self) -> NDArray[np.float64]:
        """Return the larger of the lists' differences in mean and standard deviation; infinite if one is empty."""
        differences = [each.max(axis=0) - each.min(axis=0) for each in (self.means, np.sqrt(self.variances))]
        empty = np.any(self.counts == 0, axis=0)
        return np.where(empty[:, None], np.inf, np.maximum(*differences))

    def _direction(self, one: int, other: int) -> NDArray[np.int8]:
        """Return whether the mean of one list is significantly higher (1) or lower (−1) than another's, or neither (0).

        The test is Welch's t-test, because early lists are short and differ in variance. (The paper does not name its
        test.) A list of less than two values differs from none.
        """
        from scipy.special import stdtr

        variances, counts = self.variances, self.counts
        difference = self.means[one] - self.means[other]
        errors = [variances[which] / np.maximum(counts[which], 1)[:, None] for which in (one, other)]
        degrees = [np.maximum(counts[which] - 1, 1)[:, None] for which in (one, other)]
        error = np.maximum(errors[0] + errors[1], np.finfo(float).tiny)
        parts = errors[0] ** 2 / degrees[0] + errors[1] ** 2 / degrees[1]
        freedom = np.clip(error**2 / np.maximum(parts, np.finfo(float).tiny), 1, None)
        probability = 2 * stdtr(freedom, -np.abs(difference) / np.sqrt(error))
        enough = (np.minimum(counts[one], counts[other]) > 1)[:, None]
        certain = enough & (probability <= SIGNIFICANCE) & (np.abs(difference) > _SAME)
        return np.where(certain, np.sign(difference), 0).astype(np.int8)
