"""AlphaZero as a learner of the training loop, so that any trainer can set its contests.

Implementation details, numbered:

1. *Examples* are all decisions of a contest, whoever took them: for each, a tree search finds the policy that is
   learned, and the result of the contest is the outcome. So it learns from opponents and from contests that it watches.
2. *While it learns*, it plays what the search with Gumbel noise chooses. In self-play at full speed contests are played
   in lockstep as in `boardgames improve`, half of them from positions of a walk at random.
3. *The network is fitted* after every ``every`` contests to the examples of the last ``window`` contests. In between it
   does not change, so that contests do not depend on how many are played at once.
4. *Once it has learned* (`AlphaZeroLearner.frozen`) it plays by the search without noise.
"""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np

from boardgames_agents.alpha_zero.network import PolicyDesign, PolicyNetwork
from boardgames_agents.alpha_zero.player import AlphaZero, AlphaZeroAfresh
from boardgames_agents.alpha_zero.policy_fitting import PolicyFitting, demand_device, fit_policy, policy_losses
from boardgames_agents.alpha_zero.search import MOST_SIMULATIONS, SearchOptions, TreeSearch
from boardgames_agents.alpha_zero.self_play import PolicyExamples, SelfPlayContest, examples_of, outcomes_of, self_play
from boardgames_agents.policy import Episodes, Learner, Rng, Snapshot
from boardgames_agents.record import Record
from boardgames_agents.registry import agent
from boardgames_env.errors import BadInputError, require
from boardgames_env.game import Game
from boardgames_env.kernels import State
from boardgames_env.kernels.signatures import Float64s
from boardgames_env.position import Position


@dataclass(frozen=True)
class LearnerOptions(PolicyFitting, PolicyDesign):
    """Options of AlphaZero as a learner: its network's design, how that is fitted, and to what.

    Attributes:
        epochs: How often each example is learned from in a fit.
        simulations: Simulations of each search.
        every: Contests after which the network is fitted.
        window: The number of the last contests whose examples it is fitted to.
        seed: Seed of the initial weights and of the fits.
        afresh: Whether it plays without the positions and the tree of the contest before, once it has learned, so that
            it can be tested exactly.

    Raises:
        BadInputError: For a number that is not allowed.
    """

    epochs: int = 5
    simulations: int = 32
    every: int = 250
    window: int = 2500
    seed: int = 0
    afresh: bool = False

    def __post_init__(self) -> None:
        PolicyDesign.__post_init__(self)
        PolicyFitting.__post_init__(self)
        require(1, MOST_SIMULATIONS, simulations=self.simulations)
        require(1, 2**31 - 1, every=self.every, window=self.window)
        require(0, 2**63 - 1, seed=self.seed)

    @property
    def design(self) -> PolicyDesign:
        """The network's design."""
        return PolicyDesign(*(getattr(self, each.name) for each in fields(PolicyDesign)))


