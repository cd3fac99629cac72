"""All whole moves of a position at once, for every game: what chooses among afterstates asks for no more."""

from functools import cache
from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from boardgames_env.chance import MOST_EVENTS
from boardgames_env.kernels import ONGOING, Actions, Kernel, State, helper, moves

if TYPE_CHECKING:
    from boardgames_env.game import Game

MOST_MOVES = 4096
"""No position has more distinct afterstates; the arrays that a ``moves`` kernel writes to have so many rows."""

MOST_ACTIONS = 8
"""No move has this many actions: a row holds them and a -1 after them."""


@cache
def moves_kernel(game: "Game") -> Kernel:
    """The ``moves`` kernel of a game: its own if it has one, or one that plays action by action."""
    rules = game.ready.rules
    if rules.moves is not None:
        return rules.moves
    assert isinstance(_by_actions, FunctionType)
    # the template's code with the game's rules for globals; see `boardgames_env.envs.rows`
    given = {
        "legal": helper(rules.legal.function),
        "play": helper(rules.play.function),
        "outcome": helper(rules.outcome.function),
        "chances": helper(rules.chances.function),
        "room": game.num_actions,
    }
    made = FunctionType(_by_actions.__code__, {**_by_actions.__globals__, **given}, _by_actions.__name__)
    return Kernel(made, moves(_by_actions).signature())


def _rule(*_: Any) -> Any:
    raise AssertionError("a template is not to be called")


legal = play = outcome = chances = _rule
room = 0


def _by_actions(state: State, afterstates: NDArray[np.int8], actions: Actions) -> int:
    """Write the distinct afterstates in the order in which their first moves come, action by action."""
    seat = state[0]
    reached = np.empty((MOST_ACTIONS, len(state)), dtype=np.int8)
    choices = np.empty((MOST_ACTIONS, room), dtype=np.int32)
    left = np.zeros(MOST_ACTIONS, dtype=np.int64)
    tried = np.zeros(MOST_ACTIONS, dtype=np.int64)
    cases = np.empty(MOST_EVENTS, dtype=np.int32)
    reached[0] = state
    left[0] = legal(state, choices[0])
    depth, found = 0, 0
    while depth >= 0:
        if tried[depth] == left[depth]:
            depth -= 1
            continue
        action = choices[depth, tried[depth]]
        tried[depth] += 1
        afterstates[found] = reached[depth]
        actions[found, depth] = action
        play(afterstates[found], action)
        if (
            afterstates[found, 0] == seat
            and outcome(afterstates[found]) == ONGOING
            and chances(afterstates[found], cases) == 0
        ):
            depth += 1
            reached[depth] = afterstates[found]
            left[depth] = legal(reached[depth], choices[depth])
            tried[depth] = 0
        elif is_new(afterstates, found):
            for earlier in range(depth):
                actions[found, earlier] = choices[earlier, tried[earlier] - 1]
            actions[found, depth + 1] = -1
            found += 1
    return found


@helper
def is_new(states: NDArray[np.int8], found: int) -> bool:
    """Whether the state in a row differs from all in the rows before it."""
    for earlier in range(found):
        same = True
        for slot in range(states.shape[1]):
            if states[earlier, slot] != states[found, slot]:
                same = False
                break
        if same:
            return False
    return True
