"""Ratings: Bradley and Terry's strengths with Davidson's draws and a parameter of the first seat.

A contest between i in seat 0 and j in seat 1 has three outcomes, with probabilities proportional to

- ``exp(s_i + f)`` that i wins,
- ``exp(s_j)`` that j wins,
- ``exp(d + (s_i + f + s_j) / 2)`` that it is a draw,

with a strength s for each player, one f for the first seat and one d for draws. All this is linear in the unknowns,
so it is a multinomial logit model: its likelihood has one maximum, which Newton's method finds.

Sources: R. A. Bradley and M. E. Terry, *Rank analysis of incomplete block designs*, Biometrika 39 (1952); R. R.
Davidson, *On extending the Bradley–Terry model to accommodate ties*, Journal of the American Statistical
Association 65 (1970); R. R. Davidson and R. J. Beaver, *On extending the Bradley–Terry model to incorporate
within-pair order effects*, Biometrics 33 (1977).
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import log, sqrt

import numpy as np

from boardgames_env.errors import BadInputError, one_of
from boardgames_env.kernels.signatures import Float64s

ELO = 400 / log(10)
"""Rating points of one unit of strength: 400 of them are odds of ten to one, as in chess."""

PRIOR = 1000.0
"""Standard deviation, in rating points, of the normal prior on every unknown.

It is weak beside a dozen contests, and keeps the rating of a player that never lost finite.
"""


@dataclass(frozen=True)
class PairResult:
    """Contests of two players that the first one, in seat 0, won, drew and lost."""

    first: str
    second: str
    wins: int
    draws: int
    losses: int


@dataclass(frozen=True)
class Rating:
    """A player's rating in points above the average, its standard error, and its contests."""

    name: str
    rating: float
    standard_error: float
    contests: int


@dataclass(frozen=True)
class Ratings:
    """The ratings of players at a game.

    Attributes:
        players: Rating of each player, the best first.
        first_seat: Value of seat 0 in rating points, with its standard error.
        draw: Davidson's parameter, with its standard error: the log odds of a draw against a win of one side, between
            equal players.
        covariances: Covariances of the players' ratings, in their order.
    """

    players: tuple[Rating, ...]
    first_seat: float
    first_seat_error: float
    draw: float
    draw_error: float
    covariances: tuple[tuple[float, ...], ...] = ()

    def __getitem__(self, player: str) -> Rating:
        """Return a player's rating.

        Raises:
            BadInputError: If no player has that name.
        """
        return self.players[self._number(player)]

    def lead(self, player: str, other: str) -> tuple[float, float]:
        """Return the difference of two players' ratings and its standard error.

        Raises:
            BadInputError: If one of them has no rating.
        """
        one, two = self._number(player), self._number(other)
        variance = self.covariances[one][one] + self.covariances[two][two] - 2 * self.covariances[one][two]
        return self[player].rating - self[other].rating, sqrt(max(0.0, variance))

    def _number(self, player: str) -> int:
        names = [each.name for each in self.players]
        if player not in names:
            raise BadInputError(f"{player!r} has no rating; rated are: {one_of(names)}")
        return names.index(player)


