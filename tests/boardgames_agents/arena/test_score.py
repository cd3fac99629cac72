import json
from math import inf, isnan

import pytest

from boardgames_agents.arena.score import Score
from boardgames_agents.record import Record


def record(outcome: int, cut: bool = False) -> Record:
    return Record("a game", ("x", "y"), (1, 2, 3), outcome, cut, plies=3, decisions=(2, 1), seconds=(0.5, 0.25))


def test_a_contest_counts_for_one_seat_what_it_counts_against_the_other() -> None:
    won = record(outcome=3)
    assert Score.of(won, 0) == Score(wins=1, points=3, squares=9, plies=3, decisions=2)
    assert Score.of(won, 1) == Score(losses=1, points=-3, squares=9, plies=3, decisions=1)
    assert Score.of(won, 1).seconds == 0.25
    assert Score.of(record(0, cut=True), 0) == Score(draws=1, cuts=1, plies=3, decisions=2)


def test_scores_add_up() -> None:
    scores = [Score.of(record(outcome), seat) for outcome in (1, 1, -1, 0) for seat in (0, 0, 1)]
    total = sum(scores, Score())
    assert (total.contests, total.wins, total.draws, total.losses) == (12, 5, 3, 4)
    assert total.points == 1
    assert total.decisions == 20
    assert total.seconds == pytest.approx(5.0)
    assert total.seconds_per_decision == pytest.approx(0.25)
    assert total.power == pytest.approx(100 * 5 / 12)
    assert total.reliability == pytest.approx(100 * 8 / 12)
    assert total.reversed().reversed().wins == total.wins
    assert (total.reversed().wins, total.reversed().points) == (total.losses, -total.points)


def test_a_score_is_told_in_a_line_and_as_plain_data() -> None:
    score = Score(wins=872, draws=100, losses=28, points=844)
    text = str(score)
    assert "1,000 contests: 872 won, 100 drawn, 28 lost; power 87.20 % (84.99 to 89.13), reliability 97.20 %" in text
    plain = json.loads(json.dumps(score.as_dict()))
    assert plain["contests"] == 1000
    assert plain["power"] == 87.2
    assert plain["power_interval"][0] < 87.2 < plain["power_interval"][1]
    assert "points" not in text, "where every win counts one"
    assert "\n" not in text


def test_points_per_contest_are_the_mean_of_a_sample() -> None:
    from scipy.stats import norm, sem

    points = [3, 1, -2, -1, 1, 2, -3, 1, 1, 6]
    score = sum((Score.of(record(each), 0) for each in points), Score())
    spread = norm.ppf(0.975) * sem(points)
    assert score.points_per_contest == pytest.approx(0.9)
    assert score.points_interval == pytest.approx((0.9 - spread, 0.9 + spread))
    assert score.has_multiple_points
    assert str(score).endswith(f"points per contest +0.900 ({0.9 - spread:+.3f} to {0.9 + spread:+.3f})")
    low, high = score.reversed().points_interval
    assert (-high, -low) == pytest.approx(score.points_interval)
    assert json.loads(json.dumps(score.as_dict()))["points_interval"] == pytest.approx(score.points_interval)


def test_nothing_is_known_of_no_contests() -> None:
    assert isnan(Score().points_per_contest)
    assert Score().points_interval == Score(wins=1, points=1, squares=1).points_interval == (-inf, inf)
    assert Score().as_dict()["points_interval"] is None
    assert isnan(Score().power)
    assert Score().power_interval == (0, 100)
    assert Score().seconds_per_decision == 0
