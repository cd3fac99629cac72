"""The PettingZoo environment of every game."""

from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
from gymnasium.spaces import Box, Dict, Space
from gymnasium.utils.seeding import np_random
from numpy.typing import DTypeLike, NDArray
from pettingzoo import AECEnv

from boardgames_env.chance import ChanceStream
from boardgames_env.contest import Contest
from boardgames_env.envs.observations import FLAT, Observation, Observations
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
from boardgames_env.kernels import ONGOING, State

AGENTS = ("player_0", "player_1")
_SEATS = {agent: seat for seat, agent in enumerate(AGENTS)}
_NO_REWARDS, _FALSE = dict.fromkeys(AGENTS, 0), dict.fromkeys(AGENTS, False)


class BoardGameAECEnv(AECEnv[str, dict[str, NDArray[Any]], int | None]):
    """A game as an agent-environment cycle: the agents ``player_0`` and ``player_1`` take turns.

    An observation is a dictionary: ``observation`` holds the game's features as the agent sees them, and
    ``action_mask`` its legal actions, which are also in ``infos[agent]``. The mask of an agent that is not to move is
    all zeros; once the contest is over the masks are all ones. The final reward is the agent's points. Once the contest
    is over, ``infos[agent]["end"]`` says why, by one of `boardgames_env.ending.ENDS`.

    An illegal action ends the contest, with −1 for the offender and 0 for the other, as under PettingZoo's
    ``TerminateIllegalWrapper``; the infos then have ``illegal_action`` and ``illegal_seat``, too. No wrappers are
    needed. Chance events (rolls of dice) happen before an agent acts.

    The arguments and their errors are those of `boardgames_env.envs.single.BoardGameEnv`, but for ``opponent`` and
    ``seat``.
    """

    _observation: Observation | None
    _skip_agent_selection: str | None = None  # (of PettingZoo, which would ask `__getattr__` for it)

    def __init__(
        self,
        game: Game | str,
        render_mode: str | None = None,
        render_size: int = 480,
        render_labels: bool = True,
        observation: str = FLAT,
        dtype: DTypeLike = np.float32,
        **options: Any,
    ) -> None:
        super().__init__()
        self.game = chosen_game(game, options)
        show_page(self)
        self.metadata = {
            "name": f"{self.game.name}_v{self.game.version}",
            "render_modes": list(RENDER_MODES),
            "render_fps": RENDER_FPS,
            "is_parallelizable": False,
        }
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        bounds = np.iinfo(np.int8)
        self.state_space = Box(bounds.min, bounds.max, (self.game.state_size,), np.int8)
        mask = Box(0, 1, (self.game.num_actions,), np.int8)
        self._observer = Observer(self.game, Observations(self.game, observation, dtype))
        shown = self._observer.observations.space
        self.observation_spaces = {agent: Dict({"observation": shown, "action_mask": mask}) for agent in AGENTS}
        self.action_spaces = {agent: action_space(self.game) for agent in AGENTS}
        self._screen = Screen(self.game.title, render_mode, render_size, render_labels)
        self._chance: ChanceStream | None = None

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> NoReturn:
            """Raise an error that names `reset`: attributes of the contest exist only after it."""
            if name.startswith("_"):
                raise AttributeError("no contest has begun; call reset() first")
            raise AttributeError(f"{name!r} does not exist before reset(), if it is an attribute of the contest")

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a contest. All chance events from here on follow from ``seed``; ``options`` are not used.

        Without a seed their stream goes on; the first stream is then random.
        """
        seed = as_seed(seed)
        if self.game.rules.has_chance and (seed is not None or self._chance is None):
            self._chance = ChanceStream(self.game, np_random(seed)[0])
        self._contest = Contest(self.game, self._chance)
        self._is_over = False
        self._end: dict[str, Any] = {}
        self.agents = list(AGENTS)
        self.rewards, self._cumulative_rewards = _NO_REWARDS.copy(), _NO_REWARDS.copy()
        self.terminations, self.truncations = _FALSE.copy(), _FALSE.copy()
        self._show()

    def step(self, action: int | None) -> None:
        """Play an action for ``agent_selection``; ``None`` once the contest is over.

        Raises `BadInputError` if it is not a whole number, or both agents have left after the contest's end.
        """
        contest = self._contest
        if not self.agents:
            raise self._all_have_left()
        if self._is_over:
            self._was_dead_step(action)
            return
        played, legal = as_action(action), self._masks[self._seat]
        self._end = GOES_ON
        if 0 <= played < len(legal) and legal[played]:
            if contest.advance(played) != ONGOING:
                self._finish((contest.points, -contest.points), cut=contest.is_cut)
        else:
            self._finish((ILLEGAL_REWARD, 0) if self._seat == 0 else (0, ILLEGAL_REWARD), False, illegal_action=played)
        self._show()

    def _finish(self, points: tuple[int, int], cut: bool, illegal_action: int | None = None) -> None:
        self._is_over = True
        self._end = end_info(self._contest, illegal_action, self._seat)
        first, second = AGENTS
        self.rewards = {first: points[0], second: points[1]}
        self._cumulative_rewards = self.rewards.copy()
        self.terminations = {first: not cut, second: not cut}
        self.truncations = {first: cut, second: cut}

    def _show(self) -> None:
        """Write the agent to move, its observation, and the masks of legal actions."""
        state = self._contest.state
        self._seat = seat = int(state.item(0))
        self.agent_selection = AGENTS[seat]
        # the observation of the agent to move is given out once; the next is made anew
        self._observation, legal = self._observer.seen(state, seat, self._is_over)
        other = legal if self._is_over else self._observer.nothing_legal
        self._masks = first, second = (other, legal) if seat else (legal, other)
        self.infos = {
            AGENTS[0]: {"action_mask": first.copy(), **self._end},
            AGENTS[1]: {"action_mask": second.copy(), **self._end},
        }
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """Return the observation of an agent, in fresh arrays."""
        seat = _SEATS[agent]
        if seat == self._seat and self._observation is not None:
            observation, self._observation = self._observation, None
        else:
            observation = self._observer.observation(self._contest.state, seat)
        return {"observation": observation, "action_mask": self._masks[seat].copy()}

    def last(self, observe: bool = True) -> tuple[dict[str, NDArray[Any]] | None, float, bool, bool, dict[str, Any]]:
        """Return observation, cumulative reward, termination, truncation and info of the agent that is asked next.

        Raises `BadInputError` if both agents have left after the contest's end.
        """
        agent = self.agent_selection
        if not self.agents:
            raise self._all_have_left()
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def _all_have_left(self) -> BadInputError:
        return BadInputError(f"the contest of {self} is over and both agents have left; call reset()")

    def state(self) -> State:
        """Return a copy of the game's state, shape ``(state_size,)``, dtype int8."""
        return self._contest.state.copy()

    def observation_space(self, agent: str) -> Dict:
        """Return the space of an agent's observations, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Space[Any]:
        """Return the space of an agent's actions, always the same object."""
        return self.action_spaces[agent]

    def render(self) -> Rendering:
        """Draw the position in the environment's render mode; pictures mark the last move."""
        return self._screen.draw(self._contest.position, self._contest.before_last_move())

    def close(self) -> None:
        """Close the window, if there is one."""
        self._screen.close()
