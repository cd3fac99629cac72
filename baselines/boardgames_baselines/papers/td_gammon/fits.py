"""Networks and other functions fitted to positions: linear ones to a network, and networks to an expert's choices.

The first are those of Tesauro 1995, "Learning Linear Concepts First". The others are trained by comparison, as
Neurogammon was: for each decision of an expert that plays itself, another move is drawn in each pass, and the network,
which has one output, is trained to prefer the chosen one. The loss is log(1 + exp(z - z*)), where z* and z are its
log-odds for the expert's seat after the expert's move and after the other. (Tesauro 1989 descends the square of an
error of two such outputs; this is its maximum-likelihood form.) Steps are Adam's (Kingma and Ba 2015), which need no
tuning by size.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from boardgames_agents.backgammon.whole_moves import WholeMovePlayer
from boardgames_agents.experiments.store import JsonResult
from boardgames_agents.registry import make_agent
from boardgames_agents.td.network import Network
from boardgames_agents.td.options import Design
from boardgames_baselines.papers.job import PaperJob, number_of
from boardgames_baselines.papers.td_gammon.networks import (
    GAME,
    REPORTING,
    PlayChoice,
    choice_of,
    decisions,
    points_against_pubeval,
    strength,
    trained_network,
)
from boardgames_baselines.papers.training import TrainingState
from boardgames_env import Game, make_game
from boardgames_env.errors import BadInputError

_FITTING, _CHECKING, _PLAYING = range(3)

_OFFSET = 10
"""An offset larger than any expected points, which keeps a rectified unit in its linear part."""


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


@dataclass(frozen=True)
class LinearFits:
    """The `linear_fit` to a network in training, under ``linear``.

    Attributes:
        decisions: Decisions of self-play a linear function is fitted to.
        contests: The number against pubeval.
    """

    decisions: int
    contests: int

    def __call__(self, state: TrainingState) -> dict[str, Any]:
        """Fit and measure."""
        seeds = (*state.job.seeds, _FITS, state.contests)
        return {"linear": linear_fit(trained_network(state), self.decisions, self.contests, seeds)}


_FITS = 3


def linear_fit(network: Network, count: int, playing: int, seeds: Sequence[int]) -> dict[str, float]:
    """Fit a linear function by least squares to a network's estimates after all moves of its self-play.

    It is fitted to ``count`` decisions, checked by as many of other contests, and plays pubeval ``playing`` times.

    Returns:
        ``explained``, R²: its share of the variance of the network's estimates; ``among_siblings``, R² of the
        differences among the moves of one decision; ``same_choice``, the share of decisions in which it picks the
        network's move; ``points``, those per game against pubeval; ``moves``, the mean number of moves of a decision.
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
    return {
        "explained": 1 - float((errors**2).mean() / expected.var()),
        "among_siblings": 1 - float((checking.among(errors) ** 2).sum() / (checking.among(expected) ** 2).sum()),
        "same_choice": float((picked == checking.chosen).mean()),
        "points": float(points_against_pubeval(linear, playing, (*seeds, _PLAYING)).mean()),
        "moves": len(guessed) / len(guesses),
    }


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


# --- supervised training on an expert's choices ---

_CORPUS, _UNSEEN, _LEARNING, _TESTING = range(4)

_BATCH = 64
_RATE, _MOMENTUM, _SPREAD, _TINY = 0.003, 0.9, 0.999, 1e-8


