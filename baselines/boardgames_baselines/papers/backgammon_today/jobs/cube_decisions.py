"""What two agents do with the cube in the same positions."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from boardgames_agents.experiments.store import JsonResult
from boardgames_agents.lookahead.cube.doubler import Doubler
from boardgames_agents.lookahead.cube.formulas import Janowski, Prospects
from boardgames_agents.lookahead.evaluator import evaluator_of
from boardgames_agents.policy import Policy
from boardgames_agents.registry import make_player
from boardgames_baselines.papers.jobs import PaperJob
from boardgames_env import Game, Position, make_game
from boardgames_env.chance import ChanceStream
from boardgames_env.games.backgammon.rules.backgammon_board import DOUBLE, DOUBLING, PHASE, ROLL, TAKE

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
            positions = _positions(game, players[0], rng)
            for index in sorted(rng.permutation(len(positions))[:_PER_CONTEST].tolist()):
                position = positions[index]
                state = doubler.state_to_judge(position)[None]
                wins = [Prospects.of(each.outcome_probabilities(state)[0].tolist()).win for each in evaluators]
                decisions = [_decision(player, position, win) for player, win in zip(players, wins, strict=True)]
                found.append((position.seat, *decisions))
        return {"decisions": found}


def _positions(game: Game, player: Policy, rng: np.random.Generator) -> list[Position]:
    """Return the positions of a contest in which a seat may double."""
    dice, found = ChanceStream(game, rng), list[Position]()
    state = game.initial.state.copy()
    while True:
        dice.settle(state)
        position = Position.unchecked(game, state)
        if position.is_over:
            return found
        if state[PHASE] == DOUBLING:
            found.append(position)
        action = ROLL if state[PHASE] == DOUBLING else player.choose(position)
        state = position.after(action).state.copy()


def _decision(player: Policy, position: Position, win: float) -> CubeDecision:
    doubles = player.choose(position) == DOUBLE
    takes = player.choose(position.play(DOUBLE))
    return CubeDecision(win, doubles, takes == TAKE)
