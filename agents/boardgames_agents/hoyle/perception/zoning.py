"""The language of zones: expressions such as "average density of one-step zones", and how moves change their values.

An expression is a type of zone, a feature, a statistic over the zones of one contestant, and a stage of the contest:
6 × 9 × 4 × 2 = 432 (Epstein 2001, section 4.2). Arrays hold them as ``[stage, value]``, shape ``(2, 216)``.
"""

from collections.abc import Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

from boardgames_agents.hoyle.game_frame import GameFrame
from boardgames_agents.hoyle.perception.zone_kernels import FEATURES, MOST_LOCATIONS, STATISTICS, TYPES, zone_values
from boardgames_agents.hoyle.position_view import Choice, PositionView
from boardgames_env.errors import BadInputError
from boardgames_env.kernels import announce_compilation

STAGES = ("placing", "sliding")
PLACING, SLIDING = range(2)
VALUES = tuple(
    f"{statistic} {feature} of {kind} zones" for kind, feature, statistic in product(TYPES, FEATURES, STATISTICS)
)
"""What the values are called, in their order."""

_SAME = 1e-9
"""Values that differ by less are the same: sums of the same numbers in another order are."""

Men = tuple[int, int]
"""Where a contestant's men are, and those of the other: bit masks of locations."""


def described(stage: int, value: int, direction: int) -> str:
    """An expression and the direction in which it is to go, in words."""
    return f"{'higher' if direction > 0 else 'lower'} {VALUES[value]}, {STAGES[stage]}"


class Zoning:
    """Finds zones on the board of a game.

    Args:
        frame: The game's frame.

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
        announce_compilation("zones", [zone_values])
        edges = [(here, there) for here, next_to in enumerate(board.adjacency) for there in next_to if here < there]
        self._edges = np.array(edges, dtype=np.int64)
        self._lines = np.array(frame.lines, dtype=np.int64)
        self._points = np.array(board.points, dtype=np.float64)
        self._seen: tuple[PositionView, dict[bytes, int], NDArray[np.int8]] | None = None

    def values(self, contestants: Sequence[Men]) -> NDArray[np.float64]:
        """What the expressions are worth for some contestants; shape ``(n, 216)``, NaN for one that has no men."""
        values = np.empty((len(contestants), len(TYPES), len(FEATURES), len(STATISTICS)))
        men = np.array(contestants, dtype=np.int64).reshape(-1, 2)
        zone_values.run(men, self._edges, self._lines, self._points, values)
        return values.reshape(len(contestants), len(VALUES))

    def changes(self, view: PositionView, options: Sequence[Choice]) -> NDArray[np.int8]:
        """How moves change what the expressions are worth.

        Args:
            view: A position.
            options: Moves from it.

        Returns:
            Shape ``(options, 216)``, int8, from −2 to 2: 1 if the value of the mover goes up, −1 if it goes down, and
            the opposite for the other contestant, added. A value that is not there before or after does not change.
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
    """The stage of a move: `PLACING` if it puts a man on the board.

    What is left of a turn, such as a capture, may do neither; it belongs to the stage of what may follow.
    """
    if choice.own != view.own:
        return PLACING if choice.own.bit_count() > view.own.bit_count() else SLIDING
    return PLACING if choice.points is None and choice.then.places else SLIDING
