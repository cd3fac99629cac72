"""The options of each algorithm, with defaults for three families of games.

An option of Stable-Baselines3 keeps its name there and is passed on unchanged. docs/rl.md lists which values were tried
at a game of each family, and the results.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, make_dataclass
from typing import Any, ClassVar, Literal, TypeVar

from boardgames_env.errors import BadInputError, require
from boardgames_env.game import Game
from boardgames_env.spec import options_of

Family = Literal["small", "large", "dice"]

_SMALL = 9
"""The greatest number of locations of a small game."""

_MOST = 10_000_000
_MOST_OF = {"layers": 100, "quantiles": 1000}
MOST_WEIGHTS = 50_000_000
"""The most weights between the hidden layers of a network. (Its optimizer and the snapshots have some ten times it.)"""


def family_of(game: Game) -> Family:
    """Return the family of a game: ``dice``, or otherwise ``small`` or ``large`` by the size of its board."""
    if game.rules.has_chance:
        return "dice"
    return "small" if game.board.size <= _SMALL else "large"


@dataclass(frozen=True)
class AlgorithmConfig:
    """The options of all algorithms.

    Attributes:
        seed: Seed of the first weights and of all random numbers in learning.
        layers: Number of hidden layers, of each network if there are two (for actions and for values).
        hidden: Units of each hidden layer.
        copies: Copies of the game that the algorithm's own loop plays at once.
        pool: Number of its own snapshots that it keeps as opponents.
        pool_every: Number of times that it learns between two snapshots.
        learning_rate: Learning rate.
        gamma: Discount factor of an action.

    Raises:
        BadInputError: If an option is not allowed.
    """

    own: ClassVar[frozenset[str]] = frozenset({"seed", "layers", "hidden", "copies", "pool", "pool_every"})
    """The options that are not passed to the algorithm."""
    by_family: ClassVar[Mapping[Family, Mapping[str, Any]]] = {"large": {"hidden": 256}, "dice": {"hidden": 256}}
    """Defaults that differ in a family of games."""

    seed: int = 0
    layers: int = 2
    hidden: int = 128
    copies: int = 1
    pool: int = 10
    pool_every: int = 10
    learning_rate: float = 1e-3
    gamma: float = 1.0

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            is_share = name in ("gamma", "gae_lambda", "exploration_final_eps")
            least = 0 if is_share or name in ("seed", "learning_starts") or isinstance(value, float) else 1
            require(least, 1 if is_share else _MOST_OF.get(name, _MOST), **{name: value})
        weights = self.layers * self.hidden**2
        if weights > MOST_WEIGHTS:
            raise BadInputError(
                f"layers={self.layers} with hidden={self.hidden} are not allowed; layers × hidden² must be at most "
                f"{MOST_WEIGHTS:,}"
            )

    @property
    def arguments(self) -> dict[str, Any]:
        """The arguments of the algorithm's class."""
        return {name: value for name, value in asdict(self).items() if name not in self.own}

    @property
    def network(self) -> dict[str, Any]:
        """The arguments of its network."""
        return {"net_arch": [self.hidden] * self.layers}


Made = TypeVar("Made", bound=AlgorithmConfig)


def configured(kind: type[Made], game: Game, options: Mapping[str, Any]) -> Made:
    """Return the options of an algorithm for a game, with its family's defaults where an option is None or not given.

    Raises:
        BadInputError: If an option is not allowed.
    """
    family = family_of(game)
    chosen = {name: value for name, value in options.items() if value is not None}
    return kind(**{**AlgorithmConfig.by_family.get(family, {}), **kind.by_family.get(family, {}), **chosen})


@dataclass(frozen=True)
class OnPolicyConfig(AlgorithmConfig):
    """The options of algorithms that learn from what they have just played.

    Attributes:
        n_steps: Actions of each copy that are learned from at once.
        gae_lambda: λ of generalized advantage estimation.
        ent_coef: Coefficient of the entropy in the loss.
    """

    copies: int = 64
    n_steps: int = 32
    gae_lambda: float = 0.95
    ent_coef: float = 0.01

    @property
    def rows(self) -> int:
        """The number of actions that are learned from at once."""
        return self.n_steps * self.copies


@dataclass(frozen=True)
class PPOConfig(OnPolicyConfig):
    """The options of PPO.

    Attributes:
        batch_size: Actions of a minibatch; it must divide n_steps × copies.
        n_epochs: Number of times that the same actions are learned from.
        clip_range: Limit of the change of a probability ratio.
    """

    by_family: ClassVar[Mapping[Family, Mapping[str, Any]]] = {
        "large": {"learning_rate": 3e-4},
        "dice": {"learning_rate": 3e-4, "gae_lambda": 0.8},
    }

    batch_size: int = 512
    n_epochs: int = 8
    clip_range: float = 0.2

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.rows % self.batch_size:
            raise BadInputError(
                f"batch_size={self.batch_size} is not allowed; it must divide n_steps × copies, here {self.rows}"
            )
        if self.batch_size < 2:
            raise BadInputError("batch_size=1 is not allowed; advantages are compared within a batch, of at least 2")


@dataclass(frozen=True)
class A2CConfig(OnPolicyConfig):
    """The options of A2C."""

    n_steps: int = 8
    pool_every: int = 100


@dataclass(frozen=True)
class OffPolicyConfig(AlgorithmConfig):
    """The options of algorithms with a replay buffer.

    Attributes:
        buffer_size: Actions in the replay buffer.
        learning_starts: Actions before it learns for the first time.
        batch_size: Actions of a minibatch.
        train_freq: Actions between two times that it learns.
        gradient_steps: Minibatches each time that it learns.
        target_update_interval: Actions between two updates of the target network.
        exploration_steps: Actions over which exploration falls to its final probability.
        exploration_final_eps: Final probability of a random action.
    """

    own: ClassVar[frozenset[str]] = AlgorithmConfig.own | {"exploration_steps"}
    by_family: ClassVar[Mapping[Family, Mapping[str, Any]]] = {"large": {"learning_rate": 3e-4}}

    pool_every: int = 1000
    buffer_size: int = 50_000
    learning_starts: int = 1000
    batch_size: int = 128
    train_freq: int = 4
    gradient_steps: int = 1
    target_update_interval: int = 1000
    exploration_steps: int = 20_000
    exploration_final_eps: float = 0.05

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.copies != 1:
            raise BadInputError(f"copies={self.copies} is not allowed; it remembers what one copy has played")


@dataclass(frozen=True)
class QRDQNConfig(OffPolicyConfig):
    """The options of QR-DQN.

    Attributes:
        quantiles: Number of quantiles of the return.
    """

    own: ClassVar[frozenset[str]] = OffPolicyConfig.own | {"quantiles"}

    quantiles: int = 25

    @property
    def network(self) -> dict[str, Any]:
        """The arguments of its network."""
        return {**super().network, "n_quantiles": self.quantiles}


def left_open(kind: type[AlgorithmConfig]) -> type:
    """Derive the agent's options from a configuration: each may be None, which leaves it to the game's family."""
    return make_dataclass(
        kind.__name__,
        [
            (name, option.type | None, field(default=None, metadata={"help": option.help}))
            for name, option in options_of(kind).items()
        ],
        frozen=True,
    )
