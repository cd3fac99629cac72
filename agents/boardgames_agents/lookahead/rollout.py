"""Rollouts: what a position is worth, by playing it out many times (Tesauro 1995, appendix).

The trials of a batch go on in step, so that each step asks the evaluator once about thousands of positions. The first
two events of chance are stratified. Luck is subtracted: after each event, how much better it was than the mean over all
that might have happened, in the evaluator's eyes. Its expectation is 0 whatever the evaluator says, so the mean stays
what it was while most of the noise is gone (as in GNU Backgammon; the advantage-sum estimator).
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
from numba import types
from numpy.typing import NDArray

from boardgames_agents.lookahead.evaluator import OTHER_SEAT, POINTS, Evaluator
from boardgames_agents.lookahead.expansion import Integers, States
from boardgames_agents.lookahead.expectimax import Expectimax
from boardgames_agents.lookahead.replies import distinct, finished
from boardgames_env.chance import MOST_EVENTS, STREAMS, Streams, draw
from boardgames_env.errors import BadInputError, require
from boardgames_env.game import Game
from boardgames_env.kernels import CHANCES, HAPPEN, INDICES, ONGOING, STATES, State, kernel
from boardgames_env.position import Position

_BATCH = 324
"""Trials that go on in step; the same however many processes share the work."""

_Z = NormalDist().inv_cdf(0.975)

_STRATA = types.Array(types.int32, 2, "C")


@dataclass(frozen=True)
class Rollout:
    """What a rollout found, as the seat to move sees it.

    Attributes:
        trials: How many trials were played.
        probabilities: How likely each outcome is: that the seat wins 1, 2, 3 points, or loses as many.
        errors: Their standard errors.
        equity: The expected points.
        error: Its standard error. It is reckoned as if the trials were independent: with stratified events the true
            one is smaller.
    """

    trials: int
    probabilities: tuple[float, ...]
    errors: tuple[float, ...]
    equity: float
    error: float

    @property
    def turned(self) -> "Rollout":
        """The same as the other seat sees it."""
        chances, errors = (tuple(row[k] for k in OTHER_SEAT) for row in (self.probabilities, self.errors))
        return Rollout(self.trials, chances, errors, -self.equity, self.error)

    @property
    def interval(self) -> tuple[float, float]:
        """A 95 % interval of the equity: 1.96 standard errors either way."""
        spread = _Z * self.error
        return self.equity - spread, self.equity + spread


@dataclass(frozen=True)
class _Dice:
    """What settles the chances of each trial.

    Attributes:
        strata: The case of the first and of the second event, shape ``(trials, 2)``.
        totals: How many cases these have; an event with another number of cases is drawn.
        streams: A stream for each trial, for all later events.
    """

    strata: Integers
    totals: Integers
    streams: Streams

    def of(self, trials: slice) -> "_Dice":
        return _Dice(self.strata[trials].copy(), self.totals, self.streams[trials].copy())


def rollout(
    position: Position,
    evaluator: Evaluator,
    trials: int = 1296,
    truncate: int | None = None,
    plies: int = 1,
    seed: int = 0,
    jobs: int = 1,
    reduce_variance: bool = True,
) -> Rollout:
    """Roll out a position that awaits chance (or a decision about the cube: the stakes are left as they are).

    Args:
        position: The position.
        evaluator: Chooses the moves, tells luck, and judges where trials are cut short.
        trials: How many; if it is a multiple of all pairs of first events (36 × 36 rolls of two dice), each pair comes
            equally often; a multiple of 36 has each first and each second roll equally often.
        truncate: After how many moves a trial is cut short; by default it is played to the end.
        plies: How many plies each choice looks ahead.
        seed: Settles all chances. Rollouts with the same seed have the same dice, whatever the position.
        jobs: How many processes share the work; the result is the same.
        reduce_variance: Whether to subtract luck.

    Raises:
        BadInputError: If the contest is over, a seat is to move, or an option is out of range.
    """
    return rollouts([position], evaluator, trials, truncate, plies, seed, jobs, reduce_variance)[0]


def rollouts(
    positions: Sequence[Position],
    evaluator: Evaluator,
    trials: int = 1296,
    truncate: int | None = None,
    plies: int = 1,
    seed: int = 0,
    jobs: int = 1,
    reduce_variance: bool = True,
    on_trials: Callable[[int, int], object] | None = None,
) -> list[Rollout]:
    """Roll out several positions of one game with the same dice, such as those that the moves of a turn lead to.

    Args:
        positions: The positions.
        evaluator: See `rollout`, as for all the others.
        trials: How many for each.
        truncate: After how many moves a trial is cut short.
        plies: How many plies each choice looks ahead.
        seed: Settles all chances.
        jobs: How many processes share the work.
        reduce_variance: Whether to subtract luck.
        on_trials: Called now and then with how many trials have been played, and of how many.

    Raises:
        BadInputError: As `rollout` does.
    """
    require(1, trials=trials, plies=plies, jobs=jobs)
    if truncate is not None:
        require(1, truncate=truncate)
    work = []
    for position in positions:
        search = Expectimax(position.game, evaluator, plies)
        root = search.replier.settled(position.state)
        reached = Position(position.game, root)
        if reached.is_over or (position.game.rules.have_chances and not reached.awaits_chance):
            raise BadInputError("only a position that awaits chance can be rolled out; roll out what a move leads to")
        dice = _dice(search, root, trials, seed)
        batches = [slice(start, min(start + _BATCH, trials)) for start in range(0, trials, _BATCH)]
        work += [(search, root, dice.of(batch), truncate, reduce_variance) for batch in batches]
    played, done = [], 0
    for found in _all_played(work, jobs):
        played.append(found)
        done += len(found)
        if on_trials:
            on_trials(done, trials * len(positions))
    share = len(work) // max(len(positions), 1)
    return [_summary(np.concatenate(played[i * share : (i + 1) * share])) for i in range(len(positions))]


def _all_played(work: list[Any], jobs: int) -> Iterable[NDArray[np.float64]]:
    """What `_play` finds, in order."""
    if jobs == 1:
        return (_play(*each) for each in work)
    from joblib import Parallel, delayed

    found: Iterable[NDArray[np.float64]] = Parallel(n_jobs=jobs, return_as="generator")(
        delayed(_play)(*each) for each in work
    )
    return found


def _summary(found: NDArray[np.float64]) -> Rollout:
    """The means of the trials' probabilities, shape ``(trials, 6)``, and their standard errors."""
    trials = len(found)
    points = (found * POINTS).sum(axis=1)
    columns = np.column_stack([found, points])
    means = columns.mean(axis=0).tolist()
    errors = (columns.std(axis=0, ddof=1) / math.sqrt(trials) if trials > 1 else np.full(7, np.inf)).tolist()
    return Rollout(trials, tuple(means[:6]), tuple(errors[:6]), means[6], errors[6])


