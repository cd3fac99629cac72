"""Expectimax: the best move by an evaluator's judgement of what may come of it.

Ply 1 evaluates the position a move leads to. Ply 2 looks at all that chance may decide then, lets the other seat choose
its best reply by ply 1, and takes the mean; ply 3 lets it choose by ply 2. Only what looks good at a ply is looked at
more deeply. This is TD-Gammon's look ahead (Tesauro 1995).
"""

from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray

from boardgames_agents.lookahead.evaluator import OTHER_SEAT, Evaluator, Probabilities, equities
from boardgames_agents.lookahead.expansion import Flags, Integers, States
from boardgames_agents.lookahead.replies import Replier, Replies, best_row, finished
from boardgames_env.errors import BadInputError, require
from boardgames_env.game import Game
from boardgames_env.kernels import ONGOING, Actions, State
from boardgames_env.position import Position


@dataclass(frozen=True)
class Candidate:
    """A move, and what the look ahead thinks of it.

    Attributes:
        actions: Its actions, in order.
        plies: How deeply it was looked at.
        probabilities: How likely each outcome is for the seat that moves: to win 1, 2, 3 points, or to lose as many.
        equity: The points that the seat may expect, without the doubling cube.
    """

    actions: tuple[int, ...]
    plies: int
    probabilities: tuple[float, ...]
    equity: float


@dataclass(frozen=True)
class Judgement:
    """All moves of a position as arrays, in the order of the game's ``moves`` kernel.

    Attributes:
        actions: The actions of each, followed by -1; shape ``(moves, actions)``.
        probabilities: Of each, as the seat that moves sees them; shape ``(moves, 6)``.
        equities: Of each, in points; shape ``(moves,)``.
        plies: How deeply each was looked at; shape ``(moves,)``.
    """

    actions: Actions
    probabilities: Probabilities
    equities: NDArray[np.float64]
    plies: Integers

    @property
    def best(self) -> int:
        """The best of those that were looked at most deeply, the first of equals."""
        deepest = self.plies == self.plies.max()
        return int(np.where(deepest, self.equities, -np.inf).argmax())

    def move(self, which: int) -> tuple[int, ...]:
        """The actions of a move."""
        row: list[int] = self.actions[which].tolist()
        return tuple(row[: row.index(-1)])


