from itertools import permutations
from math import inf, isfinite, log, sqrt

import numpy as np
import pytest
from numpy.typing import NDArray

from boardgames_agents.arena.ratings import ELO, PairResult, Ratings, rate
from boardgames_env import BadInputError

STRENGTHS = {"a": 300.0, "b": 120.0, "c": 0.0, "d": -70.0, "e": -350.0}
FIRST_SEAT = 60.0
DRAW = -0.4


def model(strength: float, other: float, first_seat: float, draw: float) -> NDArray[np.float64]:
    """The probabilities that seat 0 wins, draws and loses: the model, written down again for the test."""
    i, j = 10 ** ((strength + first_seat) / 400), 10 ** (other / 400)
    weights = np.array([i, np.exp(draw) * sqrt(i * j), j])
    shares: NDArray[np.float64] = weights / weights.sum()
    return shares


def chances(first: str, second: str) -> NDArray[np.float64]:
    return model(STRENGTHS[first], STRENGTHS[second], FIRST_SEAT, DRAW)


def predicted(rated: Ratings, first: str, second: str) -> NDArray[np.float64]:
    return model(rated[first].rating, rated[second].rating, rated.first_seat, rated.draw)


def simulate(contests: int, seed: int) -> list[PairResult]:
    rng = np.random.default_rng(seed)
    return [
        PairResult(first, second, *(int(count) for count in rng.multinomial(contests, chances(first, second))))
        for first, second in permutations(STRENGTHS, 2)
    ]


def errors_of(ratings: Ratings) -> list[float]:
    """How far every unknown is from the truth, in standard errors."""
    return [
        *((ratings[name].rating - truth) / ratings[name].standard_error for name, truth in STRENGTHS.items()),
        (ratings.first_seat - FIRST_SEAT) / ratings.first_seat_error,
        (ratings.draw - DRAW) / ratings.draw_error,
    ]


def test_two_players_in_closed_form() -> None:
    """With mirrored results the model is saturated: the odds are the counts'."""
    rated = rate([PairResult("strong", "weak", 60, 30, 10), PairResult("weak", "strong", 10, 30, 60)], prior=inf)
    assert rated["strong"].rating - rated["weak"].rating == pytest.approx(400 * np.log10(60 / 10))
    assert rated["strong"].rating == pytest.approx(-rated["weak"].rating)
    assert rated.first_seat == pytest.approx(0, abs=1e-6)
    assert rated.draw == pytest.approx(log(30 / sqrt(60 * 10)))
    assert [player.name for player in rated.players] == ["strong", "weak"]
    assert rated["weak"].contests == 200
    assert predicted(rated, "strong", "weak") == pytest.approx((0.6, 0.3, 0.1))
    assert predicted(rated, "weak", "strong") == pytest.approx((0.1, 0.3, 0.6))


def test_the_first_seat_in_closed_form() -> None:
    rated = rate([PairResult("alone", "alone", 50, 25, 20)], prior=inf)
    assert rated.first_seat == pytest.approx(400 * np.log10(50 / 20))
    assert rated["alone"].rating == pytest.approx(0)


def test_the_standard_error_in_closed_form() -> None:
    """Even results, three outcomes as likely: the information on the strengths' difference is n/6 a contest."""
    rated = rate([PairResult("a", "b", 100, 100, 100), PairResult("b", "a", 100, 100, 100)], prior=inf)
    # a win, draw or loss scores 1, 1/2 or 0: variance 1/6, over 600 contests; each rating moves by half
    assert rated["a"].standard_error == pytest.approx(ELO * sqrt(6 / 600) / 2)


def test_planted_strengths_are_found_within_their_errors() -> None:
    errors = np.array([errors_of(rate(simulate(400, seed))) for seed in range(30)])
    assert np.abs(errors).max() < 4.5
    assert 0.85 < np.sqrt((errors**2).mean()) < 1.15
    rated = rate(simulate(20_000, 1))
    assert predicted(rated, "a", "e") == pytest.approx(chances("a", "e"), abs=0.01)


def test_the_fit_gives_every_player_its_own_score() -> None:
    """At the maximum of the likelihood, expected and observed scores agree."""
    results = simulate(50, 3)
    rated = rate(results, prior=inf)
    for name in STRENGTHS:
        observed = expected = 0.0
        for result in results:
            if name in (result.first, result.second):
                win, draw, loss = predicted(rated, result.first, result.second)
                contests = result.wins + result.draws + result.losses
                observed += result.draws / 2 + (result.wins if result.first == name else result.losses)
                expected += contests * (draw / 2 + (win if result.first == name else loss))
        assert expected == pytest.approx(observed)


def test_a_player_that_never_lost_has_a_finite_rating() -> None:
    rated = rate([PairResult("god", "mortal", 10, 0, 0), PairResult("mortal", "god", 0, 0, 10)])
    assert all(isfinite(player.rating) and player.standard_error > 100 for player in rated.players)
    assert 400 < rated["god"].rating < 1000
    longer = rate([PairResult("god", "mortal", 1000, 0, 0), PairResult("mortal", "god", 0, 0, 1000)])
    assert longer["god"].rating > rated["god"].rating
    drawn = rate([PairResult("one", "other", 0, 50, 0)])
    assert drawn["one"].rating == pytest.approx(drawn["other"].rating, abs=1e-6)
    assert isfinite(drawn.draw)


def test_the_prior_is_weak_and_the_order_and_splitting_of_results_make_no_difference() -> None:
    results = simulate(100, 5)
    wins = [PairResult(each.first, each.second, each.wins, 0, 0) for each in results]
    others = [PairResult(each.first, each.second, 0, each.draws, each.losses) for each in results]
    rated, split, without = rate(results), rate([*others[::-1], *wins]), rate(results, prior=inf)
    for name in STRENGTHS:
        assert rated[name].rating == pytest.approx(split[name].rating)
        assert rated[name].contests == split[name].contests == 800
        assert abs(rated[name].rating - without[name].rating) < without[name].standard_error / 20


def test_players_that_never_met_cannot_be_compared() -> None:
    results = [PairResult("a", "b", 1, 1, 1), PairResult("b", "c", 1, 1, 1), PairResult("x", "y", 1, 1, 1)]
    with pytest.raises(BadInputError, match="none link x, y to a, b, c"):
        rate(results)
    assert len(rate([*results, PairResult("y", "c", 0, 1, 0)]).players) == 5
    with pytest.raises(BadInputError, match="none link x, y to a, b, c"):
        rate([*results, PairResult("y", "c", 0, 0, 0)])


def test_bad_input_is_named() -> None:
    with pytest.raises(BadInputError, match="no contests to rate"):
        rate([])
    with pytest.raises(BadInputError, match="'z' has no rating; rated are: a, b"):
        rate([PairResult("a", "b", 1, 1, 1)])["z"]
