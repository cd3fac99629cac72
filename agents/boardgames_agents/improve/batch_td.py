"""Batch TD(λ): rounds of self-play, each learned from once, by a network of any number of layers.

TD(λ) takes a step after every turn, with traces. Here a network plays a round of contests, and then learns all their
positions once, in random order, by Adam: each is moved towards what the same network predicts a turn later, of the
reply to the roll that came up or *exactly*, of the best replies to all rolls (Sutton 1988, with λ = 0). With λ, what
the contest leads to later counts, too. No position is learned twice, so a large network cannot overfit; the dice
explore.

In a round contests are apart from each other, each with random numbers of its own, so any number of processes plays the
same contests.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields

import numpy as np

from boardgames_agents.backgammon.race_evaluator import with_tables
from boardgames_agents.backgammon.race_network import RaceWeights
from boardgames_agents.experiments.runner import ProgressBar, Workers, run_jobs
from boardgames_agents.improve.examples import Examples, filtered, joined
from boardgames_agents.improve.fitting import Descent, FittingOptions, loss_of, require_rate
from boardgames_agents.improve.labelled_contests import play_contests
from boardgames_agents.improve.network_job import NetworkJob, network_of_snapshot, snapshot_of
from boardgames_agents.lookahead.evaluator import Evaluator
from boardgames_agents.policy import Snapshot
from boardgames_agents.td.network import Network
from boardgames_env.errors import BadInputError, require
from boardgames_env.game import Game
from boardgames_env.moves import MOST_MOVES

_CONTESTS = 125
"""The contests of a round that one process plays at once."""


@dataclass(frozen=True)
class RoundOptions:
    """Batch TD(λ) before each iteration.

    Attributes:
        rounds: Rounds of batch TD(λ) before each iteration; 0 for none.
        contests: Contests of a round.
        steps: Steps of the optimizer in a round, in which each position is learned from once.
        round_alpha: Learning rate of the first round of an iteration; it falls to 0 along half a cosine.
        exact: Whether a position learns the mean over all rolls of the best reply, and not what came up.
        round_lambda: λ of the targets, from 0 to 1: how much the errors later in a contest count.
        rivals: Next best moves of each turn that are learned from, too, and compared with the one played; exactly only.

    Raises:
        BadInputError: If a number is not allowed.
    """

    rounds: int = 0
    contests: int = 1000
    steps: int = 200
    round_alpha: float = 0.001
    exact: bool = False
    round_lambda: float = 0.0
    rivals: int = 0

    def __post_init__(self) -> None:
        require(0, rounds=self.rounds)
        require(1, contests=self.contests, steps=self.steps)
        require_rate(round_alpha=self.round_alpha)
        require(0, 1, round_lambda=self.round_lambda)
        require(0, MOST_MOVES, rivals=self.rivals)
        for option in () if self.rounds else fields(self):
            if (given := getattr(self, option.name)) != option.default:
                raise BadInputError(f"{option.name}={given} is for batch TD(λ), and there are no rounds")
        if self.steps > self.contests:
            raise BadInputError(
                f"steps={self.steps} is not allowed with contests={self.contests}; a round has at most a step for each "
                "contest, so that there is something to learn in it"
            )
        if self.rivals and not self.exact:
            raise BadInputError(f"rivals={self.rivals} is for exact targets; give exact, too")


def learn_by_rounds(
    network: Network,
    options: RoundOptions,
    fitting: FittingOptions,
    seed: tuple[int, ...],
    workers: Workers,
    bar: ProgressBar,
    job: Callable[[tuple[int, ...], range, Snapshot], NetworkJob[Examples]],
) -> None:
    """Play the rounds of an iteration, and learn from each, in place.

    ``job`` returns the job that plays some contests, by the seed of the round, their numbers and the network. Of
    ``fitting`` the device counts, and the weight of comparisons where there are rivals.
    """
    from boardgames_agents.td.torch_network import TorchNetwork, device_named  # (which says so if there is no torch)

    module, rng = TorchNetwork(network).to(device_named(fitting.device)), np.random.default_rng(seed)
    descent = Descent(module, options.round_alpha, options.rounds * options.steps)
    contests = range(options.contests)
    blocks = [contests[first : first + _CONTESTS] for first in range(0, options.contests, _CONTESTS)]
    for number in range(options.rounds):
        snapshot = snapshot_of(network)
        jobs = [job((*seed, number), block, snapshot) for block in blocks]
        found = dict(run_jobs(jobs, workers))
        examples = joined([found[index] for index in range(len(jobs))])
        order = rng.permutation(len(examples.starts()))
        loss = loss_of(module, examples, fitting.comparison if options.rivals else 0)
        descent.epoch(np.array_split(order, options.steps), loss)
        module.write_to_network()
        bar.step()


def played(
    game: Game,
    seed: tuple[int, ...],
    contests: range,
    options: RoundOptions,
    kept: int,
    network: Snapshot,
    filtering: Snapshot | None,
    races: Snapshot | None = None,
) -> Examples:
    """Play and label some contests of a round, which end where races begin if a network knows those."""
    made = network_of_snapshot(network, game, Network)
    evaluator: Evaluator = filtered(made, filtering, kept)
    if races:
        evaluator = with_tables(evaluator, game, RaceWeights(**races.arrays))
    return play_contests(made, seed, contests, evaluator, options.exact, options.round_lambda, options.rivals)
