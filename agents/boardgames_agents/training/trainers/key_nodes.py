"""Key-node training: lessons that lead the learner to its own errors. This trainer is ours.

Epstein 1994 ends with the demand that "a good trainer should not leave the introduction of essential material [...] to
chance; the trainer should make certain that the learner encounters it". The essential material depends on the learner:
before each lesson this trainer asks for its choices and steers towards the error that would cost it most.
"""

from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from boardgames_agents.experts.perfect import PerfectPlayer
from boardgames_agents.policy import Distribution, Learner, MarkovPolicy, Policy, uniform
from boardgames_agents.training.trainers import Meeting, against, trainer
from boardgames_agents.training.trainers.lessons import LessonsAndPractice
from boardgames_env.errors import require
from boardgames_env.game import Game
from boardgames_env.position import Position
from boardgames_env.solve import Solution, demand_solvable

_AS_GOOD = 1e-9

_SAMPLES = 16
_SEED = 1994
_SWEEPS = 200
_SETTLED = 1e-9

PATIENCE = 0.99
"""Discount of an error's cost for each action before it, so that of equal errors the nearest counts most."""


@runtime_checkable
class RemembersErrors(Protocol):
    """A learner that knows which actions led to the positions in which it errs."""

    def openings_to_errors(self, seat: int) -> Sequence[tuple[int, ...]]:
        """Return the actions that led to positions in which it errs in a seat, the costliest first."""


@trainer("key_nodes")
class KeyNodes(LessonsAndPractice):
    """Lesson and practice training whose lessons lead the learner, by correct moves, to its costliest errors.

    Contests begin at the initial position. The trainer predicts the learner by its frozen policy, and chooses among its
    own correct moves those after which the learner's next error is expected to cost most points. Where no error is
    expected it plays like the perfect player. Once the learner makes no error against correct play, the trainer errs
    where that leads the learner to an error; in such a lesson it does not count as an expert. If errors cannot be seen
    from the initial position and the learner remembers some (`RemembersErrors`), the lesson begins at the costliest.

    Args:
        game: The game; it must be small enough to be solved.
        lessons: Consecutive lessons.
        practice: Consecutive practice contests.
        errors: Whether the trainer may err.
        budget: The greatest number of positions at which the learner is asked before a lesson. If it is too small for
            all positions that matter, the trainer sees errors only some plies ahead, and never errs itself.

    Raises:
        BadInputError: If the game has dice or is too large to be solved, or an option is not allowed.
    """

    def __init__(self, game: Game, lessons: int = 2, practice: int = 7, errors: bool = True, budget: int = 600) -> None:
        super().__init__(game, lessons, practice)
        demand_solvable(game)  # (where perfect players know the solution of a game with dice)
        require(2, budget=budget)
        self._game, self._errors, self._budget = game, errors, budget

    def lesson(self, seat: int, learner: Learner) -> Meeting:
        """Return a lesson against a `SteeringPlayer`."""
        prediction = PolicyPrediction(learner.frozen(), self._game, seat)
        player = SteeringPlayer(self._game, prediction, seat, self._budget, errs=False)
        if self._errors and player.expects == 0 and player.forecast.is_complete:
            erring = SteeringPlayer(self._game, prediction, seat, self._budget, errs=True)
            if erring.expects > 0:
                return Meeting(against(erring, seat, learner).players, (seat,))
        if player.expects == 0 and isinstance(learner, RemembersErrors):
            for opening in learner.openings_to_errors(seat)[:1]:
                return against(player, seat, learner, opening)
        return against(player, seat, learner)


class SteeringPlayer(PerfectPlayer):
    """A perfect player that leads a learner to its costliest error: if it ``errs``, not by correct actions alone."""

    def __init__(self, game: Game, prediction: "PolicyPrediction", seat: int, budget: int, errs: bool) -> None:
        super().__init__(game)
        self.spec = "steering"
        self._errs = errs
        self.forecast = ErrorForecast(self.table, prediction, seat, self._allowed, budget)

    @property
    def expects(self) -> float:
        """The points that the learner's first error in a contest is expected to cost."""
        return self.forecast.of(self.table.game.initial)

    def distribution(self, position: Position, left: int | None = None) -> Distribution:
        """Return the actions after which the learner is expected to lose most, the correct ones if there are any."""
        correct = super().distribution(position, left)[0]
        allowed = position.legal_actions if self._errs else correct
        costs = {action: self.forecast.of(position.after(action)) for action in allowed}
        most = max(costs.values())
        best = [action for action in allowed if costs[action] >= most - _AS_GOOD]
        return uniform(tuple(action for action in best if action in correct) or tuple(best))

    def _allowed(self, position: Position) -> tuple[int, ...]:
        return position.legal_actions if self._errs else super().distribution(position)[0]


