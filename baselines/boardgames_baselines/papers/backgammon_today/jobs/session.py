"""Contests of two agents, counted by their points."""

import hashlib
from dataclasses import asdict, dataclass

from boardgames_agents.arena.luck import luck_of_contests, points_less_luck
from boardgames_agents.arena.tournament import tournament
from boardgames_agents.backgammon.race_evaluator import with_tables
from boardgames_agents.backgammon.race_weights import shipped_weights
from boardgames_agents.experiments.store import JsonResult
from boardgames_agents.improve.improvement_folder import network_of
from boardgames_agents.lookahead.evaluator import Evaluator
from boardgames_agents.td.filtered_network import FilteredNetwork
from boardgames_baselines.papers.jobs import PaperJob
from boardgames_env import Game, make_game

_KEPT = 4
"""Replies to each roll that the faster network leaves to find luck."""


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
        """Return the fields of the agent's `Score`, and its points less luck in each contest; none in a match."""
        text = "\n".join([self.game, self.agent, self.opponent])
        seeds = (self.seed, int(hashlib.sha256(text.encode()).hexdigest()[:8], 16), self.number)
        game = make_game(self.game)
        played = tournament(game, self.agent, self.opponent, self.contests, seeds, records=True)
        less_luck: list[float] = []
        if game.part is game:
            luck = luck_of_contests(game, _evaluator(game), played.records)
            less_luck = [round(each, 6) for each in points_less_luck(played.records, luck)]
        return {"score": asdict(played.score), "less_luck": less_luck}


def _evaluator(game: Game) -> Evaluator:
    """Return the evaluator that finds luck: the best network, with a faster one that filters replies."""
    network, filtering = network_of("td_gammon", game), network_of("td_gammon_raw", game)
    return with_tables(FilteredNetwork(network, filtering, _KEPT), game, shipped_weights())
