"""Examples: positions after the best moves of self-play, with the probabilities that a look-ahead finds there."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgames_agents.backgammon.race_evaluator import with_tables
from boardgames_agents.improve.network_job import network_of_snapshot
from boardgames_agents.lookahead.evaluator import Evaluator, Probabilities, equities, seen_by
from boardgames_agents.lookahead.expectimax import MOST_PLIES, Expectimax
from boardgames_agents.policy import Snapshot
from boardgames_agents.td.network import FilteredNetwork, Network
from boardgames_agents.td.options import Design, refuse_stakes
from boardgames_env.chance import ChanceStream
from boardgames_env.errors import BadInputError, require
from boardgames_env.game import Game
from boardgames_env.kernels import ONGOING
from boardgames_env.kernels.signatures import Bools, Float64s, Int8s, Int32s, Int64s
from boardgames_env.position import demand_array, demand_states

_LABELLED_AT_ONCE = 256

_ROUNDING = 1e-5
"""The largest rounding error of a probability."""


@dataclass(frozen=True)
class ExampleOptions:
    """How examples are collected and labelled.

    Attributes:
        candidates: Moves of each roll that are learned from, the best by one ply.
        plies: Plies of the look-ahead that is learned from; 1 would be the network itself.
        replies: Replies to each roll that the look-ahead examines more deeply, with 3 plies or more.

    Raises:
        BadInputError: If a number is not allowed.
    """

    candidates: int = 4
    plies: int = 2
    replies: int = 2

    def __post_init__(self) -> None:
        require(2, candidates=self.candidates)
        require(1, replies=self.replies)
        require(2, MOST_PLIES, plies=self.plies)
        if self.replies != ExampleOptions.replies and self.plies == 2:
            raise BadInputError(f"replies={self.replies} is for 3 plies or more; 2 plies examine none more deeply")


class Examples(NamedTuple):
    """Examples, those of a roll one after the other, the best by one ply first.

    Attributes:
        states: The positions after moves, in which contests go on; int8, shape ``(N, state_size)``.
        rolls: The number of the roll that each belongs to, ascending; int64, shape ``(N,)``.
        movers: The seat that moved; int8, shape ``(N,)``.
        labels: The probabilities of the seat to move of winning 1, 2, 3 points and of losing 1, 2, 3; float32, shape
            ``(N, 6)``.
    """

    states: Int8s
    rolls: Int64s
    movers: Int8s
    labels: Probabilities

    def demand_whole(self, game: Game) -> None:
        """Raise `BadInputError` unless these can be examples of a game."""
        demand_states(self.states, game)
        number = len(self.states)
        rolls = demand_array("rolls", self.rolls, np.int64, (number,))
        movers = demand_array("movers", self.movers, np.int8, (number,))
        labels = demand_array("labels", self.labels, np.float32, (number, 6))
        seats = np.concatenate([movers, self.states[:, 0]])
        if (np.diff(rolls) < 0).any() or not np.isin(seats, (0, 1)).all() or not np.isfinite(labels).all():
            raise BadInputError("rolls ascend, seats are 0 or 1, and labels are numbers; these are others")

    def starts(self) -> Int64s:
        """Return the first example of each roll; shape ``(rolls,)``."""
        return np.unique(self.rolls, return_index=True)[1]

    def equities_of_movers(self, probabilities: Probabilities) -> Float64s:
        """Return the expected points of the seats that moved, by probabilities of the seats to move; shape ``(N,)``."""
        own = equities(probabilities)
        return np.where(self.states[:, 0] == self.movers, own, -own)

    def losses(self, probabilities: Probabilities) -> Float64s:
        """Return what the choices by other probabilities lose by the labels, in points; shape ``(rolls,)``.

        Rolls that leave no choice are left out.
        """
        if not len(self.rolls):
            return np.zeros(0)  # (`reduceat` wants one at least)
        label, judged = self.equities_of_movers(self.labels), self.equities_of_movers(probabilities)
        starts = self.starts()
        order = np.lexsort((-judged, self.rolls))  # (the best by the probabilities is the first of each roll)
        lost = np.maximum.reduceat(label, starts) - label[order[starts]]
        has_choice = np.diff(np.append(starts, len(self.rolls))) > 1
        return np.asarray(lost[has_choice], dtype=np.float64)


def joined(parts: Sequence[Examples]) -> Examples:
    """Return the examples of all parts, with rolls numbered anew."""
    first, rolls = 0, []
    for part in parts:
        rolls.append(part.rolls + first)
        first += int(part.rolls.max(initial=-1)) + 1
    states, movers, labels = (np.concatenate([part[k] for part in parts]) for k in (0, 2, 3))
    return Examples(states, np.concatenate(rolls), movers, labels)


def collected(
    game: Game,
    seed: tuple[int, ...],
    rolls: int,
    options: ExampleOptions,
    kept: int,
    network: Snapshot,
    filtering: Snapshot | None,
) -> Examples:
    """Collect the examples of a number of rolls: the work of a `boardgames_agents.improve.network_job.NetworkJob`."""
    made = network_of_snapshot(network, game, Network)
    return Collector(made, options, filtered(made, filtering, kept)).collect(rolls, seed)


def filtered(network: Network, filtering: Snapshot | None, kept: int) -> Network | FilteredNetwork:
    """Return the network, whose replies a faster one filters if there is one."""
    if not filtering:
        return network
    return FilteredNetwork(network, network_of_snapshot(filtering, network.game, Network), kept)


class Collector:
    """Plays contests of a network with itself, and collects and labels examples.

    `networks.examples.WorkshopCollector`, in a clone of the project, extends it.

    Args:
        network: The network that plays.
        options: How examples are collected.
        labelling: The evaluator of the look-ahead that labels; by default the network.

    Raises:
        BadInputError: If nothing in the game is left to chance, or it has a doubling cube.
    """

    def __init__(self, network: Network, options: ExampleOptions, labelling: Evaluator | None = None) -> None:
        self.game, self._options = network.game, options
        demand_dice(self.game)
        self._labelling = with_tables(labelling or network, self.game)
        self._player = Expectimax(self.game, with_tables(network, self.game))

    def collect(self, rolls: int, seed: Sequence[int]) -> Examples:
        """Return examples of as many rolls with a choice, and of those without one that come besides."""
        game, chance = self.game, ChanceStream(self.game, np.random.default_rng(seed))
        found, movers, choices, state = list[Int8s](), list[int](), 0, self.game.initial.state.copy()
        while choices < rolls:
            chance.settle(state)
            reached, points, _, _ = self._player.replier.of_move(state)
            values = equities(self._player.values(reached, points))
            values = np.where(reached[:, 0] == state[0], values, -values)
            order = np.argsort(-values, kind="stable")
            ends = self._ends(reached, points)
            chosen = self._chosen(order[~ends[order]], values)
            if len(chosen) > 1 or len(chosen) == len(points):
                choices += len(chosen) > 1
                found.append(reached[chosen])
                movers.append(int(state[0]))
            best = order[0]
            state = (game.initial.state if ends[best] else reached[best]).copy()
        sizes = [len(each) for each in found]
        states, numbers = np.concatenate(found), np.repeat(np.arange(len(found)), sizes)
        return Examples(
            states, numbers, np.repeat(np.array(movers, dtype=np.int8), sizes), self._labels(states, numbers, seed)
        )

    def _ends(self, reached: Int8s, points: Int32s) -> Bools:
        """Return where contests end, by the states after the moves of a roll and their points."""
        return np.asarray(points != ONGOING)

    def _chosen(self, going: Int64s, values: Float64s) -> Int64s:
        """Return the moves of a roll that are learned from.

        Args:
            going: The moves after which the contest goes on, the best first.
            values: The values of all moves by one ply.
        """
        return going[: self._options.candidates]

    def _labels(self, states: Int8s, rolls: Int64s, seed: Sequence[int]) -> Probabilities:
        """Return the labels of positions that belong to some rolls."""
        teacher = Expectimax(self.game, self._labelling, self._options.plies, replies=self._options.replies)
        return np.concatenate([teacher.outcome_probabilities(states[part]) for part in parts_of(states)])


def parts_of(states: Int8s) -> list[slice]:
    """Return parts of states that are small enough to be labelled at once."""
    return [slice(first, first + _LABELLED_AT_ONCE) for first in range(0, len(states), _LABELLED_AT_ONCE)]


def demand_dice(game: Game) -> None:
    """Raise `BadInputError` if contests of a network with itself would be all the same, or stakes can be raised."""
    if not game.rules.has_chance:
        raise BadInputError(f"{game.spec} has no dice: a network would play the same contest again and again")
    refuse_stakes(game, "networks do")


def targets(labels: Probabilities, design: Design, movers: NDArray[np.int8]) -> Probabilities:
    """Return what the outputs of a network of some design should be; shape ``(N, outputs)``.

    Args:
        labels: The probabilities of the seats to move. Rounding errors that lead out of 0 to 1 are removed; what drawn
            rolls add is left, so that the mean of the targets is right.
        design: The network's design.
        movers: The seats to move.
    """
    labels = _rounded_labels(labels)
    if design.viewer == "0":
        labels = seen_by(np.zeros_like(movers), movers, labels)
    if design.gammons == "within" and design.outputs > 1:
        labels = np.concatenate([labels[:, k : k + 3][:, ::-1].cumsum(axis=1)[:, ::-1] for k in (0, 3)], axis=1)
        labels = _rounded_labels(labels)
    if design.outputs == 6:
        return np.ascontiguousarray(labels, dtype=np.float32)
    if design.outputs == 1:
        return np.asarray(labels[:, :3].sum(axis=1, keepdims=True), dtype=np.float32)
    ones, gammons = labels[:, [0, 3]], labels[:, [1, 4]]
    more = gammons if design.gammons == "within" else gammons + labels[:, [2, 5]]
    return np.asarray(np.stack([ones[:, 0], more[:, 0], ones[:, 1], more[:, 1]], axis=1), dtype=np.float32)


def _rounded_labels(labels: Probabilities) -> Probabilities:
    bounded = labels.clip(0, 1)
    return np.where(np.abs(labels - bounded) < _ROUNDING, bounded, labels)
