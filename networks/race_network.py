"""The training of the network for races, by nothing but the rules and the tables."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import numpy as np
import typer

from boardgames_agents.backgammon.race_network import (
    INPUTS,
    INPUTS_OF_POINT,
    OTHER_HOME,
    OUTPUTS,
    ROLLS,
    ROLLS_TO_FIRST,
    RaceWeights,
    save_weights,
)
from boardgames_agents.improve.fitting import Descent, batches_of, require_rate
from boardgames_agents.lookahead.evaluator import Evaluator, equities, evaluator_of
from boardgames_agents.lookahead.expectimax import Expectimax
from boardgames_cli.dataclass_options import takes
from boardgames_cli.printing import console, progress
from boardgames_cli.shared_options import shell_quoted
from boardgames_env import make_game
from boardgames_env.chance import ChanceStream
from boardgames_env.errors import BadInputError, require
from boardgames_env.files import demand_writable
from boardgames_env.game import Game
from boardgames_env.games.backgammon.inputs.phases import RACE, find_phase
from boardgames_env.games.backgammon.rules.backgammon_board import HOME, POINTS, ROLLING, STAGE, TRAYS, BackgammonRules
from boardgames_env.kernels import ONGOING, State
from boardgames_env.kernels.signatures import Float32s, Float64s, Int8s, Int64s
from boardgames_env.moves import moves_kernel
from boardgames_env.solve.bearoff import MEN, bearoff
from boardgames_env.spec import underscored
from networks.race_targets import find_targets

if TYPE_CHECKING:
    import torch

_FEWEST = 4
"""The fewest rounds whose examples are learned from, once there are as many."""

_RANDOM = 0.2
"""The share of races that begin with a random arrangement."""
_MOST_FAR = 4
"""The most men that are in the other seat's home board in such an arrangement."""


