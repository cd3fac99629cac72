"""Training a network by self-play or by any trainer, and measuring it on the way."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import numpy as np

from boardgames_agents.registry import make_agent
from boardgames_agents.td.learner import TDLearner
from boardgames_agents.training.trainers import Trainer, make_trainer
from boardgames_baselines.papers.td_gammon.jobs import GAME, REPORTING, TDGammonJob
from boardgames_baselines.papers.td_gammon.jobs.linear import linear_fit
from boardgames_baselines.papers.td_gammon.jobs.nets import Net
from boardgames_baselines.papers.td_gammon.jobs.network_play import points_against_pubeval
from boardgames_env import Game, make_game
from boardgames_env.errors import BadInputError
from boardgames_env.spec import Spec

_WEIGHTS, _LEARNING, _TESTING, _FITTING = range(4)

_BOTH = (0, 1)


@dataclass(frozen=True)
class NetworkTraining(TDGammonJob):
    """A training of a network.

    The result: under ``points``, for each milestone, the network's mean points per game against pubeval, its standard
    error over contests, and the share of contests won; under ``linear`` the fields of `LinearFit`; under ``plies``,
    for the contests from 1 to 10, 11 to 100, 101 to 1,000, …, how many contests, the mean of their plies, and the most;
    under ``net`` the network in the end.

    Attributes:
        learner: A TD(λ) learner's spec, without its seed.
        milestones: After how many contests it is measured, ascending; the last is the end.
        trainer: The trainer's spec.
        testing: Contests against pubeval at a milestone.
        fitting: Decisions of self-play a linear function is fitted to at a milestone; 0 for none.
        purpose: `SELECTION` or `REPORTING`.
    """

    name_in_seeds: ClassVar[str] = "Training"

    learner: str
    milestones: tuple[int, ...]
    trainer: str = "self"
    testing: int = 2000
    fitting: int = 0
    purpose: int = REPORTING

    def run(self) -> dict[str, Any]:
        """Train and measure."""
        game = make_game(GAME)
        seeds = self.seeds(self.learner, self.trainer, purpose=self.purpose)
        learner = _make(self.learner, game, (*seeds, _WEIGHTS))
        trainer = make_trainer(self.trainer, game)
        plies: list[int] = []
        points, linear = [], []
        for milestone in self.milestones:
            plies += train(learner, trainer, range(len(plies), milestone), (*seeds, _LEARNING))
            points.append(_tested(learner, self.testing, (*seeds, _TESTING, milestone)))
            if self.fitting:
                fit = linear_fit(learner.network, self.fitting, self.testing, (*seeds, _FITTING, milestone))
                linear.append(asdict(fit))
        return {
            "points": points,
            "linear": linear,
            "plies": decades(plies),
            "net": Net.of(learner.network).as_dict(),
        }


def _make(spec: str, game: Game, seeds: Sequence[int]) -> TDLearner:
    seed = int(np.random.default_rng(seeds).integers(1 << 32))
    learner = make_agent(Spec.parse(spec).with_options(seed=seed), game)
    if not isinstance(learner, TDLearner):
        raise BadInputError(f"{spec} is no TD(λ) learner")
    return learner


def train(learner: TDLearner, trainer: Trainer, contests: range, seeds: Sequence[int]) -> list[int]:
    """Play the contests of these numbers, those in a row against itself in one go; the plies of each."""
    plies: list[int] = []
    practice = contests.start
    for contest in contests:
        meeting = trainer.meeting(contest, learner)
        if meeting.seats != _BOTH:
            plies += learner.self_play(seeds, range(practice, contest)).plies.tolist()
            plies.append(meeting.play(learner.network.game, learner, (*seeds, contest)).plies)
            practice = contest + 1
    plies += learner.self_play(seeds, range(practice, contests.stop)).plies.tolist()
    return plies


def _tested(learner: TDLearner, contests: int, seeds: Sequence[int]) -> tuple[float, float, float]:
    points = points_against_pubeval(learner.network, contests, seeds)
    return float(points.mean()), float(points.std() / np.sqrt(contests)), float((points > 0).mean())


def decades(plies: Sequence[int]) -> list[tuple[int, float, int]]:
    """Of contests 1 to 10, 11 to 100, 101 to 1,000, …: how many there are, the mean of their plies, and the most."""
    found, start, end = [], 0, 10
    while start < len(plies):
        part = plies[start:end]
        found.append((len(part), float(np.mean(part)), max(part)))
        start, end = end, 10 * end
    return found
