"""Blocks of contests inside a kernel: the twin of `arena.contest.play_contest` for policies that are tables.

Both policies choose by the position alone (`Policy.by_position`), and nothing is left to chance. The kernel plays each
contest with the generators that `begin_all` gives its policies, until it is over or a choice is missing in a table;
then the policy is asked, and the kernel goes on. So contests are those of `play_contest`, to the last action; 20,000 of
a perfect and a random player at tic-tac-toe take 1/25 of the time.
"""

from collections import Counter
from dataclasses import dataclass
from math import inf
from time import perf_counter
from typing import NamedTuple

import numba
import numpy as np
from numba import types

from boardgames_agents.arena.score import Score
from boardgames_agents.policy import Policy
from boardgames_agents.policy.batch_players import (
    ANY_LEGAL,
    BY_NUMBER,
    DISTRIBUTIONS,
    ChoiceTable,
    Distributions,
    find_row,
)
from boardgames_agents.record import Record
from boardgames_env.contest import ContestArrays, make_arrays, note_result, note_start, with_room
from boardgames_env.ending import ENDS, board_end, board_end_kernel
from boardgames_env.game import Game
from boardgames_env.history import CUT
from boardgames_env.kernels import ONGOING, Kernel, copy_row, helper, kernel
from boardgames_env.kernels.bundle import GAME_KERNELS, GameKernels, named_tuple_type
from boardgames_env.kernels.pcg64 import GENERATOR, draw_below, draw_fraction, seed_generator
from boardgames_env.kernels.signatures import (
    INT8_2D,
    INT32_2D,
    INT64_2D,
    UINT64_1D,
    UINT64_3D,
    Int8s,
    Int32s,
    Int64s,
    UInt64s,
)
from boardgames_env.solve.explore import ABSENT

_COLUMNS = 5
_ACTIONS, _RESULT, _PLIES, _DECISIONS, _END = range(_COLUMNS)
"""The columns of results: how many actions, the result, how many plies and actions of seat 0, and why it ended."""

_FEWEST, _MOST, _QUICK = 4, 4096, 0.1
"""The fewest and most contests of a block, and the seconds below which the next has twice as many."""

_LOOK = 64
"""The number of contests after which the player looks again whether its kernels are compiled."""

_ROOM = 32
"""The number of actions for which the first contests have room."""


class Progress(NamedTuple):
    """Contests as far as they have been played, a row each.

    Attributes:
        actions: Their actions.
        results: See `_COLUMNS`.
        generators: The generators of the two seats' policies, of which one that plays itself has the first.
        states: The states that they have reached.
    """

    actions: Int32s
    results: Int64s
    generators: UInt64s
    states: Int8s


_PROGRESS = named_tuple_type(Progress, INT32_2D, INT64_2D, UINT64_3D, INT8_2D)


@kernel(types.void(UINT64_1D, types.int64, UINT64_3D))
def _seed(seed: UInt64s, first: int, generators: UInt64s) -> None:
    """Begin the generators ``[*seed, first + row, 1 + seat]``."""
    entropy = np.zeros(len(seed) + 2, dtype=np.uint64)
    copy_row(seed, entropy[: len(seed)])
    for row in range(len(generators)):
        for seat in range(2):
            entropy[len(seed)], entropy[len(seed) + 1] = np.uint64(first + row), np.uint64(1 + seat)
            seed_generator(entropy, generators[row, seat])


@kernel(types.void(GAME_KERNELS, DISTRIBUTIONS, DISTRIBUTIONS, types.boolean, types.int64, _PROGRESS))
def _play(kernels: GameKernels, one: Distributions, other: Distributions, alone: bool, first: int, p: Progress) -> None:
    """Play contests until they are over, or lack a choice or room for actions.

    ``one`` has seat 0 in contests of even numbers, or both seats if it is ``alone``; ``first`` is the number of the
    first row.
    """
    contest = make_arrays(kernels, 64)
    for row in range(len(p.results)):
        if p.results[row, _RESULT] != ONGOING:
            continue
        kernels.initial(contest.state)
        note_start(kernels, contest)
        done, plies, decisions, result = 0, 0, 0, ONGOING
        while result == ONGOING:
            seat = int(contest.state[0])
            if done == p.results[row, _ACTIONS]:
                if done == p.actions.shape[1]:
                    break
                choices = one if alone or seat == (first + row) % 2 else other
                action = _choose(kernels, choices, p.generators[row, 0 if alone else seat], contest)
                if action == ABSENT:
                    break
                p.actions[row, done] = action
                p.results[row, _ACTIONS] += 1
            kernels.play(contest.state, p.actions[row, done])
            done += 1
            decisions += 1 - seat
            plies += int(contest.state[0]) != seat
            contest = with_room(contest)
            result = note_result(kernels, contest)
        copy_row(contest.state, p.states[row])
        p.results[row, _RESULT], p.results[row, _PLIES], p.results[row, _DECISIONS] = result, plies, decisions
        p.results[row, _END] = contest.counters[3]