class PolicyPrediction:
    """The probabilities of the actions of a policy whose choices depend on the position alone.

    Those of a policy that is not a `MarkovPolicy` are estimated from 16 choices.
    """

    def __init__(self, policy: Policy, game: Game, seat: int) -> None:
        policy.begin(game, (seat,), np.random.default_rng(_SEED))
        self._policy = policy

    def __call__(self, position: Position) -> Distribution:
        """Return the actions it may choose in a position and their probabilities."""
        if isinstance(self._policy, MarkovPolicy):
            return self._policy.legal_distribution(position)
        times = Counter(self._policy.choose(position) for _ in range(_SAMPLES))
        chosen = sorted(times)
        return tuple(chosen), tuple(times[action] / _SAMPLES for action in chosen)


@dataclass(slots=True)
class _Node:
    """A position of the search, with the expected cost of the learner's next error.

    An edge is the probability and cost of an action, and the key of the position it leads to unless the contest ends.
    """

    edges: list[tuple[float, int, bytes | None]]
    is_learner: bool
    cost: float = 0.0


class ErrorForecast:
    """The expected cost of a learner's next error, in points, if the other seat provokes it.

    A learner errs when the position it moves to has a lower value for it than the one it moves from. The search is an
    expectimax up to the first error: the other seat maximizes the cost, the learner plays as predicted. Positions are
    searched breadth first, those that symmetries map to each other once. Positions that are not searched count as free
    of errors.

    Args:
        allowed: Returns the actions that the other seat may play.
        budget: Number of positions at which the learner may be asked; each search takes at most half of the rest.

    Attributes:
        is_complete: Whether all positions that can be reached from the searched ones are searched.
    """

    def __init__(
        self,
        table: Solution,
        predict: PolicyPrediction,
        seat: int,
        allowed: Callable[[Position], Sequence[int]],
        budget: int,
    ) -> None:
        self._table, self._predict, self._seat, self._allowed = table, predict, seat, allowed
        self.is_complete = True
        self._left = budget
        self._nodes: dict[bytes, _Node] = {}

    def of(self, position: Position) -> float:
        """Return the expected cost from a position on."""
        if position.is_over:
            return 0.0
        if position.canonical not in self._nodes:
            self._search(position)
        return self._cost(position.canonical)

    def _search(self, start: Position) -> None:
        """Search the positions that can be reached from one, until half of the rest of the budget is spent."""
        least = self._left // 2
        waiting = deque([start])
        while waiting and self._left > least:
            position = waiting.popleft()
            key = position.canonical
            if key not in self._nodes:
                self._nodes[key], leads_to = self._node(position)
                self._left -= self._nodes[key].is_learner
                waiting += leads_to
        self.is_complete &= not waiting
        self._settle()

    def _node(self, position: Position) -> tuple[_Node, list[Position]]:
        """Return the node of a position, and the positions after it that are to be searched."""
        is_learner = position.seat == self._seat
        if is_learner:
            actions, probabilities = self._predict(position)
        else:
            actions = tuple(self._allowed(position))
            probabilities = (1.0,) * len(actions)
        node, leads_to = _Node([], is_learner), []
        value = self._table.value_for(position, self._seat)
        for action, probability in zip(actions, probabilities, strict=True):
            reached = position.play(action)
            cost = value - self._table.value_for(reached, self._seat) if is_learner else 0
            node.edges.append((probability, cost, None if reached.is_over else reached.canonical))
            if not cost and not reached.is_over:
                leads_to.append(reached)
        return node, leads_to

    def _settle(self) -> None:
        """Back up costs until they no longer change: once, unless positions recur."""
        backwards = list(reversed(self._nodes.values()))
        for _ in range(_SWEEPS):
            change = 0.0
            for node in backwards:
                costs = [probability * (cost or PATIENCE * self._cost(key)) for probability, cost, key in node.edges]
                cost = sum(costs) if node.is_learner else max(costs)
                change = max(change, abs(cost - node.cost))
                node.cost = cost
            if change < _SETTLED:
                break

    def _cost(self, key: bytes | None) -> float:
        node = self._nodes.get(key) if key else None
        return node.cost if node else 0.0
