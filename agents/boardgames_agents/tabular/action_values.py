"""Q-learning and Monte-Carlo control with a table, for any game without chances.

Implementation details, numbered:

1. *Values* are those of the positions after actions (afterstates: Sutton and Barto 2018, section 6.8), up to the
   board's symmetries, in points of seat 0. The value of an unknown position is 0, that of a final one its points.
2. *Q-learning* (Watkins 1989) moves the value of a position towards that of the best action from there for the seat to
   move, whatever was played: the maximum for seat 0, the minimum for seat 1 (Littman 1994). The positions of a contest
   are learned from at its end, the last one first.
3. *Monte-Carlo control* (Sutton and Barto 2018, sections 5.1 and 5.4; every-visit): the value of a position is the mean
   of the points of all contests that went through it, once per visit. A watching learner therefore learns the values
   under the players' play.
4. *Exploration* is ε-greedy, and ties are broken at random.
5. A contest that a limit cuts short counts as drawn, as it does in scores.

Sources: C. Watkins, *Learning from Delayed Rewards* (1989); M. Littman, *Markov games as a framework for multi-agent
reinforcement learning* (1994); R. Sutton and A. Barto, *Reinforcement Learning*, second edition (2018).
"""

from abc import abstractmethod
from collections.abc import Mapping, Sequence

import numpy as np

from boardgames_agents.policy import Distribution, Learner, MarkovPolicy, Rng, Snapshot, uniform
from boardgames_agents.policy.explanation import (
    ConsideredMove,
    Explanation,
    counted,
    explanation_of_moves,
    shares_of,
    signed,
)
from boardgames_agents.record import Record
from boardgames_agents.registry import agent
from boardgames_env.chance import refuse_chance
from boardgames_env.errors import BadInputError, require
from boardgames_env.game import Game
from boardgames_env.position import Position, demand_turn


class ValueTable:
    """The values of positions of one game, in points of seat 0.

    It remembers what the rules say of the positions it was asked about: their keys, and where actions lead.
    """

    def __init__(self, values: Mapping[bytes, float] | None = None) -> None:
        self.values = dict(values or {})
        self._keys: dict[bytes, bytes] = {}
        self._reached: dict[bytes, tuple[tuple[int, bytes, int | None], ...]] = {}

    def copy(self) -> "ValueTable":
        """Return a copy of the values; what the rules say is shared."""
        made = ValueTable(self.values)
        made._keys, made._reached = self._keys, self._reached
        return made

    def __reduce__(self) -> tuple[type["ValueTable"], tuple[dict[bytes, float]]]:
        return ValueTable, (self.values,)

    def key(self, position: Position) -> bytes:
        """Return the canonical form of a position under the board's symmetries."""
        if position.key not in self._keys:
            self._keys[position.key] = position.canonical
        return self._keys[position.key]

    def value(self, position: Position) -> float:
        """Return the value of a position."""
        return self.values.get(self.key(position), 0.0) if position.outcome is None else position.outcome

    def knows(self, position: Position) -> bool:
        """Return whether the table holds a position, or the rules say its value."""
        return position.is_over or self.key(position) in self.values

    def best(self, position: Position) -> tuple[float, tuple[int, ...]]:
        """Return the value of the best actions from a position, and these actions."""
        if position.key not in self._reached:
            after = {action: position.after(action) for action in position.legal_actions}
            self._reached[position.key] = tuple(
                (action, self.key(reached), reached.outcome) for action, reached in after.items()
            )
        values = {
            action: self.values.get(key, 0.0) if outcome is None else outcome
            for action, key, outcome in self._reached[position.key]
        }
        best = max(values.values()) if position.seat == 0 else min(values.values())
        return best, tuple(action for action, value in values.items() if value == best)


_CURVES = {
    "positions": "number of positions, up to symmetry, in the table",
    "initial value": "the best of the values, in points of seat 0, of the positions after the first action",
}


