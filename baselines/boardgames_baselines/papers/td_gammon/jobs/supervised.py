"""Training on an expert's choices by comparison, as Neurogammon was: the chosen move is better than the others.

For each decision of an expert that plays itself, another move is drawn in each pass, and the network, which has one
output, is trained to prefer the chosen one: the loss is log(1 + exp(z - z*)), where z* and z are its log-odds for the
expert's seat after the expert's move and after the other (Tesauro 1989 descends the square of an error of two such
outputs; this is its maximum-likelihood form). Steps are Adam's (Kingma and Ba 2015), which need no tuning by size.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from boardgames_agents.backgammon.whole_moves import WholeMovePlayer
from boardgames_agents.registry import make_agent
from boardgames_agents.td.network import Network
from boardgames_agents.td.options import Design
from boardgames_baselines.papers.td_gammon.jobs import GAME, TDGammonJob
from boardgames_baselines.papers.td_gammon.jobs.network_play import (
    PlayChoice,
    choice_of,
    decisions,
    strength,
)
from boardgames_env import Game, make_game
from boardgames_env.errors import BadInputError

_CORPUS, _UNSEEN, _LEARNING, _TESTING = range(4)

_BATCH = 64
_RATE, _MOMENTUM, _SPREAD, _TINY = 0.003, 0.9, 0.999, 1e-8


@dataclass(frozen=True)
class Supervised(TDGammonJob):
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

    def run(self) -> dict[str, Any]:
        """Let the expert play, train, and measure."""
        game = make_game(GAME)
        seeds = self.seeds(self.expert, self.inputs)
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
            found.append(
                {
                    "decisions": len(lessons),
                    "points": (points, error),
                    "wins": wins,
                    "agreed": float(np.mean(agreed)),
                }
            )
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
