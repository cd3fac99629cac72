"""Policies that choose a whole move at the start of a turn and play it action by action."""

from abc import abstractmethod
from itertools import pairwise

from boardgames_agents.policy import Policy, Rng
from boardgames_env.game import Game
from boardgames_env.position import Position


class Plan:
    """The rest of a chosen move: an action for each position that the move passes through."""

    def __init__(self) -> None:
        self._actions: dict[bytes, int] = {}

    def action(self, position: Position) -> int | None:
        """Return the planned action in a position, or ``None`` if the move does not pass through it."""
        return self._actions.get(position.key)

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
    """

    def __init__(self) -> None:
        super().__init__()
        self._plan = Plan()

    def begin(self, game: Game, seats: tuple[int, ...], rng: Rng) -> None:
        """Begin a contest without a plan."""
        super().begin(game, seats, rng)
        self._plan = Plan()

    def choose(self, position: Position) -> int:
        """Return the next action of the chosen move."""
        planned = self._plan.action(position)
        return self._plan.begin(position, self.choose_move(position)) if planned is None else planned

    @abstractmethod
    def choose_move(self, position: Position) -> tuple[int, ...]:
        """Return the actions of a move."""