@agent(
    "alpha_zero_learner",
    for_people="Search that teaches its network: learns from what its own thinking has found",
    options=LearnerOptions,
    curves={
        "examples": "number of positions that the next fit learns from",
        "loss": "mean over the last fit's examples of −Σ π log p − log P(outcome), in nats, after it; 0 before any",
        "initial value": "P(win) − P(loss) by the network in the initial position, for the seat to move",
    },
)
class AlphaZeroLearner(Learner):
    """AlphaZero, which learns with a tree search what a network should have played, under any trainer.

    `boardgames improve` teaches such networks faster, in several processes; see the page on AlphaZero.

    Raises:
        BadInputError: For a game with dice or one that counts points, or an option that is not allowed.
    """

    def __init__(self, game: Game, options: LearnerOptions) -> None:
        self.game, self.options = game, options
        self.network = PolicyNetwork(game, options.design, options.seed)
        self._search = self._make_search()
        self._memory: deque[PolicyExamples] = deque(maxlen=options.window)
        self._contests, self._loss = 0, 0.0
        self._states: list[State] = []
        self._policies: dict[bytes, Float64s] = {}

    def begin(self, game: Game, seats: tuple[int, ...], rng: Rng) -> None:
        """Start a contest."""
        super().begin(game, seats, rng)
        demand_device(self.options.device)
        self._states, self._policies = [], {}

    def choose(self, position: Position) -> int:
        """Return what a search with Gumbel noise chooses."""
        seen = np.array(self._states, dtype=np.int8).reshape(1, -1, self.game.state_size)
        gumbels = self.rng.gumbel(size=(1, self.game.num_actions))
        found = self._search.search(position.state[None], seen, gumbels=gumbels)
        self._policies[position.key] = found.policy[0]
        return int(found.actions[0])

    def saw(self, position: Position, action: int) -> None:
        """Note the position."""
        self._states.append(position.state)

    given = saw

    def end(self, record: Record) -> None:
        """Learn from all decisions of the contest, if there were any."""
        if not self._states:
            return
        states = np.array(self._states)
        missing = [row for row, state in enumerate(self._states) if state.tobytes() not in self._policies]
        if missing:
            policies = self._search.search(states[missing]).policy
            self._policies |= {states[row].tobytes(): policy for row, policy in zip(missing, policies, strict=True)}
        found = np.array([self._policies[state.tobytes()] for state in self._states])
        points = record.outcome * (1 - 2 * states[:, 0].astype(np.int64))
        self._learn([PolicyExamples(states, found.astype(np.float32), outcomes_of(points))])

    def self_play(self, seed: Sequence[int], contests: range) -> Episodes:
        """Play contests against itself in lockstep, as many at once as are played between two fits."""
        demand_device(self.options.device)
        played = list[SelfPlayContest]()
        while len(played) < len(contests):
            first = contests.start + len(played)
            number = min(contests.stop - first, self.options.every - self._contests % self.options.every)
            played += self_play(self.network, self.options.simulations, seed, range(first, first + number))
            self._learn([examples_of([each]) for each in played[-number:]])
            if self.on_played:
                self.on_played(len(played))
        points = [np.nan if each.contest.is_cut else each.contest.points for each in played]
        plies = [each.contest.plies for each in played]
        return Episodes(np.array(points, dtype=np.float32), np.array(plies, dtype=np.int64))

    def frozen(self) -> AlphaZero | AlphaZeroAfresh:
        """Return a player with a copy of the network."""
        kind = AlphaZeroAfresh if self.options.afresh else AlphaZero
        return kind(self.game, self.network.copy(), self._search.options)

    def knowledge(self) -> Mapping[str, float]:
        """Return the number of examples, the loss, and the value of the initial position."""
        value = float(self.network.evaluate(self.game.initial.state[None])[1][0])
        return {"examples": sum(len(each.states) for each in self._memory), "loss": self._loss, "initial value": value}

    def snapshot(self) -> Snapshot:
        """Return the weights and the examples of the last contests."""
        examples = _joined(self._memory, self.game)
        sizes = np.array([len(each.states) for each in self._memory], dtype=np.int64)
        arrays = {**self.network.arrays(), **examples._asdict(), "sizes": sizes}
        return Snapshot(arrays, {"contests": self._contests, "loss": self._loss})

    def restore(self, snapshot: Snapshot) -> None:
        """Restore weights and examples."""
        names = (*PolicyExamples._fields, "sizes")
        if not {*names, *self.network.arrays()} == set(snapshot.arrays):
            raise BadInputError(f"the snapshot holds no network of alpha_zero for {self.game.spec}")
        self.network.load({name: snapshot.arrays[name] for name in self.network.arrays()})
        states, policies, outcomes, sizes = (snapshot.arrays[name] for name in names)
        ends = np.cumsum(sizes)
        parts = (slice(end - size, end) for size, end in zip(sizes, ends, strict=True))
        self._memory.clear()
        self._memory += [PolicyExamples(states[part], policies[part], outcomes[part]) for part in parts]
        self._contests, self._loss = int(snapshot.data["contests"]), float(snapshot.data["loss"])
        self._search = self._make_search()

    def _make_search(self) -> TreeSearch:
        """Return a search with the network, which remembers what that finds until its weights change."""
        options = SearchOptions(simulations=self.options.simulations)
        return TreeSearch(self.game, self.network, options, remembers=True)

    def _learn(self, contests: Sequence[PolicyExamples]) -> None:
        """Add the examples of contests, and fit the network if it is time to."""
        self._memory += contests
        self._contests += len(contests)
        if self._contests % self.options.every == 0:
            examples = _joined(self._memory, self.game)
            fit_policy(self.network, examples, self.options, (self.options.seed, self._contests))
            self._loss = float(policy_losses(self.network, examples).mean())
            self._search = self._make_search()


def _joined(parts: Iterable[PolicyExamples], game: Game) -> PolicyExamples:
    """Return the examples of several contests."""
    none = PolicyExamples(
        np.zeros((0, game.state_size), np.int8), np.zeros((0, game.num_actions), np.float32), np.zeros(0, np.int64)
    )
    return PolicyExamples(*(np.concatenate([part[column] for part in (none, *parts)]) for column in range(3)))
