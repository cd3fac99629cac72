"""Contests of two agents, counted by their points."""

import hashlib
from dataclasses import asdict, dataclass

from boardgames_agents.arena.tournament import tournament
from boardgames_agents.experiments.store import JsonResult
from boardgames_baselines.papers.jobs import PaperJob
from boardgames_env import make_game


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
        """Return the fields of the agent's `Score`."""
        text = "\n".join([self.game, self.agent, self.opponent])
        seeds = (self.seed, int(hashlib.sha256(text.encode()).hexdigest()[:8], 16), self.number)
        return asdict(tournament(make_game(self.game), self.agent, self.opponent, self.contests, seeds).score)
