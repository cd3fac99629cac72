"""Our agents as bots of OpenSpiel."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyspiel

from boardgames_agents.policy import Policy
from boardgames_agents.registry import make_player
from boardgames_baselines.open_spiel.counterparts import counterpart
from boardgames_env.errors import BadInputError
from boardgames_env.position import Position


class PolicyBot(pyspiel.Bot):  # type: ignore[misc, unused-ignore]
    """An agent of ours that plays a game of OpenSpiel as it plays the game's `counterpart`.

    It follows the contest by the history in each state that is passed to ``step(state)``. A contest begins with
    ``restart``, ``restart_at``, or a history that does not continue the previous one. Limits of OpenSpiel are ignored.

    Args:
        agent: The agent, or its spec; a learner's spec makes one that learns no more.
        seed: Base seed; contest k is seeded with `[*seed, k]`.

    Raises:
        BadInputError: If the game has no counterpart, there is no such agent, or it cannot play the game.
    """

    def __init__(self, agent: Policy | str, game: Any, player: int, seed: Sequence[int] = (0,)) -> None:
        super().__init__()
        if player not in (0, 1):
            raise BadInputError(f"player={player!r} is not allowed; it is 0 or 1")
        self._counterpart = counterpart(game)
        self._kind = str(game)
        self.policy = make_player(agent, self._counterpart.game) if isinstance(agent, str) else agent
        self._player = player
        self._seed = tuple(seed)
        self._contests = 0
        self._followed: list[tuple[int, int]] | None = None
        self._has_begun = False
        self.position: Position = self._counterpart.game.initial

    def player_id(self) -> int:
        """Return the seat it plays."""
        return self._player

    def provides_policy(self) -> bool:
        """Return False: it has no probabilities to report."""
        return False

    def restart(self) -> None:
        """Begin another contest with the next state."""
        self._followed = None

    def restart_at(self, state: Any) -> None:
        """Begin another contest at a state that may have a history."""
        self.restart()
        self._follow(state)

    def step(self, state: Any) -> int:
        """Return the number of the action that it chooses in a state.

        Raises:
            BadInputError: If the state is not one of its game in which it is to move.
        """
        self._follow(state)
        if state.current_player() != self._player:
            raise BadInputError(f"player {self._player} is asked for an action where it is not to move: {state}")
        return self._counterpart.choice(self.position, self.policy, state.legal_actions())

    def _follow(self, state: Any) -> None:
        """Play on to a state, reporting every action to the agent, its own as well."""
        if str(state.get_game()) != self._kind:
            raise BadInputError(f"this bot plays {self._kind}, not {state.get_game()}")
        history = [(each.player, each.action) for each in state.full_history()]
        if self._followed is None or history[: len(self._followed)] != self._followed:
            self._begin()
        assert self._followed is not None  # set by _begin
        for player, number in history[len(self._followed) :]:
            if player == pyspiel.PlayerId.CHANCE:
                self.position = self.position.happen(self._counterpart.event(number, opening=not self._has_begun))
                continue
            self._has_begun = True
            for action in self._counterpart.actions(self.position, number):
                self.policy.saw(self.position, action)
                self.position = self.position.after(action)
        self._followed = history

    def _begin(self) -> None:
        self._followed = []
        self._has_begun = False
        self.position = self._counterpart.game.initial
        rng = np.random.default_rng([*self._seed, self._contests])
        self._contests += 1
        self.policy.begin(self._counterpart.game, (self._player,), rng)
