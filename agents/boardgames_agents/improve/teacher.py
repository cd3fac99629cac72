"""The teacher of an iteration: the network that goes on, after more self-play.

A network that has been fitted to a look-ahead predicts well where it was taught, but two plies of it are hardly better
than one: the errors that it shares with its look-ahead do not average out. TD(λ) ties its predictions to results again,
at a learning rate so low that one ply loses little. Several *branches* do so from the same network, each with contests
of its own, and the mean of their weights is the teacher; so self-play uses as many processors as there are branches.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np

from boardgames_agents.improve.network_job import network_of_snapshot
from boardgames_agents.policy import Snapshot
from boardgames_agents.td.learner import TDLearner
from boardgames_agents.td.network import Network
from boardgames_agents.td.options import TDOptions
from boardgames_env.errors import BadInputError, require
from boardgames_env.game import Game
from boardgames_env.kernels.signatures import Float32s

_FALL = 6
"""The learning rate of the last contest is 1/7 of that of the first."""

_AVERAGED = 3
"""The weights of a branch are averaged over about the last third of its contests."""


@dataclass(frozen=True)
class SelfPlayOptions:
    """The self-play of an iteration.

    Attributes:
        self_play: Contests of TD(λ) before each iteration, of each branch; 0 for none.
        branches: Parallel trainings by self-play; the mean of their weights is the teacher.
        td_alpha: Learning rate of the first contest of self-play.
        lam: λ of self-play, from 0 to 1.

    Raises:
        BadInputError: If a number is not allowed.
    """

    self_play: int = 0
    branches: int = 2
    td_alpha: float = 0.01
    lam: float = 0.4

    def __post_init__(self) -> None:
        require(0, self_play=self.self_play)
        require(1, branches=self.branches)
        require(0, 1, td_alpha=self.td_alpha, lam=self.lam)
        for option in () if self.self_play else fields(self):
            if (given := getattr(self, option.name)) != option.default:
                raise BadInputError(f"{option.name}={given} is for self-play, and there is none")


def learned_by_self_play(
    game: Game, seed: tuple[int, ...], options: SelfPlayOptions, network: Snapshot
) -> Mapping[str, Float32s]:
    """Return the weights of a branch: the work of a `boardgames_agents.improve.network_job.NetworkJob`."""
    contests = options.self_play
    learner = TDLearner(
        network_of_snapshot(network, game, Network),
        TDOptions(
            alpha=options.td_alpha,
            decay=contests / _FALL,
            lam=options.lam,
            error="squared",
            epsilon=0,
            average=contests / _AVERAGED,
        ),
    )
    learner.self_play(seed, range(contests))
    return learner.learned.arrays()


def mean_of(network: Network, branches: Sequence[Mapping[str, Float32s]]) -> Network:
    """Return a copy of a network whose weights are the mean of those of its branches."""
    mean = network.copy()
    mean.load({name: np.sum([each[name] for each in branches], axis=0) / len(branches) for name in network.arrays()})
    return mean
