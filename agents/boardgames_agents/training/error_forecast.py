"""Where a learner is expected to err, and how much that would cost it: what a trainer must know to make it happen."""

from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from boardgames_agents.policy import Distribution, MarkovPolicy, Policy
from boardgames_env.game import Game
from boardgames_env.position import Position
from boardgames_env.solve import Solution

Actions = Callable[[Position], Sequence[int]]

_SAMPLES = 16
_SEED = 1994
_SWEEPS = 200
_SETTLED = 1e-9

PATIENCE = 0.99
"""How much of an error's cost counts for each action that it is away: of equal errors, the nearest is the best."""


class Prediction:
    """What a policy is likely to play.

    A policy that does not say how likely its actions are is asked 16 times, with chances of its own.

    Args:
        policy: The policy; it must go by the position alone.
        game: The game.
        seat: The seat it plays.
    """

    def __init__(self, policy: Policy, game: Game, seat: int) -> None:
        policy.begin(game, (seat,), np.random.default_rng(_SEED))
        self._policy = policy

    def __call__(self, position: Position) -> Distribution:
        """The actions it may choose in a position, and how likely each is."""
        if isinstance(self._policy, MarkovPolicy):
            return self._policy.distribution(position)
        times = Counter(self._policy.choose(position) for _ in range(_SAMPLES))
        chosen = sorted(times)
        return tuple(chosen), tuple(times[action] / _SAMPLES for action in chosen)


@dataclass(slots=True)
class _Node:
    """A position that has been looked at.

    Attributes:
        edges: For each action, how likely it is, what the learner throws away by it, and the key of what it leads to,
            if the contest goes on.
        asked: Whether the learner is to move there.
        cost: What the learner is expected to throw away by its next error.
    """

    edges: list[tuple[float, int, bytes | None]]
    asked: bool
    cost: float = 0.0


class Outlook:
    """How many points a learner is expected to throw away by its next error, if the other seat wants it to.

    A learner errs when the position it moves to is worth less to it than the one it moves from. The other seat makes
    the most of what it may play, the learner plays as predicted: expectimax, up to the first error, over the
    positions that can be reached, which are looked at breadth first. Positions that are the same but for the board's
    symmetries are looked at once. What has not been looked at is taken to be free of errors.

    Args:
        table: The game's solution.
        predict: What the learner is likely to play.
        seat: The learner's seat.
        allowed: What the other seat may play.
        budget: At how many positions the learner may be asked, all told. One look takes half of what is left.

    Attributes:
        is_complete: Whether everything that can be reached from where it has looked has been looked at.
    """

    def __init__(self, table: Solution, predict: Prediction, seat: int, allowed: Actions, budget: int) -> None:
        self._table, self._predict, self._seat, self._allowed = table, predict, seat, allowed
        self.is_complete = True
        self._left = budget
        self._nodes: dict[bytes, _Node] = {}

    def of(self, position: Position) -> float:
        """What the learner is expected to throw away from a position on, in points."""
        if position.is_over:
            return 0.0
        key = position.canonical
        if key not in self._nodes:
            self._look(position)
        return self._nodes[key].cost if key in self._nodes else 0.0

    def _look(self, start: Position) -> None:
        """Look at what can be reached from a position, until half of what was left of the budget is spent."""
        least = self._left // 2
        waiting = deque([start])
        while waiting and self._left > least:
            position = waiting.popleft()
            key = position.canonical
            if key not in self._nodes:
                self._nodes[key], leads_to = self._node(position)
                self._left -= self._nodes[key].asked
                waiting += leads_to
        self.is_complete &= not waiting
        self._settle()

    def _node(self, position: Position) -> tuple[_Node, list[Position]]:
        """What there is to know of a position, and the positions to look at after it."""
        asked = position.seat == self._seat
        if asked:
            actions, chances = self._predict(position)
        else:
            actions = tuple(self._allowed(position))
            chances = (1.0,) * len(actions)
        node, leads_to = _Node([], asked), []
        worth = self._table.value_for(position, self._seat)
        for action, chance in zip(actions, chances, strict=True):
            reached = position.after(action)
            cost = worth - self._table.value_for(reached, self._seat) if asked else 0
            node.edges.append((chance, cost, None if reached.is_over else reached.canonical))
            if not cost and not reached.is_over:
                leads_to.append(reached)
        return node, leads_to

    def _settle(self) -> None:
        """Pass costs back until they do not change any more: once, unless positions recur."""
        backwards = list(reversed(self._nodes.values()))
        for _ in range(_SWEEPS):
            change = 0.0
            for node in backwards:
                cost = self._backed_up(node)
                change = max(change, abs(cost - node.cost))
                node.cost = cost
            if change < _SETTLED:
                break

    def _backed_up(self, node: _Node) -> float:
        costs = [chance * (cost or PATIENCE * self._cost(key)) for chance, cost, key in node.edges]
        return sum(costs) if node.asked else max(costs)

    def _cost(self, key: bytes | None) -> float:
        node = self._nodes.get(key) if key else None
        return node.cost if node else 0.0
