"""Every game of our registry as a game of OpenSpiel, under its name after ``boardgames_``.

An action is one step of our environments, under the same number; a turn may be several by the same player. What chance
decides is a chance node, whose outcomes are the numbers of our events. Contests end as they do anywhere here, also
by `Limits`: a contest that is cut short returns 0 to both, for OpenSpiel knows no truncation. The text of a state is
its picture and its numbers, and tells positions apart. It does not tell, nor does the observation, how often a position
has come up: as in OpenSpiel's chess, two histories with one text may differ in when they will be drawn.

The games that are registered when this module is imported can be loaded by OpenSpiel at once; one that is registered
later, when `spiel_game` has been asked for it.
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
"""What OpenSpiel's names for our games begin with: it has some of these games itself."""

UNBOUNDED = 2**31 - 1
"""The length that is told of games of which no rule says that they end."""


def spiel_game(game: Game | str) -> Any:
    """A game of ours as OpenSpiel's.

    Args:
        game: The game, or its spec.

    Returns:
        A ``pyspiel.Game``.

    Raises:
        BadInputError: For an unknown game or option, or a game that is not registered: OpenSpiel makes them by name.
    """
    made = make_game(game) if isinstance(game, str) else game
    if not made.is_registered:
        raise BadInputError(f"{made!r} is not registered, and OpenSpiel knows games by their names; use make_game")
    if PREFIX + made.name not in pyspiel.registered_names():
        _register(registered_games()[made.name])
    return pyspiel.load_game(PREFIX + made.name, dict(made.options))


class BoardGame(pyspiel.Game):  # type: ignore[misc, unused-ignore]
    """A game of ours, as OpenSpiel asks for it; each has a class of its own, made when it is registered.

    Args:
        params: Its options.

    Attributes:
        name: The name of the game, and
        kind: what OpenSpiel was told of it when it was registered; of the class.
        game: The game.
    """

    name: str
    kind: Any

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        self.game = make_game(self.name, **(params or {}))
        super().__init__(self.kind, _info(self.game), dict(params or {}))

    def new_initial_state(self, state: object = None) -> "BoardState":
        """The state a contest starts from.

        Raises:
            BadInputError: If it is to be another.
        """
        if state is not None:
            raise BadInputError("a contest starts from the initial state; play actions to come to another")
        return BoardState(self, self.game.initial)

    def state_at(self, position: Position) -> "BoardState":
        """A contest that begins in a position, with nothing before it."""
        return BoardState(self, position)

    def make_py_observer(self, iig_obs_type: Any = None, params: Mapping[str, Any] | None = None) -> Any:
        """What looks at states: the features that our environments show, or all that is public if so asked."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return FeatureObserver(self.game, params)
        from open_spiel.python.observation import IIGObserverForPublicInfoGame

        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class BoardState(pyspiel.State):  # type: ignore[misc, unused-ignore]
    """A contest as a state of OpenSpiel.

    Args:
        game: The game.
        position: The position that the contest begins from.
    """

    def __init__(self, game: BoardGame, position: Position) -> None:
        super().__init__(game)
        self._contest = Contest(game.game, start=position)

    @property
    def position(self) -> Position:
        """The current position."""
        return self._contest.position

    def current_player(self) -> int:
        """The seat to move, or OpenSpiel's number for chance, or for the end of the contest."""
        if self.is_terminal():
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if self.position.awaits_chance else self.position.seat

    def is_terminal(self) -> bool:
        """Whether the contest is over."""
        return self._contest.is_over

    def returns(self) -> list[float]:
        """The points of both seats; 0 while the contest goes on, and if it was cut short."""
        points = float(self._contest.points)
        return [points, -points]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The events that may happen, and how likely they are."""
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
        """The position's picture and numbers, and whether a limit has ended the contest."""
        by_limit = self.is_terminal() and not self.position.is_over
        return _text(self.position) + ("\nended by a limit" if by_limit else "")


@lru_cache(maxsize=100_000)
def _text(position: Position) -> str:
    """The text of a position: OpenSpiel's searches and tables ask for it again and again."""
    return f"{position.text}\n{' '.join(map(str, position.state.tolist()))}"


class FeatureObserver:
    """Shows players a game's features, as `Position.features` has them.

    Attributes:
        tensor: The last that was seen, shape ``(num_features,)``, dtype float32.
        dict: The same by name.
    """

    def __init__(self, game: Game, params: Mapping[str, Any] | None) -> None:
        if params:
            raise BadInputError(f"observers of our games have no parameters, not {dict(params)!r}")
        self.tensor = np.zeros(game.num_features, dtype=np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: BoardState, player: int) -> None:
        """Look at a state as a player sees it."""
        state.position.game.rules.encode.run(state.position.state, player, self.tensor)

    def string_from(self, state: BoardState, player: int) -> str:
        """The state's text: everything is public."""
        return str(state)


def longest_contest(game: Game) -> int:
    """A number of actions that no contest exceeds; `UNBOUNDED` where none is known.

    With a limit of plies, no turn has more than `MOST_ACTIONS`. Otherwise no position comes up more often than the
    game allows, which is once where it needs no limit.
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


def _kind(entry: GameEntry, game: Game) -> Any:
    """What OpenSpiel is told of a game before it is made: that of its default options."""
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
        parameter_specification={option.name: option.default for option in entry.options.values()},
    )


def _register(entry: GameEntry) -> None:
    kind = _kind(entry, make_game(entry.name))
    # (a class each, for OpenSpiel holds it until after Python has ended; of other objects it would free the last one)
    pyspiel.register_game(kind, type(f"BoardGame_{entry.name}", (BoardGame,), {"name": entry.name, "kind": kind}))


for _entry in registered_games().values():
    _register(_entry)
