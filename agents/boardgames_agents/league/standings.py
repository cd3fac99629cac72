"""The standings of a league at a game: scores, ratings, and times of decisions."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import add
from statistics import median

from boardgames_agents.arena.ratings import Rating, Ratings, Result, rate
from boardgames_agents.arena.score import Score
from boardgames_agents.arena.tournament import seat_of_a
from boardgames_agents.experiments.estimate import Z
from boardgames_agents.league.round_robin import BLOCK, GameResults, LeaguePlayer
from boardgames_agents.record import Record

_STEPS = 10
"""Number of points of the curves of ratings over contests."""


@dataclass(frozen=True)
class Standing:
    """The standing of an agent at a game.

    Attributes:
        score: Score of all its contests.
        seconds: Time of a decision: the median, over blocks of contests, of the block's mean. (A mean over all contests
            would depend on the few in which something was read or compiled.) Not compared.
    """

    player: LeaguePlayer
    score: Score
    rating: Rating
    seconds: float = field(compare=False)

    @property
    def name(self) -> str:
        """Name in tables."""
        return self.player.name


@dataclass(frozen=True)
class Pairing:
    """The results of a pair.

    Attributes:
        a: Name of the agent that is scored.
        b: Name of its opponent.
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
        pairings: The results of every pair.
        growth: The ratings by name after numbers of contests of every pair.
        left_out: The reasons why agents cannot play it, by their names.
        untrained: Names of learners that played without having learned.
    """

    game: str
    standings: tuple[Standing, ...]
    pairings: tuple[Pairing, ...]
    ratings: Ratings
    growth: Mapping[int, Mapping[str, float]]
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

    def between(self, a: str, b: str) -> Score:
        """Return the score of one agent against another, with decision times for the first of a pairing only."""
        for each in self.pairings:
            if (each.a, each.b) == (a, b):
                return each.score
            if (each.b, each.a) == (a, b):
                return each.score.reversed()
        raise KeyError((a, b))


def standings_of(played: GameResults) -> Standings:
    """Return the standings at a game."""
    scores: dict[str, Score] = defaultdict(Score)
    times: dict[str, list[float]] = defaultdict(list)
    pairings = []
    for a, b, records in played.pairs:
        pairings.append(_pairing(a.name, b.name, records))
        for first in range(0, len(records), BLOCK):
            for name, score in zip((a.name, b.name), _scores(records[first : first + BLOCK]), strict=True):
                scores[name] += score
                if score.decisions:
                    times[name].append(score.seconds_per_decision)
    ratings = rate(_results(pairings))
    players = {player.name: player for player in played.players}
    return Standings(
        game=played.entrants.game,
        standings=tuple(
            Standing(players[each.name], scores[each.name], each, median(times[each.name] or [0.0]))
            for each in ratings.players
        ),
        pairings=tuple(pairings),
        ratings=ratings,
        growth=_growth(played),
        left_out=played.entrants.left_out,
        untrained=played.entrants.untrained,
    )


def _scores(records: Sequence[Record]) -> tuple[Score, Score]:
    """Return the scores of both players of a block."""
    one, other = Score(), Score()
    for contest, record in enumerate(records):
        one += Score.of(record, seat_of_a(contest))
        other += Score.of(record, 1 - seat_of_a(contest))
    return one, other


def _pairing(a: str, b: str, records: Sequence[Record]) -> Pairing:
    seats = [seat_of_a(contest) for contest in range(len(records))]
    first, second = (
        reduce(add, (Score.of(record, of) for record, seat in zip(records, seats, strict=True) if seat == of), Score())
        for of in (0, 1)
    )
    different = {(seat, record.actions, record.events) for seat, record in zip(seats, records, strict=True)}
    return Pairing(a, b, first, second, len(different))


def _results(pairings: Sequence[Pairing]) -> list[Result]:
    """Return the results of pairs with each of both agents in seat 0."""
    results = []
    for each in pairings:
        results.append(Result(each.a, each.b, each.first.wins, each.first.draws, each.first.losses))
        results.append(Result(each.b, each.a, each.second.losses, each.second.draws, each.second.wins))
    return results


def _growth(played: GameResults) -> dict[int, dict[str, float]]:
    contests = max(len(records) for _, _, records in played.pairs)
    steps = sorted({-(-contests * step // _STEPS) for step in range(1, _STEPS + 1)})
    return {
        step: {
            each.name: each.rating
            for each in rate(_results([_pairing(a.name, b.name, found[:step]) for a, b, found in played.pairs])).players
        }
        for step in steps
    }