@helper
def _choose(kernels: GameKernels, choices: Distributions, generator: UInt64s, contest: ContestArrays) -> int:
    """Draw an action as `MarkovPolicy.choose` does, or by its number. Return `ABSENT` if there is no distribution."""
    if choices.drawn == ANY_LEGAL:
        count = kernels.legal(contest.state, contest.actions)
        chosen, number, share = 0, draw_fraction(generator) if count > 1 else 0.0, 1.0 / count
        bound = share
        while chosen < count - 1 and bound <= number:
            chosen += 1
            bound += share
        return int(contest.actions[chosen])
    row = find_row(choices, contest.state)
    if row == ABSENT:
        return ABSENT
    chosen, last = choices.first[row], choices.first[row + 1] - 1
    if chosen < last and choices.drawn == BY_NUMBER:
        chosen += draw_below(generator, last + 1 - chosen)
    elif chosen < last:
        number = draw_fraction(generator)
        while chosen < last and choices.bounds[chosen] <= number:
            chosen += 1
    return int(choices.actions[chosen])


@dataclass(frozen=True)
class Block:
    """Contests of a tournament that were played in a row.

    Attributes:
        numbers: Their numbers.
        progress: How they were played.
        seconds: The time that it took.
    """

    numbers: range
    progress: Progress
    seconds: float

    @property
    def score(self) -> Score:
        """The score of the policy that has seat 0 in contests of even numbers."""
        actions, results, plies, decisions, _ = self.progress.results.T
        seats = np.arange(self.numbers.start, self.numbers.stop) % 2
        points = np.where(results == CUT, 0, results) * (1 - 2 * seats)
        own = int(np.where(seats == 0, decisions, actions - decisions).sum())
        return Score(
            wins=int((points > 0).sum()),
            draws=int((points == 0).sum()),
            losses=int((points < 0).sum()),
            cuts=int((results == CUT).sum()),
            points=int(points.sum()),
            squares=int((points**2).sum()),
            plies=int(plies.sum()),
            decisions=own,
            seconds=self.seconds * own / int(actions.sum()),
        )

    def ends(self, game: Game) -> Counter[str]:
        """Return how many contests ended for each reason."""
        return Counter(self._ends(game))

    def _ends(self, game: Game) -> list[str]:
        """Return why each contest ended."""
        limits, states = self.progress.results[:, _END].tolist(), self.progress.states
        return [ENDS[limit] or board_end(game, state) for limit, state in zip(limits, states, strict=True)]

    def records(self, game: Game, cast: tuple[Policy, Policy], seed: tuple[int, ...]) -> list[Record]:
        """Return the records; each decision has an equal share of the time."""
        actions, results = self.progress.actions.tolist(), self.progress.results.tolist()
        specs = cast[0].spec, cast[1].spec
        share = self.seconds / int(self.progress.results[:, _ACTIONS].sum())
        return [
            Record(
                game=game.spec,
                players=specs if number % 2 == 0 else specs[::-1],
                actions=tuple(played[:count]),
                outcome=0 if result == CUT else result,
                cut=result == CUT,
                plies=plies,
                decisions=(decisions, count - decisions),
                seconds=(share * decisions, share * (count - decisions)),
                seed=(*seed, number),
                end=end,
            )
            for number, played, end, (count, result, plies, decisions, _) in zip(
                self.numbers, actions, self._ends(game), results, strict=True
            )
        ]


