"""A game's kernels over many states at once: the loop is inside the kernel, with the rule compiled into it.

A call through a pointer takes some nanoseconds, as much as a whole rule of a small game. A step of thousands of copies
makes one such call for all of them.
"""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from numba import types

from boardgames_env.chance import draw
from boardgames_env.game import Game
from boardgames_env.kernels import CHANCE_EVENTS, HAPPEN, Actions, State, announce_compilation
from boardgames_env.kernels.bundle import named_tuple_type
from boardgames_env.kernels.signatures import (
    BOOL_1D,
    FLOAT32_2D,
    INT8_2D,
    INT32_1D,
    INT32_2D,
    INT64_1D,
    UINT64_1D,
    Bools,
    Float32s,
    Int8s,
    Int32s,
    Int64s,
    UInt64s,
)
from boardgames_env.kernels.template import from_template, rule

_CHOOSE = types.void(INT8_2D, BOOL_1D, UINT64_1D, INT32_1D, INT64_1D)
_PLAY = types.void(INT8_2D, BOOL_1D, INT64_1D)
_OUTCOME = types.void(INT8_2D, BOOL_1D, INT64_1D)
_ENCODE = types.void(INT8_2D, INT64_1D, FLOAT32_2D)
_MASK = types.void(INT8_2D, BOOL_1D, INT32_1D, INT8_2D)


class BatchKernels(NamedTuple):
    """The rules of a game over many states; a kernel declares them as ``BATCH_KERNELS`` in its signature.

    ``found`` is room for a row's legal actions. The fields from ``chance_events`` on are those of `GameKernels`.

    Attributes:
        choose: ``(states, chosen, streams, found, actions)`` draws a legal action for each chosen row from its stream.
        play: ``(states, chosen, actions)`` plays an action in each chosen row.
        outcome: ``(states, chosen, results)`` writes the outcome of each chosen row.
        encode: ``(states, viewers, features)`` writes every row's features.
        mask: ``(states, over, found, masks)`` writes the mask of legal actions, all ones where the contest is over.
        limits: `Limits.as_array` (an array, because Numba passes no nested tuple to threads).
    """

    choose: Callable[[Int8s, Bools, UInt64s, Actions, Int64s], None]
    play: Callable[[Int8s, Bools, Int64s], None]
    outcome: Callable[[Int8s, Bools, Int64s], None]
    encode: Callable[[Int8s, Int64s, Float32s], None]
    mask: Callable[[Int8s, Bools, Actions, Int8s], None]
    chance_events: Callable[[State, Actions], int]
    happen: Callable[[State, int], None]
    symmetries: Int32s
    limits: Int32s
    is_limited: bool
    has_chance: bool


BATCH_KERNELS = named_tuple_type(
    BatchKernels,
    *(types.FunctionType(signature) for signature in (_CHOOSE, _PLAY, _OUTCOME, _ENCODE, _MASK)),
    *(CHANCE_EVENTS, HAPPEN, INT32_2D, INT32_1D, types.boolean, types.boolean),
)


@cache
def batch_kernels(game: Game) -> BatchKernels:
    """Return the batch kernels of a game, compiled."""
    rules, kernels = game.ready.rules, game.kernels
    choose = from_template(_choose_rows, _CHOOSE, rule=rules.legal)
    play = from_template(_play_rows, _PLAY, rule=rules.play)
    outcome = from_template(_outcome_rows, _OUTCOME, rule=rules.outcome)
    encode = from_template(_encode_rows, _ENCODE, rule=rules.encode)
    mask = from_template(_mask_rows, _MASK, rule=rules.legal)
    announce_compilation(f"{game.spec} in batches", [choose, play, outcome, encode, mask])
    return BatchKernels(
        *(choose, play, outcome, encode, mask, kernels.chance_events, kernels.happen),
        symmetries=kernels.symmetries,
        limits=game.limits.as_array(),
        is_limited=kernels.is_limited,
        has_chance=kernels.has_chance,
    )


# templates: `rule` stands for one of the game's kernels


def _choose_rows(states: Int8s, chosen: Bools, streams: UInt64s, found: Actions, actions: Int64s) -> None:
    for i in range(len(states)):
        if chosen[i]:
            actions[i] = found[draw(streams, i, rule(states[i], found))]


def _play_rows(states: Int8s, chosen: Bools, actions: Int64s) -> None:
    for i in range(len(states)):
        if chosen[i]:
            rule(states[i], actions[i])


def _outcome_rows(states: Int8s, chosen: Bools, results: Int64s) -> None:
    for i in range(len(states)):
        if chosen[i]:
            results[i] = rule(states[i])


def _encode_rows(states: Int8s, viewers: Int64s, features: Float32s) -> None:
    for i in range(len(states)):
        rule(states[i], viewers[i], features[i])


def _mask_rows(states: Int8s, over: Bools, found: Actions, masks: Int8s) -> None:
    masks[:] = 0
    for i in range(len(states)):
        if over[i]:
            masks[i] = 1
        else:
            for k in range(rule(states[i], found)):
                masks[i, found[k]] = 1
