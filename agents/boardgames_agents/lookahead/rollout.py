"""Rollouts: the value of a position, by playing it out many times (Tesauro 1995, appendix).

The trials of a batch are played in step, so that each step evaluates thousands of positions at once. The first two
chance events are stratified. Luck is subtracted: after each event, the difference of its value from the mean over all
events, by the evaluator. Its expectation is 0 whatever the evaluator, so the mean stays the same while most of the
noise is gone (as in GNU Backgammon; the advantage-sum estimator).
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from boardgames_agents.lookahead.evaluator import OTHER_SEAT, Evaluator, Probabilities, equities, seen_by
from boardgames_agents.lookahead.expansion import Replies
from boardgames_agents.lookahead.expectimax import Expectimax
from boardgames_agents.lookahead.replies import distinct, finished, folded
from boardgames_env.chance import MOST_EVENTS, draw
from boardgames_env.errors import BadInputError, require
from boardgames_env.game import Game
from boardgames_env.kernels import ONGOING, State, kernel
from boardgames_env.kernels.bundle import GAME_KERNELS, GameKernels, named_tuple_type
from boardgames_env.kernels.signatures import INT8_2D, INT32_1D, INT32_2D, UINT64_1D, Float64s, Int8s, Int32s, UInt64s
from boardgames_env.position import Position
from boardgames_env.processes import in_processes

_BATCH = 324
"""Trials that are played in step, whatever the number of processes."""

_Z = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True)
class Rollout:
    """The result of a rollout for the seat to move.

    Attributes:
        trials: The number of trials.
        probabilities: The probabilities that the seat wins 1, 2, 3 points, and that it loses 1, 2, 3.
        errors: Their standard errors.
        equity: The expected points; at the score of a match, the expected utility.
        error: Its standard error, computed as if the trials were independent: with stratified events the true one is
            smaller.
    """

    trials: int
    probabilities: tuple[float, ...]
    errors: tuple[float, ...]
    equity: float
    error: float

    @property
    def turned(self) -> "Rollout":
        """The result for the other seat."""
        probabilities, errors = (tuple(row[k] for k in OTHER_SEAT) for row in (self.probabilities, self.errors))
        return Rollout(self.trials, probabilities, errors, -self.equity, self.error)

    @property
    def interval(self) -> tuple[float, float]:
        """A 95 % interval of the equity: 1.96 standard errors either way."""
        spread = _Z * self.error
        return self.equity - spread, self.equity + spread


@dataclass(frozen=True)
class RolloutOptions:
    """How positions are rolled out.

    Attributes:
        trials: Number of trials of each position. A multiple of 36 × 36 has each pair of first rolls equally often; a
            multiple of 36 has each first roll and each second roll equally often.
        truncate: Number of moves after which a trial is evaluated; by default it is played out.
        plies: Plies that each choice looks ahead.
        seed: Random seed of the rolls. Rollouts with the same seed have the same dice, whatever the position.
        jobs: Number of processes; the result is the same with any number.
        reduce_variance: Whether luck is subtracted.

    Raises:
        BadInputError: If an option is out of range.
    """

    trials: int = 1296
    truncate: int | None = None
    plies: int = 1
    seed: int = 0
    jobs: int = 1
    reduce_variance: bool = True

    def __post_init__(self) -> None:
        require(0, seed=self.seed)
        require(1, trials=self.trials, plies=self.plies, jobs=self.jobs)
        if self.truncate is not None:
            require(1, truncate=self.truncate)


class _Dice(NamedTuple):
    """The dice of trials."""

    strata: Int32s  # the case of the first and of the second event, shape (trials, 2)
    totals: Int32s  # the number of cases of these; an event with another number of cases is drawn
    streams: UInt64s  # a stream for all later events of each trial

    def of(self, trials: slice) -> "_Dice":
        return _Dice(self.strata[trials].copy(), self.totals, self.streams[trials].copy())


_DICE = named_tuple_type(_Dice, INT32_2D, INT32_1D, UINT64_1D)


def rollout(position: Position, evaluator: Evaluator, options: RolloutOptions = RolloutOptions()) -> Rollout:
    """Roll out one position; see `rollouts`."""
    return rollouts([position], evaluator, options)[0]


def rollouts(
    positions: Sequence[Position],
    evaluator: Evaluator,
    options: RolloutOptions = RolloutOptions(),
    on_trials: Callable[[int, int], object] | None = None,
) -> list[Rollout]:
    """Roll out positions that await chance or a cube decision; the stakes stay as they are.

    Args:
        positions: The positions, such as those after the moves of a turn.
        evaluator: The evaluator by which moves are chosen, luck is computed and truncated trials are evaluated.
        options: How they are rolled out.
        on_trials: Called with the number of trials played and the number of all trials.

    Raises:
        BadInputError: If a contest is over, or a seat is to move.
    """
    jobs, utilities = [], []
    for position in positions:
        search = Expectimax(position.game, evaluator, options.plies)
        reached = search.replier.settled(position)
        if reached.is_over or (position.game.rules.has_chance and not reached.awaits_chance):
            raise BadInputError("only a position that awaits chance can be rolled out; roll out what a move leads to")
        root = reached.state.copy()
        utilities.append(search.utility.of(root)[root[0]])
        dice = _dice(search, root, options)
        batches = [slice(start, start + _BATCH) for start in range(0, options.trials, _BATCH)]
        jobs += [(search, root, dice.of(batch), options) for batch in batches]
    played, done = [], 0
    results = (
        in_processes(_play_trials, jobs, options.jobs) if options.jobs > 1 else (_play_trials(*each) for each in jobs)
    )
    for found in results:
        played.append(found)
        done += len(found)
        if on_trials:
            on_trials(done, options.trials * len(positions))
    share = len(jobs) // max(len(positions), 1)
    return [
        _summary_of_trials(np.concatenate(played[i * share : (i + 1) * share]), utility)
        for i, utility in enumerate(utilities)
    ]


def _summary_of_trials(found: NDArray[np.float64], utility: Float64s) -> Rollout:
    """Return the means of probabilities, shape ``(trials, 6)``, and of their utility, and their standard errors."""
    trials = len(found)
    points = equities(found, utility)
    columns = np.column_stack([found, points])
    means = columns.mean(axis=0).tolist()
    errors = (columns.std(axis=0, ddof=1) / math.sqrt(trials) if trials > 1 else np.full(7, np.inf)).tolist()
    return Rollout(trials, tuple(means[:6]), tuple(errors[:6]), means[6], errors[6])


def _dice(search: Expectimax, root: State, options: RolloutOptions) -> _Dice:
    """Return the dice of all trials: every part of the order of the first events is balanced.

    The first event goes round its cases, and the second round its own, shifted by one whenever both would begin anew
    together: in turn, all pairs. The numbering of the cases is drawn.
    """
    rng = np.random.default_rng(options.seed)
    totals = np.array([_cases(search.game, state) for state in _two_chances(search, root)], dtype=np.int32)
    period = math.lcm(*(int(total) for total in totals))
    turns = np.arange(options.trials)
    rounds = np.column_stack([turns, turns + turns // period])
    strata = np.column_stack([rng.permutation(total)[rounds[:, i] % total] for i, total in enumerate(totals)])
    return _Dice(strata.astype(np.int32), totals, rng.integers(1, 1 << 64, options.trials, dtype=np.uint64))


def _two_chances(search: Expectimax, root: State) -> list[State]:
    """Return the root and a position that awaits the next event, or the root again."""
    replies = search.replier.to(root[np.newaxis])
    going = np.flatnonzero(replies.points == ONGOING)
    return [root, replies.states[going[0]] if len(going) else root]


def _cases(game: Game, state: State) -> int:
    cases = np.zeros(MOST_EVENTS, dtype=np.int32)
    return max(int(cases[: game.rules.chance_events.run(state, cases)].sum()), 1)


@kernel(types.void(GAME_KERNELS, INT8_2D, INT32_1D, types.int64, _DICE, INT32_1D), compiled_first=True)
def _roll(game: GameKernels, states: Int8s, trials: Int32s, step: int, dice: _Dice, rolled: Int32s) -> None:
    """Make an event of its trial happen in each state, and write it, or 0 if there is none."""
    strata, totals, streams = dice
    cases = np.empty(MOST_EVENTS, dtype=np.int32)
    for i in range(len(states)):
        trial = trials[i]
        events = game.chance_events(states[i], cases)
        total = 0
        for event in range(events):
            total += cases[event]
        rolled[i] = 0
        if events > 0:
            stratified = step < strata.shape[1] and totals[step] == total
            left = strata[trial, step] if stratified else draw(streams, trial, total)
            while left >= cases[rolled[i]]:
                left -= cases[rolled[i]]
                rolled[i] += 1
            game.happen(states[i], rolled[i])


def _play_trials(search: Expectimax, root: State, dice: _Dice, options: RolloutOptions) -> NDArray[np.float64]:
    """Play trials. Return the probabilities of the root's mover in each trial, less luck."""
    trials = len(dice.streams)
    found, luck = np.zeros((trials, 6)), np.zeros((trials, 6))
    states, playing = np.tile(root, (trials, 1)), np.arange(trials, dtype=np.int32)
    rules, stake, step = search.game.rules, search.replier.stake(root), 0
    while len(playing) and step != options.truncate:
        before = states.copy()
        rolled = np.empty(len(playing), dtype=np.int32)
        _roll.run(search.game.kernels, states, playing, step, dice, rolled)
        if options.reduce_variance and rules.has_chance:
            luck[playing] += seen_by(root[:1], before[:, 0], luck_of_events(search, before, rolled))
        states, points = _states_after_moves(search, states)
        over = points != ONGOING
        found[playing[over]] = finished(points[over], np.full(over.sum(), root[0]), stake)
        states, playing, step = states[~over], playing[~over], step + 1
    if len(playing):
        found[playing] = seen_by(root[:1], states[:, 0], search.look_ahead(states, 0).astype(np.float64))
    return found - luck