def rate(results: Iterable[PairResult], prior: float = PRIOR) -> Ratings:
    """Return the ratings of players: the mode of the posterior, with errors from the information at the mode.

    Args:
        results: Results of all players at one game; every two players must be linked by a chain of contests.
        prior: The standard deviation of the prior, in rating points; ``inf`` for plain maximum likelihood, whose
            estimates are finite only if no player and no kind of outcome swept the board.

    Raises:
        BadInputError: If there are no contests, or some players never met the others.
    """
    played = [result for result in results if result.wins + result.draws + result.losses]
    players = sorted({name for result in played for name in (result.first, result.second)})
    if not players:
        raise BadInputError("there are no contests to rate players by; play a tournament first")
    _check_linked(players, played)
    counts = np.array([[result.wins, result.draws, result.losses] for result in played], dtype=np.float64)
    frame = _frame(len(players))
    estimate, information = _newton(counts, _design(players, played) @ frame, (ELO / prior) ** 2)
    values = frame @ estimate
    spread = ELO**2 * frame @ np.linalg.inv(information) @ frame.T
    errors = np.sqrt(np.diag(spread))
    contests = Counter[str]()
    for result, count in zip(played, counts.sum(axis=1), strict=True):
        contests.update(dict.fromkeys((result.first, result.second), int(count)))
    rated = [
        Rating(player, float(ELO * value), float(error), contests[player])
        for player, value, error in zip(players, values[:-2], errors[:-2], strict=True)
    ]
    order = sorted(range(len(players)), key=lambda number: -rated[number].rating)
    return Ratings(
        players=tuple(rated[number] for number in order),
        first_seat=float(ELO * values[-2]),
        first_seat_error=float(errors[-2]),
        draw=float(values[-1]),
        draw_error=float(errors[-1] / ELO),
        covariances=tuple(tuple(row) for row in spread[np.ix_(order, order)].tolist()),
    )


def _check_linked(players: Sequence[str], played: Sequence[PairResult]) -> None:
    """Refuse players that no chain of contests links to the first one."""
    linked = {players[0]}
    for _ in players:  # as long as a chain may be
        links = [{result.first, result.second} for result in played]
        linked = linked.union(*(link for link in links if link & linked))
    if strangers := [player for player in players if player not in linked]:
        raise BadInputError(
            "ratings need contests that link all players, "
            f"and none link {one_of(strangers)} to {one_of(sorted(linked))}"
        )


def _frame(players: int) -> Float64s:
    """Return orthonormal columns that span the unknowns (strengths, first seat, draw), strengths summing to 0."""
    frame = np.zeros((players + 2, players + 1))
    frame[:players, : players - 1] = np.linalg.svd(np.eye(players) - 1 / players)[0][:, : players - 1]
    frame[players:, players - 1 :] = np.eye(2)
    return frame


def _design(players: Sequence[str], played: Sequence[PairResult]) -> Float64s:
    """Return the logits of the three outcomes by unknown, shape ``(results, 3, players + 2)``."""
    number = {player: k for k, player in enumerate(players)}
    design = np.zeros((len(played), 3, len(players) + 2))
    for row, result in zip(design, played, strict=True):
        row[0, number[result.first]] = 1
        row[0, -2] = 1
        row[2, number[result.second]] = 1
        row[1] = (row[0] + row[2]) / 2
        row[1, -1] = 1
    return design


def _newton(counts: Float64s, design: Float64s, precision: float) -> tuple[Float64s, Float64s]:
    """Return the mode of a multinomial logit posterior and the information matrix at the mode.

    ``counts`` of the outcomes have the shape ``(results, 3)``, ``design`` has ``(results, 3, unknowns)``; ``precision``
    is the inverse variance of the normal prior of each unknown.
    """
    totals = counts.sum(axis=1, keepdims=True)

    def height(point: Float64s) -> float:
        return float((counts * _log_softmax(design @ point)).sum() - precision * point @ point / 2)

    point = np.zeros(design.shape[2])
    information = np.eye(len(point))
    for _ in range(_MOST_STEPS):
        probabilities = np.exp(_log_softmax(design @ point))
        slope = np.einsum("ro,rou->u", counts - totals * probabilities, design) - precision * point
        centred = design - np.einsum("ro,rou->ru", probabilities, design)[:, None]
        weights = totals * probabilities
        information = np.einsum("ro,rou,rov->uv", weights, centred, centred) + precision * np.eye(len(point))
        step = np.linalg.solve(information, slope)
        if slope @ step < _NEWTON_STOP:
            break
        while height(point + step) < height(point):
            step /= 2
        point = point + step
    return point, information


_NEWTON_STOP = 1e-9
"""Newton's method stops this close (in log posterior) to the maximum, after about ten steps."""

_MOST_STEPS = 100


def _log_softmax(logits: Float64s) -> Float64s:
    below = logits - logits.max(axis=-1, keepdims=True)
    shares: Float64s = below - np.log(np.exp(below).sum(axis=-1, keepdims=True))
    return shares