class TabularLearner(Learner):
    """A learner of values of positions, which plays to the best of them.

    Raises:
        BadInputError: If the game is one of chance, or ``epsilon`` is not a probability.
    """

    def __init__(self, game: Game, epsilon: float = 0.2) -> None:
        refuse_chance(game, "a table of the positions after a roll would be as large as the game")
        require(0, 1, epsilon=epsilon)
        self._game, self._epsilon = game, epsilon
        self.table = ValueTable()
        self.visits: dict[bytes, int] = {}
        self._reached: list[Position] = []

    def begin(self, game: Game, seats: tuple[int, ...], rng: Rng) -> None:
        """Start a contest."""
        super().begin(game, seats, rng)
        self._reached = []

    def choose(self, position: Position) -> int:
        """Return a best action or, with probability ``epsilon``, any."""
        strays = self.rng.random() < self._epsilon
        actions = position.legal_actions if strays else self.table.best(position)[1]
        return actions[int(self.rng.integers(len(actions)))]

    def saw(self, position: Position, action: int) -> None:
        """Record the position after the action."""
        self._reached.append(position.play(action))

    def end(self, record: Record) -> None:
        """Learn from all positions of the contest."""
        self.learn_from(self._reached, record.outcome)
        self._reached = []

    @abstractmethod
    def learn_from(self, reached: Sequence[Position], outcome: int) -> None:
        """Learn from the positions of a contest in order, and seat 0's points at its end."""

    def move_towards(self, position: Position, target: float, rate: float) -> None:
        """Move the value of a position towards a target."""
        key, value = self.table.key(position), self.table.value(position)
        self.visits[key] = self.visits.get(key, 0) + 1
        self.table.values[key] = value + rate * (target - value)

    def frozen(self) -> "TabularPlayer":
        """Return a player with a copy of the table."""
        return TabularPlayer(self.table.copy())

    def knowledge(self) -> Mapping[str, float]:
        """Return the number of positions in the table and the value of the initial one."""
        return {"positions": len(self.table.values), "initial value": self.table.best(self._game.initial)[0]}

    def snapshot(self) -> Snapshot:
        """Return the table, a row for each position."""
        keys = sorted(self.table.values)
        states = np.frombuffer(b"".join(keys), dtype=np.int8).reshape(len(keys), self._game.state_size)
        values = np.array([self.table.values[key] for key in keys], dtype=np.float64)
        visits = np.array([self.visits[key] for key in keys], dtype=np.int64)
        return Snapshot({"states": states, "worths": values, "visits": visits})

    def restore(self, snapshot: Snapshot) -> None:
        """Restore the table of a snapshot."""
        arrays = snapshot.arrays
        if set(arrays) != {"states", "worths", "visits"} or arrays["states"].shape[1:] != (self._game.state_size,):
            raise BadInputError(f"the snapshot holds no table of positions of {self._game.spec}")
        if len({len(array) for array in arrays.values()}) > 1:
            raise BadInputError("the snapshot's table has columns of different lengths")
        keys = [state.tobytes() for state in arrays["states"].astype(np.int8)]
        self.table = ValueTable(dict(zip(keys, arrays["worths"].tolist(), strict=True)))
        self.visits = dict(zip(keys, arrays["visits"].tolist(), strict=True))


@agent("q_learning", for_people="Table learner: writes down how good each position is, move by move", curves=_CURVES)
class QLearner(TabularLearner):
    """Q-learning with a table: the value of a position is that of the best action from there.

    Args:
        alpha: The learning rate, above 0 and at most 1.
        epsilon: Probability of a random action while it learns.

    Raises:
        BadInputError: For a rate that is not allowed, and as for `TabularLearner`.
    """

    def __init__(self, game: Game, alpha: float = 0.3, epsilon: float = 0.2) -> None:
        super().__init__(game, epsilon)
        if not 0 < alpha <= 1:
            raise BadInputError(f"alpha={alpha} is not allowed; it is above 0 and at most 1")
        self._alpha = alpha

    def learn_from(self, reached: Sequence[Position], outcome: int) -> None:
        """Move the last position towards the outcome, the others towards the value of their best action."""
        for position in reversed(reached):
            target = outcome if position is reached[-1] else self.table.best(position)[0]
            self.move_towards(position, target, self._alpha)


@agent("mc_control", for_people="Table of results: writes down how games went on from each position", curves=_CURVES)
class MonteCarloLearner(TabularLearner):
    """Monte-Carlo control with a table: the value of a position is the mean outcome of its contests.

    Args:
        epsilon: Probability of a random action while it learns.

    Raises:
        BadInputError: As for `TabularLearner`.
    """

    def learn_from(self, reached: Sequence[Position], outcome: int) -> None:
        """Average the outcome into the value of every position."""
        for position in reversed(reached):
            self.move_towards(position, outcome, 1 / (1 + self.visits.get(self.table.key(position), 0)))


class TabularPlayer(MarkovPolicy):
    """A player of the best actions by a table."""

    def __init__(self, table: ValueTable) -> None:
        super().__init__()
        self._table = table

    def distribution(self, position: Position) -> Distribution:
        """Return the best actions, equally likely."""
        return uniform(self._table.best(position)[1])

    def explanation(self, position: Position, played: int | None = None) -> Explanation:
        """Return the values of all actions to the seat to move. An arrow marks the action played."""
        demand_turn(position, position.game)
        sign = 1 - 2 * position.seat
        reached = {action: position.after(action) for action in position.legal_actions}
        values = {action: sign * self._table.value(after) + 0.0 for action, after in reached.items()}
        _, best = self._table.best(position)
        ordered = sorted(values, key=lambda action: -values[action])
        weights = shares_of([values[action] for action in ordered])
        known = {action: self._table.knows(after) for action, after in reached.items()}
        moves = [
            ConsideredMove(
                position.game.action_text(action),
                (signed(values[action], 3), "yes" if known[action] else "no"),
                mark=signed(values[action], 2) if known[action] else "?",
                weight=weight,
                is_chosen=action in best,
                alike=((action,),),
            )
            for action, weight in zip(ordered, weights, strict=True)
        ]
        return explanation_of_moves(
            "decided by a table of values",
            moves,
            legend="the points that each move can expect, and ? where that is not known",
            numbers=("value",),
            texts=("in the table",),
            played=played,
            facts=(f"the table holds {counted(len(self._table.values), 'position')}, up to symmetry",),
            glossary=("value: the points that the seat to move expects after the action; unknown ones count 0",),
        )
