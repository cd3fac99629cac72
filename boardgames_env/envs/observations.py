"""The forms in which environments show the features of a game: a flat vector, or planes for convolutions.

A game's features begin with those of men on locations (`Game.men_features`). Planes are these by location, a channel
for each feature of a location, and one constant channel for every other feature.

* **On a grid**, a board whose rows are one step apart, as are its columns, planes have the shape
  ``(channels, height, width)``; a cube has one more axis. If not all cells of the grid are locations, the last channel
  is 1 on those that are and 0 elsewhere. The channels of men are 0 elsewhere, too.
* **On other boards** they have the shape ``(locations, channels)``, in the order of the game's features;
  `Board.adjacency_array` holds which locations are next to each other.
"""

from functools import cache
from typing import Any

import numpy as np
from gymnasium.spaces import Box
from numba import types
from numpy.typing import DTypeLike, NDArray

from boardgames_env.board import Board
from boardgames_env.errors import BadInputError, one_of
from boardgames_env.game import Game
from boardgames_env.kernels import Kernel
from boardgames_env.kernels.signatures import INT64_1D, Float32s, Int64s

Observation = NDArray[Any]

FLAT = "flat"
PLANES = "planes"
DTYPES = ("float32", "float64", "float16", "uint8")


class Observations:
    """Observations of a game in a form and dtype.

    Attributes:
        space: The space of the observations.

    Args:
        game: The game.
        form: ``"flat"`` or ``"planes"``.
        dtype: A type of floats, from 0 to 1; or uint8, from 0 to 255 as in pictures.

    Raises:
        BadInputError: For another form or dtype, or planes of a game that does not have its ``men_features``.
    """

    def __init__(self, game: Game, form: str = FLAT, dtype: DTypeLike = np.float32) -> None:
        if form not in (FLAT, PLANES):
            raise BadInputError(f"observation={form!r} is not allowed; it must be {FLAT!r} or {PLANES!r}")
        self._dtype = _checked_dtype(dtype)
        self._most = 255 if self._dtype == np.uint8 else 1
        self._places = _places_of_planes(game) if form == PLANES else None
        self._are_features = self._places is None and self._dtype == np.float32
        shape = (game.num_features,) if self._places is None else self._places.shape
        self.space = Box(0, self._most, shape, self._dtype.type)

    def show(self, features: Float32s) -> Observation:
        """Return the observation of features, shape ``(num_features,)``, or of each row of a batch of them."""
        if self._are_features:
            return features
        if self._most > 1:
            features = np.rint(features * self._most)
        if self._places is None:
            return features.astype(self._dtype)
        row = np.empty((*features.shape[:-1], features.shape[-1] + 2), dtype=self._dtype)
        row[..., :-2] = features
        row[..., -2] = 0
        row[..., -1] = self._most
        return _take(row, self._places)


def _take(row: Observation, places: Int64s) -> Observation:
    """Return the numbers at some places of a row, or of each row of a batch: there, NumPy's ``take`` is slower."""
    if row.ndim == 1:
        return row.take(places)
    planes = np.empty((len(row), *places.shape), dtype=row.dtype)
    integers = f"u{row.itemsize}"  # (Numba has no float16)
    target = planes.reshape(len(row), places.size)
    _copier(row.itemsize).run(row.view(integers), places.reshape(-1), target.view(integers))
    return planes


@cache
def _copier(size: int) -> Kernel:
    """Return the kernel that copies numbers of a size in bytes."""
    array = types.Array(getattr(types, f"uint{8 * size}"), 2, "C")
    return Kernel(_copy, types.void(array, INT64_1D, array))


def _copy(rows: Observation, places: Int64s, planes: Observation) -> None:
    for i in range(len(rows)):
        for k in range(len(places)):
            planes[i, k] = rows[i, places[k]]


def _checked_dtype(dtype: DTypeLike) -> np.dtype[Any]:
    try:
        checked = np.dtype(dtype)
    except (TypeError, ValueError):
        checked = np.dtype(object)
    if dtype is None or checked.name not in DTYPES:
        raise BadInputError(f"dtype={dtype!r} is not allowed; it must be one of: {one_of(DTYPES)}")
    return np.dtype(checked.name)


def _places_of_planes(game: Game) -> Int64s:
    """Return the number of the feature at each place of planes; ``num_features`` for 0, and one more for 1."""
    locations, each = game.men_features or (game.board.size, 1)
    features = game.num_features
    first = 2 * locations * each
    if not (0 < locations <= game.board.size and 0 <= first <= features):
        raise BadInputError(
            f"there are no planes of {game.spec}: its {features} features do not begin with those of men on "
            f"{locations} locations, {each} for each seat; a game with others declares its men_features"
        )
    men = np.arange(first).reshape(2, locations, each).swapaxes(1, 2).reshape(2 * each, locations)
    others = np.arange(first, features)
    grid = _places_in_grid(game.board, locations)
    cells = grid or (np.arange(locations),)
    sizes = tuple(1 + int(axis.max()) for axis in cells)
    planes = np.full((len(men) + len(others) + 1, *sizes), features, dtype=np.int64)
    for channel in range(len(men)):
        planes[channel][cells] = men[channel]
    for channel, feature in enumerate(others, len(men)):
        planes[channel] = feature
    planes[-1][cells] = features + 1
    if locations == planes[-1].size:
        planes = planes[:-1]
    return planes if grid else np.ascontiguousarray(planes.T)


def _places_in_grid(board: Board, locations: int) -> tuple[Int64s, ...] | None:
    """Return the places of locations in a grid, an array for each axis, x last; None if the board is no grid."""
    cells = []
    for axis in reversed(np.array(board.coordinates[:locations], dtype=float).T):
        steps, places = np.unique(axis, return_inverse=True)
        if (np.diff(steps) != 1).any():
            return None
        cells.append(places)
    return tuple(cells)
