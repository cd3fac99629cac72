"""The training of a network for races, by nothing but the rules and the bear-off tables."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from boardgames_agents.race.distributions import (
    INPUTS,
    INPUTS_OF_POINT,
    OTHER_HOME,
    OUTPUTS,
    ROLLS,
    ROLLS_TO_FIRST,
    RaceWeights,
)
from boardgames_agents.race.targets import find_targets
from boardgames_env.errors import BadInputError, require
from boardgames_env.games import make_game
from boardgames_env.games.backgammon.backgammon_board import HOME, POINTS
from boardgames_env.kernels.signatures import Float32s, Float64s, Int8s
from boardgames_env.moves import moves_kernel
from boardgames_env.solve.bearoff import bearoff
from boardgames_env.solve.bearoff_kernels import MEN

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True)
class RaceTraining:
    """How a network for races is trained.

    Attributes:
        rounds: The number of rounds. In each, every race goes on by a roll, and the network learns from the last ones.
        races: The number of races that are under way.
        hidden: The number of hidden units.
        window: The number of rounds whose examples are learned from.
        batch: The number of examples of a step.
        alpha: The learning rate of the first step; it falls to 0 along half a cosine.
        seed: The random seed.

    Raises:
        BadInputError: If a number is not allowed.
    """

    rounds: int = 60
    races: int = 20_000
    hidden: int = 48
    window: int = 4
    batch: int = 256
    alpha: float = 0.003
    seed: int = 0

    def __post_init__(self) -> None:
        require(1, rounds=self.rounds, races=self.races, hidden=self.hidden, window=self.window, batch=self.batch)
        require(0, seed=self.seed)
        if not 0 < self.alpha <= 1:
            raise BadInputError(f"alpha={self.alpha} is not allowed; it is a number greater than 0, up to 1")


class Round(NamedTuple):
    """A round of a training.

    Attributes:
        weights: The weights after it.
        error: By how many rolls the network's mean was wrong before it, by one roll of look-ahead in the round's races;
            the root of the mean square.
    """

    weights: RaceWeights
    error: float


def train(training: RaceTraining) -> Iterator[Round]:
    """Train a network, and yield each round. The same options give the same weights."""
    from boardgames_agents.td.torch_network import one_thread  # (which says so if there is no torch)

    import torch  # isort: skip

    rng = np.random.default_rng(training.seed)
    with one_thread():
        module = _module(training, rng)
        optimizer = torch.optim.Adam(module.parameters(), lr=training.alpha)
        steps = training.rounds * training.window * training.races // training.batch
        schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)
        races, window = starts(training.races, rng), deque[tuple[Float32s, Float32s]](maxlen=training.window)
        for _ in range(training.rounds):
            inputs, (targets, following) = (
                inputs_of(races),
                look_ahead(_weights(module), races, rng.random((len(races), 2))),
            )
            with torch.no_grad():
                predicted = torch.softmax(module(torch.from_numpy(inputs))[:, :ROLLS], 1).numpy()
            misses = (predicted - targets[:, :ROLLS]) @ np.arange(ROLLS)
            window.append((inputs, targets))
            for rows in _batches(sum(len(each) for each, _ in window), training.batch, rng):
                seen, wanted = (torch.from_numpy(np.concatenate(each)[rows]) for each in zip(*window, strict=True))
                optimizer.zero_grad()
                torch.autograd.backward(_cross_entropy(module(seen), wanted))
                optimizer.step()
                schedule.step()
            yield Round(_weights(module), float(np.sqrt((misses**2).mean())))
            races = _going_on(following, rng)


def starts(count: int, rng: np.random.Generator) -> Int8s:
    """Return arrangements of 15 men from which races begin, int8, shape ``(count, 25)``.

    In half of them up to four men are not at home, in the others any number. Few are in the other seat's home board. In
    a third there may be men off, as after a hit late in a contest.
    """
    home = rng.random((count, MEN)) < rng.random((count, 1))
    stragglers = np.arange(MEN) < rng.integers(1, 5, (count, 1))
    home = np.where(rng.random((count, 1)) < 0.5, ~stragglers, home)
    rear = rng.integers(HOME + 1, POINTS + 1, (count, 1))
    away = HOME + 1 + (rng.random((count, MEN)) * (rear - HOME)).astype(int)
    points = np.where(home, rng.integers(1, HOME + 1, (count, MEN)), away)
    points[(points > OTHER_HOME) & (rng.random((count, MEN)) < 0.7)] -= 2 * HOME
    points[home & (rng.random((count, MEN)) < np.maximum(rng.random((count, 1)) * 3 - 2, 0))] = 0
    men = np.zeros((count, POINTS + 1), dtype=np.int8)
    np.add.at(men, (np.arange(count)[:, None], points), 1)
    return men


def inputs_of(arrangements: Int8s) -> Float32s:
    """Return the inputs of arrangements, shape ``(n, INPUTS)``; see `distributions.predict`."""
    men = arrangements[:, 1:].astype(np.float32)
    inputs = np.stack([men > 0, men > 1, np.maximum(men - 2, 0) / 2], axis=2).astype(np.float32)
    assert inputs.shape[1:] == (POINTS, INPUTS_OF_POINT)
    return inputs.reshape(len(men), INPUTS)


def look_ahead(weights: RaceWeights, races: Int8s, drawn: Float64s) -> tuple[Float32s, Int8s]:
    """Return what a network should predict, and an arrangement after each; see `targets.find_targets`."""
    game, tables = make_game("backgammon").ready, bearoff()
    targets, following = np.empty((len(races), OUTPUTS), dtype=np.float32), np.empty_like(races)
    kernels = (game.rules.chance_events, game.rules.happen, moves_kernel(game))
    find_targets.run(*kernels, weights, tables.rolls, tables.firsts, races, drawn, targets, following)
    return targets, following


def _going_on(races: Int8s, rng: np.random.Generator) -> Int8s:
    """Return races, with new ones in the place of those in which all men are home."""
    at_home = races[:, HOME + 1 :].sum(axis=1) == 0
    races[at_home] = starts(int(at_home.sum()), rng)
    return races


def _module(training: RaceTraining, rng: np.random.Generator) -> "torch.nn.Sequential":
    import torch

    module = torch.nn.Sequential(
        torch.nn.Linear(INPUTS, training.hidden), torch.nn.ReLU(), torch.nn.Linear(training.hidden, OUTPUTS)
    )
    for parameter in module.parameters():
        drawn = rng.uniform(-0.1, 0.1, tuple(parameter.shape)).astype(np.float32)
        parameter.data = torch.from_numpy(drawn)
    return module


def _weights(module: "torch.nn.Sequential") -> RaceWeights:
    hidden, hidden_bias, output, output_bias = (each.detach().numpy() for each in module.parameters())
    arrays = (hidden.T, hidden_bias, output.T, output_bias)
    return RaceWeights(*(np.ascontiguousarray(each).copy() for each in arrays))


def _batches(count: int, size: int, rng: np.random.Generator) -> Iterator["np.ndarray[tuple[int], np.dtype[np.int64]]"]:
    order = rng.permutation(count)
    for first in range(0, count, size):
        yield order[first : first + size]


def _cross_entropy(outputs: "torch.Tensor", wanted: "torch.Tensor") -> "torch.Tensor":
    import torch

    loss = torch.zeros(())
    for start, end in pairwise((0, ROLLS, ROLLS + ROLLS_TO_FIRST, OUTPUTS)):
        predicted = torch.log_softmax(outputs[:, start:end], 1)
        loss = loss - (wanted[:, start:end] * predicted).sum(1).mean()
    return loss
