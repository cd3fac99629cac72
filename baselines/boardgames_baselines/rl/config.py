"""What each algorithm is told: its settings, with defaults for three families of games.

A setting has the name that Stable-Baselines3 gives it, and goes to the algorithm as it is; those that it does not
know are explained here. What was tried out at a game of each family, and what it came to, is told in docs/rl.md.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, make_dataclass
from typing import Any, ClassVar, Literal, TypeVar

from boardgames_env.errors import BadInputError, require
from boardgames_env.game import Game
from boardgames_env.spec import options_of

Family = Literal["small", "large", "dice"]

_SMALL = 9
"""A small game has at most so many locations."""

_MOST = 10_000_000

Settings = Mapping[str, Any]


def family_of(game: Game) -> Family:
    """The family of a game: one of ``dice``, or else with a ``small`` or a ``large`` board."""
    if game.rules.has_chance:
        return "dice"
    return "small" if game.board.size <= _SMALL else "large"


@dataclass(frozen=True)
class Config:
    """What all algorithms are told.

    Attributes:
        seed: Settles the first weights, and every chance in learning.
        layers: Hidden layers of the network, of each of the two where there is one for actions and one for values.
        hidden: Units of each.
        copies: Copies of the game that its own loop plays at once.
        pool: Snapshots of itself that it keeps to play against.
        pool_every: It takes one after it has learned so many times.
        learning_rate: As its name says.
        gamma: How much of a point's worth is left an action earlier.

    Raises:
        BadInputError: For a setting that is not allowed.
    """

    own: ClassVar[frozenset[str]] = frozenset({"seed", "layers", "hidden", "copies", "pool", "pool_every"})
    """The settings that are not the algorithm's."""
    by_family: ClassVar[Mapping[Family, Settings]] = {"small": {}, "large": {"hidden": 256}, "dice": {"hidden": 256}}
    """Defaults that are others in a family of games."""

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
            require(least, 1 if is_share else _MOST, **{name: value})

    @property
    def arguments(self) -> dict[str, Any]:
        """What the algorithm's class is given."""
        return {name: value for name, value in asdict(self).items() if name not in self.own}

    @property
    def network(self) -> dict[str, Any]:
        """What its network is told."""
        return {"net_arch": [self.hidden] * self.layers}


Made = TypeVar("Made", bound=Config)


def configured(kind: type[Made], game: Game, settings: Settings) -> Made:
    """A configuration for a game.

    Args:
        kind: The algorithm's configuration.
        game: The game; its family has defaults of its own.
        settings: Settings that are to be others than the defaults; ``None`` stands for the default.

    Raises:
        BadInputError: For a setting that is not allowed.
    """
    family = family_of(game)
    chosen = {name: value for name, value in settings.items() if value is not None}
    return kind(**{**Config.by_family[family], **kind.by_family[family], **chosen})


@dataclass(frozen=True)
class OnPolicyConfig(Config):
    """What algorithms are told that learn from what they have just played.

    Raises:
        BadInputError: For a setting that is not allowed.
    """

    copies: int = 64
    n_steps: int = 32
    gae_lambda: float = 0.95
    ent_coef: float = 0.01

    @property
    def rows(self) -> int:
        """How many actions it learns from at once."""
        return self.n_steps * self.copies


@dataclass(frozen=True)
class PPOConfig(OnPolicyConfig):
    """What PPO is told.

    Raises:
        BadInputError: For a setting that is not allowed.
    """

    by_family: ClassVar[Mapping[Family, Settings]] = {
        "small": {},
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
    """What A2C is told.

    Raises:
        BadInputError: For a setting that is not allowed.
    """

    n_steps: int = 8
    pool_every: int = 100


@dataclass(frozen=True)
class OffPolicyConfig(Config):
    """What algorithms are told that learn from what they remember.

    Raises:
        BadInputError: For a setting that is not allowed.
    """

    own: ClassVar[frozenset[str]] = Config.own | {"exploration_steps"}
    by_family: ClassVar[Mapping[Family, Settings]] = {"small": {}, "large": {"learning_rate": 3e-4}, "dice": {}}

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
    """What QR-DQN is told; ``quantiles`` is how many quantiles of the returns it learns.

    Raises:
        BadInputError: For a setting that is not allowed.
    """

    own: ClassVar[frozenset[str]] = OffPolicyConfig.own | {"quantiles"}

    quantiles: int = 25

    @property
    def network(self) -> dict[str, Any]:
        """What the network is told."""
        return {**super().network, "n_quantiles": self.quantiles}


def left_open(kind: type[Config]) -> type:
    """Derive the agent's options from a configuration: each may be None, which leaves it to the game's family."""
    return make_dataclass(
        kind.__name__,
        [
            (name, option.type | None, field(default=None, metadata={"help": option.help}))
            for name, option in options_of(kind).items()
        ],
        frozen=True,
    )
