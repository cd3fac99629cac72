"""Matches between agents that do not learn: what a perfect player, or a trainer, would come to itself."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from boardgames_agents.arena.optima import exact_chances
from boardgames_agents.arena.tournament import tournament
from boardgames_agents.experiments.estimate import Estimate
from boardgames_agents.policy import MarkovPolicy
from boardgames_agents.registry import make_agent
from boardgames_env import make_game
from boardgames_env.solve import solve


@dataclass(frozen=True)
class Match:
    """A tournament between two agents that do not learn.

    Attributes:
        game: The game's spec.
        player: Whose power and reliability it is.
        challenger: The other's spec.
        contests: Contests, where the result is not exact.
        seed: Their seed.
    """

    game: str
    player: str
    challenger: str
    contests: int
    seed: int

    def description(self) -> dict[str, Any]:
        """Everything that settles the result."""
        return {"kind": "match", **asdict(self)}

    def carry_out(self) -> dict[str, Any]:
        """Power and reliability with their intervals: exact where the game cannot cycle and both go by the position."""
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
    """What a match came to, in per cent."""

    power: Estimate
    reliability: Estimate

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "MatchResult":
        """What `Match.carry_out` has told of."""
        return cls(Estimate(**data["power"]), Estimate(**data["reliability"]))
