"""The jobs of the comparison with GNU Backgammon: contests, their judgement, and decisions with the cube."""

from dataclasses import asdict, dataclass
from typing import NamedTuple

import numpy as np

from boardgames_agents.arena.luck import luck_by_agent, points_less_luck
from boardgames_agents.arena.tournament import tournament
from boardgames_agents.experiments.store import JsonResult
from boardgames_agents.lookahead.cube.doubler import Doubler
from boardgames_agents.lookahead.cube.formulas import Janowski
from boardgames_agents.lookahead.evaluator import evaluator_of
from boardgames_agents.people.judging.error_rates import DecisionsJob, Judge
from boardgames_agents.policy import Policy
from boardgames_agents.registry import make_player
from boardgames_baselines.papers.job import PaperJob, number_of
from boardgames_env import Game, Position, make_game
from boardgames_env.chance import ChanceStream
from boardgames_env.games.backgammon.rules.backgammon_board import DOUBLE, DOUBLING, ROLL, STAGE, TAKE


@dataclass(frozen=True)
class Session(PaperJob):
    """Contests of an agent with an opponent, each with each seat in turn.

    Attributes:
        game: The game's spec.
        agent: The spec of the agent whose points are counted.
        opponent: That of its opponent.
        contests: The number of contests.
    """

    game: str
    agent: str
    opponent: str
    contests: int

    def run(self) -> JsonResult:
        """Return the fields of the agent's `Score`, and its points less luck in each contest; none in a match."""
        seeds = (self.seed, number_of(self.game, self.agent, self.opponent), self.number)
        game = make_game(self.game)
        played = tournament(game, self.agent, self.opponent, self.contests, seeds, records=True)
        less_luck: list[float] = []
        if game.part is game:
            luck = luck_by_agent("td_gammon", game, played.records)
            less_luck = [round(each, 6) for each in points_less_luck(played.records, luck)]
        return {"score": asdict(played.score), "less_luck": less_luck}


@dataclass(frozen=True)
class JudgedContest(PaperJob):
    """A contest of an agent with itself, in which the plays of several agents are judged.

    Attributes:
        game: The game's spec.
        agents: The agents' specs; the first one plays.
        judge: The judge.
    """

    game: str
    agents: tuple[str, ...]
    judge: Judge

    def run(self) -> JsonResult:
        """Return the phase and the losses of each decision, in points, as ``decisions``."""
        return {"decisions": DecisionsJob(self.game, self.agents, self.judge, (self.seed, self.number)).run()}


_PER_CONTEST = 8
"""The most positions of one contest: those of a contest are alike."""


class CubeDecision(NamedTuple):
    """What an agent does with the cube in a position.

    Attributes:
        win: The probability that the seat to roll wins, by the agent's evaluator.
        doubles: Whether the seat to roll doubles.
        takes: Whether the other seat takes.
    """

    win: float
    doubles: bool
    takes: bool


@dataclass(frozen=True)
class CubeDecisions(PaperJob):
    """The decisions of agents before some rolls of the first one's contests with itself, in which nobody doubles.

    Attributes:
        game: Backgammon with a cube, for points or at a score.
        agents: The agents' specs; both have an evaluator.
        contests: The number of contests, of each of which a few positions are taken.
    """

    game: str
    agents: tuple[str, str]
    contests: int

    def run(self) -> JsonResult:
        """Return the seat to roll and the `CubeDecision` of each agent in every position, as ``decisions``."""
        game = make_game(self.game)
        players = [make_player(agent, game) for agent in self.agents]
        evaluators = [evaluator_of(agent, game) for agent in self.agents]
        doubler = Doubler(game, Janowski())
        found = []
        for contest in range(self.contests):
            rng = np.random.default_rng([self.seed, self.number, contest])
            for player in players:
                player.begin(game, (0, 1), rng)
            positions = _positions_to_double(game, players[0], rng)
            for index in sorted(rng.permutation(len(positions))[:_PER_CONTEST].tolist()):
                position = positions[index]
                wins = [doubler.prospects(each, position).win for each in evaluators]
                decisions = [_cube_decision(player, position, win) for player, win in zip(players, wins, strict=True)]
                found.append((position.seat, *decisions))
        return {"decisions": found}


def _positions_to_double(game: Game, player: Policy, rng: np.random.Generator) -> list[Position]:
    """Return the positions of a contest in which a seat may double."""
    dice, found = ChanceStream(game, rng), list[Position]()
    state = game.initial.state.copy()
    while True:
        dice.settle(state)
        position = Position.unchecked(game, state)
        if position.is_over:
            return found
        if state[STAGE] == DOUBLING:
            found.append(position)
        action = ROLL if state[STAGE] == DOUBLING else player.choose(position)
        state = position.after(action).state.copy()


def _cube_decision(player: Policy, position: Position, win: float) -> CubeDecision:
    doubles = player.choose(position) == DOUBLE
    takes = player.choose(position.play(DOUBLE))
    return CubeDecision(win, doubles, takes == TAKE)
