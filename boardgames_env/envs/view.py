"""Games, observations and masks of legal actions, for all environments."""

from collections.abc import Callable
from inspect import signature
from operator import index
from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Discrete, Space
from gymnasium.vector import SyncVectorEnv
from numba import types
from numpy.typing import NDArray

from boardgames_env.envs.observations import Observation, Observations
from boardgames_env.errors import BadInputError, UnknownOptionError
from boardgames_env.game import Game
from boardgames_env.games import GameEntry, make_game
from boardgames_env.kernels import STATE, Actions, State, kernel
from boardgames_env.kernels.signatures import INT32_1D

Mask = NDArray[np.int8]

ILLEGAL_REWARD = -1
"""The reward of a seat for an illegal action, which ends the contest. The other seat's reward is 0."""

MASK_AT_THE_END = 1
"""What the mask of every action is once the contest is over, as in pgx.

So an action can still be drawn by the mask where it has no effect, as in the step in which a batch resets a copy.
"""

_TAKERS: tuple[Callable[..., Any], ...] = (gymnasium.Env.reset, gymnasium.make, gymnasium.make_vec, SyncVectorEnv)
"""Functions of Gymnasium whose arguments are easily given to an environment."""


def chosen_game(game: Game | str, options: dict[str, Any]) -> Game:
    """Return the game of an environment: the one given, or that of a spec and options.

    An unknown option raises a `TypeError`, too, in Python's words: some libraries (TorchRL) try an argument and leave
    it out after such an error. The error names the function of Gymnasium that takes the argument, if there is one.
    """
    if isinstance(game, Game) and not options:
        return game
    try:
        return make_game(game.spec if isinstance(game, Game) else game, **options)
    except UnknownOptionError as error:
        takers = [each.__qualname__ for each in _TAKERS if error.option in signature(each).parameters]
        why = f"it is an argument of {takers[0]}, not an option of the game" if takers else error
        raise UnknownOptionError(f"unexpected keyword argument {error.option!r}: {why}", error.option) from None


def module_name(game: GameEntry | Game) -> str:
    """Return the name of the module that stands for a game, as PettingZoo's do; its docstring is the game's page."""
    return f"boardgames_env.{game.name}_v{game.version}"


def show_page(env: Any) -> None:
    """Let ``inspect.getmodule(env)`` return the game's module, where PettingZoo's LangChain agents read the rules."""
    if env.game.factory is not None:
        env.__module__ = module_name(env.game)


def action_space(game: Game) -> Space[Any]:
    """Return the space of actions: every action of the game, legal or not."""
    return Discrete(game.num_actions)


class Observer:
    """The observations and masks of one environment, in fresh arrays; by default the flat observations."""

    def __init__(self, game: Game, observations: Observations | None = None) -> None:
        self._game = game
        self.observations = observations or Observations(game)
        self._legal = np.empty(game.num_actions, dtype=np.int32)

    def observation(self, state: State, seat: int) -> Observation:
        """Return the game's features as a seat sees them, in the form of the observations."""
        features = np.empty(self._game.num_features, dtype=np.float32)
        self._game.rules.encode.run(state, seat, features)
        return self.observations.show(features)

    def mask(self, state: State, is_over: bool = False) -> Mask:
        """Return the mask of the seat to move, or that at the end; shape ``(num_actions,)``."""
        if is_over:
            return np.full(self._game.num_actions, MASK_AT_THE_END, dtype=np.int8)
        count = self._game.rules.legal.run(state, self._legal)
        mask = np.zeros(self._game.num_actions, dtype=np.int8)
        _mark.run(self._legal, count, mask)
        return mask


@kernel(types.void(INT32_1D, types.int64, STATE))
def _mark(actions: Actions, count: int, mask: Mask) -> None:
    for k in range(count):
        mask[actions[k]] = 1


def as_seed(seed: Any) -> int | None:
    """Return a seed as Gymnasium takes it; raise `BadInputError` if it is not a whole number of at least 0."""
    try:
        number = None if seed is None else index(seed)
    except TypeError:
        number = -1
    if number is not None and number < 0:
        raise BadInputError(f"seed={seed!r} is not allowed; a seed is a whole number of at least 0")
    return number


def as_action(action: Any) -> int:
    """Return an action as an integer, perhaps none of the game's; raise `BadInputError` if it is not one."""
    try:
        return index(action)
    except TypeError:
        raise BadInputError(f"{action!r} is not an action; an action is a whole number") from None
