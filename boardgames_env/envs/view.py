"""What an environment lets its agents see and do: spaces, masks of legal actions, actions as numbers."""

from operator import index
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Discrete, Space
from numba import types
from numpy.typing import NDArray

from boardgames_env.errors import BadInputError, UnknownOptionError
from boardgames_env.game import Game
from boardgames_env.games import make_game
from boardgames_env.kernels import INDICES, STATE, Actions, State, kernel

Observation = NDArray[np.float32]
Mask = NDArray[np.int8]


def chosen_game(game: Game | str, options: dict[str, Any]) -> Game:
    """The game of an environment: one that is made already, or a spec with options on top.

    Raises:
        BadInputError: For an unknown game or option. An unknown option is a `TypeError` as well, in Python's words:
            there are libraries (TorchRL) that try an argument and do without it if that is what they are told.
    """
    if isinstance(game, Game) and not options:
        return game
    try:
        return make_game(game.spec if isinstance(game, Game) else game, **options)
    except UnknownOptionError as error:
        raise UnknownOptionError(f"unexpected keyword argument {error.option!r}: {error}", error.option) from None


def observation_space(game: Game) -> Space[Any]:
    """A flat vector of `Game.num_features` numbers from 0 to 1."""
    return Box(0.0, 1.0, (game.num_features,), np.float32)


def action_space(game: Game) -> Space[Any]:
    """Every action of the game, legal or not."""
    return Discrete(game.num_actions)


class View:
    """Tells one environment what its agents see, in fresh arrays."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._legal = np.empty(game.num_actions, dtype=np.int32)

    def features(self, state: State, seat: int) -> Observation:
        """The game's features as a seat sees them, shape ``(num_features,)``."""
        features = np.empty(self._game.num_features, dtype=np.float32)
        self._game.rules.encode.run(state, seat, features)
        return features

    def legal(self, state: State) -> Mask:
        """The mask of the legal actions of the seat to move, shape ``(num_actions,)``."""
        count = self._game.rules.legal.run(state, self._legal)
        mask = np.zeros(self._game.num_actions, dtype=np.int8)
        _mark.run(self._legal, count, mask)
        return mask

    def nothing(self) -> Mask:
        """The mask of a seat that is not to move: all zeros."""
        return np.zeros(self._game.num_actions, dtype=np.int8)

    def anything(self) -> Mask:
        """The mask once the contest is over: all ones, as in pgx.

        So an action can still be drawn by the mask where one is asked for and not heeded, as in the step in which
        a batch resets a copy.
        """
        return np.ones(self._game.num_actions, dtype=np.int8)


@kernel(types.void(INDICES, types.int64, STATE))
def _mark(actions: Actions, count: int, mask: Mask) -> None:
    for k in range(count):
        mask[actions[k]] = 1


def as_action(action: Any) -> int:
    """An agent's action as a plain number, which need not be one of the game's.

    Raises:
        BadInputError: If it is not a whole number at all.
    """
    try:
        return index(action)
    except TypeError:
        raise BadInputError(f"{action!r} is not an action; an action is a whole number") from None