class BlockPlayer:
    """Plays blocks of contests between two policies, of which the first has seat 0 in contests of even numbers.

    Attributes:
        can_play: Whether both policies are tables, and have had all choices so far.
    """

    def __init__(self, game: Game, cast: tuple[Policy, Policy]) -> None:
        self._game, self._length = game, _FEWEST
        self._alone = cast[0] is cast[1]
        self.can_play = not (game.rules.has_chance or numba.config.DISABLE_JIT)
        self._tables: list[ChoiceTable] = []
        for policy in cast if self.can_play else ():
            if (table := _table_of(policy, game)) is not None:
                self._tables.append(table)
        self.can_play = len(self._tables) == 2
        self._is_ready = False
        self._waited, self._began = 0, perf_counter()

    def is_ready(self) -> bool:
        """Return whether the kernels are compiled; after a second without them, the background is asked to do so."""
        if self._is_ready or not self.can_play:
            return self.can_play
        if self._waited % _LOOK == 0:
            rules = self._game.ready.rules
            kernels = [each for each in rules.kernels if each is not rules.moves]
            kernels += [_seed, _play, board_end_kernel(self._game)]
            self._is_ready = Kernel.patience < 0 or all(each.is_compiled for each in kernels)
            if not self._is_ready and perf_counter() - self._began > Kernel.patience:
                self._began = inf
                for each in kernels:
                    each.compile_behind()
        self._waited += 1
        return self._is_ready

    def play(self, seed: tuple[int, ...], contests: range) -> Block | None:
        """Play the first of some contests, as many as take about a tenth of a second.

        The result is ``None`` if a policy makes a choice that its table cannot hold; from then on `can_play` is false.
        """
        began, numbers = perf_counter(), contests[: self._length]
        progress = Progress(
            np.zeros((len(numbers), _ROOM), dtype=np.int32),
            np.full((len(numbers), _COLUMNS), [0, ONGOING, 0, 0, 0]),
            np.zeros((len(numbers), 2, GENERATOR), dtype=np.uint64),
            np.zeros((len(numbers), self._game.state_size), dtype=np.int8),
        )
        _seed.run(_words_of(seed), numbers.start, progress.generators)
        while True:
            distributions = [table.distributions for table in self._tables]
            _play.run(self._game.kernels, *distributions, self._alone, numbers.start, progress)
            waiting = np.flatnonzero(progress.results[:, _RESULT] == ONGOING)
            if not len(waiting):
                break
            if not self._ask(progress, waiting, numbers):
                self.can_play = False
                return None
            if (progress.results[waiting, _ACTIONS] == progress.actions.shape[1]).any():
                actions = np.concatenate([progress.actions, np.zeros_like(progress.actions)], axis=1)
                progress = progress._replace(actions=actions)
        seconds = perf_counter() - began
        if seconds < _QUICK:
            self._length = min(2 * self._length, _MOST)
        return Block(numbers, progress, seconds)

    def _ask(self, progress: Progress, waiting: Int64s, numbers: range) -> bool:
        """Ask the policies for the choices that contests wait for; return whether all of them could be entered."""
        rows = waiting[progress.results[waiting, _ACTIONS] < progress.actions.shape[1]]
        whose = (progress.states[rows, 0] + rows + numbers.start) % 2 * (not self._alone)
        for which, table in enumerate(self._tables):
            states = {state.tobytes(): state for state in progress.states[rows[whose == which]]}
            if states and not table.ask(list(states.values())):
                return False
        return True


def _table_of(policy: Policy, game: Game) -> ChoiceTable | None:
    """Return a policy as a table; ``None`` if it is none, or a subclass has another method that contests call."""

    def home(name: str) -> type:
        return next(each for each in type(policy).__mro__ if name in vars(each))

    calls = ("begin", "choose", "saw", "given", "end")
    if any(name in vars(policy) or not issubclass(home("by_position"), home(name)) for name in calls):
        return None
    policy.begin(game, (0, 1), np.random.default_rng(0))
    return policy.by_position(game)


def _words_of(seed: tuple[int, ...]) -> UInt64s:
    """Return a seed in numbers of 32 bits, as NumPy divides it: the lower ones of each integer first."""
    words = [each >> shift & 0xFFFF_FFFF for each in seed for shift in range(0, max(each.bit_length(), 1), 32)]
    return np.array(words, dtype=np.uint64)
