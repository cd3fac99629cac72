"""Examples: positions after the best moves of self-play, with the probabilities that a look-ahead finds there."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardgames_agents.backgammon.race_evaluator import RaceEvaluator, with_tables
from boardgames_agents.backgammon.race_network import RaceWeights
from boardgames_agents.improve.sampled_lookahead import MOST_SAMPLED_PLIES, MOST_SAMPLES, SampledLookahead
from boardgames_agents.lookahead.evaluator import OTHER_SEAT, Probabilities, equities
from boardgames_agents.lookahead.expectimax import MOST_PLIES, Expectimax
from boardgames_agents.policy import Snapshot
from boardgames_agents.td.network import FilteredNetwork, Network
from boardgames_agents.td.options import Design, refuse_stakes
from boardgames_env.chance import ChanceStream
from boardgames_env.errors import BadInputError, require
from boardgames_env.game import Game
from boardgames_env.games import make_game
from boardgames_env.kernels import ONGOING
from boardgames_env.kernels.signatures import Float64s, Int8s, Int64s

_LABELLED_AT_ONCE = 256

_OTHERS, _DRAWS = 1, 2
"""Appended to the seed, they give the other moves and clear rolls, and sampled labels, random streams of their own."""

_ROUNDING = 1e-5
"""The largest rounding error of a probability."""

_CLEAR = 4
"""Of this number of clear rolls one is labelled, so that the network does not forget what makes them clear."""

_WIDEST = 6.0
"""The largest difference of two moves in points."""


@dataclass(frozen=True)
class ExampleOptions:
    """How examples are collected and labelled. (On ``samples`` see `SampledLookahead`.)

    Attributes:
        candidates: Moves of each roll that are learned from, the best by one ply.
        plies: Plies of the look-ahead that is learned from; 1 would be the network itself.
        kept: Replies to each roll that are left where a faster network filters them.
        others: Other moves of each roll that are learned from, drawn at random.
        margin: A roll is clear if one ply finds its second-best move worse by more points than this. A deeper
            look-ahead seldom disagrees there, so only a quarter of the clear rolls are learned from. By default no roll
            is clear.
        replies: Replies to each roll that the look-ahead examines more deeply, with 3 plies or more.
        forced: Whether positions after rolls that leave no choice are learned from, too, such as those after which men
            stay on the bar. Such positions are unlike others, and a network that is not shown them forgets them.
        samples: Rolls that the look-ahead follows beyond the second ply, drawn at random, with 3 plies or more; 0 for
            all.
        label_lambda: λ of labels by drawn rolls, from 0 to 1; with 1 the greatest depth counts alone.

    Raises:
        BadInputError: If a number is not allowed.
    """

    candidates: int = 4
    plies: int = 2
    kept: int = 6
    others: int = 0
    margin: float = _WIDEST
    replies: int = 2
    forced: bool = True
    samples: int = 0
    label_lambda: float = 1.0

    def __post_init__(self) -> None:
        require(2, candidates=self.candidates)
        require(0, others=self.others)
        require(1, kept=self.kept, replies=self.replies)
        require(0, MOST_SAMPLES, samples=self.samples)
        require(0, 1, label_lambda=self.label_lambda)
        if self.samples and not 3 <= self.plies <= MOST_SAMPLED_PLIES:
            raise BadInputError(
                f"samples={self.samples} is for 3 to {MOST_SAMPLED_PLIES} plies, not for plies={self.plies}"
            )
        if not self.samples:
            require(2, MOST_PLIES, plies=self.plies)
        if self.replies != ExampleOptions.replies and (self.plies == 2 or self.samples):
            reason = (
                "drawn rolls are followed by the best reply" if self.samples else "2 plies examine none more deeply"
            )
            raise BadInputError(f"replies={self.replies} is for 3 plies or more of all rolls; {reason}")
        if self.label_lambda != ExampleOptions.label_lambda and not self.samples:
            raise BadInputError(f"label_lambda={self.label_lambda} is for drawn rolls; give samples, too")
        require(0, _WIDEST, margin=self.margin)


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


def snapshot_of(network: Network) -> Snapshot:
    """Return a network as a job takes it to another process, where `network_of_snapshot` makes it again."""
    return Snapshot(network.arrays(), vars(network.design))


def network_of_snapshot(snapshot: Snapshot, game: Game) -> Network:
    """Return the network of a snapshot."""
    network = Network(game, Design(**snapshot.data))
    network.load(snapshot.arrays)
    return network


@dataclass(frozen=True)
class ExamplesJob:
    """Collects the examples of a number of rolls; see `boardgames_agents.experiments.job.Job`.

    Attributes:
        game: The game's spec.
        rolls: The number of rolls with a choice.
        seed: The seed of the rolls.
        options: How examples are collected.
        network: The network that plays and labels.
        filtering: The network that filters replies, if there is one.
        races: The network for races, if there is one.
    """

    game: str
    rolls: int
    seed: tuple[int, ...]
    options: ExampleOptions
    network: Snapshot = field(compare=False, repr=False)
    filtering: Snapshot | None = field(default=None, compare=False, repr=False)
    races: Snapshot | None = field(default=None, compare=False, repr=False)

    def description(self) -> dict[str, Any]:
        """Return everything that determines the examples."""
        return {
            "kind": "examples",
            **{name: getattr(self, name) for name in ("game", "rolls", "seed")},
            **vars(self.options),
            "network": self.network.digest,
            "filtering": self.filtering and self.filtering.digest,
            "races": self.races and self.races.digest,
        }

    def run(self) -> Examples:
        """Play, collect and label."""
        game = make_game(self.game)
        network = network_of_snapshot(self.network, game)
        filtering = network_of_snapshot(self.filtering, game) if self.filtering else None
        weights = RaceWeights(**self.races.arrays) if self.races else None
        return collect(network, self.rolls, self.seed, self.options, filtering, weights)


def collect(
    network: Network,
    rolls: int,
    seed: Sequence[int],
    options: ExampleOptions,
    filtering: Network | None = None,
    weights: RaceWeights | None = None,
) -> Examples:
    """Play contests of a network with itself, and return examples of as many rolls with a choice, and of forced ones.

    With a network for races, contests end where a race begins, and no race is among the examples.

    Args:
        network: The network.
        rolls: The number of rolls with a choice.
        seed: Their seed.
        options: How they are collected.
        filtering: A faster network that filters the replies which the network compares for the labels.
        weights: A network for races, which the network then leaves to it.

    Raises:
        BadInputError: If nothing in the game is left to chance, it has a doubling cube, or the network for races does
            not fit it.
    """
    game = network.game
    demand_dice(game)
    player = Expectimax(game, with_tables(network, game, weights))
    found = list(_rolls(player, rolls, seed, options, leaves_races=weights is not None))
    states = np.concatenate([each for each, _ in found])
    numbers = np.repeat(np.arange(len(found)), [len(each) for each, _ in found])
    movers = np.repeat(np.array([mover for _, mover in found], dtype=np.int8), [len(each) for each, _ in found])
    labelling = with_tables(FilteredNetwork(network, filtering, options.kept) if filtering else network, game, weights)
    parts = [slice(first, first + _LABELLED_AT_ONCE) for first in range(0, len(states), _LABELLED_AT_ONCE)]
    if options.samples:
        sampling = SampledLookahead(game, labelling, options.samples, options.label_lambda)
        # (the moves of a roll are compared by the same rolls, so that luck cancels)
        draws = np.random.default_rng((*seed, _DRAWS)).random((len(found), options.plies - 2))[numbers]
        labels = [sampling.outcome_probabilities(states[part], draws[part]) for part in parts]
    else:
        teacher = Expectimax(game, labelling, options.plies, replies=options.replies)
        labels = [teacher.outcome_probabilities(states[part]) for part in parts]
    return Examples(states, numbers, movers, np.concatenate(labels))


def demand_dice(game: Game) -> None:
    """Raise `BadInputError` if contests of a network with itself would be all the same, or stakes can be raised."""
    if not game.rules.has_chance:
        raise BadInputError(f"{game.spec} has no dice: a network would play the same contest again and again")
    refuse_stakes(game, "networks do")


def _rolls(
    player: Expectimax, rolls: int, seed: Sequence[int], options: ExampleOptions, leaves_races: bool
) -> Iterator[tuple[Int8s, int]]:
    """Yield the states after moves of each roll, the best by one ply first, and the seat that moves.

    ``rolls`` of them have a choice; with `ExampleOptions.forced`, those without one come besides.
    """
    game, evaluator = player.game, player.evaluator
    chance, rng = ChanceStream(game, np.random.default_rng(seed)), np.random.default_rng((*seed, _OTHERS))
    found, state = 0, game.initial.state.copy()
    while found < rolls:
        chance.settle(state)
        mover = int(state[0])
        reached, points, _, _ = player.replier.of_move(state)
        values = equities(player.values(reached, points))
        values = np.where(reached[:, 0] == mover, values, -values)
        order = np.argsort(-values, kind="stable")
        ends = points != ONGOING
        if leaves_races and isinstance(evaluator, RaceEvaluator):
            ends |= evaluator.knows(reached)
        going = order[~ends[order]]
        is_clear = len(going) > 1 and values[going[0]] - values[going[1]] > options.margin
        if is_clear and rng.integers(_CLEAR) > 0:
            going = going[:1]
        others = going[options.candidates :]
        if len(others) > options.others:
            others = others[np.sort(rng.choice(len(others), options.others, replace=False))]
        going = np.concatenate([going[: options.candidates], others])
        if len(going) > 1:
            found += 1
            yield reached[going], mover
        elif options.forced and len(going) == len(points):
            yield reached[going], mover
        best = order[0]
        state = (game.initial.state if ends[best] else reached[best]).copy()


def targets(labels: Probabilities, design: Design, movers: NDArray[np.int8]) -> Probabilities:
    """Return what the outputs of a network of some design should be; shape ``(N, outputs)``.

    Args:
        labels: The probabilities of the seats to move. Rounding errors that lead out of 0 to 1 are removed; what drawn
            rolls add is left, so that the mean of the targets is right.
        design: The network's design.
        movers: The seats to move.
    """
    labels = _rounded(labels)
    if design.viewer == "0":
        labels = np.where((movers == 1)[:, None], labels[:, OTHER_SEAT], labels)
    if design.gammons == "within" and design.outputs > 1:
        labels = np.concatenate([labels[:, k : k + 3][:, ::-1].cumsum(axis=1)[:, ::-1] for k in (0, 3)], axis=1)
        labels = _rounded(labels)
    if design.outputs == 6:
        return np.ascontiguousarray(labels, dtype=np.float32)
    if design.outputs == 1:
        return np.asarray(labels[:, :3].sum(axis=1, keepdims=True), dtype=np.float32)
    ones, gammons = labels[:, [0, 3]], labels[:, [1, 4]]
    more = gammons if design.gammons == "within" else gammons + labels[:, [2, 5]]
    return np.asarray(np.stack([ones[:, 0], more[:, 0], ones[:, 1], more[:, 1]], axis=1), dtype=np.float32)


def _rounded(labels: Probabilities) -> Probabilities:
    bounded = labels.clip(0, 1)
    return np.where(np.abs(labels - bounded) < _ROUNDING, bounded, labels)
