"""A game's kernels over many states at once: the loop is inside the kernel, with the rule compiled into it.

A call through a pointer takes some nanoseconds, as much as a whole rule of a small game. A step of thousands of copies
makes one such call for all of them.
"""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from boardgames_env.chance import STREAMS, Streams, draw
from boardgames_env.game import Game
from boardgames_env.kernels import INDICES, STATES, Actions, announce_compilation
from boardgames_env.kernels.bundle import named_tuple_type
from boardgames_env.kernels.template import from_template, rule

_FLAGS = types.Array(types.boolean, 1, "C")
_INTEGERS = types.Array(types.int64, 1, "C")

_CHOOSE = types.void(STATES, _FLAGS, STREAMS, INDICES, _INTEGERS)
_PLAY = types.void(STATES, _FLAGS, _INTEGERS)
_OUTCOME = types.void(STATES, _FLAGS, _INTEGERS)
_ENCODE = types.void(STATES, _INTEGERS, types.Array(types.float32, 2, "C"))
_MASK = types.void(STATES, _FLAGS, INDICES, STATES)

States = NDArray[np.int8]
Flags = NDArray[np.bool_]
Integers = NDArray[np.int64]


class RowKernels(NamedTuple):
    """The rules of a game over many states; a kernel declares them as ``ROW_KERNELS`` in its signature.

    Attributes:
        choose: ``(states, chosen, streams, found, actions)`` draws a legal action for each chosen row from its stream.
        play: ``(states, chosen, actions)`` plays an action in each chosen row.
        outcome: ``(states, chosen, results)`` writes the outcome of each chosen row.
        encode: ``(states, viewers, features)`` writes every row's features.
        mask: ``(states, over, found, masks)`` writes the mask of legal actions, all ones where the contest is over.

    ``found`` is room for a row's legal actions.
    """

    choose: Callable[[States, Flags, Streams, Actions, Integers], None]
    play: Callable[[States, Flags, Integers], None]
    outcome: Callable[[States, Flags, Integers], None]
    encode: Callable[[States, Integers, NDArray[np.float32]], None]
    mask: Callable[[States, Flags, Actions, NDArray[np.int8]], None]


ROW_KERNELS = named_tuple_type(
    RowKernels, *(types.FunctionType(signature) for signature in (_CHOOSE, _PLAY, _OUTCOME, _ENCODE, _MASK))
)


@cache
def row_kernels(game: Game) -> RowKernels:
    """Return the row kernels of a game, compiled."""
    rules = game.ready.rules
    made = [
        from_template(_choose_rows, _CHOOSE, rule=rules.legal),
        from_template(_play_rows, _PLAY, rule=rules.play),
        from_template(_outcome_rows, _OUTCOME, rule=rules.outcome),
        from_template(_encode_rows, _ENCODE, rule=rules.encode),
        from_template(_mask_rows, _MASK, rule=rules.legal),
    ]
    announce_compilation(f"{game.spec} in batches", made)
    return RowKernels(*made)


# templates: `rule` stands for one of the game's kernels


def _choose_rows(states: States, chosen: Flags, streams: Streams, found: Actions, actions: Integers) -> None:
    for i in range(len(states)):
        if chosen[i]:
            actions[i] = found[draw(streams, i, rule(states[i], found))]


def _play_rows(states: States, chosen: Flags, actions: Integers) -> None:
    for i in range(len(states)):
        if chosen[i]:
            rule(states[i], actions[i])


def _outcome_rows(states: States, chosen: Flags, results: Integers) -> None:
    for i in range(len(states)):
        if chosen[i]:
            results[i] = rule(states[i])


def _encode_rows(states: States, viewers: Integers, features: NDArray[np.float32]) -> None:
    for i in range(len(states)):
        rule(states[i], viewers[i], features[i])


def _mask_rows(states: States, over: Flags, found: Actions, masks: NDArray[np.int8]) -> None:
    masks[:] = 0
    for i in range(len(states)):
        if over[i]:
            masks[i] = 1
        else:
            for k in range(rule(states[i], found)):
                masks[i, found[k]] = 1