def _dice(search: Expectimax, root: State, trials: int, seed: int) -> _Dice:
    """The dice of all trials: pairs of first events in an order of which every part is balanced.

    The first event goes round its cases, and the second round its own, which is shifted by one whenever both would
    begin anew together: in turn, all pairs. Which number means which case is drawn.
    """
    rng = np.random.default_rng(seed)
    totals = np.array([_cases(search.game, state) for state in _two_chances(search, root)], dtype=np.int32)
    period = math.lcm(*(int(total) for total in totals))
    turns = np.arange(trials)
    rounds = np.column_stack([turns, turns + turns // period])
    strata = np.column_stack([rng.permutation(total)[rounds[:, i] % total] for i, total in enumerate(totals)])
    return _Dice(strata.astype(np.int32), totals, rng.integers(1, 1 << 64, trials, dtype=np.uint64))


def _two_chances(search: Expectimax, root: State) -> list[State]:
    """The root, and a position with the next event of chance; the root again if there is none."""
    replies = search.replier.to(root[np.newaxis])
    going = np.flatnonzero(replies.points == ONGOING)
    return [root, replies.states[going[0]] if len(going) else root]


def _cases(game: Game, state: State) -> int:
    cases = np.zeros(MOST_EVENTS, dtype=np.int32)
    return max(int(cases[: game.rules.chances.run(state, cases)].sum()), 1)


@kernel(types.void(CHANCES, HAPPEN, STATES, INDICES, types.int64, _STRATA, INDICES, STREAMS, INDICES))
def _roll(chances, happen, states, trials, step, strata, totals, streams, rolled) -> None:  # type: ignore[no-untyped-def]
    """Make an event happen in each state, that of the trial given; 0 is written where there is none."""
    cases = np.empty(MOST_EVENTS, dtype=np.int32)
    for i in range(len(states)):
        trial = trials[i]
        events = chances(states[i], cases)
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
            happen(states[i], rolled[i])


def _play(
    search: Expectimax, root: State, dice: _Dice, truncate: int | None, reduce_variance: bool
) -> NDArray[np.float64]:
    """Play trials from a root; the probabilities each of them says, less luck, as the root's seat to move sees them."""
    trials = len(dice.streams)
    found, luck = np.zeros((trials, 6)), np.zeros((trials, 6))
    states, playing = np.tile(root, (trials, 1)), np.arange(trials, dtype=np.int32)
    rules, stake, step = search.game.rules, search.replier.stake(root), 0
    while len(playing) and step != truncate:
        before = states.copy()
        rolled = np.empty(len(playing), dtype=np.int32)
        _roll.run(
            *(rules.chances, rules.happen, states, playing, step),
            *(dice.strata, dice.totals, dice.streams, rolled),
        )
        if reduce_variance and rules.have_chances:
            luck[playing] += _seen_by(root[:1], before[:, 0], luck_of(search, before, rolled))
        states, points = _moved(search, states)
        over = points != ONGOING
        found[playing[over]] = finished(points[over], np.full(over.sum(), root[0]), stake)
        states, playing, step = states[~over], playing[~over], step + 1
    if len(playing):
        found[playing] = _seen_by(root[:1], states[:, 0], search.looked_at(states, 0).astype(np.float64))
    return found - luck


def _seen_by(viewers: States, seats: States, probabilities: NDArray[np.float64]) -> NDArray[np.float64]:
    """Rows that belong to some seats, as others see them: one for all rows, or one for each."""
    return np.where((seats == viewers)[:, None], probabilities, probabilities[:, OTHER_SEAT])


def luck_of(search: Expectimax, states: States, rolled: Integers) -> NDArray[np.float64]:
    """How much better than the mean events were for the seats to move, as probabilities to be added.

    An event is worth what the best reply to it is, evaluated.

    Args:
        search: Looks at the replies; one ply, however deeply it looks otherwise.
        states: Positions that await chance; shape ``(n, state_size)``.
        rolled: The event that happened in each; shape ``(n,)``.

    Returns:
        Shape ``(n, 6)``; each row sums to 0.
    """
    firsts, which = distinct(states)
    replies = search.replier.to(states[firsts])
    values = search.values(replies.states, replies.points)
    means, best = replies.folded(values)
    reply = best[np.searchsorted(replies.groups[:, 1], which) + rolled]
    return _seen_by(states[:, 0], replies.states[reply, 0], values[reply].astype(np.float64)) - means[which]


def _moved(search: Expectimax, states: States) -> tuple[States, Integers]:
    """The states after the moves the search thinks best, and their points."""
    firsts, which = distinct(states)
    replies = search.replier.to(states[firsts])
    values = search.values(replies.states, replies.points)
    kept = search.deepened(replies, values, search.plies - 1)
    _, best = replies.folded(values, kept)
    chosen = best[which]
    return replies.states[chosen], replies.points[chosen]
