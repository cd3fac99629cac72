"""The Gymnasium environment of every game: one seat for the caller, and an opponent inside."""

from typing import Any, Literal

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from numpy.typing import DTypeLike, NDArray

from boardgames_env.chance import ChanceStream
from boardgames_env.contest import Contest
from boardgames_env.envs.observations import FLAT, Observation, Observations
from boardgames_env.envs.opponent import RANDOM, Opponent, make_opponent
from boardgames_env.envs.screen import RENDER_FPS, RENDER_MODES, Rendering, Screen
from boardgames_env.envs.view import (
    GOES_ON,
    ILLEGAL_REWARD,
    Observer,
    action_space,
    as_action,
    as_seed,
    chosen_game,
    end_info,
    show_page,
)
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.history import CUT
from boardgames_env.kernels import ONGOING

Seat = Literal[0, 1, "alternate"]


class BoardGameEnv(gymnasium.Env[Observation, int]):
    """A game against an opponent, or against oneself.

    The observation holds the game's features as the caller's seat sees them. ``info`` holds ``action_mask``, the legal
    actions (all ones once the contest is over), and ``seat``, the caller's seat. The final reward is the caller's
    points. With it, ``info`` holds ``end``, why the contest has ended: one of `boardgames_env.ending.ENDS`. An illegal
    action ends the contest with −1, and ``info`` holds ``illegal_action`` and ``illegal_seat``. Chance events (rolls of
    dice) and the opponent follow from the seed; dice may decide which seat begins.

    Args:
        game: A game, or its spec.
        opponent: ``"random"``; a policy or the spec of one, such as ``"perfect"``; or ``None``: the caller then
            plays both seats, observes as the seat to move, and is rewarded as the seat that has just moved.
        seat: The caller's seat, or ``"alternate"``: seat 0 in the first contest and after a reset with a seed,
            and then the other in each contest.
        render_mode: ``"human"``, ``"rgb_array"``, ``"ansi"``, ``"svg"`` or ``None``.
        render_size: The side of pictures, in pixels.
        render_labels: Whether empty locations show their labels.
        observation: ``"flat"``, the features as a vector, or ``"planes"``; see `boardgames_env.envs.observations`.
        dtype: The type of the observations: float32, float64 or float16, from 0 to 1, or uint8, from 0 to 255.
        **options: The game's options.

    Raises:
        BadInputError: For an unknown game, option, opponent, seat, render mode, observation or dtype.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": RENDER_FPS}  # noqa: RUF012  (Gymnasium's own form)

    def __init__(
        self,
        game: Game | str,
        opponent: Opponent | str | None = RANDOM,
        seat: Seat = "alternate",
        render_mode: str | None = None,
        render_size: int = 480,
        render_labels: bool = True,
        observation: str = FLAT,
        dtype: DTypeLike = np.float32,
        **options: Any,
    ) -> None:
        self.game = chosen_game(game, options)
        show_page(self)
        check_seat(seat, opponent)
        self.opponent = make_opponent(opponent, self.game)
        self.render_mode = render_mode
        self._observer = Observer(self.game, Observations(self.game, observation, dtype))
        self.observation_space = self._observer.observations.space
        self.action_space = action_space(self.game)
        self._seat = seat if isinstance(seat, str) else int(seat)
        self._contests = 0
        self._screen = Screen(self.game.title, render_mode, render_size, render_labels)
        self._rng: np.random.Generator | None = None
        self._chance: ChanceStream | None = None
        self._contest = Contest(self.game)
        self._is_over = True
        self._opened = ONGOING

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a contest; the opponent opens it if it has the seat that begins. ``options`` are not used.

        If that ends the contest at once, any action is legal, and the first step returns the result.
        """
        super().reset(seed=as_seed(seed))
        self._contests = 1 if seed is not None else self._contests + 1
        if self.np_random is not self._rng:  # seeded, or for the first time
            self._rng = self.np_random
            self._chance = ChanceStream(self.game, self._rng)
        self._contest = Contest(self.game, self._chance)
        self._is_over = False
        if self.opponent is not None:
            self.opponent.begin(self.game, (1 - self.seat,), self.np_random)
        self._opened = self._answer(ONGOING)
        return self._seen()

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play an action, and let the opponent answer it.

        Raises `BadInputError` if the action is not a whole number, and `ResetNeeded` if no contest is going on.
        """
        if self._is_over:
            raise ResetNeeded("no contest is going on; call reset()")
        seat = self.seat
        played = as_action(action)
        illegal_action = None
        if self._opened == ONGOING and played not in self._contest.position.legal_actions:
            result, reward, illegal_action = ILLEGAL_REWARD, ILLEGAL_REWARD, played
        else:
            result = self._answer(self._play(played)) if self._opened == ONGOING else self._opened
            points = 0 if result in (ONGOING, CUT) else result
            reward = points if seat == 0 else -points
        self._is_over = result != ONGOING
        observation, info = self._seen()
        info |= end_info(self._contest, illegal_action, seat) if self._is_over else GOES_ON
        cut = result == CUT
        return observation, float(reward), self._is_over and not cut, cut, info

    @property
    def seat(self) -> int:
        """The caller's seat: the one to move if the caller plays both."""
        if self.opponent is None:
            return self._contest.seat
        return (self._contests - 1) % 2 if isinstance(self._seat, str) else self._seat

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the mask of legal actions as booleans (under the name that sb3-contrib's MaskablePPO calls)."""
        return self._observer.mask(self._contest.state, self._is_decided).astype(np.bool_)

    def render(self) -> Rendering:
        """Draw the position in the environment's render mode; pictures mark the last move."""
        return self._screen.draw(self._contest.position, self._contest.before_last_move())

    def close(self) -> None:
        """Close the window, if there is one."""
        self._screen.close()

    def _play(self, action: int) -> int:
        before = self._contest.position
        result = self._contest.play(action)
        if self.opponent is not None:
            self.opponent.saw(before, action)
        return result

    def _answer(self, result: int) -> int:
        """Let the opponent play until it is the caller's turn, and return the result."""
        while result == ONGOING and self.opponent is not None and self._contest.seat != self.seat:
            result = self._play(self.opponent.choose(self._contest.position))
        return result

    def _seen(self) -> tuple[Observation, dict[str, Any]]:
        if self.render_mode == "human":
            self.render()
        seat = self.seat
        observation, mask = self._observer.seen(self._contest.state, seat, self._is_decided)
        return observation, {"action_mask": mask, "seat": seat}

    @property
    def _is_decided(self) -> bool:
        return self._is_over or self._opened != ONGOING


def check_seat(seat: object, opponent: object) -> None:
    """Raise `BadInputError` if a seat is not allowed, or chosen though the caller plays both."""
    if not isinstance(seat, (int, np.integer, str)) or isinstance(seat, bool) or seat not in (0, 1, "alternate"):
        raise BadInputError(f"seat={seat!r} is not allowed; it must be 0, 1 or 'alternate'")
    if opponent is None and seat != "alternate":
        raise BadInputError(f"seat={seat!r} needs an opponent; with opponent=None the caller plays both seats")
