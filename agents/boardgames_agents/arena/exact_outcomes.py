"""Exact results of contests between two policies whose choices depend on the position alone.

A contest is a Markov chain over positions. The game's limit on repetitions is left out, because under it a result
depends on the history. Instead a contest is drawn after a number of actions, or only if it never ends, as it is for the
solver.
"""

from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.sparse import csr_array, eye
from scipy.sparse.linalg import spsolve

from boardgames_agents.arena.position_graph import PolicyOnGraph, Steps, TooManyPositionsError, graph_of, steps_of
from boardgames_agents.arena.tournament import tournament
from boardgames_agents.experiments.estimate import Estimate
from boardgames_agents.policy import Distribution, MarkovPolicy
from boardgames_agents.registry import make_agent
from boardgames_env.errors import require
from boardgames_env.game import Game
from boardgames_env.kernels.signatures import Float64s
from boardgames_env.position import Position
from boardgames_env.solve import solve
from boardgames_env.spec import Spec

FOR_EVER = 0
"""The number of actions of contests without a limit."""

SETTLED = 1e-12
"""The greatest change of a probability that counts as none."""

_SWEEPS_BEFORE_SOLVING = 4000


class Outcomes(NamedTuple):
    """Probabilities of a win, a draw and a loss, by however many points."""

    win: float
    draw: float
    loss: float


def exact_outcomes(game: Game, player: MarkovPolicy, other: MarkovPolicy, actions: int = FOR_EVER) -> Outcomes:
    """Return the player's probabilities of a result, with each seat in half of the contests.

    Contests are drawn after a number of ``actions``.

    Raises:
        BadInputError: If the game has chance events or too many positions; see `graph_of`.
        IllegalActionError: If a policy chooses an action that is not legal.
    """
    graph = graph_of(game)
    return outcomes_on(PolicyOnGraph(graph, player), PolicyOnGraph(graph, other), actions)


def outcomes_on(player: PolicyOnGraph, other: PolicyOnGraph, actions: int = FOR_EVER) -> Outcomes:
    """Return the same for policies on one graph."""
    first, second = (_of_seat_0(players, actions) for players in ((player, other), (other, player)))
    return Outcomes((first.win + second.loss) / 2, (first.draw + second.draw) / 2, (first.loss + second.win) / 2)


class WithoutLimits(MarkovPolicy):
    """A policy that knows of no limit on plies, as in an exact test: others may play for a draw when few are left."""

    def __init__(self, policy: MarkovPolicy) -> None:
        super().__init__()
        self._policy = policy

    def distribution(self, position: Position) -> Distribution:
        """Return what the policy would choose in a contest without limits."""
        return self._policy.legal_distribution(position)


def _of_seat_0(players: tuple[PolicyOnGraph, PolicyOnGraph], actions: int) -> Outcomes:
    graph = players[0].graph
    steps = steps_of(graph, players)
    points = np.where(graph.ongoing[steps.rows], 0, graph.points[steps.rows])
    ends = np.stack([points > 0, points < 0], axis=1).astype(float)
    win, loss = _probabilities(steps, ends, actions).tolist()
    return Outcomes(win, max(0.0, 1 - win - loss), loss)


def _probabilities(steps: Steps, ends: Float64s, actions: int) -> Float64s:
    """Return the probabilities to end in time, from the initial position, in positions marked with 1 in each column."""
    size = len(steps.rows)
    matrix = csr_array((steps.weight, (steps.origin, steps.target)), shape=(size, size))
    found = ends
    for _ in range(actions or _SWEEPS_BEFORE_SOLVING):
        before, found = found, matrix @ found + ends
        if float(np.abs(found - before).max()) < SETTLED:
            break
    else:
        if not actions:
            return np.array([_solved(matrix, column) for column in ends.T])
    return np.asarray(found[0])


def _solved(matrix: csr_array, ends: Float64s) -> float:
    """Return the same for one column by linear equations, which contests of thousands of plies need."""
    may_end = ends > 0
    while True:  # where the end is out of reach, the equations have more than one solution, and 0 is the right one
        spread = may_end | (matrix @ may_end.astype(float) > 0)
        if (spread == may_end).all():
            break
        may_end = spread
    open_ = np.flatnonzero(may_end & (ends == 0))
    if not may_end[0] or not len(open_):
        return float(may_end[0])
    among = matrix[open_][:, open_]
    solution = spsolve((csr_array(eye(len(open_))) - among).tocsc(), (matrix @ ends)[open_])
    # (the initial position is the first)
    return float(np.atleast_1d(solution)[0])


@dataclass(frozen=True)
class Optimum:
    """Power and reliability in per cent (Epstein 1994, Table 1), from some contests, or exact if these are 0."""

    power: Estimate
    reliability: Estimate
    contests: int = 0


def optimum(game: Game, player: str | Spec, challenger: str | Spec, contests: int, seed: int, jobs: int = 1) -> Optimum:
    """Return power and reliability of a player who has each seat in half of the contests, at a game that can be solved.

    They are exact if the game cannot cycle and has at most `MOST_POSITIONS`, and both agents are Markov policies. They
    are estimated from a tournament with ``contests``, ``seed`` and ``jobs`` otherwise.

    Raises:
        BadInputError: If a number or a spec is not allowed.
    """
    require(1, contests=contests, jobs=jobs)
    require(0, seed=seed)
    one, other = make_agent(player, game), make_agent(challenger, game)
    if solve(game).acyclic and isinstance(one, MarkovPolicy) and isinstance(other, MarkovPolicy):
        with suppress(TooManyPositionsError):
            win, draw, _ = exact_outcomes(game, one, other)
            power, reliability = [Estimate(*(100 * share,) * 3) for share in (win, win + draw)]
            return Optimum(power, reliability)
    score = tournament(game, player, challenger, contests, seed, jobs=jobs).score
    return Optimum(
        Estimate(score.power, *score.power_interval), Estimate(score.reliability, *score.reliability_interval), contests
    )
