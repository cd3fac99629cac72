"""Encodings: positions as inputs of a network, sparse.

Every game has one that follows from its observation. A game may have more, by name (`Game.encodings`): the
literature's, or some with knowledge of the game in them. An encoding looks at a position as one seat sees it; that all
positions are seen by seat 0, or each by the seat to move, is a choice of whoever uses it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from types import FunctionType
from typing import TYPE_CHECKING, Any

from numba import types

from boardgames_env.errors import BadInputError, one_of
from boardgames_env.kernels import (
    FEATURES,
    INDICES,
    READ_ONLY_STATE,
    Actions,
    Features,
    Kernel,
    State,
    helper,
    kernel,
)

if TYPE_CHECKING:
    from boardgames_env.game import Game

_INPUTS = types.int64(READ_ONLY_STATE, types.int64, INDICES, FEATURES)

INPUTS = types.FunctionType(_INPUTS)
"""What a kernel's signature calls an encoding's kernel that it is passed."""

_CHANGES = types.int64(READ_ONLY_STATE, READ_ONLY_STATE, types.int64, INDICES, FEATURES)

CHANGES = types.FunctionType(_CHANGES)
"""The same for an encoding's ``changes``."""

OBSERVATION = "observation"
"""The name of the encoding that every game has."""


@dataclass(frozen=True)
class Encoding:
    """How positions become inputs.

    Attributes:
        size: How many inputs there are.
        kernel: ``(state, viewer, indices, values) -> n`` writes the inputs that are not 0, as the seat ``viewer`` sees
            them, the indices in ascending order. There is room for ``size``.
        base: Of the same form: some of the inputs. An encoding has this and the next, or neither.
        changes: ``(before, after, viewer, indices, values) -> n`` writes what must be added to ``base`` of one state to
            have all the inputs of another, in any order. There is room for twice ``size``. It is for what compares
            many positions that are nearly the same.
    """

    size: int
    kernel: Kernel
    base: Kernel | None = None
    changes: Kernel | None = None


def inputs(function: Callable[..., int]) -> Kernel:
    """Make the kernel of an `Encoding`."""
    return kernel(_INPUTS)(function)


def changes(function: Callable[..., int]) -> Kernel:
    """Make the kernel of an `Encoding`'s ``changes``."""
    return kernel(_CHANGES)(function)


@changes
def no_changes(before: State, after: State, viewer: int, indices: Actions, values: Features) -> int:
    """Stand for the ``changes`` of an encoding that has none, where a kernel must be passed."""
    return 0


def encoding_of(game: "Game", name: str = OBSERVATION) -> Encoding:
    """An encoding of a game.

    Args:
        game: The game.
        name: One of ``game.encodings``, or ``"observation"``.

    Raises:
        BadInputError: If the game has no encoding of that name.
    """
    if name == OBSERVATION:
        return _observation(game)
    if name not in game.encodings:
        raise BadInputError(f"{game.spec} has no encoding {name!r}; it has: {one_of([OBSERVATION, *game.encodings])}")
    return game.encodings[name]


@cache
def _observation(game: "Game") -> Encoding:
    source = game.ready.rules.encode
    assert isinstance(_not_zero, FunctionType)
    # the template's code with the game's own kernel for a global; see `boardgames_env.envs.rows`
    given = {"encode": helper(source.function), "size": game.num_features}
    made = FunctionType(_not_zero.__code__, {**_not_zero.__globals__, **given}, _not_zero.__name__)
    return Encoding(game.num_features, Kernel(made, _INPUTS))


def encode(*_: Any) -> Any:
    """Stands in the template below for a game's kernel."""
    raise AssertionError("a template is not to be called")


size = 0


def _not_zero(state: State, viewer: int, indices: Actions, values: Features) -> int:
    encode(state, viewer, values)
    found = 0
    for index in range(size):
        if values[index] != 0:
            indices[found] = index
            values[found] = values[index]
            found += 1
    return found
