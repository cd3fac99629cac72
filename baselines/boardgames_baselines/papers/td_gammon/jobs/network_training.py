"""Training of a network under any trainer, measured at milestones."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar

import numpy as np

from boardgames_agents.policy import Episodes, Learner
from boardgames_agents.registry import make_agent
from boardgames_agents.td.learner import TDLearner
from boardgames_agents.training.loop import StoppingRule, TrainingLoop
from boardgames_agents.training.trainers import Meeting, Trainer, make_trainer
from boardgames_baselines.papers.td_gammon.jobs import GAME, REPORTING, TDGammonJob
from boardgames_baselines.papers.td_gammon.jobs.linear import linear_fit
from boardgames_baselines.papers.td_gammon.jobs.nets import Net
from boardgames_baselines.papers.td_gammon.jobs.network_play import strength
from boardgames_env import Game, make_game
from boardgames_env.errors import BadInputError
from boardgames_env.spec import Spec

_WEIGHTS, _LEARNING, _TESTING, _FITTING = range(4)

_BOTH = (0, 1)


@dataclass(frozen=True)
class NetworkTraining(TDGammonJob):
    """A training of a network.

    The result: under ``points`` the network's `strength` at each milestone; under ``linear`` the fields of `LinearFit`;
    under ``plies`` the `decades` of the contests' plies; under ``net`` the network in the end.

    Attributes:
        learner: A TD(λ) learner's spec, without its seed.
        milestones: After how many contests it is measured, ascending; the last is the end.
        trainer: The trainer's spec.
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
        loop = TrainingLoop(
            game,
            learner,
            SelfPlayInARow(make_trainer(self.trainer, game)),
            StoppingRule(max(1, self.milestones[-1])),
            (*seeds, _LEARNING),
            pause=lambda contests: next(milestone for milestone in self.milestones if milestone > contests),
        )
        plies: list[int] = []
        points, linear = [], []

        def measure(milestone: int) -> None:
            points.append(strength(learner.network, self.testing, (*seeds, _TESTING, milestone)))
            if self.fitting:
                fit = linear_fit(learner.network, self.fitting, self.testing, (*seeds, _FITTING, milestone))
                linear.append(asdict(fit))

        if not self.milestones[0]:
            measure(0)
        for step in loop.steps() if self.milestones[-1] else ():
            plies += step.played.plies.tolist() if isinstance(step.played, Episodes) else [step.played[1].plies]
            if step.contests in self.milestones:
                measure(step.contests)
        return {
            "points": points,
            "linear": linear,
            "plies": decades(plies),
            "net": asdict(Net.of(learner.network)),
        }


def _make(spec: str, game: Game, seeds: Sequence[int]) -> TDLearner:
    seed = int(np.random.default_rng(seeds).integers(1 << 32))
    learner = make_agent(Spec.parse(spec).with_options(seed=seed), game)
    if not isinstance(learner, TDLearner):
        raise BadInputError(f"{spec} is no TD(λ) learner")
    return learner


class SelfPlayInARow(Trainer):
    """A trainer whose consecutive contests of self-play are played in a row by the network's own kernel."""

    def __init__(self, trainer: Trainer) -> None:
        self._trainer = trainer

    def meeting(self, contest: int, learner: Learner) -> Meeting:
        """Return the players that the trainer chooses."""
        return self._trainer.meeting(contest, learner)

    def play_in_a_row(self, learner: Learner, seed: Sequence[int], contests: range) -> Episodes | None:
        """Play the contests of self-play that come first, if there are any."""
        others = (each for each in contests if self.meeting(each, learner).seats != _BOTH)
        practice = range(contests.start, next(others, contests.stop))
        return learner.self_play(seed, practice) if practice else None


def decades(plies: Sequence[int]) -> list[tuple[int, float, int]]:
    """Return, of contests 1 to 10, 11 to 100, 101 to 1,000, …, the number, the mean plies and the most plies."""
    found, start, end = [], 0, 10
    while start < len(plies):
        part = plies[start:end]
        found.append((len(part), float(np.mean(part)), max(part)))
        start, end = end, 10 * end
    return found
