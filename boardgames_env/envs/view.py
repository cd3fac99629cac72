"""Games, observations and masks of legal actions, for all environments."""

from collections.abc import Callable
from functools import cache
from inspect import signature
from operator import index
from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Discrete, Space
from gymnasium.vector import SyncVectorEnv
from numba import types
from numpy.typing import NDArray

from boardgames_env.contest import Contest
from boardgames_env.envs.observations import Observation, Observations
from boardgames_env.errors import BadInputError, UnknownOptionError
from boardgames_env.game import Game
from boardgames_env.games import GameEntry, make_game
from boardgames_env.kernels import FEATURES, READ_ONLY_STATE, STATE, Features, Kernel, State
from boardgames_env.kernels.bundle import from_template, rule

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
    """The observations and masks of one environment, in fresh arrays; by default the flat observations.

    Attributes:
        observations: The form of the observations.
        nothing_legal: The mask of a seat that is not to move, which must not change.
    """

    def __init__(self, game: Game, observations: Observations | None = None) -> None:
        self._game = game
        self.observations = observations or Observations(game)
        self._encode, self._write = game.rules.encode, seen_kernel(game)
        # (to copy an array is faster than to make one)
        self._features = np.zeros(game.num_features, dtype=np.float32)
        self.nothing_legal = np.zeros(game.num_actions, dtype=np.int8)

    def __reduce__(self) -> tuple[Any, ...]:
        return Observer, (self._game, self.observations)  # (kernels cannot be pickled)

    def observation(self, state: State, seat: int) -> Observation:
        """Return the game's features as a seat sees them, in the form of the observations."""
        features = self._features.copy()
        self._encode.trusting(state, seat, features)
        return self.observations.show(features)

    def mask(self, state: State, is_over: bool = False) -> Mask:
        """Return the mask of the seat to move, or that at the end; shape ``(num_actions,)``."""
        return self.seen(state, 0, is_over)[1]

    def seen(self, state: State, seat: int, is_over: bool = False) -> tuple[Observation, Mask]:
        """Return the observation of a seat, and the mask of the seat to move, or that at the end."""
        features, mask = self._features.copy(), self.nothing_legal.copy()
        if is_over:
            self._encode.trusting(state, seat, features)
            mask[:] = MASK_AT_THE_END
        else:
            self._write.trusting(state, seat, features, mask)
        return self.observations.show(features), mask


@cache
def seen_kernel(game: Game) -> Kernel:
    """Return the kernel that writes a seat's features, and the legal actions into a mask of zeros.

    One call, because from Python it takes longer than what it does.
    """
    rules = game.rules
    return from_template(_write, _WRITE, legal=rules.legal, encode=rules.encode, can_mark=rules.legal.can_mark)


_WRITE = types.void(READ_ONLY_STATE, types.int64, FEATURES, STATE)

# stand-ins, for which `from_template` puts what belongs to a game
legal = encode = rule
can_mark = False


def _write(state: State, viewer: int, features: Features, mask: Mask) -> None:
    encode(state, viewer, features)
    if can_mark:
        legal(state, mask)
    else:
        actions = np.empty(len(mask), dtype=np.int32)
        for k in range(legal(state, actions)):
            mask[actions[k]] = 1


GOES_ON = {"end": ""}
"""What ``info`` says of the end after a step that has not ended the contest.

After a reset it says nothing: TorchRL makes tensors of all that ``info`` holds then, and Tianshou's buffers need every
step to have the same entries.
"""


def end_info(contest: Contest, illegal_action: int | None, seat: int) -> dict[str, Any]:
    """Return what ``info`` says of the end of a contest: ``end``, and of an illegal action which it was and whose."""
    if illegal_action is None:
        return {"end": contest.end}
    return {"end": "illegal", "illegal_action": illegal_action, "illegal_seat": seat}


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
