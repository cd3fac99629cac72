"""Error rates of agents: what their plays lose, judged by a look-ahead or a solved game, in the same positions.

The positions are those of one agent's contests with itself in which there is a choice; all agents are asked about each.
So their rates differ by what they would play and not by the positions that they happen to reach.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import nan
from typing import Any

import numpy as np

from boardgames_agents.arena.contest import play_contest
from boardgames_agents.experiments.runner import ONE_PROCESS, Progress, Workers, no_progress, run_jobs
from boardgames_agents.experts.exact_points import NOTHING, exact_points
from boardgames_agents.lookahead.cube.doubler import DOUBLE, TAKE
from boardgames_agents.lookahead.evaluator import evaluator_of
from boardgames_agents.lookahead.expectimax import MOST_PLIES, Expectimax
from boardgames_agents.people.judging.position_analysis import reached_by
from boardgames_agents.policy import Policy, demand_legal
from boardgames_agents.registry import make_player
from boardgames_env.contest import is_same_turn
from boardgames_env.errors import BadInputError, require
from boardgames_env.game import Game
from boardgames_env.games import make_game
from boardgames_env.games.backgammon.inputs.phases import PHASE_NAMES, find_phase
from boardgames_env.games.backgammon.rules.backgammon_board import BackgammonRules
from boardgames_env.position import Position
from boardgames_env.solve.placings import is_of_few_men

KINDS = (*PHASE_NAMES, "double", "answer")
"""The kinds of decisions: plays by the phase of the position, whether to double, and how to answer a double."""

_ASKED = 3
"""The number of the random stream of agents when they are asked what they would play."""


@dataclass(frozen=True)
class Judge:
    """A look-ahead that judges plays.

    Attributes:
        agent: The agent whose evaluator judges; it must predict outcomes in the game. ``perfect`` judges by the exact
            values of a solved game, with the cube or without.
        plies: Plies of the judge.
        candidates: Plays that it examines so deeply, besides those of the agents.
    """

    agent: str = "td_gammon"
    plies: int = 3
    candidates: int = 4


@dataclass(frozen=True)
class ErrorRate:
    """The error rate of an agent in positions of some kind.

    Attributes:
        decisions: The number of decisions, those with more than one play or action.
        rate: The mean loss of a decision in thousandths of a point; NaN without decisions.
        error: The standard error of the rate, from the differences between contests; NaN with fewer than two.
        exact: The percentage of decisions that lose nothing; NaN without decisions.
    """

    decisions: int
    rate: float
    error: float
    exact: float


@dataclass(frozen=True)
class DecisionsJob:
    """A judgement of the decisions of one contest; see `boardgames_agents.experiments.job.Job`.

    Attributes:
        game: The game's spec.
        agents: The specs of the agents; the first one plays the contest with itself.
        judge: The judge.
        seed: The seed of the contest.
    """

    game: str
    agents: tuple[str, ...]
    judge: Judge
    seed: tuple[int, ...]

    def description(self) -> dict[str, Any]:
        """Return everything that determines the result."""
        return {"kind": "decisions", **vars(self), "judge": vars(self.judge)}

    def run(self) -> list[tuple[int, list[float]]]:
        """Return the kind of each decision, and what the choice of each agent loses there, in points of the stake."""
        game = make_game(self.game)
        men = _men_of(game, self.judge)
        agents = [make_player(agent, game) for agent in self.agents]
        lost = _lost_exactly(game) if _is_exact(game, self.judge) else _lost_by_look_ahead(game, self.judge)
        record = play_contest(game, (agents[0], agents[0]), self.seed)
        for agent in agents:
            agent.begin(game, (0, 1), np.random.default_rng([*self.seed, _ASKED]))
        found = []
        for position in (turn.before for turn in record.turns(game)):
            if losses := lost(position, agents):
                texts = {position.game.action_text(action) for action in position.legal_actions}
                kind = "double" if DOUBLE in texts else "answer" if TAKE in texts else ""
                number = KINDS.index(kind) if kind else int(find_phase.run(position.state, men))
                found.append((number, losses))
        return found


_Losses = Callable[[Position, Sequence[Policy]], list[float]]
"""What the choices of agents lose in a position; empty if there is one alone."""


def _lost_by_look_ahead(game: Game, judge: Judge) -> _Losses:
    search = Expectimax(game, evaluator_of(judge.agent, game), judge.plies, judge.candidates)

    def lost(position: Position, agents: Sequence[Policy]) -> list[float]:
        if len(plays := search.candidates(position)) < 2:
            return []
        equities = [reached_by(search, position, play_of(agent, position), plays).equity for agent in agents]
        best = max(plays[0].equity, *equities)
        return [best - each for each in equities]

    return lost


def _lost_exactly(game: Game) -> _Losses:
    points = exact_points(game)

    def lost(position: Position, agents: Sequence[Policy]) -> list[float]:
        values = points.values(position)
        if len(values) < 2:
            return []
        best = max(values.values())
        return [max(0.0, best - points.value_after(position, play_of(agent, position))) for agent in agents]

    return lost


def _is_exact(game: Game, judge: Judge) -> bool:
    """Return whether the judge knows the exact values of the game."""
    return judge.agent == "perfect" and is_of_few_men(game)


def _men_of(game: Game, judge: Judge) -> int:
    """Return the men of a seat; raise `BadInputError` if the judge measures no error rates in the game."""
    has_cube = game.stake is not None and not _is_exact(game, judge)
    if not isinstance(game.family, BackgammonRules) or has_cube or game.score is not None:
        raise BadInputError(
            f"error rates are measured in single games without a cube, not in {game.spec}; "
            "with it in hypergammon alone, by --with perfect"
        )
    return game.family.men


def play_of(agent: Policy, position: Position) -> tuple[int, ...]:
    """Return the actions by which an agent would play its dice."""
    actions: list[int] = []
    reached = position
    while not actions or is_same_turn(position.seat, reached):
        actions.append(agent.choose(reached))
        demand_legal(agent, reached, actions[-1])
        reached = reached.after(actions[-1])
    return tuple(actions)


def error_rates(
    game: str,
    agents: Sequence[str],
    judge: Judge,
    contests: int,
    seed: int,
    workers: Workers = ONE_PROCESS,
    progress: Progress = no_progress,
) -> dict[str, dict[str, ErrorRate]]:
    """Return the error rates of agents by `KINDS`, and over all decisions as ``all``.

    Args:
        game: The spec of a game of backgammon without a cube, or of one that is solved with it.
        agents: The agents' specs; the first one plays the contests with itself.
        judge: The judge.
        contests: The number of contests.
        seed: Base seed; contest k is seeded with ``[seed, k]``.
        workers: The processes; the result is the same with any number.
        progress: The progress bar.

    Raises:
        BadInputError: If the game has no dice, or has a cube or a score, the judge has no evaluator, there is no such
            agent, a person is among them, or a number is not allowed.
    """
    require(1, contests=contests, candidates=judge.candidates)
    require(1, MOST_PLIES, plies=judge.plies)
    require(0, seed=seed)
    agents = list(dict.fromkeys(agents))
    made = make_game(game)
    _men_of(made, judge)
    if _is_exact(made, judge):
        exact_points(made)
    else:
        evaluator_of(judge.agent, made)
    for agent in agents:
        if make_player(agent, made).interactive:
            raise BadInputError(f"{agent} is a person; error rates are those of programs")
    jobs = [DecisionsJob(game, tuple(agents), judge, (seed, contest)) for contest in range(contests)]
    found: list[list[tuple[int, list[float]]]] = [[] for _ in jobs]
    with progress("contests", contests) as bar:
        for index, decisions in run_jobs(jobs, workers):
            found[index] = decisions
            bar.step()
    return {agent: rates_of(found, number) for number, agent in enumerate(agents)}


def rates_of(found: Sequence[Sequence[tuple[int, list[float]]]], agent: int) -> dict[str, ErrorRate]:
    """Return the error rates of an agent by `KINDS`, and over all decisions as ``all``.

    Args:
        found: The results of the jobs of several contests.
        agent: The index of the agent among those of the jobs.
    """
    losses = [[(phase, lost[agent]) for phase, lost in decisions] for decisions in found]
    by_phase = {
        name: _rate([[lost for its_phase, lost in decisions if its_phase == phase] for decisions in losses])
        for phase, name in enumerate(KINDS)
    }
    return {"all": _rate([[lost for _, lost in decisions] for decisions in losses]), **by_phase}


def _rate(losses: Sequence[Sequence[float]]) -> ErrorRate:
    """Return the error rate over decisions whose losses are given for each contest."""
    counts = np.array([len(each) for each in losses])
    sums = np.array([sum(each) for each in losses])
    total, contests = int(counts.sum()), int((counts > 0).sum())
    rate = float(sums.sum() / total) if total else nan
    of_few = contests / (contests - 1) if contests > 1 else nan
    error = float(np.sqrt(of_few * ((sums - rate * counts) ** 2).sum()) / total) if total else nan
    nothing = sum(lost < NOTHING for each in losses for lost in each)
    return ErrorRate(total, 1000 * rate, 1000 * error, 100 * nothing / total if total else nan)
