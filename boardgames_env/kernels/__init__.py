"""Kernels: rules and algorithms compiled by Numba, with the same signatures in every game.

A game's rules are five functions over a flat ``int8`` state whose slot 0 is the seat to move:

============ =========================================== ==============================================
kernel       signature                                   effect
============ =========================================== ==============================================
``initial``  ``(state)``                                 write the initial state
``legal``    ``(state, actions) -> n``                   write the legal actions in ascending order
``play``     ``(state, action)``                         play one action in place
``outcome``  ``(state) -> points``                       return `ONGOING`, or the points of seat 0
``encode``   ``(state, viewer, features)``               write every feature, from the seat ``viewer``
============ =========================================== ==============================================

``legal`` and ``play`` are called only for positions in which the contest goes on and no chance event is due. A game
with dice has two more kernels. A turn begins when all its chance events have happened:

================= ========================================= ===========================================
``chance_events`` ``(state, cases) -> n``                   write the number of equally likely cases of
                                                            each event; 0 events if none is due
``happen``        ``(state, event)``                        apply an event in place
================= ========================================= ===========================================

A game that can list its whole moves faster than by playing action by action has one more:

=========== ============================================ ==============================================
``moves``   ``(state, afterstates, actions) -> n``       write the distinct positions that whole moves
                                                         lead to, and for each the actions of one such
                                                         move, followed by -1
=========== ============================================ ==============================================

A search may use three more, which are called only for positions in which the contest goes on:

============ =========================================== ==============================================
``evaluate`` ``(state) -> value``                        return the heuristic value for the seat to move
``gain``     ``(state, action) -> difference``           return how much an action raises that value
``forcing``  ``(state, actions) -> n``                   write the legal actions that a search must not
                                                         stop before
============ =========================================== ==============================================

Values are whole numbers between -10,000 and 10,000, in units of the game. Each function is marked with the decorator
of its name, and the functions that it calls with `helper`. A kernel is compiled when it is first used, and kept on
disk by its content (`boardgames_env.kernels.disk_cache`).

An algorithm for every game takes kernels as arguments, as function pointers: ``@kernel(void(PLAY, ...))``. So it is
compiled once for all games. With ``NUMBA_DISABLE_JIT=1`` everything is plain Python, for a debugger.
"""

import warnings
from typing import Any

from boardgames_env.kernels.compiling import Kernel, announce_compilation, helper, inlined, kernel
from boardgames_env.kernels.content_key import content_key
from boardgames_env.kernels.signatures import (
    CHANCE_EVENTS,
    ENCODE,
    EVALUATE,
    FEATURES,
    GAIN,
    HAPPEN,
    INITIAL,
    LEGAL,
    MOVES,
    ONGOING,
    OUTCOME,
    PLAY,
    READ_ONLY_STATE,
    STATE,
    Actions,
    Features,
    State,
    chance_events,
    encode,
    evaluate,
    forcing,
    gain,
    happen,
    initial,
    legal,
    moves,
    outcome,
    play,
)

__all__ = [
    "CHANCE_EVENTS",
    "ENCODE",
    "EVALUATE",
    "FEATURES",
    "GAIN",
    "HAPPEN",
    "INITIAL",
    "LEGAL",
    "MOVES",
    "ONGOING",
    "OUTCOME",
    "PLAY",
    "READ_ONLY_STATE",
    "STATE",
    "Actions",
    "Features",
    "Kernel",
    "State",
    "announce_compilation",
    "chance_events",
    "content_key",
    "encode",
    "evaluate",
    "forcing",
    "gain",
    "happen",
    "helper",
    "initial",
    "inlined",
    "kernel",
    "legal",
    "moves",
    "outcome",
    "play",
]


def __getattr__(name: str) -> Any:
    if name == "chances":
        warnings.warn(
            "boardgames_env.kernels.chances is now chance_events; the old name will be removed in the next release",
            DeprecationWarning,
            stacklevel=2,
        )
        return chance_events
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
