"""A game's kernels over many states at once: the loop is inside, with the rule compiled into it.

A pointer to a kernel costs some nanoseconds at every call, as much as a whole rule of a small game. What steps
thousands of copies calls these instead: one pointer for all of them. They follow from the game's kernels, and are
compiled when they are first used and kept, like them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from types import FunctionType
from typing import Any

import numpy as np
from numba import types
from numpy.typing import NDArray

from boardgames_env.chance import STREAMS, Streams, draw
from boardgames_env.game import Game
from boardgames_env.kernels import INDICES, STATES, Actions, Kernel, announce_compilation, helper

_FLAGS = types.Array(types.boolean, 1, "C")
_INTEGERS = types.Array(types.int64, 1, "C")

_CHOOSE = types.void(STATES, _FLAGS, STREAMS, INDICES, _INTEGERS)
_PLAY = types.void(STATES, _FLAGS, _INTEGERS)
_OUTCOME = types.void(STATES, _FLAGS, _INTEGERS)
_ENCODE = types.void(STATES, _INTEGERS, types.Array(types.float32, 2, "C"))
_MASK = types.void(STATES, _FLAGS, INDICES, STATES)

# what a kernel's signature calls a row rule that it is passed
CHOOSE_ROWS = types.FunctionType(_CHOOSE)
PLAY_ROWS = types.FunctionType(_PLAY)
OUTCOME_ROWS = types.FunctionType(_OUTCOME)
ENCODE_ROWS = types.FunctionType(_ENCODE)
MASK_ROWS = types.FunctionType(_MASK)

States = NDArray[np.int8]
Flags = NDArray[np.bool_]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class RowRules:
    """The rules of a game over many states.

    Attributes:
        choose: ``(states, chosen, streams, found, actions)`` draws a legal action for each chosen row from its stream.
        play: ``(states, chosen, actions)`` plays an action in each chosen row.
        outcome: ``(states, chosen, results)`` writes the outcome of each chosen row.
        encode: ``(states, viewers, features)`` writes every row's features.
        mask: ``(states, over, found, masks)`` writes the mask of legal actions, all ones where the contest is over.

    ``found`` is room for a row's legal actions.
    """

    choose: Kernel
    play: Kernel
    outcome: Kernel
    encode: Kernel
    mask: Kernel


@cache
def row_rules(game: Game) -> RowRules:
    """The row rules of a game, compiled."""
    rules = game.ready.rules
    made = RowRules(
        choose=_over_rows(rules.legal, _choose_rows, _CHOOSE),
        play=_over_rows(rules.play, _play_rows, _PLAY),
        outcome=_over_rows(rules.outcome, _outcome_rows, _OUTCOME),
        encode=_over_rows(rules.encode, _encode_rows, _ENCODE),
        mask=_over_rows(rules.legal, _mask_rows, _MASK),
    )
    announce_compilation(f"{game.spec} in batches", [made.choose, made.play, made.outcome, made.encode, made.mask])
    return made


def rule(*_: Any) -> Any:
    """Stands in the templates below for the kernel they are made over."""
    raise AssertionError("a template is not to be called")


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


def _over_rows(kernel: Kernel, template: Callable[..., None], signature: Any) -> Kernel:
    """Return a template as a kernel, with another kernel in the place of `rule`."""
    assert isinstance(template, FunctionType)
    given = {**template.__globals__, "rule": helper(kernel.function)}
    return Kernel(FunctionType(template.__code__, given, template.__name__), signature)
