"""Linear functions fitted to a network (Tesauro 1995, "Learning Linear Concepts First")."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, islice

import numpy as np
from numpy.typing import NDArray

from boardgames_agents.td.network import Network
from boardgames_agents.td.options import Design
from boardgames_baselines.papers.td_gammon.jobs.network_play import choice_of, decisions, points_against_pubeval

_FITTING, _CHECKING, _PLAYING = range(3)

_OFFSET = 10
"""An offset larger than any expected points, which keeps a rectified unit in its linear part."""


@dataclass(frozen=True)
class LinearFit:
    """The quality of a linear function fitted to a network, in contests other than those it was fitted to.

    Attributes:
        explained: R²: its share of the variance of the network's estimates.
        among_siblings: R² of the differences among the moves of one decision.
        same_choice: The share of decisions in which it picks the network's move.
        points: Its points per game against pubeval.
        moves: The mean number of moves of a decision.
    """

    explained: float
    among_siblings: float
    same_choice: float
    points: float
    moves: float


@dataclass(frozen=True)
class _Sample:
    """Moves of self-play with the network's inputs and estimates after each, from the viewer's side.

    Attributes:
        inputs: With a column of ones, shape ``(N, inputs + 1)``.
        expected: Shape ``(N,)``.
        starts: The first move of each decision.
        sides: For each decision 1 if its seat is the viewer, otherwise -1.
        chosen: The move that the network chose, counted from the decision's first.
    """

    inputs: NDArray[np.float32]
    expected: NDArray[np.float64]
    starts: NDArray[np.int64]
    sides: NDArray[np.int64]
    chosen: NDArray[np.int64]

    def among(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return values less the mean of their decision."""
        counts = np.diff([*self.starts, len(values)])
        return values - np.repeat(np.add.reduceat(values, self.starts) / counts, counts)


def linear_fit(network: Network, count: int, playing: int, seeds: Sequence[int]) -> LinearFit:
    """Fit a linear function by least squares to a network's estimates after all moves of its self-play.

    It is fitted to ``count`` decisions, checked by as many of other contests, and plays pubeval ``playing`` times.
    """
    fitting = _sample(network, count, (*seeds, _FITTING))
    inputs = fitting.inputs.astype(float)
    coefficients = np.linalg.lstsq(inputs.T @ inputs, inputs.T @ fitting.expected, rcond=None)[0]
    checking = _sample(network, count, (*seeds, _CHECKING))
    guessed = checking.inputs @ coefficients
    errors, expected = checking.expected - guessed, checking.expected
    guesses = np.split(guessed, checking.starts[1:])
    picked = np.array([(side * each).argmax() for side, each in zip(checking.sides, guesses, strict=True)])
    linear = as_network(network, coefficients)
    return LinearFit(
        explained=1 - float((errors**2).mean() / expected.var()),
        among_siblings=1 - float((checking.among(errors) ** 2).sum() / (checking.among(expected) ** 2).sum()),
        same_choice=float((picked == checking.chosen).mean()),
        points=float(points_against_pubeval(linear, playing, (*seeds, _PLAYING)).mean()),
        moves=len(guessed) / len(guesses),
    )


def _sample(network: Network, count: int, seeds: Sequence[int]) -> _Sample:
    made = list(islice(chain.from_iterable(decisions(network.game, choice_of(network), seeds)), count))
    viewers = [0 if network.design.viewer == "0" else each.afterstates[0, 0] for each in made]
    sides = np.array([1 if viewer == each.state[0] else -1 for viewer, each in zip(viewers, made, strict=True)])
    values = [network.evaluate_afterstates(each.state, each.afterstates, len(each.afterstates)) for each in made]
    inputs, _ = network.encode_batch(np.concatenate([each.afterstates for each in made]))
    return _Sample(
        inputs=np.column_stack([inputs, np.ones(len(inputs), dtype=np.float32)]),
        expected=np.concatenate([side * each.astype(float) for side, each in zip(sides, values, strict=True)]),
        starts=np.cumsum([0, *(len(each) for each in values[:-1])]),
        sides=sides,
        chosen=np.array([each.chosen for each in made]),
    )


def as_network(network: Network, coefficients: NDArray[np.float64]) -> Network:
    """Return a network that chooses as a linear function of another network's inputs does; its constant comes last.

    It has one hidden unit, which is kept in its linear part, and one output, which increases with it.
    """
    linear = Network(network.game, Design(network.design.inputs, 1, 1, "rectified", network.design.viewer))
    linear.load(
        {
            "hidden": coefficients[:-1, np.newaxis],
            "hidden_bias": coefficients[-1:] + _OFFSET,
            "output": np.ones((1, 1)),
            "output_bias": np.full(1, -_OFFSET),
        }
    )
    return linear