def luck_of_events(search: Expectimax, states: Int8s, rolled: Int32s) -> NDArray[np.float64]:
    """Return how much better than the mean events were for the movers, as probabilities.

    The value of an event is that of the best reply to it.

    Args:
        search: The look-ahead; it examines replies one ply deep, whatever its usual depth.
        states: Positions that await chance; shape ``(n, state_size)``.
        rolled: The event that happened in each; shape ``(n,)``.

    Returns:
        Shape ``(n, 6)``; each row sums to 0.
    """
    replies, values, which = _replies(search, states)
    means, best = folded(replies, values, search.utility.of(states[0]))
    reply = best[np.searchsorted(replies.groups[:, 1], which) + rolled]
    return seen_by(states[:, 0], replies.states[reply, 0], values[reply].astype(np.float64)) - means[which]


def _replies(search: Expectimax, states: Int8s) -> tuple[Replies, Probabilities, Int32s]:
    """Return the replies to the distinct states, their probabilities, and each row's state."""
    firsts, which = distinct(states)
    replies = search.replier.to(states[firsts])
    return replies, search.values(replies.states, replies.points), which


def _states_after_moves(search: Expectimax, states: Int8s) -> tuple[Int8s, Int32s]:
    """Return the states after the best moves, and their points."""
    replies, values, which = _replies(search, states)
    kept = search.deepened(replies, values, search.plies - 1)
    _, best = folded(replies, values, search.utility.of(states[0]), kept)
    chosen = best[which]
    return replies.states[chosen], replies.points[chosen]