@dataclass(frozen=True)
class Supervised(PaperJob):
    """Networks trained on an expert's choices, one for each size of the corpus, which is a part of the next.

    The result, for each size: its decisions; the network's `strength`; and the share of the expert's choices, in
    contests not learned from, that it would make.

    Attributes:
        inputs: The name of the network's encoding.
        corpora: Contests of the expert against itself, ascending.
        passes: The number of passes over the corpus.
    """

    expert: str
    inputs: str
    hidden: int
    corpora: tuple[int, ...]
    passes: int = 5
    testing: int = 2000

    def run(self) -> JsonResult:
        """Let the expert play, train, and measure."""
        game = make_game(GAME)
        seeds = self.seed, REPORTING, number_of("Supervised", self.expert, self.inputs), self.number
        corpus = _choices(game, self.expert, max(self.corpora), (*seeds, _CORPUS))
        others = _choices(game, self.expert, max(10, max(self.corpora) // 20), (*seeds, _UNSEEN))
        unseen = list(chain.from_iterable(others))
        found = []
        for size in self.corpora:
            lessons = list(chain.from_iterable(corpus[:size]))
            rng = np.random.default_rng((*seeds, _LEARNING, size))
            network = Network(game, Design(self.inputs, self.hidden, 1, "sigmoid", "move"), int(rng.integers(1 << 32)))
            compare(network, lessons, self.passes, rng)
            points, error, wins = strength(network, self.testing, (*seeds, _TESTING, size))
            pick = choice_of(network)
            agreed = [pick(each.state, each.afterstates, len(each.afterstates)) == each.chosen for each in unseen]
            results = {"decisions": len(lessons), "points": (points, error), "wins": wins}
            found.append({**results, "agreed": float(np.mean(agreed))})
        return {"sizes": found}


def _choices(game: Game, expert: str, contests: int, seeds: Sequence[int]) -> list[list[PlayChoice]]:
    player = make_agent(expert, game)
    if not isinstance(player, WholeMovePlayer):
        raise BadInputError(f"{expert} chooses no whole moves; an expert is pubeval or gnubg")
    return list(islice(decisions(game, player.pick, seeds), contests))


def compare(network: Network, lessons: Sequence[PlayChoice], passes: int, rng: np.random.Generator) -> None:
    """Train a network on an expert's choices, in place."""
    adam = _Adam(network)
    for number in range(passes):
        rate = _RATE * (1 - number / passes)
        order = rng.permutation(len(lessons))
        for start in range(0, len(order), _BATCH):
            batch = [lessons[which] for which in order[start : start + _BATCH]]
            others = [_another(each, rng) for each in batch]
            better = np.array([each.afterstates[each.chosen] for each in batch])
            worse = np.array([each.afterstates[row] for each, row in zip(batch, others, strict=True)])
            adam.step(_gradient(network, network.encode_batch(better)[0], network.encode_batch(worse)[0]), rate)


def _another(decision: PlayChoice, rng: np.random.Generator) -> int:
    """Draw a move that was not chosen."""
    row = int(rng.integers(len(decision.afterstates) - 1))
    return row + (row >= decision.chosen)


def _gradient(network: Network, better: NDArray[np.float32], worse: NDArray[np.float32]) -> dict[str, Any]:
    """Return the gradient of the mean loss, by layer. The network's odds are the other seat's."""
    layers = network.layers
    shown = np.concatenate([better, worse])
    units = expit(shown @ layers.hidden + layers.hidden_bias)
    odds = units @ layers.output[0]
    wrong = expit(odds[: len(better)] - odds[len(better) :]) / len(better)
    into_output = np.concatenate([wrong, -wrong])
    into_units = into_output[:, np.newaxis] * layers.output[0] * units * (1 - units)
    return {
        "hidden": shown.T @ into_units,
        "hidden_bias": into_units.sum(axis=0),
        "output": (into_output @ units)[np.newaxis],
    }


class _Adam:
    def __init__(self, network: Network) -> None:
        self._layers = network.layers._asdict()
        self._means = {name: np.zeros_like(layer) for name, layer in self._layers.items()}
        self._squares = {name: np.zeros_like(layer) for name, layer in self._layers.items()}
        self._steps = 0

    def step(self, gradient: dict[str, Any], rate: float) -> None:
        self._steps += 1
        for name, slope in gradient.items():
            mean, square = self._means[name], self._squares[name]
            mean += (1 - _MOMENTUM) * (slope - mean)
            square += (1 - _SPREAD) * (slope**2 - square)
            scale = np.sqrt(square / (1 - _SPREAD**self._steps)) + _TINY
            self._layers[name] -= (rate / (1 - _MOMENTUM**self._steps) * mean / scale).astype(np.float32)
