"""Matches between agents that do not learn, exact where that is possible."""

from collections.abc import Hashable, Mapping
from dataclasses import asdict, dataclass
from typing import TypeVar

from boardgames_agents.arena.optima import exact_chances
from boardgames_agents.arena.tournament import tournament
from boardgames_agents.experiments.estimate import Estimate
from boardgames_agents.experiments.runner import Runner
from boardgames_agents.experiments.store import JsonResult
from boardgames_agents.policy import MarkovPolicy
from boardgames_agents.registry import make_agent
from boardgames_baselines.papers.jobs import PaperJob
from boardgames_env import make_game
from boardgames_env.solve import solve

Key = TypeVar("Key", bound=Hashable)


@dataclass(frozen=True)
class MatchJob(PaperJob):
    """A tournament between two agents that do not learn.

    Attributes:
        game: Spec of the game.
        player: Spec of the agent that is scored.
        challenger: Spec of its opponent.
        contests: Number of contests, where the result is not exact.
    """

    game: str
    player: str
    challenger: str
    contests: int

    def run(self) -> JsonResult:
        """Return the fields of `MatchResult`: exact if the game cannot cycle and both agents are Markov policies."""
        game = make_game(self.game)
        one, other = make_agent(self.player, game), make_agent(self.challenger, game)
        if solve(game).acyclic and isinstance(one, MarkovPolicy) and isinstance(other, MarkovPolicy):
            win, draw, _ = exact_chances(game, one, other)
            power, reliability = [Estimate(*(100 * share,) * 3) for share in (win, win + draw)]
        else:
            score = tournament(game, one, other, self.contests, self.seed).score
            power = Estimate(score.power, *score.power_interval)
            reliability = Estimate(score.reliability, *score.reliability_interval)
        return {"power": asdict(power), "reliability": asdict(reliability)}


@dataclass(frozen=True)
class MatchResult:
    """Power and reliability of an agent against another, in per cent."""

    power: Estimate
    reliability: Estimate


def play_matches(
    runner: Runner, game: str, pairs: Mapping[Key, tuple[str, str]], contests: int = 10_000
) -> dict[Key, MatchResult]:
    """Return power and reliability of the first agent of each pair against the second."""
    jobs = {name: MatchJob(0, runner.options.seed, game, *pair, contests) for name, pair in pairs.items()}
    found = runner.results(f"matches at {game}", jobs)
    return {
        name: MatchResult(Estimate(**each["power"]), Estimate(**each["reliability"])) for name, each in found.items()
    }
