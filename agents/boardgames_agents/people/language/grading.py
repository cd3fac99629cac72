"""Grades of agents at solved games: which of their decisions keep the value, and what the others cost.

An agent is asked about positions one by one. A decision is an action in a position with at least two. A policy whose
choice depends on the position alone is graded by its probabilities, exactly; any other by one choice at each position.
"""

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any

import numpy as np

from boardgames_agents.arena.contest import play_contest
from boardgames_agents.arena.solved_game import SolvedGame
from boardgames_agents.experiments.estimate import Interval, wilson
from boardgames_agents.experts.exact_points import NOTHING
from boardgames_agents.people.levels import EASY, levels_of
from boardgames_agents.policy import Forfeit, MarkovPolicy, Policy, demand_legal
from boardgames_agents.registry import make_agent, make_player
from boardgames_env.errors import require_whole
from boardgames_env.game import Game
from boardgames_env.position import Position

_POSITIONS, _ASKED, _TAUGHT = 1, 2, 3
"""The numbers of the random streams: of positions, of the agent, and of what a learner beside it learns by."""

MENACE_CONTESTS = 100
"""The contests after which MENACE is graded beside an agent."""

_MOST_LOSS = 2.0
"""The points that a decision loses where a win becomes a loss: what is assumed without decisions."""


@dataclass(frozen=True)
class GradedDecision:
    """A graded decision.

    Attributes:
        position: The position.
        kept: The probability that the agent keeps the value, 0 or 1 if it has been asked once.
        loss: The points that it gives away, expected or by its one choice (see `SolvedGame.reward`).
        most_loss: The points that the worst legal action gives away, or ``loss`` if that is more.
        illegal: Whether it had no legal action to offer; that loses the contest.
        is_key: Whether any action loses value (a key node).
        choices: The number of legal actions.
        distance: The plies to the end under best play, ``None`` if that is a draw, and with dice.
    """

    position: Position
    kept: float
    loss: float
    most_loss: float
    illegal: bool
    is_key: bool
    choices: int
    distance: int | None


@dataclass(frozen=True)
class Grade:
    """The grade of an agent.

    Attributes:
        decisions: Its decisions.
    """

    decisions: tuple[GradedDecision, ...]

    @property
    def share(self) -> float:
        """The percentage of decisions that keep the value; not a number without decisions."""
        return 100 * self.mean("kept")

    @property
    def interval(self) -> Interval:
        """The 95 % confidence interval of `share`, in per cent."""
        return wilson(self._kept, len(self.decisions))

    @property
    def loss_interval(self) -> Interval:
        """The 95 % confidence interval of the mean loss: Wilson's of its share in what these can lose at most.

        Where nothing can be lost, it is 0 to 0.
        """
        most = max((each.most_loss for each in self.decisions), default=_MOST_LOSS)
        low, high = wilson(sum(each.loss for each in self.decisions) / (most or 1.0), len(self.decisions))
        return most * low / 100, most * high / 100

    @property
    def _kept(self) -> float:
        return float(sum(each.kept for each in self.decisions))

    def mean(self, what: str) -> float:
        """Return the mean of an attribute of the decisions; not a number without decisions."""
        values = [getattr(each, what) for each in self.decisions]
        return sum(values) / len(values) if values else float("nan")

    def parts(self) -> dict[str, "Grade"]:
        """Return the grade over all decisions, at key nodes and elsewhere, by choices and by distance to the end."""
        kinds: dict[str, Callable[[GradedDecision], bool]] = {
            "all decisions": lambda each: True,
            "at key nodes": lambda each: each.is_key,
            "elsewhere": lambda each: not each.is_key,
            "2 or 3 choices": lambda each: each.choices < 4,
            "4 to 6 choices": lambda each: 4 <= each.choices < 7,
            "7 or more choices": lambda each: each.choices >= 7,
            "a draw": lambda each: each.distance is None and not each.position.game.rules.has_chance,
            "1 or 2 plies to the end": lambda each: each.distance is not None and each.distance < 3,
            "3 or more plies to the end": lambda each: each.distance is not None and each.distance >= 3,
        }
        found = {name: Grade(tuple(filter(fits, self.decisions))) for name, fits in kinds.items()}
        return {name: grade for name, grade in found.items() if grade.decisions}

    def as_dict(self) -> dict[str, Any]:
        """Return the figures as plain data, for JSON."""
        return {
            "decisions": len(self.decisions),
            "kept": self.share,
            "kept_interval": list(self.interval),
            "mean_loss": self.mean("loss"),
            "mean_loss_interval": list(self.loss_interval),
            "illegal": sum(each.illegal for each in self.decisions),
        }