@dataclass(frozen=True)
class RaceTraining:
    """How a network for races is trained.

    Attributes:
        rounds: Rounds. In each, every race goes on by a roll, and the network learns from the last ones.
        races: Races that are under way.
        contests: Contests of self-play from which races are taken.
        hidden: Hidden units.
        window: Rounds whose examples are learned from; 0 for the last quarter of those so far, and at least four. (What
            an early network predicts is far from right.)
        batch: Examples of a step.
        alpha: Learning rate of the first step; it falls to 0 along half a cosine.
        seed: Random seed; the same seed gives the same network.

    Raises:
        BadInputError: If a number is not allowed.
    """

    rounds: int = 80
    races: int = 12_000
    contests: int = 3000
    hidden: int = 128
    window: int = 0
    batch: int = 256
    alpha: float = 0.003
    seed: int = 0

    def __post_init__(self) -> None:
        require(1, 1_000_000, races=self.races, contests=self.contests, batch=self.batch)
        require(1, 10_000, rounds=self.rounds, hidden=self.hidden)
        require(0, 10_000, window=self.window)
        require(0, seed=self.seed)
        require_rate(alpha=self.alpha)

    @property
    def steps(self) -> int:
        """The number of steps of the optimizer."""
        return sum(ceil(self.recent(number) * self.races / self.batch) for number in range(1, self.rounds + 1))

    def recent(self, number: int) -> int:
        """Return the number of rounds whose examples are learned from in a round, counted from 1."""
        return min(number, self.window or max(_FEWEST, number // 4))


class Round(NamedTuple):
    """A round of a training.

    Attributes:
        weights: The weights after it.
        error: The root mean square difference, in rolls, between the network's mean and that of one roll of look-ahead,
            in the round's races and before the round.
    """

    weights: RaceWeights
    error: float


def train(game: Game, evaluator: Evaluator, training: RaceTraining) -> Iterator[Round]:
    """Train a network for races, and yield each round. The same arguments give the same weights.

    Args:
        game: A game with 15 men a seat.
        evaluator: What plays the contests of self-play, one ply deep.
        training: How it is trained.

    Raises:
        BadInputError: If the game is another.
    """
    if not isinstance(game.family, BackgammonRules) or game.family.men != MEN:
        raise BadInputError(f"a network for races is trained with {MEN} men a seat, not in {game.spec}")
    from boardgames_agents.td.torch_network import one_thread  # (which says so if there is no torch)

    import torch  # isort: skip

    rng = np.random.default_rng(training.seed)
    module = _module(training, rng)
    descent = Descent(module, training.alpha, training.steps)
    played = arrangements_of(game, evaluator, training.contests, rng)
    races, window = starts(training.races, played, rng), deque[tuple[Float32s, Float32s]]()
    for number in range(1, training.rounds + 1):
        inputs = inputs_of(races)
        targets, following = look_ahead(game, _weights(module), races, rng.random((len(races), 2)))
        window.append((inputs, targets))
        while len(window) > training.recent(number):
            window.popleft()
        with one_thread(), torch.no_grad():
            predicted = torch.softmax(module(torch.from_numpy(inputs))[:, :ROLLS], 1).numpy()
        misses = (predicted - targets[:, :ROLLS]) @ np.arange(ROLLS)
        seen, wanted = (torch.from_numpy(np.concatenate(each)) for each in zip(*window, strict=True))
        descent.epoch(batches_of(len(seen), training.batch, rng), partial(_loss, module, seen, wanted))
        yield Round(_weights(module), float(np.sqrt((misses**2).mean())))
        races = _going_on(following, played, rng)


def arrangements_of(game: Game, evaluator: Evaluator, contests: int, rng: np.random.Generator) -> Int8s:
    """Return the arrangements, not all at home, of both seats before the rolls of races in contests of self-play."""
    chance, search = ChanceStream(game, rng), Expectimax(game, evaluator)
    found, state, ended = list[Int8s](), game.initial.state.copy(), 0
    while ended < contests:
        if state[STAGE] == ROLLING and find_phase.run(state, MEN) == RACE:
            found += [men for seat in (0, 1) if (men := _arrangement(state, seat))[HOME + 1 :].any()]
        chance.settle(state)
        reached, points, _, _ = search.replier.of_move(state)
        values = equities(search.values(reached, points))
        best = int(np.argmax(np.where(reached[:, 0] == state[0], values, -values)))
        is_over = points[best] != ONGOING
        ended += is_over
        state = (game.initial.state if is_over else reached[best]).copy()
    if not found:
        raise BadInputError(f"there is no race in {contests:,} contests; play more")
    return np.array(found, dtype=np.int8)


def _arrangement(state: State, seat: int) -> Int8s:
    points = state[1 : POINTS + 1] if seat == 0 else -state[POINTS:0:-1]
    return np.array([abs(state[TRAYS + seat]), *np.maximum(points, 0)], dtype=np.int8)


def starts(count: int, played: Int8s, rng: np.random.Generator) -> Int8s:
    """Return arrangements from which races begin, int8, shape ``(count, 25)``.

    Most of them are of the rows of ``played``, and the others random.
    """
    rows = played[rng.integers(len(played), size=count)]
    return np.where(rng.random((count, 1)) < _RANDOM, random_starts(count, rng), rows)


def random_starts(count: int, rng: np.random.Generator) -> Int8s:
    """Return random arrangements of 15 men, one of them at least not at home; int8, shape ``(count, 25)``.

    Some may be off, as after a hit late in a contest.
    """
    home = rng.random((count, MEN)) < rng.random((count, 1))
    home[:, 0] = False
    rear = rng.integers(HOME + 1, POINTS + 1, (count, 1))
    away = HOME + 1 + (rng.random((count, MEN)) * (rear - HOME)).astype(int)
    points = np.where(home, rng.integers(1, HOME + 1, (count, MEN)), away)
    far = (points > OTHER_HOME) & (np.cumsum(points > OTHER_HOME, axis=1) > _MOST_FAR)
    points[far] -= 2 * HOME
    points[home & (rng.random((count, MEN)) < np.maximum(rng.random((count, 1)) * 3 - 2, 0))] = 0
    men = np.zeros((count, POINTS + 1), dtype=np.int8)
    np.add.at(men, (np.arange(count)[:, None], points), 1)
    return men


def inputs_of(arrangements: Int8s) -> Float32s:
    """Return the inputs of arrangements, shape ``(n, INPUTS)``, as `backgammon.race_network.predict` has them."""
    men = arrangements[:, 1:].astype(np.float32)
    inputs = np.stack([men > 0, men > 1, np.maximum(men - 2, 0) / 2], axis=2).astype(np.float32)
    assert inputs.shape[1:] == (POINTS, INPUTS_OF_POINT)
    return inputs.reshape(len(men), INPUTS)


def look_ahead(game: Game, weights: RaceWeights, races: Int8s, drawn: Float64s) -> tuple[Float32s, Int8s]:
    """Return what a network should predict, and an arrangement after each; see `find_targets`."""
    tables, rules = bearoff(), game.ready.rules
    targets, following = np.empty((len(races), OUTPUTS), dtype=np.float32), np.empty(races.shape, dtype=np.int8)
    kernels = (rules.chance_events, rules.happen, moves_kernel(game))
    contiguous = np.ascontiguousarray(races), np.ascontiguousarray(drawn)
    find_targets.run(*kernels, weights, tables.rolls, tables.firsts, *contiguous, targets, following)
    return targets, following


def _going_on(races: Int8s, played: Int8s, rng: np.random.Generator) -> Int8s:
    """Return races, with new ones in the place of those in which all men are home."""
    at_home = races[:, HOME + 1 :].sum(axis=1) == 0
    races[at_home] = starts(int(at_home.sum()), played, rng)
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


def _loss(module: "torch.nn.Sequential", seen: "torch.Tensor", wanted: "torch.Tensor", rows: Int64s) -> "torch.Tensor":
    """Return the cross-entropy of the three groups of outputs in some rows of the inputs and targets."""
    import torch

    outputs, right = module(seen[rows]), wanted[rows]
    loss = torch.zeros(())
    for start, end in pairwise((0, ROLLS, ROLLS + ROLLS_TO_FIRST, OUTPUTS)):
        predicted = torch.log_softmax(outputs[:, start:end], 1)
        loss = loss - (right[:, start:end] * predicted).sum(1).mean()
    return loss


@takes(without=("batch",))
def race_network(
    training: RaceTraining,
    out: Annotated[Path, typer.Argument(help="The file of the network.", metavar="FILE")],
    agent: Annotated[
        str, typer.Option(help="The agent whose contests with itself races are taken from; it predicts outcomes.")
    ] = "td_gammon_1995",
) -> None:
    """Train the network by which td_gammon plays races, with nothing but the rules and the bear-off tables."""
    game, agent = make_game("backgammon"), underscored(agent)
    evaluator = evaluator_of(agent, game)
    demand_writable(out)
    rounds = []
    with progress("rounds", training.rounds) as bar:
        for each in train(game, evaluator, training):
            rounds.append(each)
            bar.step()
    options = {**vars(training), "agent": shell_quoted(agent)}
    given = " ".join(f"--{name} {value}" for name, value in options.items() if name != "batch")
    save_weights(out, rounds[-1].weights, {"made by": f"python -m networks race-network FILE {given}"})
    console.print(f"root mean square error, beside one roll of look-ahead: {rounds[-1].error:.3f} rolls")
    console.print(f"the network is in {out}", soft_wrap=True)
