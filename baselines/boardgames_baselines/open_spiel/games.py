"""Every game of our registry as a game of OpenSpiel, under its name after ``boardgames_``.

An action is one step of our environments, under the same number; a turn may be several actions of one player. Chance is
a chance node, whose outcomes are the numbers of our events. Contests also end by `Limits`: a contest that is cut short
returns 0 to both players, as OpenSpiel knows no truncation. The text of a state is its picture and its numbers, so that
different positions have different texts. Neither the text nor the observation contains the number of recurrences: as in
OpenSpiel's chess, two histories with the same text may be drawn at different times.

OpenSpiel can load the games that are registered when this module is imported. Games that are registered later are
loaded by `spiel_game`.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np
import pyspiel

from boardgames_env.chance import MOST_EVENTS
from boardgames_env.contest import Contest
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.games import GameEntry, make_game, registered_games
from boardgames_env.moves import MOST_ACTIONS
from boardgames_env.position import Position

PREFIX = "boardgames_"
"""The prefix of our games' names in OpenSpiel, which has some of these games itself."""

UNBOUNDED = 2**31 - 1
"""The maximal length of games that no rule ends."""

PARAMETERS = (bool, int, float, str)
"""The types of OpenSpiel's parameters; an option of another type, such as the score of a match, is not one of them."""


def spiel_game(game: Game | str) -> Any:
    """Return a game of ours as a game of OpenSpiel.

    Returns:
        A ``pyspiel.Game``.

    Raises:
        BadInputError: For an unknown game or option, a game that is not registered (OpenSpiel makes them by name), or
            an option that OpenSpiel has no type for.
    """
    made = make_game(game) if isinstance(game, str) else game
    if not made.is_registered:
        raise BadInputError(f"{made!r} is not registered, and OpenSpiel knows games by their names; use make_game")
    for name, value in made.options.items():
        if not isinstance(value, PARAMETERS):
            raise BadInputError(f"OpenSpiel has no parameters of the type of {name}={value!r}; leave this option out")
    if PREFIX + made.name not in pyspiel.registered_names():
        _register(registered_games()[made.name])
    return pyspiel.load_game(PREFIX + made.name, dict(made.options))


class BoardGame(pyspiel.Game):  # type: ignore[misc, unused-ignore]
    """A game of ours, as a game of OpenSpiel; each has its own subclass, made when it is registered.

    Attributes:
        kind: The `GameType` with which it was registered; a class attribute.
    """

    name: str
    kind: Any

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        self.game = make_game(self.name, **(params or {}))
        super().__init__(self.kind, _info(self.game), dict(params or {}))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the game as our spec; what is unpickled in another process is registered there."""
        return spiel_game, (self.game.spec,)

    def new_initial_state(self, state: object = None) -> "BoardState":
        """Return the initial state.

        Raises:
            BadInputError: If another state is asked for.
        """
        if state is not None:
            raise BadInputError("a contest starts from the initial state; play actions to reach another")
        return BoardState(self, self.game.initial)

    def state_at(self, position: Position) -> "BoardState":
        """Return a contest that begins in a position, without a history."""
        return BoardState(self, position)

    def make_py_observer(self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None) -> Any:
        """Return an observer: of the features of our environments, or of all public information."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return FeatureObserver(self.game, params)
        from open_spiel.python.observation import IIGObserverForPublicInfoGame

        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class BoardState(pyspiel.State):  # type: ignore[misc, unused-ignore]
    """A contest as a state of OpenSpiel."""

    def __init__(self, game: BoardGame, position: Position) -> None:
        super().__init__(game)
        self._contest = Contest(game.game, start=position)

    @property
    def position(self) -> Position:
        """The current position."""
        return self._contest.position

    def current_player(self) -> int:
        """Return the seat to move, or OpenSpiel's number for chance or for the end of the contest."""
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if self.position.awaits_chance else self.position.seat

    def is_terminal(self) -> bool:
        """Return whether the contest is over."""
        return self._contest.is_over

    def returns(self) -> list[float]:
        """Return the points of both seats; 0 while the contest goes on, and if it was cut short."""
        points = float(self._contest.points)
        return [points, -points]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the events that may happen, with their probabilities."""
        return [(event.number, event.probability) for event in self.position.events()]

    def _legal_actions(self, player: int) -> list[int]:
        return list(self.position.legal_actions)

    def _apply_action(self, action: int) -> None:
        if self.position.awaits_chance:
            self._contest.happen(action)
        else:
            self._contest.play(action)

    def _action_to_string(self, player: int, action: int) -> str:
        return f"event {action}" if player == pyspiel.PlayerId.CHANCE else self.position.game.action_text(action)

    def __str__(self) -> str:
        """Return the position's picture and numbers, and whether a limit has ended the contest."""
        by_limit = self.is_terminal() and not self.position.is_over
        return _text_of_position(self.position) + ("\nended by a limit" if by_limit else "")


@lru_cache(maxsize=100_000)
def _text_of_position(position: Position) -> str:
    """Return the text of a position; cached, as OpenSpiel's searches use it as a key."""
    return f"{position.text}\n{' '.join(map(str, position.state.tolist()))}"


class FeatureObserver:
    """An observer of a game's features, those of `Position.features`.

    Attributes:
        tensor: The last observation, shape ``(num_features,)``, dtype float32.
        dict: The same by name.
    """

    def __init__(self, game: Game, params: Mapping[str, Any] | None) -> None:
        if params:
            raise BadInputError(f"observers of our games have no parameters, not {dict(params)!r}")
        self.tensor = np.zeros(game.num_features, dtype=np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: BoardState, player: int) -> None:
        """Observe a state from a player's side."""
        self.tensor[:] = state.position.features(player)

    def string_from(self, state: BoardState, player: int) -> str:
        """Return the state's text; everything is public."""
        return str(state)


def longest_contest(game: Game) -> int:
    """Return an upper bound on the actions of a contest; `UNBOUNDED` where none is known.

    With a limit of plies, no turn has more than `MOST_ACTIONS`. Otherwise no position recurs more often than the
    game allows; once, where it needs no limit.
    """
    limits = game.limits
    if limits.plies:
        return limits.plies * MOST_ACTIONS
    if game.positions is None or game.rules.has_chance:
        return UNBOUNDED
    return min(game.positions * max(limits.recurrences - 1, 1), UNBOUNDED)


def _info(game: Game) -> Any:
    return pyspiel.GameInfo(
        num_distinct_actions=game.num_actions,
        max_chance_outcomes=MOST_EVENTS if game.rules.has_chance else 0,
        num_players=2,
        min_utility=-float(game.most_points),
        max_utility=float(game.most_points),
        utility_sum=0.0,
        max_game_length=longest_contest(game),
    )


def _game_type(entry: GameEntry, game: Game) -> Any:
    """Return the description that OpenSpiel registers, with the default options."""
    mode = pyspiel.GameType.ChanceMode
    return pyspiel.GameType(
        short_name=PREFIX + entry.name,
        long_name=game.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=mode.EXPLICIT_STOCHASTIC if game.rules.has_chance else mode.DETERMINISTIC,
        information=pyspiel.GameType.Information.PERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={
            option.name: option.default for option in entry.options.values() if isinstance(option.default, PARAMETERS)
        },
    )


def _register(entry: GameEntry) -> None:
    kind = _game_type(entry, make_game(entry.name))
    # (a class for each game: OpenSpiel holds it until Python has ended, and would free the last reference to an object)
    pyspiel.register_game(kind, type(f"BoardGame_{entry.name}", (BoardGame,), {"name": entry.name, "kind": kind}))


for _entry in registered_games().values():
    _register(_entry)