class Expectimax:
    """Looks ahead in a game.

    It is an `Evaluator` itself, and all of it leaves the stakes as they are.

    Args:
        game: The game.
        evaluator: Judges the positions at the horizon.
        plies: How many plies `candidates` and `judge` look ahead, at least 1.
        candidates: How many of the moves that look best are looked at more deeply, at most.
        margin: What is this much worse than the best, in points, is not.
        replies: How many replies are looked at more deeply, at most, where 3 plies or more ask for it.

    Raises:
        BadInputError: If an option is out of range.
    """

    def __init__(
        self,
        game: Game,
        evaluator: Evaluator,
        plies: int = 1,
        candidates: int = 8,
        margin: float = 0.16,
        replies: int = 2,
    ) -> None:
        require(1, plies=plies, candidates=candidates, replies=replies)
        require(0, inf, margin=margin)
        self.game, self.evaluator, self.plies = game, evaluator, plies
        self.most_candidates, self.margin, self.most_replies = candidates, margin, replies
        self.replier = Replier(game)

    def chances(self, states: NDArray[np.int8]) -> Probabilities:
        """How likely each outcome is for the seat to move, looking ``plies - 1`` plies ahead; see `Evaluator`."""
        return self.looked_at(states, self.plies - 1)

    def looked_at(self, states: States, plies: int) -> Probabilities:
        """How likely each outcome is for the seat to move, looking a number of plies ahead.

        Args:
            states: Positions that are not over and await chance, all at the same stakes; shape ``(n, state_size)``.
            plies: 0 or more; 0 asks the evaluator.
        """
        if len(states) == 0:
            return np.empty((0, 6), dtype=np.float32)
        if plies == 0:
            return np.ascontiguousarray(self.evaluator.chances(states), dtype=np.float32)
        replies = self.replier.to(states)
        values = self.values(replies.states, replies.points)
        kept = self.deepened(replies, values, plies - 1, self.most_replies)
        means, _ = replies.folded(values, kept)
        return means.astype(np.float32)

    def deepened(self, replies: Replies, values: Probabilities, plies: int, most: int | None = None) -> Flags | None:
        """Look at the replies that look good more deeply, and write what is found over their values.

        Args:
            replies: The replies.
            values: Those of their states.
            plies: How many plies ahead to look from these; 0 changes nothing.
            most: How many of a group, at most; as many as there are candidates by default.

        Returns:
            Which replies were looked at, if not all.
        """
        if plies == 0:
            return None
        kept = replies.pruned(values, most or self.most_candidates, self.margin)
        deeper = np.zeros(len(values), dtype=np.bool_)
        deeper[replies.which[kept]] = True
        deeper &= replies.points == ONGOING
        values[deeper] = self.looked_at(replies.states[deeper], plies)
        return kept

    def values(self, states: States, points: Integers) -> Probabilities:
        """How likely each outcome is for the seat to move: evaluated, or known where the contest is over."""
        over = points != ONGOING
        if not over.any():
            return self.looked_at(states, 0)
        values = np.empty((len(states), 6), dtype=np.float32)
        values[over] = finished(points[over], states[over, 0], self.replier.stake(states[0]))
        values[~over] = self.looked_at(states[~over], 0)
        return values

    def best_move(self, state: State) -> tuple[int, ...]:
        """The actions of the best move in a position in which a seat is to move."""
        if self.plies > 1:
            judged = self.judge(state)
            return judged.move(judged.best)
        states, points, actions, all_go_on = self.replier.of_move(state)
        values = self.looked_at(states, 0) if all_go_on else self.values(states, points)
        row: list[int] = actions[best_row(values, states, state[0])].tolist()
        return tuple(row[: row.index(-1)])

    def judge(self, state: State, plies: int | None = None) -> Judgement:
        """Look at all moves of a position in which a seat is to move.

        Args:
            state: Its state.
            plies: How deeply, if not as deeply as usual.
        """
        plies = plies or self.plies
        states, points, actions, all_go_on = self.replier.of_move(state)
        values = self.looked_at(states, 0) if all_go_on else self.values(states, points)
        turned = states[:, 0] != state[0]
        equity = equities(values)
        equity[turned] *= -1
        depth = np.ones(len(states), dtype=np.int32)
        actions = actions.copy()  # (the replier writes the next ones over them)
        if plies > 1:
            states = states.copy()
            going = points == ONGOING
        for ply in range(2, plies + 1):
            order = np.flatnonzero(depth == ply - 1)
            order = order[np.argsort(-equity[order], kind="stable")][: self.most_candidates]
            order = order[equity[order] >= equity[order[0]] - self.margin]
            deeper = order[going[order]]
            values[deeper] = self.looked_at(states[deeper], ply - 1)
            equity[deeper] = equities(values[deeper]) * np.where(turned[deeper], -1, 1)
            depth[order] = ply
        return Judgement(actions, _turned(values, turned), equity, depth)

    def candidates(self, position: Position) -> tuple[Candidate, ...]:
        """All moves of a position: those that were looked at most deeply come first, the best first among them.

        Raises:
            BadInputError: If no seat is to move.
        """
        if position.is_over or position.awaits_chance:
            raise BadInputError("no seat is to move: the contest is over, or chance must decide something first")
        judged = self.judge(position.state)
        order = np.lexsort((-judged.equities, -judged.plies))
        return tuple(
            Candidate(
                judged.move(which),
                int(judged.plies[which]),
                tuple(judged.probabilities[which].tolist()),
                float(judged.equities[which]),
            )
            for which in order
        )


def _turned(probabilities: Probabilities, turned: NDArray[np.bool_]) -> Probabilities:
    """The rows that are flagged, as the other seat sees them; in a game where turns alternate, all that go on."""
    return np.where(turned[:, None], probabilities[:, OTHER_SEAT], probabilities)
