"""The phases of backgammon, and inputs that give a network weights of its own in each.

The phases are those of GNU Backgammon: a *race*, in which all men have passed each other; *contact*; and between them
*crashed* positions, in which a seat has few men left that are neither off nor deep in its home board. What matters
differs between them.

Inputs by phase repeat another encoding once for each phase; only those of the position's phase are not 0. One more
input of each phase is always 1 there, which is its bias. So one network with three times the inputs is three networks
that share the weights of their outputs, and nothing else has to know of phases.
"""

from functools import cache

from numba import types

from boardgames_env.encoding import Encoding, changes, inputs
from boardgames_env.games.backgammon.inputs.side import in_contact, side_of
from boardgames_env.games.backgammon.rules.backgammon_board import BAR
from boardgames_env.games.backgammon.rules.steps import count
from boardgames_env.kernels import READ_ONLY_STATE, Actions, Features, State, helper, kernel

CONTACT, CRASHED, RACE = range(3)
PHASE_NAMES = ("contact", "crashed", "race")
PHASES = len(PHASE_NAMES)

_USABLE = 6
"""With no more men than this in play, a seat has crashed."""


@helper
def has_crashed(state: State, seat: int) -> bool:
    """Return whether a seat has few men left in play.

    All men on its 1 point are out of play if there are several, and all but one of those on its 2 point.
    """
    in_play = 0
    for point in range(1, BAR + 1):
        in_play += max(count(state, seat, point), 0)
    deepest, next_to_it = max(count(state, seat, 1), 0), max(count(state, seat, 2), 0)
    if deepest > 1:
        in_play -= deepest
    return in_play - max(next_to_it - 1, 0) <= _USABLE


@helper
def phase_of(state: State, men: int) -> int:
    """Return the phase of a position in a game with a number of men a seat."""
    if not in_contact(side_of(state, 0, men)):
        return RACE
    return CRASHED if has_crashed(state, 0) or has_crashed(state, 1) else CONTACT


find_phase = kernel(types.int64(READ_ONLY_STATE, types.int64))(phase_of)
"""`phase_of` for calls from Python, for which a helper would be compiled in each process."""


@cache
def by_phase(encoding: Encoding, men: int) -> Encoding:
    """Return an encoding, which has ``changes``, once for each phase.

    Args:
        encoding: The encoding.
        men: The men of a seat.
    """
    assert encoding.base is not None
    assert encoding.changes is not None
    write_all, write_base = helper(encoding.kernel.function), helper(encoding.base.function)
    change = helper(encoding.changes.function)
    bias, size = encoding.size, encoding.size + 1
    aside = PHASES * size  # beyond all inputs of one position, where those of another are put aside for a while

    @helper
    def with_bias(phase: int, found: int, indices: Actions, values: Features) -> int:
        """Append the bias to ``found`` inputs, and number all within a phase. Return their number."""
        indices[found], values[found] = bias, 1
        for i in range(found + 1):
            indices[i] += size * phase
        return found + 1

    @inputs
    def write_inputs(state: State, viewer: int, indices: Actions, values: Features) -> int:
        found = write_all(state, viewer, indices, values)
        return int(with_bias(phase_of(state, men), found, indices, values))

    @inputs
    def write_base_inputs(state: State, viewer: int, indices: Actions, values: Features) -> int:
        found = write_base(state, viewer, indices, values)
        return int(with_bias(phase_of(state, men), found, indices, values))

    @changes
    def write_changes(before: State, after: State, viewer: int, indices: Actions, values: Features) -> int:
        phase, then = phase_of(before, men), phase_of(after, men)
        if phase == then:
            found = int(change(before, after, viewer, indices, values))
            for i in range(found):
                indices[i] += size * phase
            return found
        gone = with_bias(phase, write_base(before, viewer, indices, values), indices, values)
        for i in range(gone):
            indices[aside + i], values[aside + i] = indices[i], -values[i]
        found = int(with_bias(then, write_all(after, viewer, indices, values), indices, values))
        for i in range(gone):
            indices[found + i], values[found + i] = indices[aside + i], values[aside + i]
        return found + gone

    return Encoding(PHASES * size, write_inputs, write_base_inputs, write_changes, encoding)
