"""The standings of a league at a game: scores, ratings, and times of decisions."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import NamedTuple

from boardgames_agents.arena.ratings import PairResult, Rating, Ratings, rate
from boardgames_agents.arena.score import Score
from boardgames_agents.arena.tournament import seat_of_a
from boardgames_agents.experiments.estimate import Z
from boardgames_agents.league.entrants import LeaguePlayer, Roster
from boardgames_agents.record import Record

BLOCK = 50
"""Contests of a block, the most that are lost when a league is killed. Even, so that both players have both seats."""


class Pair(NamedTuple):
    """Two players and the records of their contests; a has seat 0 in contests 0, 2, …"""

    a: LeaguePlayer
    b: LeaguePlayer
    records: tuple[Record, ...]


_STEPS = 10
"""Number of points of the curves of ratings over contests."""


@dataclass(frozen=True)
class Standing:
    """The standing of an agent at a game.

    Attributes:
        spec: Spec in the match store.
        seconds: Time of a decision: the median, over blocks of contests, of the block's mean. (A mean over all contests
            would depend on the few in which something was read or compiled.) Not compared.
    """

    name: str
    spec: str
    score: Score
    rating: Rating
    seconds: float = field(compare=False)


@dataclass(frozen=True)
class Pairing:
    """The results of a pair.

    Attributes:
        first: Score of a in seat 0.
        second: Score of a in seat 1.
        different: Number of contests that differ. Two deterministic agents have two different contests, however often
            they play.
    """

    a: str
    b: str
    first: Score
    second: Score
    different: int

    @property
    def score(self) -> Score:
        """The score of a in both seats."""
        return self.first + self.second


@dataclass(frozen=True)
class Standings:
    """The standings of a league at a game.

    Attributes:
        standings: The standing of each agent, the best first.
        first_results: The results of all pairs after numbers of contests of each; see `growth`.
        left_out: The reasons why agents cannot play it, by their names.
        untrained: Names of learners that played without having learned.
    """

    game: str
    standings: tuple[Standing, ...]
    pairings: tuple[Pairing, ...]
    ratings: Ratings
    first_results: Mapping[int, tuple[PairResult, ...]] = field(compare=False, repr=False)
    left_out: Mapping[str, str]
    untrained: tuple[str, ...]

    @property
    def winner(self) -> str:
        """The name of the agent with the highest rating."""
        return self.standings[0].name

    @property
    def tied(self) -> tuple[str, ...]:
        """The agents that the winner leads by less than 1.96 standard errors of the lead."""
        leads = {each.name: self.ratings.lead(self.winner, each.name) for each in self.standings[1:]}
        return tuple(name for name, (lead, error) in leads.items() if lead < Z * error)

    def growth(self) -> dict[int, dict[str, float]]:
        """Return the ratings by name after numbers of contests of every pair."""
        return {
            contests: {each.name: each.rating for each in rate(results).players}
            for contests, results in self.first_results.items()
        }

    def between(self, a: str, b: str) -> Score:
        """Return the score of one agent against another, with decision times for the first of a pairing only.

        Without contests between them, it is an empty one.
        """
        for each in self.pairings:
            if (each.a, each.b) == (a, b):
                return each.score
            if (each.b, each.a) == (a, b):
                return each.score.reversed()
        return Score()


def standings_of(roster: Roster[LeaguePlayer], pairs: Sequence[Pair]) -> Standings:
    """Return the standings at a game from the contests of pairs.

    Raises:
        BadInputError: If they do not link all players.
    """
    scores: dict[str, Score] = defaultdict(Score)
    times: dict[str, list[float]] = defaultdict(list)
    specs: dict[str, str] = {}
    for a, b, records in pairs:
        for player, way in ((a, 0), (b, 1)):
            specs[player.name] = player.spec
            found = [Score.of(record, (seat_of_a(number) + way) % 2) for number, record in enumerate(records)]
            for first in range(0, len(found), BLOCK):
                score = sum(found[first : first + BLOCK], Score())
                scores[player.name] += score
                if score.decisions:
                    times[player.name].append(score.seconds_per_decision)
    pairings = tuple(_pairing(*pair) for pair in pairs)
    ratings = rate([result for each in pairings for result in _results_of_pair(each)])
    return Standings(
        game=roster.game,
        standings=tuple(
            Standing(each.name, specs[each.name], scores[each.name], each, median(times[each.name] or [0.0]))
            for each in ratings.players
        ),
        pairings=pairings,
        ratings=ratings,
        first_results=_first_results(pairs),
        left_out=roster.left_out,
        untrained=roster.untrained,
    )


def _pairing(a: LeaguePlayer, b: LeaguePlayer, records: Sequence[Record]) -> Pairing:
    first, second = (sum((Score.of(record, seat) for record in records[seat::2]), Score()) for seat in (0, 1))
    different = {(seat_of_a(number), each.actions, each.events) for number, each in enumerate(records)}
    return Pairing(a.name, b.name, first, second, len(different))


def _results_of_pair(pairing: Pairing) -> list[PairResult]:
    """Return the results of a pair with each of both agents in seat 0."""
    a, b, first, second = pairing.a, pairing.b, pairing.first, pairing.second
    return [
        PairResult(a, b, first.wins, first.draws, first.losses),
        PairResult(b, a, second.losses, second.draws, second.wins),
    ]


def _first_results(pairs: Sequence[Pair]) -> dict[int, tuple[PairResult, ...]]:
    contests = max((len(pair.records) for pair in pairs), default=0)
    steps = sorted({-(-contests * step // _STEPS) for step in range(1, _STEPS + 1)})
    return {
        step: tuple(result for a, b, records in pairs for result in _results_of_pair(_pairing(a, b, records[:step])))
        for step in steps
    }
