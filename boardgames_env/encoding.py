"""Encodings: positions as sparse inputs of a network.

Every game has the encoding ``observation``, and one that is won by lines of men also ``lines``. It may have more, by
name (`Game.encodings`): those of the literature, or some with knowledge of the game. An encoding shows a position as
one seat sees it; the user of the encoding chooses the seat.
"""

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numba import types

from boardgames_env.errors import BadInputError, one_of
from boardgames_env.kernels import FEATURES, READ_ONLY_STATE, Actions, Features, Kernel, State, demand_kernels, kernel
from boardgames_env.kernels.bundle import from_template, rule
from boardgames_env.kernels.signatures import INT32_1D, PointerType

if TYPE_CHECKING:
    from boardgames_env.game import Game

INPUTS = PointerType(types.int64(READ_ONLY_STATE, types.int64, INT32_1D, FEATURES))
"""The Numba type of a pointer to an encoding's ``kernel`` or ``base``."""

CHANGES = PointerType(types.int64(READ_ONLY_STATE, READ_ONLY_STATE, types.int64, INT32_1D, FEATURES))
"""The Numba type of a pointer to an encoding's ``changes``."""

OBSERVATION = "observation"
"""The name of the encoding that every game has."""

LINES = "lines"
"""The name of the encoding that games with winning lines of one length have: the observation, and for each line and
number n an input that is 1 if the viewer has n men there and the other seat none, and one for the other seat."""


@dataclass(frozen=True)
class Encoding:
    """A way to present positions to a network.

    Attributes:
        size: Number of inputs.
        kernel: ``(state, viewer, indices, values) -> n`` writes the inputs that are not 0, as the seat ``viewer`` sees
            them, the indices in ascending order. There is room for ``size``.
        base: A kernel of the same form that writes some of the inputs. An encoding has this and the next, or neither.
        changes: ``(before, after, viewer, indices, values) -> n`` writes, in any order, what must be added to ``base``
            of one state to get all inputs of another. There is room for twice ``size``. It makes it fast to compare
            many positions that are nearly the same.
        repeated: The encoding of which this one holds several copies, each followed by one further input. In any
            position exactly one copy and its further input are not 0. ``None`` for other encodings.

    Raises:
        BadInputError: If one of the kernels is not a kernel of its form.
    """

    size: int
    kernel: Kernel
    base: Kernel | None = None
    changes: Kernel | None = None
    repeated: "Encoding | None" = None

    def __post_init__(self) -> None:
        demand_kernels(self, kernel=INPUTS, base=INPUTS, changes=CHANGES)


inputs = kernel(INPUTS.signature)
"""Make the kernel of an `Encoding`."""

changes = kernel(CHANGES.signature)
"""Make the kernel of an `Encoding`'s ``changes``."""


@changes
def no_changes(before: State, after: State, viewer: int, indices: Actions, values: Features) -> int:
    """Return 0: the ``changes`` of encodings that have none, where a kernel must be passed."""
    return 0


def encoding_of(game: "Game", name: str = OBSERVATION) -> Encoding:
    """Return an encoding of a game by its name; raise `BadInputError` if it has none of that name."""
    names = encoding_names(game)
    if name not in names:
        raise BadInputError(f"{game.spec} has no encoding {name!r}; it has: {one_of(names)}")
    if name == OBSERVATION:
        return _observation(game)
    return _lines(game) if name == LINES else game.encodings[name]


def encoding_names(game: "Game") -> list[str]:
    """Return the names of a game's encodings."""
    lengths = {len(line) for line in game.board.winning_lines}
    return [OBSERVATION, *([LINES] if len(lengths) == 1 else []), *game.encodings]


@cache
def _observation(game: "Game") -> Encoding:
    encode = game.ready.rules.encode
    size = game.num_features
    return Encoding(size, from_template(_write_nonzero, INPUTS.signature, encode=encode, size=size))


@cache
def _lines(game: "Game") -> Encoding:
    shown, lines = _observation(game), game.board.winning_slots
    return Encoding(
        shown.size + 2 * lines.size,
        from_template(_write_lines, INPUTS.signature, observe=shown.kernel, size=shown.size, lines=lines),
    )


def demand_inputs(game: "Game", learned: "Game", name: str) -> None:
    """Raise `BadInputError` unless an encoding shows a game as it shows the one that a network has learned.

    `demand_features` says when ``observation`` does; ``lines`` needs the same lines as well, and no further features.
    The encodings of a single game are the same whatever its options.
    """
    if name in (OBSERVATION, LINES):
        demand_features(game, learned)
    other_lines = game.board.winning_lines != learned.board.winning_lines or game.num_features != learned.num_features
    if name == LINES and other_lines:
        raise BadInputError(
            f"{game.spec} has other lines or features than {learned.spec}, which the network has learned"
        )


_COMPARED = 200
"""The most positions of a contest in which the features of two games are compared."""


@cache
def demand_features(game: "Game", learned: "Game") -> None:
    """Raise `BadInputError` unless a game shows positions as the game that a network has learned does.

    They are the same game with other options, such as a cube. It may have further features after those of the other.
    What holds in all positions of a contest at random is taken to hold.
    """
    differs = BadInputError(
        f"{game.spec} does not show its positions as {learned.spec} does, which the network has learned"
    )
    if learned.state_size > game.state_size or learned.num_features > game.num_features:
        raise differs
    rng, position = np.random.default_rng(0), game.initial
    own, features = np.empty(learned.num_features, np.float32), np.empty(game.num_features, np.float32)
    for _ in range(_COMPARED):
        for viewer in (0, 1):
            learned.ready.rules.encode.run(position.state[: learned.state_size], viewer, own)
            game.ready.rules.encode.run(position.state, viewer, features)
            if not np.array_equal(own, features[: len(own)]):
                raise differs
        if position.is_over:
            break
        if position.awaits_chance:
            position = position.happen(int(rng.integers(len(position.events()))))
        else:
            position = position.after(int(rng.choice(position.legal_actions)))


encode = rule
size = 0


def _write_nonzero(state: State, viewer: int, indices: Actions, values: Features) -> int:
    encode(state, viewer, values[:size])  # (the arrays may be longer)
    found = 0
    for index in range(size):
        if values[index] != 0:
            indices[found] = index
            values[found] = values[index]
            found += 1
    return found


observe = rule
lines = np.empty((0, 0), dtype=np.int64)


def _write_lines(state: State, viewer: int, indices: Actions, values: Features) -> int:
    found: int = observe(state, viewer, indices, values)
    length = lines.shape[1]
    for line in range(len(lines)):
        own, other = 0, 0
        for place in range(length):
            man = state[lines[line, place]]
            if man != 0:
                if (man > 0) == (viewer == 0):
                    own += 1
                else:
                    other += 1
        if (own == 0) != (other == 0):
            indices[found] = size + 2 * length * line + (own if own > 0 else length + other) - 1
            values[found] = 1
            found += 1
    return found
