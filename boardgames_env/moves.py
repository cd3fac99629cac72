"""All whole moves of a position at once, for every game, and the locations of an action."""

from functools import cache, lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from boardgames_env.board import Line
from boardgames_env.chance import MOST_EVENTS
from boardgames_env.kernels import ONGOING, Actions, Kernel, State, is_new, moves
from boardgames_env.kernels.bundle import from_template, rule
from boardgames_env.position import Position, demand_states

if TYPE_CHECKING:
    from boardgames_env.game import Game

MOST_MOVES = 4096
"""The most distinct afterstates of a position: the number of rows of the arrays that a ``moves`` kernel writes to.

Of more, those after the first moves are written.
"""

MOST_ACTIONS = 8
"""The most actions of a move; a longer turn goes on with another move."""


@cache
def moves_kernel(game: "Game") -> Kernel:
    """Return the ``moves`` kernel of a game: its own, or one that plays action by action."""
    rules = game.ready.rules
    return rules.moves or from_template(
        _by_actions,
        moves(_by_actions).signature(),
        legal=rules.legal,
        play=rules.play,
        outcome=rules.outcome,
        chance_events=rules.chance_events,
        num_actions=game.num_actions,
    )


def moves_of(game: "Game", state: State) -> tuple[NDArray[np.int8], Actions]:
    """Return the distinct states after a state's moves, and one move's actions each, then -1."""
    demand_states(state[np.newaxis], game)
    afterstates = np.empty((MOST_MOVES, game.state_size), dtype=np.int8)
    actions = np.empty((MOST_MOVES, MOST_ACTIONS + 1), dtype=np.int32)
    found = moves_kernel(game).run(state, afterstates, actions)
    return afterstates[:found], actions[:found]


def actions_of(row: Actions) -> tuple[int, ...]:
    """Return the actions of a move, without the -1 that follows them."""
    actions: list[int] = row.tolist()
    return tuple(actions[: actions.index(-1)])


@lru_cache(maxsize=4096)
def locations_of(position: Position, action: int) -> Line:
    """Return the locations of a legal action in the order in which they are clicked.

    They are those that the action names. Of one that names none, or a column, they are those where the seat's own men
    become fewer, and then those where they become more; there are none if it moves no men on the board. Of one that
    takes a man over, it is where the other seat's man stands.
    """
    game = position.game
    played = game.actions[action]
    if played.locations and played.kind != "column":
        return played.locations
    sign = 1 - 2 * position.seat
    men, later = (
        [sign * number for number in each.state[1 : 1 + game.board.size].tolist()]
        for each in (position, position.after(action))
    )
    everywhere = range(game.board.size)
    fewer = [location for location in everywhere if max(0, later[location]) < max(0, men[location])]
    more = [location for location in everywhere if max(0, later[location]) > max(0, men[location])]
    taken = [location for location in everywhere if min(0, men[location]) < min(0, later[location])]
    return tuple(taken) if taken and not fewer else (*fewer, *more)


legal = play = outcome = chance_events = rule
num_actions = 0


def _by_actions(state: State, afterstates: NDArray[np.int8], actions: Actions) -> int:
    """Write the distinct afterstates in the order in which their first moves come, action by action."""
    seat = state[0]
    reached = np.empty((MOST_ACTIONS, len(state)), dtype=np.int8)
    choices = np.empty((MOST_ACTIONS, num_actions), dtype=np.int32)
    left = np.zeros(MOST_ACTIONS, dtype=np.int64)
    tried = np.zeros(MOST_ACTIONS, dtype=np.int64)
    cases = np.empty(MOST_EVENTS, dtype=np.int32)
    reached[0] = state
    left[0] = legal(state, choices[0])
    depth, found = 0, 0
    while depth >= 0 and found < len(afterstates):
        if tried[depth] == left[depth]:
            depth -= 1
            continue
        action = choices[depth, tried[depth]]
        tried[depth] += 1
        afterstates[found] = reached[depth]
        actions[found, depth] = action
        play(afterstates[found], action)
        if (
            depth + 1 < MOST_ACTIONS
            and afterstates[found, 0] == seat
            and outcome(afterstates[found]) == ONGOING
            and chance_events(afterstates[found], cases) == 0
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
