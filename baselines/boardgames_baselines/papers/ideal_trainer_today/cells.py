"""The cells of the grid: trainings at solved games with exact tests on the way, and others with sampled tests."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from typing import Any, ClassVar

from boardgames_agents.arena.exact_outcomes import WithoutLimits, exact_outcomes
from boardgames_agents.arena.exploitability import ExactTest, ExactTester, markov
from boardgames_agents.arena.tournament import tournament
from boardgames_agents.experiments.store import JsonResult
from boardgames_agents.record import Record
from boardgames_agents.registry import make_agent
from boardgames_baselines.papers.job import number_of
from boardgames_baselines.papers.training import MeasuredTraining, TrainingState
from boardgames_env import Game, Limits
from boardgames_env.errors import BadInputError
from boardgames_env.position import Position

ACTIONS = 100
"""The number of actions after which a contest of a test is drawn."""


@dataclass(frozen=True)
class GridCell(MeasuredTraining):
    """A training of the study. It may be refused, by the learner or by the trainer."""

    learning: ClassVar[tuple[int, ...]] = ()

    @property
    def seeds(self) -> tuple[int, ...]:
        """The numbers that all its seeds begin with: with a digest of game, learner and trainer."""
        return self.seed, number_of(json.dumps([self.game, self.learner, self.trainer])), self.number

    def run(self) -> JsonResult:
        """Return what a `MeasuredTraining` does, or the sentence of a refusal as ``failed``."""
        try:
            MeasuredTraining.run(replace(self, tested=(1,), measures=()))  # (so that the seconds hold no compiling)
            return super().run()
        except BadInputError as error:
            return {"failed": str(error)}


@dataclass(frozen=True)
class Stage:
    """How far a training has got.

    Attributes:
        contests: The number of contests.
        seconds: The processor seconds of training.
        test: What the learner can do.
        key_nodes: The share of the key nodes that have come up in training, up to symmetry. A key node is a position in
            which some action loses value.
    """

    contests: int
    seconds: float
    test: ExactTest
    key_nodes: float

    @classmethod
    def of(cls, test: Mapping[str, Any]) -> "Stage":
        """Return the stage at a test of a training with the measure `exactly`."""
        return cls(test["contests"], test["seconds"], ExactTest.from_dict(test["test"]), test["key_nodes"])


def exactly(state: TrainingState) -> dict[str, Any]:
    """Return what a `Stage` adds to any test; no random numbers are drawn."""
    tester = _tester_of(state.game)
    return {"test": asdict(tester.test(markov(state.player))), "key_nodes": _key_nodes_in(state.records, tester)}


@lru_cache(maxsize=4)
def _tester_of(game: Game) -> ExactTester:
    return ExactTester(game, ACTIONS)


def _key_nodes_in(records: Iterable[Record], tester: ExactTester) -> float:
    """Return the share of the key nodes that have come up in contests."""
    initial = tester.graph.game.initial
    after: dict[tuple[Position, int], Position] = {}
    for record in records:
        position = initial
        for action in record.actions:
            step = position, action
            if step not in after:
                after[step] = position.after(action)
            position = after[step]
    visited = {position.canonical for position in {position for position, _ in after}}
    return sum(position in tester.key_nodes for position in visited) / len(tester.key_nodes)


@dataclass(frozen=True)
class ExactAndPlayed:
    """Contests of the learner with a challenger, computed and played.

    The result: under ``exact`` the probabilities of a win, a draw and a loss; under ``played`` how many there were.

    Attributes:
        challenger: The challenger's spec.
        contests: The number of contests that are played.
    """

    challenger: str
    contests: int

    def __call__(self, state: TrainingState) -> dict[str, Any]:
        """Compute and play."""
        game = state.game
        player, other = markov(state.player), markov(make_agent(self.challenger, game))
        exact = exact_outcomes(game, player, other, ACTIONS)
        # (an action is a ply in all of the study's games)
        limited = replace(game, limits=Limits(plies=ACTIONS))
        seed = (*state.job.seeds, _PLAYING)
        played = tournament(limited, WithoutLimits(player), WithoutLimits(other), self.contests, seed).score
        return {"exact": list(exact), "played": [played.wins, played.draws, played.losses]}


_PLAYING = 1
