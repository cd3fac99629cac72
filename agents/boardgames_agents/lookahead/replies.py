"""All that may follow positions: every event of chance, and every whole move after it, as one batch.

A *root* is a position that awaits chance, or in which a seat is to move. Each of its events (one, if it awaits none)
makes a *group*: the *replies* a seat can choose among. Different groups may share a reply; it is evaluated once.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from boardgames_agents.lookahead.evaluator import Probabilities
from boardgames_agents.lookahead.expansion import (
    NO_ROOM,
    Flags,
    Integers,
    States,
    decline_all,
    expand,
    find_best_row,
    find_distinct,
    fold,
    prune,
    write_points,
)
from boardgames_env.chance import MOST_EVENTS
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.kernels import ONGOING, Actions, State
from boardgames_env.moves import MOST_ACTIONS, MOST_MOVES, moves_kernel

DECLINE = "roll"
"""How the action is written by which a seat that may double does not; a look ahead leaves the stakes as they are."""

_USUAL_REPLIES = 24
"""How many replies there is room for in a group, on average, before there must be made more."""


@dataclass(frozen=True)
class Replies:
    """The replies to a batch of roots.

    Attributes:
        roots: The roots, shape ``(roots, state_size)``.
        states: The different replies, shape ``(states, state_size)``, each as it awaits chance, or over.
        points: Of each state, its points for seat 0, or `ONGOING`; int32.
        which: Of each reply, its row in ``states``; int32.
        starts: Where each group's replies start; one entry more than there are groups; int32.
        groups: Of each group, in the order of the roots and of their events, the seat that replies, and the root.
        weights: Of each group, the probability of its event.
    """

    roots: States
    states: States
    points: Integers
    which: Integers
    starts: Integers
    groups: Integers
    weights: NDArray[np.float64]

    def pruned(self, values: Probabilities, most: int, margin: float) -> Flags:
        """Which replies are among the best ``most`` of their group, and within a margin of its best, in points."""
        kept = np.empty(len(self.which), dtype=np.bool_)
        prune.run(values, self.states, self.which, self.starts, self.groups, most, margin, kept)
        return kept

    def folded(self, values: Probabilities, kept: Flags | None = None) -> tuple[NDArray[np.float64], Integers]:
        """The roots' probabilities if the best reply is chosen in every group.

        Args:
            values: Probabilities of the states, each as its own seat to move sees it.
            kept: The replies to choose among; all by default.

        Returns:
            The probabilities as the roots' seats to move see them, shape ``(roots, 6)``; and the row of the best reply
            of each group, of equals the one that was found first.
        """
        best = np.empty(len(self.groups), dtype=np.int32)
        means = np.empty((len(self.roots), 6))
        allowed = np.ones(len(self.which), dtype=np.bool_) if kept is None else kept
        fold.run(
            *(values, self.states, self.which, self.starts, self.groups, self.weights),
            *(allowed, self.roots, best, means),
        )
        return means, best


class Replier:
    """Finds what may follow positions of a game.

    One event must decide all that chance decides at once, as a roll of dice does.

    Args:
        game: The game.
    """

    def __init__(self, game: Game) -> None:
        rules = game.ready.rules
        self.game = game
        self.moves = moves_kernel(game)
        texts = [game.action_text(action) for action in range(game.num_actions)]
        self.decline = texts.index(DECLINE) if DECLINE in texts else -1
        self._pointers = (rules.chances, rules.happen, self.moves, rules.play, rules.outcome, self.decline)
        self._outcome, self._declining = rules.outcome, (rules.chances, rules.play, self.decline)
        self._reached = np.empty((MOST_MOVES, game.state_size), dtype=np.int8)
        self._actions = np.empty((MOST_MOVES, MOST_ACTIONS + 1), dtype=np.int32)
        self._points = np.empty(MOST_MOVES, dtype=np.int32)
        self._cases = np.empty(MOST_EVENTS, dtype=np.int32)

    def __reduce__(self) -> tuple[type["Replier"], tuple[Game]]:
        return Replier, (self.game,)

    def settled(self, state: State) -> State:
        """The state once a seat that may double has declined to; itself, if none may."""
        settled = state.copy()
        actions = np.empty(self.game.num_actions, dtype=np.int32)
        rules = self.game.rules
        if (
            self.decline >= 0
            and rules.outcome.run(state) == ONGOING
            and rules.chances.run(state, self._cases) == 0
            and self.decline in actions[: rules.legal.run(state, actions)]
        ):
            rules.play.run(settled, self.decline)
        return settled

    def of_move(self, state: State) -> tuple[States, Integers, Actions, bool]:
        """What the seat to move can reach.

        Returns:
            The states, shape ``(n, state_size)``; their points; the actions that lead to each, followed by -1; and
            whether all contests go on. All are overwritten by the next call.
        """
        number = self.moves.run(state, self._reached, self._actions)
        going = write_points.run(self._outcome, self._reached, number, self._points)
        if self.decline >= 0:
            decline_all.run(*self._declining, self._reached, number, self._points, self._cases)
        return self._reached[:number], self._points[:number], self._actions[:number], going == number

    def to(self, roots: States) -> Replies:
        """All replies to roots that are not over.

        Args:
            roots: Shape ``(roots, state_size)``, int8.
        """
        roots = np.require(roots, dtype=np.int8, requirements=("C", "W"))
        most_groups = len(roots) * (MOST_EVENTS if self.game.rules.have_chances else 1)
        groups = np.empty((most_groups, 2), dtype=np.int32)
        weights, starts = np.empty(most_groups), np.empty(most_groups + 1, dtype=np.int32)
        sizes = np.empty(3, dtype=np.int32)
        events = max(self.game.rules.chances.run(roots[0], self._cases), 1) if len(roots) else 1
        room = MOST_MOVES + len(roots) * events * _USUAL_REPLIES
        while True:
            states = np.empty((room, self.game.state_size), dtype=np.int8)
            points, which = np.empty(room, dtype=np.int32), np.empty(room, dtype=np.int32)
            found = expand.run(
                *self._pointers,
                *(roots, self._reached, self._actions, sizes),
                *(states, points, which, starts, groups, weights, _table_for(room)),
            )
            if found != NO_ROOM:
                number, replies, different = sizes.tolist()
                return Replies(
                    *(roots, states[:different], points[:different], which[:replies]),
                    *(starts[: number + 1], groups[:number], weights[:number]),
                )
            room *= 2

    def stake(self, state: State) -> int:
        """What a point is multiplied by: 1 unless the game has a doubling cube."""
        return 1 if self.game.stake is None else self.game.stake(state)


def finished(points: Integers, seats: NDArray[np.int8], stake: int) -> Probabilities:
    """The outcomes of contests that are over, as probabilities.

    A draw is written as a win and a loss of a point, equally likely: six probabilities do not tell it from that.

    Args:
        points: The points of seat 0.
        seats: The seats whose probabilities are asked for.
        stake: What a point was multiplied by.

    Raises:
        BadInputError: If somebody won more than 3 times the stake.
    """
    if np.abs(points).max(initial=0) > 3 * stake:
        raise BadInputError(f"a look ahead knows outcomes of up to 3 points, not {np.abs(points).max()} at {stake}")
    own = np.where(seats == 0, points, -points) // stake
    rows = np.zeros((len(points), 6), dtype=np.float32)
    for column, worth in enumerate((1, 2, 3, -1, -2, -3)):
        rows[own == worth, column] = 1
    rows[own == 0] = (0.5, 0, 0, 0.5, 0, 0)
    return rows


def distinct(states: States) -> tuple[Integers, Integers]:
    """Where each different state comes first, and for each state which of these it is."""
    firsts, which = np.empty(len(states), dtype=np.int32), np.empty(len(states), dtype=np.int32)
    found = find_distinct.run(np.require(states, requirements=("C", "W")), firsts, which, _table_for(len(states)))
    return firsts[:found], which


def best_row(values: Probabilities, states: States, seat: int) -> int:
    """Which of some states is best for a seat, the first of equals; ``values`` as each state's seat to move sees it."""
    return int(find_best_row.run(values, states, seat))


def _table_for(rows: int) -> Integers:
    return np.empty(1 << (2 * rows).bit_length(), dtype=np.int32)
