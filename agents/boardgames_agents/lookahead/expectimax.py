"""Expectimax: the best move by look-ahead with an evaluator.

Ply 1 evaluates the position after a move. Ply 2 examines all chance events there, lets the other seat choose its best
reply by ply 1, and takes the mean; ply 3 lets it choose by ply 2. Only what looks good at a ply is examined more
deeply. This is TD-Gammon's look-ahead (Tesauro 1995).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf

import numpy as np

from boardgames_agents.lookahead.evaluator import (
    OTHER_SEAT,
    BestReplies,
    Evaluator,
    Preferences,
    Probabilities,
    ReplyEvaluator,
    equities,
    seen_by,
)
from boardgames_agents.lookahead.expansion import Replies, find_best_row, prune
from boardgames_agents.lookahead.replies import Replier, finished, folded
from boardgames_agents.lookahead.utility import Utility
from boardgames_env.errors import BadInputError, require
from boardgames_env.game import Game
from boardgames_env.kernels import ONGOING, Actions, State
from boardgames_env.kernels.signatures import Bools, Float64s, Int8s, Int32s
from boardgames_env.moves import actions_of
from boardgames_env.position import Position, demand_turn

MOST_PLIES = 4
"""The greatest depth of a look-ahead; one more would take minutes a decision."""

_OF_REPLIES = 0.25
"""The part of the margin of candidates by which replies may differ: the second best rarely is better in the end."""


@dataclass(frozen=True)
class Candidate:
    """A move as the look-ahead evaluates it.

    Attributes:
        actions: Its actions, in order.
        plies: The depth to which it was examined.
        probabilities: The mover's probabilities to win 1, 2, 3 points, and to lose 1, 2, 3.
        equity: The mover's expected points, without the doubling cube; at the score of a match, its expected utility.
    """

    actions: tuple[int, ...]
    plies: int
    probabilities: tuple[float, ...]
    equity: float


@dataclass(frozen=True)
class EvaluatedMoves:
    """All moves of a position as arrays, in the order of the game's ``moves`` kernel.

    Attributes:
        actions: The actions of each move, followed by -1; shape ``(moves, actions)``.
        probabilities: The mover's probabilities after each move; shape ``(moves, 6)``.
        equities: The mover's expected utility after each move; shape ``(moves,)``.
        plies: The depth to which each move was examined; shape ``(moves,)``.
    """

    actions: Actions
    probabilities: Probabilities
    equities: Float64s
    plies: Int32s

    @property
    def best(self) -> int:
        """The best of the moves examined most deeply, the first of equals."""
        deepest = self.plies == self.plies.max()
        return int(np.where(deepest, self.equities, -np.inf).argmax())

    def move(self, which: int) -> tuple[int, ...]:
        """Return the actions of a move."""
        return actions_of(self.actions[which])


_NO_NUMBERS = "what an evaluator predicts of a position are not all numbers; the weights of a network may be too large"


def _demand_numbers(found: Float64s) -> None:
    """Raise `BadInputError` unless all equities are finite."""
    if not np.isfinite(found).all():
        raise BadInputError(_NO_NUMBERS)


class Expectimax:
    """Look-ahead in a game, or in one game of a match.

    It is an `Evaluator` itself, and always leaves the stakes as they are.

    Args:
        game: The game; where contests are matches, it looks ahead in `Game.part`.
        evaluator: The evaluator of the positions at the horizon.
        plies: Plies of look-ahead of `candidates` and `evaluate_moves`, from 1 to `MOST_PLIES`.
        candidates: Most moves that are examined more deeply.
        margin: Largest difference of these from the best move, in points.
        replies: Most replies that are examined more deeply, with 3 plies or more, if they are within a quarter of the
            margin.
        utility: The utility by which seats choose; by default that of the game.

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
        utility: Utility | None = None,
    ) -> None:
        require(1, MOST_PLIES, plies=plies)
        require(1, candidates=candidates, replies=replies)
        require(0, inf, margin=margin)
        game = game.part
        self.game, self.evaluator, self.plies = game, evaluator, plies
        self.most_candidates, self.margin, self.most_replies = candidates, margin, replies
        self.replier = Replier(game)
        self.utility = utility or Utility(game)

    @cached_property
    def to_double(self) -> "Expectimax":
        """The look-ahead for cube decisions, in which gammons count that do not until a double is taken."""
        if not self.utility.has_jacoby:
            return self
        return Expectimax(
            *(self.game, self.evaluator, self.plies, self.most_candidates, self.margin, self.most_replies),
            Utility(self.game, to_double=True),
        )

    def outcome_probabilities(self, states: Int8s) -> Probabilities:
        """Return the probability of each outcome by ``plies - 1`` plies; see `Evaluator`."""
        return self.look_ahead(states, self.plies - 1)

    def look_ahead(self, states: Int8s, plies: int) -> Probabilities:
        """Return the probability of each outcome to the mover; with 0 plies, the evaluator's.

        The states are not over and await chance, all at the same stakes; shape ``(n, state_size)``.
        """
        if len(states) == 0:
            return np.empty((0, 6), dtype=np.float32)
        if plies == 0:
            found = np.ascontiguousarray(self.evaluator.outcome_probabilities(states), dtype=np.float32)
            if found.shape != (len(states), 6):
                raise BadInputError(f"an evaluator returned shape {found.shape}; it must return ({len(states)}, 6)")
            return found
        if plies == 1:
            return self.best_replies(states).means
        replies = self.replier.to(states)
        values = self.values(replies.states, replies.points)
        kept = self.deepened(replies, values, plies - 1, self.most_replies, self.margin * _OF_REPLIES)
        means, _ = folded(replies, values, self.utility.of(states[0]), kept)
        return means.astype(np.float32)

    def best_replies(self, states: Int8s, draws: Float64s | None = None, number: int = 0) -> BestReplies:
        """Find the best replies to events by one ply; see `ReplyEvaluator.best_replies`.

        Args:
            states: Positions that are not over and await chance, all at the same stakes; shape ``(n, state_size)``.
            draws: For each state a random number from 0 to 1, which draws events; shape ``(n,)``; 0 by default.
            number: The number of events that are drawn for each state.
        """
        evaluator = self.evaluator
        draws = np.zeros(len(states)) if draws is None else draws
        if not isinstance(evaluator, ReplyEvaluator) or not (quick := evaluator.finds_replies(states)).any():
            return self._listed_replies(states, draws, number)
        first = states[0]
        preferences = Preferences(self.utility.of(first), self.replier.decline, self.replier.stake(first))
        found = evaluator.best_replies(states[quick], preferences, draws[quick], number)
        if quick.all():
            return found
        size = states.shape[1]
        means = np.empty((len(states), 6), dtype=np.float32)
        reached = np.empty((len(states), number, size), dtype=np.int8)
        predicted = np.empty((len(states), number, 6), dtype=np.float32)
        listed = self._listed_replies(states[~quick], draws[~quick], number)
        for rows, part in ((quick, found), (~quick, listed)):
            means[rows], reached[rows] = part.means, part.states.reshape(len(part.means), number, size)
            predicted[rows] = part.probabilities.reshape(len(part.means), number, 6)
        return BestReplies(means, reached.reshape(-1, size), predicted.reshape(-1, 6))

    def _listed_replies(self, states: Int8s, draws: Float64s, number: int) -> BestReplies:
        """Find the best replies by listing and evaluating all."""
        replies = self.replier.to(states)
        values = self.values(replies.states, replies.points)
        means, best = folded(replies, values, self.utility.of(states[0]))
        roots = np.arange(len(states))[:, np.newaxis]
        shares = roots + (draws[:, np.newaxis] + np.arange(number)) / max(number, 1)
        first, last = (np.searchsorted(replies.groups[:, 1], roots, side) for side in ("left", "right"))
        group = np.searchsorted(replies.weights.cumsum(), shares, "right").clip(first, last - 1)
        row = best[group].reshape(-1)
        reached, predicted = replies.states[row], values[row]
        predicted = seen_by(np.repeat(states[:, 0], number), reached[:, 0], predicted)
        return BestReplies(means.astype(np.float32), reached, predicted)

    def deepened(
        self, replies: Replies, values: Probabilities, plies: int, most: int | None = None, margin: float | None = None
    ) -> Bools | None:
        """Examine the replies that look good more deeply, and overwrite the values of their states.

        Args:
            replies: The replies.
            values: The probabilities of their states.
            plies: Plies of look-ahead from these; 0 changes nothing.
            most: Most replies of a group; by default the number of candidates.
            margin: Largest difference of these from the best, in points; by default that of candidates.

        Returns:
            Flags of the replies examined, or ``None`` for all.
        """
        if plies == 0:
            return None
        kept = np.empty(len(replies.which), dtype=np.bool_)
        utility = self.utility.of(replies.roots[0])
        margin = self.margin if margin is None else margin
        prune.run(replies, values, utility, most or self.most_candidates, margin, kept)
        deeper = np.zeros(len(values), dtype=np.bool_)
        deeper[replies.which[kept]] = True
        deeper &= replies.points == ONGOING
        values[deeper] = self.look_ahead(replies.states[deeper], plies)
        return kept

    def values(self, states: Int8s, points: Int32s) -> Probabilities:
        """Return the probability of each outcome to the mover, exact where the contest is over."""
        over = points != ONGOING
        if not over.any():
            return self.look_ahead(states, 0)
        values = np.empty((len(states), 6), dtype=np.float32)
        values[over] = finished(points[over], states[over, 0], self.replier.stake(states[0]))
        values[~over] = self.look_ahead(states[~over], 0)
        return values

    def best_move(self, state: State) -> tuple[int, ...]:
        """Return the actions of the best move in a position in which a seat is to move."""
        if self.plies > 1:
            moves = self.evaluate_moves(state)
            return moves.move(moves.best)
        states, points, actions, all_go_on = self.replier.of_move(state)
        values = self.look_ahead(states, 0) if all_go_on else self.values(states, points)
        best = find_best_row.run(values, states, state[0], self.utility.of(state))
        if best < 0:
            raise BadInputError(_NO_NUMBERS)
        return actions_of(actions[best])

    def evaluate_moves(self, state: State) -> EvaluatedMoves:
        """Evaluate all moves in a state in which a seat is to move."""
        states, points, actions, all_go_on = self.replier.of_move(state)
        values = self.look_ahead(states, 0) if all_go_on else self.values(states, points)
        turned, utility = states[:, 0] != state[0], self.utility.of(state)[states[:, 0]]
        equity = equities(values, utility)
        _demand_numbers(equity)
        equity[turned] *= -1
        depth = np.ones(len(states), dtype=np.int32)
        actions = actions.copy()  # (the replier overwrites them)
        if self.plies > 1:
            states = states.copy()
            going = points == ONGOING
        for ply in range(2, self.plies + 1):
            order = np.flatnonzero(depth == ply - 1)
            order = order[np.argsort(-equity[order], kind="stable")][: self.most_candidates]
            order = order[equity[order] >= equity[order[0]] - self.margin]
            deeper = order[going[order]]
            values[deeper] = self.look_ahead(states[deeper], ply - 1)
            equity[deeper] = equities(values[deeper], utility[deeper]) * np.where(turned[deeper], -1, 1)
            _demand_numbers(equity[deeper])
            depth[order] = ply
        values = seen_by(state[:1], states[:, 0], values)
        return EvaluatedMoves(actions, values, equity, depth)

    def candidates(self, position: Position) -> tuple[Candidate, ...]:
        """Return all moves, those examined most deeply first, the best first among them.

        Raises:
            BadInputError: If no seat is to move in a position of the game.
        """
        position = position.part
        demand_turn(position, self.game)
        moves = self.evaluate_moves(position.state)
        order = np.lexsort((-moves.equities, -moves.plies))
        return tuple(
            Candidate(
                moves.move(which),
                int(moves.plies[which]),
                tuple(moves.probabilities[which].tolist()),
                float(moves.equities[which]),
            )
            for which in order
        )

    def candidate(self, position: Position, actions: Sequence[int]) -> Candidate:
        """Return one move, examined as deeply as the best ones."""
        reached = position.part.after(*actions)
        state, seat = self.replier.settled(reached).state, position.seat
        points = reached.outcome
        if points is not None:
            stake = self.replier.stake(state)
            row = finished(np.array([points], dtype=np.int32), np.array([seat], dtype=np.int8), stake)[0]
        else:
            row = self.look_ahead(state[np.newaxis], self.plies - 1)[0]
            row = row if state[0] == seat else row[OTHER_SEAT]
        equity = float(equities(row, self.utility.of(position.state)[seat]))
        return Candidate(tuple(actions), self.plies, tuple(row.tolist()), equity)
