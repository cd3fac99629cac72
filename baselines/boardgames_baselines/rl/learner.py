"""An algorithm of Stable-Baselines3 as a `Learner`, in its own loop if possible, otherwise contest by contest."""

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray
from stable_baselines3.common.base_class import BaseAlgorithm
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.vec_env import DummyVecEnv, VecEnv

from boardgames_agents.policy import Episodes, Learner, Rng, Snapshot
from boardgames_baselines.rl.config import AlgorithmConfig
from boardgames_baselines.rl.networks import (
    NetworkPlayer,
    load_optimizer,
    load_weights,
    optimizer_arrays,
    policy_player,
    preferences,
    seeded,
    weights_of,
)
from boardgames_baselines.rl.vec_env import BatchVecEnv, Chooser, PoolVecEnv
from boardgames_env.encoding import demand_features
from boardgames_env.envs.single import BoardGameEnv
from boardgames_env.envs.view import Observer, action_space
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.position import Position, demand_turn

if TYPE_CHECKING:
    from boardgames_agents.record import Record

Algorithm = TypeVar("Algorithm", bound=BaseAlgorithm)
Configured = TypeVar("Configured", bound=AlgorithmConfig)

_POLICY, _POOL, MEMORY = "policy.", "pool.", "memory."
_BUILDING, _LEARNING, _ROLLOUT, _PLAYING = range(4)
"""Purposes of random numbers; see `seeded`."""


@dataclass(frozen=True)
class PlayedAction:
    """An action that was played, with the observation of its seat and the mask of legal actions."""

    observation: NDArray[np.float32]
    mask: NDArray[np.int8]
    action: int


