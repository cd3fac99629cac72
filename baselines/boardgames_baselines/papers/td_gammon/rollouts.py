"""Rollouts of the moves that a network chooses among, and of opening plays."""

from dataclasses import dataclass
from itertools import islice

import numpy as np

from boardgames_agents.experiments.store import JsonResult
from boardgames_agents.lookahead.rollout import RolloutOptions, rollout, rollouts
from boardgames_baselines.papers.job import PaperJob, number_of
from boardgames_baselines.papers.td_gammon.networks import GAME, REPORTING, Net, choice_of, decisions
from boardgames_env import Game, Position, make_game
from boardgames_env.games.backgammon.notation import parse_play
from boardgames_env.games.backgammon.notation.words import dice_to_play

_PLAYING, _CHOOSING, _ROLLING = range(3)


@dataclass(frozen=True)
class SiblingErrors(PaperJob):
    """The errors of a network's estimates of the moves that it chooses among.

    The result, for decisions of its self-play, each of another contest, and for their best moves: the network's
    estimate, the rollout's, and the standard error of the rollout, in points of the mover. Each rollout has dice of its
    own: with common dice, their errors would be correlated.

    Attributes:
        judge: The network that plays the rollouts.
        count: The number of decisions.
        siblings: The number of moves of each.
    """

    net: Net
    judge: Net
    count: int
    siblings: int = 4
    trials: int = 144

    def run(self) -> JsonResult:
        """Play and roll out."""
        game = make_game(GAME)
        network, judge = self.net.network(game), self.judge.network(game)
        settings = number_of("SiblingErrors", *map(str, self.net.description().values()))
        seeds = self.seed, REPORTING, settings, self.number
        rng = np.random.default_rng((*seeds, _CHOOSING))
        found: list[list[tuple[float, float, float]]] = []
        for made in islice(decisions(game, choice_of(network), (*seeds, _PLAYING)), self.count):
            eligible = [each for each in made if len(each.afterstates) >= self.siblings]
            decision = eligible[rng.integers(len(eligible))]
            values = network.evaluate_afterstates(decision.state, decision.afterstates, len(decision.afterstates))
            rows = np.argsort(-values, kind="stable")[: self.siblings]
            found.append([])
            for row in rows:
                options = RolloutOptions(self.trials, seed=int(rng.integers(1 << 32)))
                rolled = rollout(Position.unchecked(game, decision.afterstates[row].copy()), judge, options)
                found[-1].append((float(values[row]), -rolled.equity, rolled.error))
        return {"decisions": found}


@dataclass(frozen=True)
class OpeningPlays(PaperJob):
    """Rollouts of plays of an opening roll, with the same dice.

    The result: the equity of each play in points of the seat that begins, its standard error, and the network's own
    estimate.

    Attributes:
        judge: The network that plays the rollouts.
        roll: The roll, the larger die first.
        plays: The plays in the usual notation.
    """

    judge: Net
    roll: tuple[int, int]
    plays: tuple[str, ...]
    trials: int

    def run(self) -> JsonResult:
        """Roll out."""
        game = make_game(GAME)
        network = self.judge.network(game)
        reached = [after_play(opening(game, self.roll), play) for play in self.plays]
        states = np.array([position.state for position in reached])
        seat = 1 - reached[0].seat
        expected = network.evaluate_afterstates(opening(game, self.roll).state, states, len(states))
        seeds = self.seed, REPORTING, number_of("Opening"), self.number
        seed = int(np.random.default_rng((*seeds, _ROLLING)).integers(1 << 32))
        assert all(position.seat != seat for position in reached)
        rolled = rollouts(reached, network, RolloutOptions(self.trials, seed=seed))
        return {
            "equities": [-each.equity for each in rolled],
            "errors": [each.error for each in rolled],
            "expected": [float(each) for each in expected],
        }


def opening(game: Game, roll: tuple[int, int]) -> Position:
    """Return the initial position after a roll with which seat 0 begins."""
    reached = [event.position for event in game.initial.events()]
    return next(each for each in reached if each.seat == 0 and tuple(dice_to_play(each.state)) == roll)


def after_play(position: Position, play: str) -> Position:
    """Return the position after a whole play."""
    for action in parse_play(position, play):
        position = position.play(action)
    return position
