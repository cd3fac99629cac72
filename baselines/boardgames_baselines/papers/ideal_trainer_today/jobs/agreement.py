"""A comparison of exact outcomes with contests that are played."""

from dataclasses import dataclass, replace

from boardgames_agents.arena.exact_outcomes import WithoutLimits, exact_outcomes
from boardgames_agents.arena.exploitability import markov
from boardgames_agents.arena.tournament import tournament
from boardgames_agents.experiments.store import JsonResult
from boardgames_agents.registry import make_agent
from boardgames_baselines.papers.ideal_trainer_today.jobs.cell import ACTIONS
from boardgames_baselines.papers.ideal_trainer_today.jobs.training import trained
from boardgames_baselines.papers.jobs import PaperJob
from boardgames_env import Limits, make_game

_TRAINING, _PLAYING = 0, 1


@dataclass(frozen=True)
class Agreement(PaperJob):
    """A learner trained by 2&7, whose contests with a challenger are computed and played.

    Attributes:
        training: The number of contests of the training.
        challenger: The challenger's spec.
        contests: The number of contests that are played.
    """

    game: str
    learner: str
    training: int
    challenger: str
    contests: int

    def run(self) -> JsonResult:
        """Return the exact probabilities of a win, a draw and a loss, and how many there were of each."""
        game = make_game(self.game)
        seeds = (self.seed, self.number, _TRAINING)
        learner = trained(game, self.learner, "2&7", self.training, seeds, self.number)
        player, other = markov(learner.frozen()), markov(make_agent(self.challenger, game))
        exact = exact_outcomes(game, player, other, ACTIONS)
        # (an action is a ply in all of the study's games)
        limited = replace(game, limits=Limits(plies=ACTIONS))
        seed = (self.seed, self.number, _PLAYING)
        played = tournament(limited, WithoutLimits(player), WithoutLimits(other), self.contests, seed).score
        return {"exact": list(exact), "played": [played.wins, played.draws, played.losses]}
