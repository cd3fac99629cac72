"""Policies that choose a whole move at the start of a turn and play it action by action."""

from abc import abstractmethod
from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from boardgames_agents.policy import Policy, Rng
from boardgames_env.game import Game
from boardgames_env.kernels.signatures import Int8s, Int64s
from boardgames_env.position import Position


class Plan:
    """The rest of a chosen move: an action for each position that the move passes through."""

    def __init__(self) -> None:
        self._actions: dict[bytes, int] = {}

    def action(self, key: bytes) -> int | None:
        """Return the planned action in the position with a key, or ``None`` if the move does not pass through it."""
        return self._actions.get(key) if self._actions else None

    def begin(self, position: Position, actions: tuple[int, ...]) -> int:
        """Replace the plan by the actions of a move from a position; return the first one."""
        self._actions = {}
        if len(actions) > 1:
            play = position.game.rules.play.run
            state = position.state.copy()
            for action, following in pairwise(actions):
                play(state, action)
                self._actions[state.tobytes()] = following
        return actions[0]


class WholeMovePolicy(Policy):
    """A policy that chooses a whole move and remembers the rest of it for the contest.

    In a position that the move does not pass through it chooses another move.

    Attributes:
        is_memoryless: Whether `choose_move` depends on the position alone, and on the generator.
    """

    is_memoryless = False

    def __init__(self) -> None:
        super().__init__()
        self._plan = Plan()

    def begin(self, game: Game, seats: tuple[int, ...], rng: Rng) -> None:
        """Begin a contest without a plan."""
        super().begin(game, seats, rng)
        self._plan = Plan()

    def choose(self, position: Position) -> int:
        """Return the next action of the chosen move."""
        planned = self._plan.action(position.key)
        return self._plan.begin(position, self.choose_move(position)) if planned is None else planned

    def in_batch(self, game: Game, copies: int) -> "PlannedPlayer | None":
        """Return a batch version of this policy if `is_memoryless`; otherwise ``None``."""
        return PlannedPlayer(self, game, copies) if self.is_memoryless else None

    def choose_moves(self, game: Game, states: Int8s, rngs: Sequence[Rng]) -> list[tuple[int, ...]]:
        """Return the actions of a move in each state, chosen with a generator of its own."""
        moves = []
        for state, self.rng in zip(states, rngs, strict=True):
            moves.append(self.choose_move(Position.unchecked(game, state)))
        return moves

    @abstractmethod
    def choose_move(self, position: Position) -> tuple[int, ...]:
        """Return the actions of a move."""


class PlannedPlayer:
    """Plays in the copies of a batch as a `WholeMovePolicy`: a `boardgames_env.envs.opponent.BatchPlayer`."""

    def __init__(self, policy: WholeMovePolicy, game: Game, copies: int) -> None:
        self._policy, self._game = policy, game
        policy.begin(game, (0, 1), np.random.default_rng(0))
        self._plans = [Plan() for _ in range(copies)]
        self._rngs: dict[int, Rng] = {}

    def seed(self, copy: int, rng: Rng) -> None:
        """Take another generator for the contests of a copy."""
        self._rngs[copy] = rng

    def begin(self, copies: Int64s) -> None:
        """Begin contests without plans."""
        for copy in copies:
            self._plans[copy] = Plan()

    def choose(self, states: Int8s, copies: Int64s) -> Int64s:
        """Return the actions that the policy chooses with the plans and generators of the copies."""
        plans = [self._plans[copy] for copy in copies]
        actions = [plan.action(state.tobytes()) for plan, state in zip(plans, states, strict=True)]
        free = [row for row, action in enumerate(actions) if action is None]
        moves = self._policy.choose_moves(self._game, states[free], [self._rngs[int(copies[row])] for row in free])
        for row, move in zip(free, moves, strict=True):
            actions[row] = plans[row].begin(Position.unchecked(self._game, states[row]), move)
        return np.array(actions, dtype=np.int64)
