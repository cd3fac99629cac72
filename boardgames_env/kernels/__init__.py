"""Kernels: rules and algorithms that Numba compiles, with signatures that are the same in every game.

A game's rules are five functions over a flat ``int8`` state whose slot 0 is the seat to move:

============ =========================================== ==============================================
kernel       signature                                   does
============ =========================================== ==============================================
``initial``  ``(state)``                                 writes the initial state
``legal``    ``(state, actions) -> n``                   writes the legal actions in ascending order
``play``     ``(state, action)``                         plays one action in place
``outcome``  ``(state) -> points``                       `ONGOING`, or the points of seat 0
``encode``   ``(state, viewer, features)``               writes every feature, as the seat ``viewer`` sees it
============ =========================================== ==============================================

``legal`` and ``play`` are only asked about positions that are not over, and in which nothing is left to chance. A
game with dice has two more, which no other game needs to write; a turn begins when chance has decided all it must:

=========== ============================================ ==============================================
``chances`` ``(state, cases) -> n``                      writes how many equally likely cases each event has;
                                                         no event where nothing is left to chance
``happen``  ``(state, event)``                           makes an event happen in place
=========== ============================================ ==============================================

A game that knows a faster way to all whole moves than to play action by action can say so:

=========== ============================================ ==============================================
``moves``   ``(state, afterstates, actions) -> n``       writes the distinct positions that whole moves
                                                         lead to, and for each the actions of one such move,
                                                         followed by -1
=========== ============================================ ==============================================

What a search needs to know beyond the rules of a game can be told by three more, which are only asked about positions
that are not over, too:

============ =========================================== ==============================================
``evaluate`` ``(state) -> worth``                        how good the position looks for the seat to move
``gain``     ``(state, action) -> difference``           by how much an action betters that, for who plays it
``forcing``  ``(state, actions) -> n``                   writes the legal actions a search must not stop before
============ =========================================== ==============================================

Worths are whole numbers in units of the game's own, less than 10,000 either way. Decorate such a function with the
decorator of its name, and what it calls with `helper`. Nothing is compiled until a kernel is first used; what
is compiled is kept on disk under a hash of the sources, because Numba does not notice a change in another file.

An algorithm that works for every game takes kernels as arguments (``@kernel(void(POINTER_TO_PLAY, ...))``): it
receives them as function pointers, so it is compiled once for all games. With ``NUMBA_DISABLE_JIT=1`` all of it
is plain Python to step through.
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