class RLLearner(Learner, Generic[Algorithm, Configured]):
    """A learner by an algorithm of Stable-Baselines3; `boardgames_baselines.rl` numbers the details."""

    def __init__(self, game: Game, config: Configured, algorithm: type[Algorithm], **arguments: Any) -> None:
        self.game, self.config = game, config
        self._view = Observer(game)
        with seeded((config.seed, _BUILDING)) as seed:
            self.model = self._build(algorithm, seed, arguments)
        self._pool: list[Any] = [self._copied_policy()]
        self._pooled = 0
        self._metrics: dict[str, float] = {}
        self._waiting: list[float] = []  # points of contests that were played but not returned yet
        self._seats: tuple[int, ...] = ()
        self._decisions: tuple[list[PlayedAction], list[PlayedAction]] = ([], [])

    def _build(self, algorithm: type[Algorithm], seed: int, arguments: Mapping[str, Any]) -> Algorithm:
        """Build the algorithm without an environment, as Stable-Baselines3 does when it loads one."""
        config = self.config
        model = algorithm(
            policy="MlpPolicy",
            env=None,
            **config.arguments,
            **arguments,
            policy_kwargs=config.network,
            seed=seed,
            device="cpu",
            _init_setup_model=False,  # type: ignore[call-arg]
        )
        model.observation_space = self._view.observations.space
        model.action_space = action_space(self.game)
        model.n_envs = config.copies
        model._setup_model()
        model.set_logger(Logger(folder=None, output_formats=[]))  # the run log gets what it records
        return model

    def settled_options(self) -> Mapping[str, Any]:
        """Return all options as they are in force."""
        return asdict(self.config)

    # -- contest by contest ------------------------------------------------------------------------------------------

    def begin(self, game: Game, seats: tuple[int, ...], rng: Rng) -> None:
        """Start a contest; it learns from the seats it plays, or from both if it watches."""
        super().begin(game, seats, rng)
        self._seats = seats or (0, 1)
        self._decisions = ([], [])

    def choose(self, position: Position) -> int:
        """Draw a legal action as the algorithm explores."""
        demand_turn(position, self.game)
        observation = self._view.observation(position.state, position.seat)
        mask = self._view.mask(position.state)
        return int(self.explore(preferences(self.model.policy, observation[None]), mask[None], self.rng)[0])

    def saw(self, position: Position, action: int) -> None:
        """Keep the decision until the contest is over."""
        if position.seat in self._seats:
            position.check(action)
            demand_turn(position, self.game)
            seen = self._view.observation(position.state, position.seat)
            self._decisions[position.seat].append(PlayedAction(seen, self._view.mask(position.state), action))

    def end(self, record: "Record") -> None:
        """Learn from the contest; one that was cut short counts as a draw."""
        for seat in self._seats:
            if self._decisions[seat]:
                self.learn_from(self._decisions[seat], float(record.points_for(seat)))
        self._decisions = ([], [])

    @abstractmethod
    def explore(
        self, wanted: NDArray[np.float32], masks: NDArray[np.int8], rng: np.random.Generator
    ) -> NDArray[np.int64]:
        """Draw legal actions as the algorithm explores.

        Args:
            wanted: The network's preferences, shape ``(K, num_actions)``.
            masks: The masks of legal actions, of the same shape.
            rng: The generator.
        """

    @abstractmethod
    def learn_from(self, decisions: Sequence[PlayedAction], points: float) -> None:
        """Learn from all decisions of one seat in a contest, and the points it got."""

    @contextmanager
    def learning(self) -> Iterator[None]:
        """Seed the random numbers for learning in the block, and record the model's metrics after it."""
        with seeded((self.config.seed, _LEARNING, self.model.num_timesteps)):
            yield
        self.after_learning()

    def after_learning(self) -> None:
        """Record the model's metrics, and add its policy to the pool when it is time."""
        recorded = self.model.logger.name_to_value
        self._metrics = {
            name.removeprefix("train/"): float(value) for name, value in recorded.items() if name.startswith("train/")
        }
        updates = self.model._n_updates // self.updates_at_once
        if updates // self.config.pool_every > self._pooled:
            self._pooled = updates // self.config.pool_every
            self._pool = [*self._pool, self._copied_policy()][-self.config.pool :]

    @property
    def updates_at_once(self) -> int:
        """The number of updates that the model counts each time it learns."""
        return 1

    # -- in its own loop ---------------------------------------------------------------------------------------------

    def self_play(self, seed: Sequence[int], contests: range) -> Episodes:
        """Play against a pool of its own snapshots, in the algorithm's own loop."""
        return self._play_on(None, seed, contests)

    def play_episodes_against(self, opponent: str, seed: Sequence[int], contests: range) -> Episodes:
        """Play against an opponent inside the environment, in the algorithm's own loop."""
        return self._play_on(opponent, seed, contests)

    def _play_on(self, opponent: str | None, seed: Sequence[int], contests: range) -> Episodes:
        """Run the algorithm's loop until these contests are over; keep a surplus for the next call."""
        if len(self._waiting) < len(contests):
            numbers = (*seed, contests.start, self.config.seed)
            self._pool_rng = np.random.default_rng((*numbers, _PLAYING))
            with seeded((*numbers, _ROLLOUT)) as start:
                env = self._env(opponent)
                env.seed(start % 2**31)
                self.model.action_space.seed(start)
                self.model.set_env(env)
                while len(self._waiting) < len(contests):
                    self._waiting += self._go_round(env)
                    if self.on_played:
                        self.on_played(min(len(self._waiting), len(contests)))
                env.close()
        points, self._waiting = self._waiting[: len(contests)], self._waiting[len(contests) :]
        return Episodes(np.array(points, dtype=np.float32), np.zeros(len(points), dtype=np.int64))

    def _go_round(self, env: VecEnv) -> list[float]:
        """Run one round of the loop: play and learn. Return the points of the contests that have ended."""
        points = _Points(of_seat_0=isinstance(env, PoolVecEnv))
        if isinstance(env, PoolVecEnv):
            env.playing[:] = np.random.randint(len(self._pool), size=env.num_envs)
            env.opponents = [self._chooser(policy) for policy in self._pool]
        self.model.learn(self.steps_at_once, points, log_interval=None, reset_num_timesteps=False)  # type: ignore[arg-type]
        self.after_learning()
        return points.points

    @property
    @abstractmethod
    def steps_at_once(self) -> int:
        """The number of actions in a round of its loop."""

    def _env(self, opponent: str | None) -> VecEnv:
        """Return copies of the game with an opponent inside; without one, the pool plays."""
        if opponent is None:
            return PoolVecEnv(self.game, self.config.copies, [])
        if opponent == "random":
            return BatchVecEnv(self.game, self.config.copies)
        return DummyVecEnv([partial(BoardGameEnv, self.game, opponent=opponent)] * self.config.copies)

    def _chooser(self, policy: Any) -> Chooser:
        return lambda seen, masks: self.explore(preferences(policy, seen), masks, self._pool_rng)

    # -- what it has learned -----------------------------------------------------------------------------------------

    def _copied_policy(self) -> Any:
        """Return a copy of the policy without its optimizer.

        Raises:
            BadInputError: If a weight is not finite.
        """
        model = self.model
        with seeded((0,)):  # (it draws weights, which are replaced)
            policy: Any = model.policy_class(
                model.observation_space, model.action_space, model.lr_schedule, **model.policy_kwargs
            )
        load_weights(policy, weights_of(model.policy))
        policy.optimizer = None
        policy.set_training_mode(False)
        return policy

    def frozen(self) -> NetworkPlayer:
        """Return a player of the network's most preferred actions."""
        return policy_player(self.game, self._copied_policy())

    def frozen_at(self, game: Game) -> NetworkPlayer:
        """Return a player of the same game with other options, if it has the same actions; see `demand_features`."""
        demand_features(game, self.game)
        if game.actions != self.game.actions:
            raise BadInputError(f"it has no preference for each of the {game.num_actions} actions there")
        policy, own = self._copied_policy(), self.game.num_features
        return NetworkPlayer(game, lambda seen: preferences(policy, seen[None, :own])[0])

    def knowledge(self) -> Mapping[str, float]:
        """Return the numbers of actions and updates, the norm of the weights, and the algorithm's metrics."""
        weights = self.model.policy.state_dict().values()
        return {
            "actions": float(self.model.num_timesteps),
            "updates": float(self.model._n_updates),
            "weight norm": float(np.sqrt(sum(float((each.double() ** 2).sum()) for each in weights))),
            **self._metrics,
        }

    @property
    @abstractmethod
    def memory(self) -> dict[str, NDArray[Any]]:
        """The rows of the buffer, as arrays."""

    @abstractmethod
    def remember(self, memory: Mapping[str, NDArray[Any]]) -> None:
        """Restore the buffer from `memory`.

        Raises:
            BadInputError: If the arrays do not fit.
        """

    def snapshot(self) -> Snapshot:
        """Return weights, optimizer, pool and buffer."""
        model = self.model
        arrays = weights_of(model.policy, _POLICY) | optimizer_arrays(model.policy.optimizer)
        for number, policy in enumerate(self._pool):
            arrays |= weights_of(policy, f"{_POOL}{number}.")
        arrays |= {MEMORY + name: array.copy() for name, array in self.memory.items()}
        data = {
            "algorithm": type(model).__name__,
            "actions": model.num_timesteps,
            "updates": model._n_updates,
            "pool": len(self._pool),
            "pooled": self._pooled,
            "metrics": dict(self._metrics),
            "waiting": list(self._waiting),
        }
        return Snapshot(arrays, data)

    def restore(self, snapshot: Snapshot) -> None:
        """Restore everything from a snapshot."""
        data, arrays = snapshot.data, snapshot.arrays
        name = type(self.model).__name__
        if data.get("algorithm") != name:
            raise BadInputError(f"this is a snapshot of {data.get('algorithm', 'another learner')}, not of {name}")
        if missing := set(self.snapshot().data) - set(data):
            raise BadInputError(f"this is not a whole snapshot of {name}: it lacks {', '.join(sorted(missing))}")
        model = self.model
        load_weights(model.policy, _under(_POLICY, arrays))
        load_optimizer(model.policy.optimizer, arrays)
        self._pool = [self._copied_policy() for _ in range(data["pool"])]
        for number, policy in enumerate(self._pool):
            load_weights(policy, _under(f"{_POOL}{number}.", arrays))
        model.num_timesteps, model._n_updates = int(data["actions"]), int(data["updates"])
        self.remember(_under(MEMORY, arrays))
        self._pooled, self._metrics, self._waiting = data["pooled"], dict(data["metrics"]), list(data["waiting"])
        self._decisions = ([], [])


def _under(prefix: str, arrays: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    return {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}


class _Points(BaseCallback):
    """A callback that records the points of contests: the learner's, or those of seat 0.

    Attributes:
        points: The points of each contest, in the order in which they ended; NaN where a limit cut it short.
    """

    def __init__(self, of_seat_0: bool) -> None:
        super().__init__()
        self.of_seat_0 = of_seat_0
        self.points: list[float] = []

    def _on_step(self) -> bool:
        rewards, infos = self.locals["rewards"], self.locals["infos"]
        for copy in np.flatnonzero(self.locals["dones"]):
            info = infos[copy]
            points = float("nan") if info["TimeLimit.truncated"] else float(rewards[copy])
            self.points.append(-points if self.of_seat_0 and info["seat"] == 1 else points)
        return True
