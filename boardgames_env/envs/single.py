"""The Gymnasium environment of every game: one seat for the caller, and an opponent inside."""

from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray

from boardgames_env.chance import Chances
from boardgames_env.envs.opponent import RANDOM, Opponent, make_opponent
from boardgames_env.envs.screen import RENDER_FPS, RENDER_MODES, Frame, Screen
from boardgames_env.envs.view import Mask, Observation, View, action_space, as_action, chosen_game, observation_space
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.history import CUT, History
from boardgames_env.kernels import ONGOING
from boardgames_env.position import Position

Seat = Literal[0, 1, "alternate"]


class BoardGameEnv(gymnasium.Env[Observation, int]):
    """A game against an opponent, or against oneself.

    The observation is the game's features as the caller's seat sees them. ``info`` holds ``action_mask``, the legal
    actions (all ones once the contest is over), and ``seat``, the caller's seat. The reward at the end is the
    caller's points. An illegal action ends the contest with −1. Dice, and whatever else is left to chance, follow from
    the seed, like the opponent; which seat begins may be up to them.

    Args:
        game: A game, or its spec.
        opponent: ``"random"``; a policy or the spec of one, such as ``"perfect"``; or ``None``: the caller then
            plays both seats, sees what the seat to move sees, and is rewarded as the seat that has just moved.
        seat: The caller's seat, or ``"alternate"``: seat 0 in the first contest and after a reset with a seed,
            and then the other in each contest.
        render_mode: ``"human"``, ``"rgb_array"``, ``"ansi"``, ``"svg"`` or ``None``.
        **options: The game's options.

    Raises:
        BadInputError: For an unknown game, option, opponent, seat or render mode.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": RENDER_FPS}  # noqa: RUF012  (Gymnasium's own form)

    def __init__(
        self,
        game: Game | str,
        opponent: Opponent | str | None = RANDOM,
        seat: Seat = "alternate",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        self.game = chosen_game(game, options)
        check_seat(seat, opponent)
        self.opponent = make_opponent(opponent, self.game)
        self.render_mode = render_mode
        self.observation_space = observation_space(self.game)
        self.action_space = action_space(self.game)
        self._seat = seat
        self._contests = 0
        self._screen = Screen(self.game.title, render_mode)
        self._view = View(self.game)
        self._history = History(self.game)
        self._rng: np.random.Generator | None = None
        self._chances: Chances | None = None
        self._position = self.game.initial
        self._is_over = True
        self._opened = ONGOING

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a contest; the opponent opens it if it has the seat that begins. ``options`` are not used.

        If that ends the contest at once, any action is legal, and the first step tells how it ended.
        """
        super().reset(seed=seed)
        self._contests = 1 if seed is not None else self._contests + 1
        if self.np_random is not self._rng:  # seeded, or for the first time
            self._rng = self.np_random
            self._chances = Chances(self.game, self._rng)
        self._position = self._settled(self.game.initial)
        self._history.begin(self._position.state)
        self._is_over = False
        if self.opponent is not None:
            self.opponent.begin(self.game, (1 - self.seat,), self.np_random)
        self._opened = self._answer(ONGOING)
        return self._seen()

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play an action, and let the opponent answer it.

        Raises:
            BadInputError: If the action is not a whole number.
            ResetNeeded: If no contest is going on.
        """
        if self._is_over:
            raise ResetNeeded("no contest is going on; call reset()")
        seat = self.seat
        played = as_action(action)
        if self._opened == ONGOING and played not in self._position.legal_actions:
            result = reward = -1
        else:
            result = self._answer(self._play(played)) if self._opened == ONGOING else self._opened
            points = 0 if result in (ONGOING, CUT) else result
            reward = points if seat == 0 else -points
        self._is_over = result != ONGOING
        observation, info = self._seen()
        cut = result == CUT
        return observation, float(reward), self._is_over and not cut, cut, info

    @property
    def seat(self) -> int:
        """The seat the caller plays: the one to move if it plays both."""
        if self.opponent is None:
            return self._position.seat
        return (self._contests - 1) % 2 if self._seat == "alternate" else self._seat

    def action_masks(self) -> NDArray[np.bool_]:
        """The mask of the legal actions as booleans (the name is that of sb3-contrib's MaskablePPO)."""
        return self._mask().astype(np.bool_)

    def render(self) -> Frame:
        """Draw the position in the environment's render mode."""
        return self._screen.draw(self._position)

    def close(self) -> None:
        """Close the window, if there is one."""
        self._screen.close()

    def _play(self, action: int) -> int:
        """Play an action; the contest's result so far."""
        reached = self._settled(self._position.play(action))
        if self.opponent is not None:
            self.opponent.saw(self._position, action)
        self._position = reached
        return self._history.add(reached.state)

    def _settled(self, position: Position) -> Position:
        """The position when chance has decided all that it must before a seat can move."""
        if not position.awaits_chance:
            return position
        assert self._chances is not None  # there since the reset
        state = position.state.copy()
        self._chances.settle(state)
        return Position(self.game, state)

    def _answer(self, result: int) -> int:
        """Let the opponent play until it is the caller's turn; the contest's result so far."""
        while result == ONGOING and self.opponent is not None and self._position.seat != self.seat:
            result = self._play(self.opponent.choose(self._position))
        return result

    def _seen(self) -> tuple[Observation, dict[str, Any]]:
        if self.render_mode == "human":
            self.render()
        return self._view.features(self._position.state, self.seat), {"action_mask": self._mask(), "seat": self.seat}

    def _mask(self) -> Mask:
        is_decided = self._is_over or self._opened != ONGOING
        return self._view.anything() if is_decided else self._view.legal(self._position.state)


def check_seat(seat: object, opponent: object) -> None:
    """See to it that a seat can be had.

    Raises:
        BadInputError: If it is not a seat, or a caller who plays both asks for one.
    """
    if not isinstance(seat, (int, str)) or isinstance(seat, bool) or seat not in (0, 1, "alternate"):
        raise BadInputError(f"seat={seat!r} is not allowed; it must be 0, 1 or 'alternate'")
    if opponent is None and seat != "alternate":
        raise BadInputError(f"seat={seat!r} needs an opponent; with opponent=None the caller plays both seats")
