"""Matches between agents that do not learn, exact where that is possible."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from boardgames_agents.arena.optima import Optimum, optimum
from boardgames_agents.experiments.estimate import Estimate
from boardgames_agents.experiments.runner import Runner
from boardgames_agents.experiments.store import JsonResult
from boardgames_baselines.papers.jobs import Key, PaperJob
from boardgames_env import make_game


@dataclass(frozen=True)
class MatchJob(PaperJob):
    """A match between two agents that do not learn.

    Attributes:
        player: Spec of the agent that is scored.
        challenger: Spec of its opponent.
        contests: Number of contests, where the result is not exact.
    """

    game: str
    player: str
    challenger: str
    contests: int

    def run(self) -> JsonResult:
        """Return power and reliability of the player with their intervals."""
        found = optimum(make_game(self.game), self.player, self.challenger, self.contests, self.seed)
        return {"power": asdict(found.power), "reliability": asdict(found.reliability)}


def play_matches(
    runner: Runner, game: str, pairs: Mapping[Key, tuple[str, str]], contests: int = 10_000
) -> dict[Key, Optimum]:
    """Return power and reliability of the first agent of each pair against the second."""
    jobs = {name: MatchJob(game, *pair, contests, seed=runner.options.seed) for name, pair in pairs.items()}
    found = runner.results(f"matches at {game}", jobs)
    return {name: Optimum(Estimate(**each["power"]), Estimate(**each["reliability"])) for name, each in found.items()}
