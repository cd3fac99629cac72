"""The options of networks and of TD(λ) learners."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from boardgames_env.errors import BadInputError, require
from boardgames_env.game import Game
from boardgames_env.spec import Recipe


@dataclass(frozen=True)
class Shallow:
    """The shape and conventions of a network with one hidden layer.

    Attributes:
        inputs: The name of the game's encoding by which positions are shown.
        hidden: Number of hidden units.
        outputs: Number of outputs: 1 predicts who wins; 4 also who wins a gammon, as in TD-Gammon; 6 tells two points
            from three.
        units: Kind of the hidden units.
        viewer: Who sees positions: the seat to move, or always seat 0, as in TD-Gammon.
        gammons: Whether the outputs for gammons are apart from those for wins, or within them.

    Raises:
        BadInputError: For a number that is not allowed.
    """

    inputs: str = "observation"
    hidden: int = 40
    outputs: int = 1
    units: Literal["sigmoid", "rectified"] = "sigmoid"
    viewer: Literal["move", "0"] = "move"
    gammons: Literal["apart", "within"] = "apart"

    def __post_init__(self) -> None:
        require(1, 100_000, hidden=self.hidden)
        if self.outputs not in (1, 4, 6):
            raise BadInputError(f"outputs={self.outputs} is not allowed; a network has 1, 4 or 6 outputs")


_MOST_WEIGHTS = 100_000_000
"""The most weights between hidden layers."""


def demand_few_weights(widths: Sequence[int], options: str) -> None:
    """Raise `BadInputError`, which names the options, if layers of such widths have too many weights between them."""
    if (weights := sum(below * above for below, above in pairwise(widths))) > _MOST_WEIGHTS:
        raise BadInputError(
            f"{options} are not allowed together; between these layers are {weights:,} weights, more than "
            f"{_MOST_WEIGHTS:,}"
        )


@dataclass(frozen=True)
class Design(Shallow):
    """The shape and conventions of a network, which its file holds beside the weights.

    Attributes:
        hidden: Number of hidden units, those of the first layer.
        further: Numbers of hidden units of further layers, which are rectified, such as ``256-128``; empty for one
            hidden layer.

    Raises:
        BadInputError: For a number that is not allowed.
    """

    further: str = ""
    residual: ClassVar[bool] = False

    def __post_init__(self) -> None:
        super().__post_init__()
        demand_few_weights(self.widths, f"hidden={self.hidden} and further={self.further!r}")

    @property
    def widths(self) -> tuple[int, ...]:
        """The numbers of hidden units, layer by layer."""
        parts = self.further.split("-") if self.further else []
        if not all(re.fullmatch("[1-9][0-9]{,4}", part) for part in parts):
            raise BadInputError(
                f"further={self.further[:40]!r} is not allowed; give numbers of units below 100,000, such as 256-128"
            )
        return (self.hidden, *map(int, parts))


_SELF_PLAY: Mapping[str, Any] = {
    **{"gammons": "within", "units": "sigmoid", "error": "squared", "epsilon": 0},
    **{"alpha": 0.3, "decay": 40_000, "lam": 0.4},
}
"""What the networks of the package that were trained by self-play alone have in common."""


@dataclass(frozen=True)
class TDOptions(Shallow):
    """The options of a TD(λ) learner: its network's design, and how it is trained.

    Attributes:
        alpha: Learning rate of the first contest.
        decay: Number of contests after which the learning rate has halved; 0 for a constant one.
        lam: λ, from 0 to 1: how far back an error is credited.
        lam_decay: Number of contests after which λ has halved; 0 for a constant one.
        error: What learning minimizes: the squared error, as in TD-Gammon, or the cross-entropy.
        epsilon: Probability of a random move while it learns.
        temperature: While it learns, moves are drawn in proportion to exp(points / temperature); 0 for the best move.
        openings: Most random moves at the beginning of a contest of self-play.
        average: It plays with the mean of its weights over about this many contests; 0 for the last weights.
        seed: Seed of the initial weights.

    Raises:
        BadInputError: For a number that is not allowed.
    """

    RECIPES: ClassVar[Mapping[str, Recipe]] = {
        "td_gammon_raw": Recipe(
            "The bare board; for 200,000 contests, two minutes. Source: docs/networks.md, where its seed is 1",
            {"inputs": "raw_cumulative", "hidden": 40, "outputs": 4, **_SELF_PLAY, "average": 70_000},
        ),
        "td_gammon_1995": Recipe(
            "With features; for 1,000,000 contests, 25 minutes. Source: docs/networks.md, where its seed is 1",
            {"inputs": "expert", "hidden": 80, "outputs": 6, **_SELF_PLAY, "average": 200_000},
        ),
        "tesauro": Recipe(
            "The network and the rule of TD-Gammon at first. Source: Tesauro 1992, where α = 0.1 and λ = 0.7",
            {
                **{"inputs": "raw", "hidden": 40, "outputs": 4, "units": "sigmoid", "viewer": "0", "error": "squared"},
                **{"epsilon": 0, "alpha": 0.1, "decay": 0, "lam": 0.7, "average": 0},
            },
        ),
    }

    hidden: int = 256
    units: Literal["sigmoid", "rectified"] = "rectified"
    alpha: float = 0.25
    decay: float = 2500
    lam: float = 0.7
    lam_decay: float = 0
    error: Literal["squared", "cross_entropy"] = "cross_entropy"
    epsilon: float = 0.5
    temperature: float = 0.0
    openings: int = 0
    average: float = 3000
    seed: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        require(0, 1, lam=self.lam, epsilon=self.epsilon)
        require(0, alpha=self.alpha, decay=self.decay, lam_decay=self.lam_decay, temperature=self.temperature)
        require(0, openings=self.openings, average=self.average)
        require(0, 2**63 - 1, seed=self.seed)

    @property
    def design(self) -> Design:
        """The network's design."""
        return Design(*(getattr(self, each.name) for each in fields(Shallow)))

    def alphas(self, contests: range) -> NDArray[np.float32]:
        """Return the learning rate of each contest."""
        return _halving(self.alpha, self.decay, contests)

    def lambdas(self, contests: range) -> NDArray[np.float32]:
        """Return λ of each contest."""
        return _halving(self.lam, self.lam_decay, contests)


def refuse_stakes(game: Game, who: str) -> None:
    """Raise `BadInputError` for a game with a doubling cube or a match.

    ``who`` begins the message, such as ``td does``.
    """
    if game.stake is not None:
        raise BadInputError(f"{who} not learn {game.spec}, with its doubling cube; learn without, and play with it")
    if game.part is not game:
        raise BadInputError(f"{who} not learn {game.spec}, a match; learn single games, and play matches with it")


def _halving(first: float, decay: float, contests: range) -> NDArray[np.float32]:
    numbers = np.arange(contests.start, contests.stop)
    return (first / (1 + numbers / decay) if decay else np.full(len(numbers), first)).astype(np.float32)
