"""The losses of agents in the decisions of one contest."""

from dataclasses import dataclass

from boardgames_agents.experiments.store import JsonResult
from boardgames_agents.people.judging.error_rates import DecisionsJob, Judge
from boardgames_baselines.papers.jobs import PaperJob


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
