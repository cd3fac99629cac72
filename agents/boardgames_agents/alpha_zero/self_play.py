"""Self-play: a network's contests with itself, in lockstep, in which a tree search finds what it learns.

Half of the contests of a block begin as contests do; the others begin from a position of a contest at random, so that
the network learns positions, too, that good play does not lead to. At a game with a limit on recurrences, a contest is
drawn as soon as a position comes up again: nobody who can win has to repeat one, and contests are shorter.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from boardgames_agents.alpha_zero.network import DRAW, LOSS, WIN, PolicyDesign, PolicyNetwork
from boardgames_agents.alpha_zero.search import SearchOptions, TreeSearch
from boardgames_agents.policy import Snapshot
from boardgames_env.contest import Contest
from boardgames_env.game import Game
from boardgames_env.games import make_game
from boardgames_env.kernels import State
from boardgames_env.kernels.signatures import Float32s, Float64s, Int8s, Int32s, Int64s

_LONGEST_OPENING = 100
"""The most actions at random before a contest of self-play."""


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


@dataclass(frozen=True)
class SelfPlayJob:
    """Plays a block of contests; see `boardgames_agents.experiments.job.Job`.

    Attributes:
        game: The game's spec.
        contests: The number of contests, which are played in lockstep.
        simulations: The simulations of each search.
        seed: The seed of the block.
        network: The network that plays.
    """

    game: str
    contests: int
    simulations: int
    seed: tuple[int, ...]
    network: Snapshot = field(compare=False, repr=False)

    def description(self) -> dict[str, Any]:
        """Return everything that determines the examples."""
        own = {name: getattr(self, name) for name in ("game", "contests", "simulations", "seed")}
        return {"kind": "self-play", **own, "network": self.network.digest}

    def run(self) -> PolicyExamples:
        """Play the contests."""
        network = PolicyNetwork(make_game(self.game), PolicyDesign(**self.network.data))
        network.load(self.network.arrays)
        return examples_of(self_play(network, self.simulations, self.seed, range(self.contests)))


class SelfPlayContest(NamedTuple):
    """A contest of self-play.

    Attributes:
        contest: The contest.
        rng: Its random numbers.
        states: The positions before each action.
        policies: What a search has found in the last of these; the first ones belong to the opening.
        recent: The positions since the opening, as bytes.
    """

    contest: Contest
    rng: np.random.Generator
    states: list[State]
    policies: list[Float64s]
    recent: set[bytes]

    @classmethod
    def begun(cls, game: Game, rng: np.random.Generator, is_drawn: bool) -> "SelfPlayContest":
        """Return a contest at its beginning, or one that goes on from a position of a contest at random."""
        made, drawn = cls(Contest(game), rng, [], [], set()), Contest(game)
        while is_drawn and not drawn.is_over and len(drawn.actions) < _LONGEST_OPENING:
            legal = drawn.position.legal_actions
            drawn.advance(legal[int(rng.integers(len(legal)))])
        for action in drawn.actions[: int(rng.integers(max(1, len(drawn.actions))))]:
            made.play(action)
        made.recent.clear()
        return made

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

    A contest is the same whichever others are played beside it.
    """
    game = network.game
    search = TreeSearch(game, network.evaluate, SearchOptions(simulations=simulations))
    rngs = (np.random.default_rng([*seed, number]) for number in numbers)
    contests = [SelfPlayContest.begun(game, rng, number % 2 == 1) for number, rng in zip(numbers, rngs, strict=True)]
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
    states = np.array([state for each in contests for state in each.states[-len(each.policies) :]])
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
