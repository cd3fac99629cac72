"""Self-play: a network's contests with itself, in lockstep, in which a tree search finds what it learns.

Half of the contests of a block begin as contests do; the others begin elsewhere, so that the network learns positions,
too, that good play does not lead to: at one of the different positions of a long walk at random, all equally likely. At
a game with a limit on recurrences, a contest is drawn as soon as a position comes up again: nobody who can win has to
repeat one, and contests are shorter.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numba import types

from boardgames_agents.alpha_zero.network import DRAW, LOSS, WIN, PolicyNetwork
from boardgames_agents.alpha_zero.search import SearchOptions, TreeSearch
from boardgames_agents.improve.network_job import network_of_snapshot
from boardgames_agents.policy import Snapshot
from boardgames_env.contest import Contest
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.kernels import ONGOING, State, copy_row, kernel
from boardgames_env.kernels.bundle import GAME_KERNELS, GameKernels
from boardgames_env.kernels.signatures import FLOAT64_2D, INT8_2D, Float32s, Float64s, Int8s, Int32s, Int64s
from boardgames_env.position import Position, demand_array, demand_states

_WALK = 5000
"""The steps of the walk at random whose positions contests begin at."""

_FRESH = 1 / 32
"""The probability that the walk begins afresh before a step."""


_ROUNDING = 1e-3
"""The largest rounding error of a sum of probabilities."""


class PolicyExamples(NamedTuple):
    """Examples of self-play.

    Attributes:
        states: The positions, in which contests go on; int8, shape ``(N, state_size)``.
        policies: The probabilities of actions that the search has found; float32, shape ``(N, num_actions)``.
        outcomes: The results for the seats to move: `WIN`, `DRAW` or `LOSS`; int64, shape ``(N,)``.
    """

    states: Int8s
    policies: Float32s
    outcomes: Int64s

    def demand_whole(self, game: Game) -> None:
        """Raise `BadInputError` unless these can be examples of a game."""
        demand_states(self.states, game)
        number = len(self.states)
        policies = demand_array("policies", self.policies, np.float32, (number, game.num_actions))
        outcomes = demand_array("outcomes", self.outcomes, np.int64, (number,))
        if not (policies >= 0).all() or (np.abs(policies.sum(axis=1) - 1) > _ROUNDING).any():
            raise BadInputError("policies are not all probabilities that add up to 1")
        if not np.isin(outcomes, (WIN, DRAW, LOSS)).all():
            raise BadInputError(f"outcomes are {WIN} for a win, {DRAW} for a draw and {LOSS} for a loss")


def self_played(
    game: Game, seed: tuple[int, ...], contests: int, simulations: int, network: Snapshot
) -> PolicyExamples:
    """Return the examples of a block of contests: the work of a `boardgames_agents.improve.network_job.NetworkJob`."""
    made = network_of_snapshot(network, game, PolicyNetwork)
    return examples_of(self_play(made, simulations, seed, range(contests)))


class SelfPlayContest(NamedTuple):
    """A contest of self-play.

    Attributes:
        contest: The contest.
        rng: Its random numbers.
        states: The positions before each action.
        policies: What a search has found in these.
        recent: The same positions as bytes.
    """

    contest: Contest
    rng: np.random.Generator
    states: list[State]
    policies: list[Float64s]
    recent: set[bytes]

    def play(self, action: int) -> bool:
        """Play an action, and return whether the contest goes on."""
        self.states.append(self.contest.state.copy())
        self.recent.add(self.contest.state.tobytes())
        self.contest.advance(action)
        if self.contest.is_over:
            return False
        return not self.contest.game.limits.recurrences or self.contest.state.tobytes() not in self.recent


def self_play(network: PolicyNetwork, simulations: int, seed: Sequence[int], numbers: range) -> list[SelfPlayContest]:
    """Play numbered contests of a network with itself in lockstep; contest k is seeded with ``[*seed, k]``.

    Those of odd numbers begin elsewhere. A contest is the same whichever others are played beside it.
    """
    game = network.game
    starts = positions_at_random(game, np.random.default_rng([*seed]))
    search = TreeSearch(game, network, SearchOptions(simulations=simulations), remembers=True)
    contests = []
    for number in numbers:
        rng = np.random.default_rng([*seed, number])
        start = Position.unchecked(game, starts[rng.integers(len(starts))]) if number % 2 else None
        contests.append(SelfPlayContest(Contest(game, start=start), rng, [], [], set()))
    going = contests
    while going:
        gumbels = np.array([each.rng.gumbel(size=game.num_actions) for each in going])
        seen, counts = _seen(going)
        found = search.search(np.array([each.contest.state for each in going]), seen, counts, gumbels)
        for each, policy in zip(going, found.policy, strict=True):
            each.policies.append(policy)
        going = [each for each, action in zip(going, found.actions.tolist(), strict=True) if each.play(action)]
    return contests


def examples_of(contests: Sequence[SelfPlayContest]) -> PolicyExamples:
    """Return the examples of all decisions of contests that are over."""
    states = np.array([state for each in contests for state in each.states])
    points = np.array([each.contest.points for each in contests for _ in each.policies]) * (1 - 2 * states[:, 0])
    policies = np.array([policy for each in contests for policy in each.policies], dtype=np.float32)
    return PolicyExamples(states, policies, outcomes_of(points))


def outcomes_of(points: Int64s) -> Int64s:
    """Return the outcomes for seats that got some points: `WIN`, `DRAW` or `LOSS`."""
    return np.select([points > 0, points < 0], [WIN, LOSS], DRAW).astype(np.int64)


def _seen(going: Sequence[SelfPlayContest]) -> tuple[Int8s, Int32s] | tuple[None, None]:
    """Return the positions before those of contests, and their numbers, as `TreeSearch.search` takes them."""
    game = going[0].contest.game
    if not game.limits.are_set:
        return None, None
    counts = np.array([len(each.states) for each in going], dtype=np.int32)
    seen = np.zeros((len(going), counts.max(), game.state_size), dtype=np.int8)
    for row, each in zip(seen, going, strict=True):
        row[: len(each.states)] = each.states or row[:0]
    return seen, counts


def positions_at_random(game: Game, rng: np.random.Generator) -> Int8s:
    """Return the different positions of a walk at random, shape ``(N, state_size)``."""
    states = np.zeros((_WALK, game.state_size), dtype=np.int8)
    _walk.run(game.kernels, rng.random((_WALK, 2)), states)
    return np.array([np.frombuffer(each, dtype=np.int8) for each in dict.fromkeys(map(bytes, states))])


@kernel(types.void(GAME_KERNELS, FLOAT64_2D, INT8_2D), compiled_first=True)
def _walk(kernels: GameKernels, draws: Float64s, states: Int8s) -> None:
    """Write the positions of a walk, which takes actions that do not end the contest; else it begins afresh."""
    actions = np.empty(kernels.num_actions, dtype=np.int32)
    kernels.initial(states[0])
    for row in range(1, len(states)):
        state, count = states[row], kernels.legal(states[row - 1], actions)
        is_fresh = draws[row, 0] < _FRESH
        first = int(draws[row, 1] * count)
        for i in range(0 if is_fresh else count):
            copy_row(states[row - 1], state)
            kernels.play(state, actions[(first + i) % count])
            if kernels.outcome(state) == ONGOING:
                break
        else:
            kernels.initial(state)