class Grader:
    """The positions of a solved game in which agents are asked, and their values.

    Args:
        game: The game.
        positions: The number of positions; 0 for all of a small game.
        seed: Base seed.

    Raises:
        BadInputError: If the game cannot be solved, or a number is not allowed.
    """

    def __init__(self, game: Game, positions: int = 200, seed: int = 0) -> None:
        require_whole(0, positions=positions, seed=seed)
        self.game, self._seed, self._solved = game, seed, SolvedGame(game)
        self.positions = [*self._solved.positions(positions, np.random.default_rng([seed, _POSITIONS]))]

    def grade(self, player: Policy, on_decision: Callable[[], object] = lambda: None, jobs: int = 1) -> Grade:
        """Ask an agent in each of the positions; one that waits for another machine in several of them at once."""
        jobs = min(jobs, len(self.positions)) if player.waits else 1
        free: SimpleQueue[Policy] = SimpleQueue()
        for each in (player, *(make_player(player.spec, self.game) for _ in range(jobs - 1))):
            free.put(each)

        def decision(number: int) -> GradedDecision:
            asked = free.get()
            try:
                asked.begin(self.game, (0, 1), np.random.default_rng([self._seed, _ASKED, number]))
                return self._decision(asked, self.positions[number])
            finally:
                free.put(asked)
                on_decision()

        numbers = range(len(self.positions))
        if jobs <= 1:
            return Grade(tuple(map(decision, numbers)))
        pool = ThreadPoolExecutor(jobs)
        try:
            return Grade(tuple(pool.map(decision, numbers)))
        finally:
            pool.shutdown(cancel_futures=True)

    def beside(self) -> Mapping[str, Grade]:
        """Return grades to compare with: perfect, MENACE after contests with itself, a child's level, random.

        MENACE is left out where there are dice.
        """
        taught = (
            {} if self.game.rules.has_chance else {f"menace after {MENACE_CONTESTS} contests with itself": "menace"}
        )
        named = {"perfect": "perfect", **taught, f"the level {EASY}": levels_of(self.game)[EASY].agent}
        players = {name: make_agent(spec, self.game) for name, spec in (named | {"random": "random"}).items()}
        for name in taught:
            for contest in range(MENACE_CONTESTS):
                play_contest(self.game, (players[name], players[name]), [self._seed, _TAUGHT, contest])
            players[name] = make_player(players[name], self.game)
        return {name: self.grade(player) for name, player in players.items()}

    def _decision(self, player: Policy, position: Position) -> GradedDecision:
        values = self._solved.values(position)
        best, worst = max(values.values()), min(values.values())
        kept, loss, illegal = 0.0, 0.0, False
        try:
            for action, probability in _chosen(player, position):
                kept += probability * (best - values[action] < NOTHING)
                loss += probability * (best - values[action])
        except Forfeit:
            loss, illegal = -self._solved.reward(position, ()), True
        return GradedDecision(
            position,
            min(1.0, kept),
            loss,
            max(loss, float(best - worst)),
            illegal,
            worst < best - NOTHING,
            len(values),
            self._solved.distance(position),
        )


def _chosen(player: Policy, position: Position) -> list[tuple[int, float]]:
    """Return the actions that an agent chooses and their probabilities, or the one that it chooses."""
    if isinstance(player, MarkovPolicy):
        return list(zip(*player.legal_distribution(position), strict=True))
    action = player.choose(position)
    demand_legal(player, position, action)
    return [(int(action), 1.0)]
