"""Examples as only the networks of the package needed them: of other moves, fewer rolls, and with quicker labels."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from boardgames_agents.backgammon.race_evaluator import RaceEvaluator, with_tables
from boardgames_agents.backgammon.race_network import RaceWeights
from boardgames_agents.improve.examples import Collector, ExampleOptions, Examples, filtered, parts_of
from boardgames_agents.improve.network_job import network_of_snapshot
from boardgames_agents.lookahead.evaluator import Evaluator, Probabilities
from boardgames_agents.lookahead.expectimax import Expectimax
from boardgames_agents.policy import Snapshot
from boardgames_agents.td.network import Network
from boardgames_env.errors import BadInputError, require
from boardgames_env.game import Game
from boardgames_env.kernels.signatures import Bools, Float64s, Int8s, Int32s, Int64s
from networks.sampled_lookahead import MOST_SAMPLED_PLIES, MOST_SAMPLES, SampledLookahead

_OTHERS, _DRAWS = 1, 2
"""Appended to the seed, they give the other moves and clear rolls, and sampled labels, random streams of their own."""

_CLEAR = 4
"""Of this number of clear rolls one is labelled, so that the network does not forget what makes them clear."""

_WIDEST = 6.0
"""The largest difference of two moves in points."""


@dataclass(frozen=True)
class WorkshopExampleOptions(ExampleOptions):
    """How examples are collected and labelled. (On ``samples`` see `SampledLookahead`.)

    Attributes:
        others: Other moves of each roll that are learned from, drawn at random.
        margin: A roll is clear if one ply finds its second-best move worse by more points than this. A deeper
            look-ahead seldom disagrees there, so only a quarter of the clear rolls are learned from. By default no roll
            is clear.
        forced: Whether positions after rolls that leave no choice are learned from, too, such as those after which men
            stay on the bar. Such positions are unlike others, and a network that is not shown them forgets them.
        samples: Rolls that the look-ahead follows beyond the second ply, drawn at random, with 3 plies or more; 0 for
            all.
        label_lambda: λ of labels by drawn rolls, from 0 to 1; with 1 the greatest depth counts alone.

    Raises:
        BadInputError: If a number is not allowed.
    """

    others: int = 0
    margin: float = _WIDEST
    forced: bool = True
    samples: int = 0
    label_lambda: float = 1.0

    def __post_init__(self) -> None:
        require(0, others=self.others)
        require(0, _WIDEST, margin=self.margin)
        require(0, MOST_SAMPLES, samples=self.samples)
        require(0, 1, label_lambda=self.label_lambda)
        if not self.samples:
            if self.label_lambda != WorkshopExampleOptions.label_lambda:
                raise BadInputError(f"label_lambda={self.label_lambda} is for drawn rolls; give samples, too")
            super().__post_init__()
            return
        require(2, candidates=self.candidates)
        if not 3 <= self.plies <= MOST_SAMPLED_PLIES:
            raise BadInputError(
                f"samples={self.samples} is for 3 to {MOST_SAMPLED_PLIES} plies, not for plies={self.plies}"
            )
        if self.replies != ExampleOptions.replies:
            raise BadInputError(
                f"replies={self.replies} is for 3 plies or more of all rolls; "
                "drawn rolls are followed by the best reply"
            )


def collected(
    game: Game,
    seed: tuple[int, ...],
    rolls: int,
    options: WorkshopExampleOptions,
    kept: int,
    network: Snapshot,
    filtering: Snapshot | None,
    races: Snapshot | None,
) -> Examples:
    """Collect the examples of a number of rolls, with a network for races if there is one."""
    made, weights = network_of_snapshot(network, game, Network), RaceWeights(**races.arrays) if races else None
    return WorkshopCollector(made, options, filtered(made, filtering, kept), weights).collect(rolls, seed)


class WorkshopCollector(Collector):
    """Collects and labels examples.

    With a network for races, contests end where a race begins, and no race is among the examples.

    Args:
        network: The network that plays.
        options: How examples are collected.
        labelling: The evaluator of the look-ahead that labels; by default the network.
        weights: A network for races, which the network then leaves to it.

    Raises:
        BadInputError: As for `Collector`, and if the network for races does not fit the game.
    """

    _options: WorkshopExampleOptions

    def __init__(
        self,
        network: Network,
        options: WorkshopExampleOptions,
        labelling: Evaluator | None = None,
        weights: RaceWeights | None = None,
    ) -> None:
        super().__init__(network, options)
        self._leaves_races = weights is not None
        self._player = Expectimax(self.game, with_tables(network, self.game, weights))
        self._labelling = with_tables(labelling or network, self.game, weights)

    def collect(self, rolls: int, seed: Sequence[int]) -> Examples:
        """Return examples of as many rolls with a choice, and if asked to of those without one that come besides."""
        self._rng = np.random.default_rng((*seed, _OTHERS))
        return super().collect(rolls, seed)

    def _ends(self, reached: Int8s, points: Int32s) -> Bools:
        ends, evaluator = super()._ends(reached, points), self._player.evaluator
        return ends | evaluator.knows(reached) if self._leaves_races and isinstance(evaluator, RaceEvaluator) else ends

    def _chosen(self, going: Int64s, values: Float64s) -> Int64s:
        options = self._options
        is_clear = len(going) > 1 and values[going[0]] - values[going[1]] > options.margin
        if is_clear and self._rng.integers(_CLEAR) > 0:
            going = going[:1]
        others = going[options.candidates :]
        if len(others) > options.others:
            others = others[np.sort(self._rng.choice(len(others), options.others, replace=False))]
        chosen = np.concatenate([going[: options.candidates], others])
        return chosen if options.forced or len(chosen) > 1 else chosen[:0]

    def _labels(self, states: Int8s, rolls: Int64s, seed: Sequence[int]) -> Probabilities:
        if not self._options.samples:
            return super()._labels(states, rolls, seed)
        sampling = SampledLookahead(self.game, self._labelling, self._options.samples, self._options.label_lambda)
        # (the moves of a roll are compared by the same rolls, so that luck cancels)
        draws = np.random.default_rng((*seed, _DRAWS)).random((rolls[-1] + 1, self._options.plies - 2))[rolls]
        return np.concatenate([sampling.outcome_probabilities(states[part], draws[part]) for part in parts_of(states)])
