"""All that may follow positions, as one batch: each chance event and the whole moves after.

A *root* is a position that awaits chance, or in which a seat is to move. Each of its events (one, if it awaits none)
makes a *group*: the *replies* among which a seat can choose. Different groups may share a reply, which is evaluated
once.
"""

import numpy as np

from boardgames_agents.lookahead.evaluator import Probabilities
from boardgames_agents.lookahead.expansion import (
    NO_ROOM,
    Replies,
    ReplyWorkspace,
    decline_all,
    expand,
    find_distinct,
    fold,
    write_points,
)
from boardgames_env.chance import MOST_EVENTS
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.kernels import Actions, State
from boardgames_env.kernels.signatures import Bools, Float64s, Int8s, Int32s
from boardgames_env.moves import MOST_ACTIONS, MOST_MOVES, moves_kernel
from boardgames_env.position import Position, demand_states

DECLINE = "roll"
"""The text of the action by which a seat that may double does not; a look-ahead leaves the stakes as they are."""

_USUAL_REPLIES = 24
"""Average number of replies of a group that arrays have space for at first."""


class Replier:
    """Finds what may follow positions of a game.

    One chance event must settle everything that chance decides at once, as a roll of dice does.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.moves = moves_kernel(game)
        texts = [game.action_text(action) for action in range(game.num_actions)]
        self.decline = texts.index(DECLINE) if DECLINE in texts else -1
        self._afterstates = np.empty((MOST_MOVES, game.state_size), dtype=np.int8)
        self._actions = np.empty((MOST_MOVES, MOST_ACTIONS + 1), dtype=np.int32)
        self._points = np.empty(MOST_MOVES, dtype=np.int32)
        self._cases = np.empty(MOST_EVENTS, dtype=np.int32)

    def __reduce__(self) -> tuple[type["Replier"], tuple[Game]]:
        return Replier, (self.game,)

    def settled(self, position: Position) -> Position:
        """Return the position, in which a seat that may double has declined to."""
        return position.after(self.decline) if self.decline in position.legal_actions else position

    def of_move(self, state: State) -> tuple[Int8s, Int32s, Actions, bool]:
        """Return what the seat to move can reach.

        Returns:
            The states, shape ``(n, state_size)``; their points; the actions that lead to each, followed by -1; and
            whether all contests go on. All are overwritten by the next call.
        """
        demand_states(state[np.newaxis], self.game)
        rules = self.game.rules
        number = self.moves.run(state, self._afterstates, self._actions)
        going = write_points.run(rules.outcome, self._afterstates, number, self._points)
        if self.decline >= 0:
            decline_all.run(
                rules.chance_events, rules.play, self.decline, self._afterstates, number, self._points, self._cases
            )
        return self._afterstates[:number], self._points[:number], self._actions[:number], going == number

    def to(self, roots: Int8s) -> Replies:
        """Return all replies to roots that are not over; shape ``(roots, state_size)``."""
        demand_states(roots, self.game)
        roots = np.require(roots, requirements=("C", "W"))
        most_groups = len(roots) * (MOST_EVENTS if self.game.rules.has_chance else 1)
        groups = np.empty((most_groups, 2), dtype=np.int32)
        weights, starts = np.empty(most_groups), np.empty(most_groups + 1, dtype=np.int32)
        sizes = np.empty(3, dtype=np.int32)
        events = max(self.game.rules.chance_events.run(roots[0], self._cases), 1) if len(roots) else 1
        length = MOST_MOVES + len(roots) * events * _USUAL_REPLIES
        while True:
            states = np.empty((length, self.game.state_size), dtype=np.int8)
            points, which = np.empty(length, dtype=np.int32), np.empty(length, dtype=np.int32)
            replies = Replies(roots, states, points, which, starts, groups, weights)
            workspace = ReplyWorkspace(self._afterstates, self._actions, sizes, _table_for(length))
            if expand.run(self.game.kernels, self.moves, self.decline, replies, workspace) != NO_ROOM:
                number, count, distinct = sizes.tolist()
                return Replies(
                    *(roots, states[:distinct], points[:distinct], which[:count]),
                    *(starts[: number + 1], groups[:number], weights[:number]),
                )
            length *= 2

    def stake(self, state: State) -> int:
        """Return the value of a point: 1 unless the game has a doubling cube."""
        return 1 if self.game.stake is None else self.game.stake(state)


def folded(
    replies: Replies, values: Probabilities, utility: Float64s, kept: Bools | None = None
) -> tuple[Float64s, Int32s]:
    """Return the roots' probabilities if the best reply is chosen in every group.

    Args:
        replies: The replies.
        values: The probabilities of the states' seats to move.
        utility: The utility by which seats choose.
        kept: Flags of the replies to choose among; all by default.

    Returns:
        The probabilities of the roots' seats to move, shape ``(roots, 6)``; and the row of the best reply of each
        group, the first of equals.
    """
    best = np.empty(len(replies.groups), dtype=np.int32)
    means = np.empty((len(replies.roots), 6))
    fold.run(
        replies, values, utility, np.ones(len(replies.which), dtype=np.bool_) if kept is None else kept, best, means
    )
    return means, best


def finished(points: Int32s, seats: Int8s, stake: int) -> Probabilities:
    """Return the outcomes of contests that are over, as probabilities.

    A draw is written as a win and a loss of a point, equally likely: six probabilities cannot tell it from that.

    Args:
        points: The points of seat 0.
        seats: The seats whose probabilities are returned.
        stake: The value of a point.

    Raises:
        BadInputError: If somebody won more than 3 times the stake.
    """
    if np.abs(points).max(initial=0) > 3 * stake:
        raise BadInputError(f"a look-ahead knows outcomes of up to 3 points, not {np.abs(points).max()} at {stake}")
    own = np.where(seats == 0, points, -points) // stake
    rows = np.zeros((len(points), 6), dtype=np.float32)
    for column, outcome in enumerate((1, 2, 3, -1, -2, -3)):
        rows[own == outcome, column] = 1
    rows[own == 0] = (0.5, 0, 0, 0.5, 0, 0)
    return rows


def distinct(states: Int8s) -> tuple[Int32s, Int32s]:
    """Return the first row of each distinct state and, by row, its number among these."""
    firsts, which = np.empty(len(states), dtype=np.int32), np.empty(len(states), dtype=np.int32)
    found = find_distinct.run(np.require(states, requirements=("C", "W")), firsts, which, _table_for(len(states)))
    return firsts[:found], which


def _table_for(rows: int) -> Int32s:
    return np.empty(1 << (2 * rows).bit_length(), dtype=np.int32)
