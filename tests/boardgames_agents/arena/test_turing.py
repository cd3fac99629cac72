import json

import pytest

from boardgames_agents.arena.exact_outcomes import optimum
from boardgames_agents.arena.score import Score
from boardgames_agents.arena.turing import (
    CHALLENGERS,
    LADDER,
    Challenger,
    TuringOptions,
    cox_stuart,
    judge,
    turing_test,
)
from boardgames_baselines.papers import TABLE_1
from boardgames_env import BadInputError, Game, make_game
from tests.variants import over

DRAW_GAMES = list(TABLE_1.power)  # those that the test was made for
CONTESTS = 1000
MAXIMAL = {"expert": 15.0, "novice": 74.0, "random": 87.0}


def maximal_power(game: Game) -> dict[str, float]:
    return {each.name: optimum(game, "perfect", each.spec(), 500, 99).power.value for each in CHALLENGERS if each.e > 0}


def scores(power: list[int], reliability: list[int] | None = None) -> dict[Challenger, Score]:
    """Scores of 1,000 contests on every rung of the ladder, from wins and non-losses."""
    unbeaten = reliability or [CONTESTS] * 11
    return {
        challenger: Score(wins=wins, draws=kept - wins, losses=CONTESTS - kept)
        for challenger, wins, kept in zip(LADDER, power, unbeaten, strict=True)
    }


GOOD = [0, 150, 290, 400, 490, 580, 660, 740, 790, 840, 870]


@pytest.mark.parametrize(
    ("sequence", "ups", "downs", "p_increase", "p_decrease"),
    [
        (range(11), 5, 0, 1 / 32, 1.0),
        (range(11, 0, -1), 0, 5, 1.0, 1 / 32),
        ([100.0] * 11, 0, 0, 1.0, 1.0),
        ([1, 2, 3, 4], 2, 0, 1 / 4, 1.0),
        ([1, 9, 2, 3, 9, 4], 2, 0, 1 / 4, 1.0),  # (1, 3) (9, 9) (2, 4): a tie is dropped
        ([5, 1, 0, 3, 4], 1, 1, 3 / 4, 3 / 4),  # (5, 3) (1, 4): the middle is left out
        ([0, 0, 0, 0, 9, 8, 1, 1, 1, 1, 0], 4, 1, 6 / 32, 31 / 32),
        ([7], 0, 0, 1.0, 1.0),
        ([], 0, 0, 1.0, 1.0),
    ],
)
def test_cox_stuart_by_hand(sequence: list[float], ups: int, downs: int, p_increase: float, p_decrease: float) -> None:
    from scipy.stats import binomtest

    trend = cox_stuart(list(sequence))
    assert (trend.ups, trend.downs) == (ups, downs)
    assert (trend.p_increase, trend.p_decrease) == (p_increase, p_decrease)
    if ups + downs:
        assert trend.p_increase == pytest.approx(binomtest(ups, ups + downs, alternative="greater").pvalue)
        assert trend.p_decrease == pytest.approx(binomtest(downs, ups + downs, alternative="greater").pvalue)


def test_the_four_challengers_are_rungs_of_the_ladder() -> None:
    assert [challenger.e for challenger in LADDER] == [tenths / 10 for tenths in range(11)]
    assert set(CHALLENGERS) < set(LADDER)
    found = [str(each.spec()) for each in CHALLENGERS]
    assert found == ["perfect", "fallible(e=0.1)", "fallible(e=0.7)", "fallible(e=1.0)"]
    wise = [f"fallible(e={challenger.e}, style='wise')" for challenger in LADDER[1:]]
    assert [str(each.spec("wise")) for each in LADDER] == ["perfect(style='wise')", *wise]


def passed(table: dict[Challenger, Score]) -> tuple[bool, ...]:
    return tuple(condition.passed for condition in judge(table, MAXIMAL))


def test_each_condition_fails_by_itself() -> None:
    assert passed(scores(GOOD)) == (True, True, True)
    assert passed(scores(GOOD, [990] + [1000] * 10)) == (False, True, True)  # loses to the perfect challenger
    assert passed(scores([*GOOD[:10], 840])) == (True, False, True)  # misses chances against the random one
    assert passed(scores([0, 150, 290, 400, 900, 580, 660, 740, 790, 840, 870])) == (True, True, False)
    decreasing = [1000, 999, 999, 999, 999, 999, 998, 998, 998, 998, 998]
    assert passed(scores(GOOD, decreasing)) == (True, True, False)
    assert passed(scores([0] * 11)) == (True, False, False)  # a player that only draws


def test_the_bounds_are_wilsons_and_belong_to_the_bound() -> None:
    # a perfect record over 20 contests is bounded below by 83.89 %, 15 % of them by 5.24 %
    def of_twenty(wins: int, kept: int) -> tuple[bool, bool]:
        table = {each: Score(wins=20, draws=0, losses=0) for each in LADDER}
        table[CHALLENGERS[0]] = Score(draws=20)
        table[CHALLENGERS[1]] = Score(wins=wins, draws=kept - wins, losses=20 - kept)
        return passed(table)[0], passed(table)[1]

    assert of_twenty(3, 17) == (True, True)
    assert of_twenty(3, 16) == (False, True)
    assert of_twenty(2, 20) == (True, True)
    assert of_twenty(1, 20) == (True, False)


def test_power_that_is_soon_maximal_need_not_go_on_increasing() -> None:
    """With three untied pairs nothing reaches 93.75 %; then none of them may go down."""
    assert passed(scores([0, 500, 900, *[1000] * 8]))[2]
    down = [0, 1000, *[1000] * 5, 990, 1000, 1000, 1000]  # (0, 1000) up, (1000, 990) down
    assert not passed(scores(down))[2]
    assert not passed(scores([1000] * 11))[2]


@pytest.mark.slow
@over(DRAW_GAMES)
def test_the_perfect_player_meets_the_test(game: Game) -> None:
    verdict = turing_test(game, "perfect", maximal_power(game), TuringOptions(50, 3))
    assert verdict.passed, str(verdict)
    assert verdict.failed == ()
    assert list(verdict.scores) == list(LADDER)
    assert all(score.contests == 50 for score in verdict.scores.values())


@pytest.mark.slow
def test_the_random_player_fails_the_test_and_is_told_why() -> None:
    game = make_game("tic_tac_toe")
    verdict = turing_test(game, "random", maximal_power(game), TuringOptions(50, 3))
    assert not verdict.passed
    assert [condition.passed for condition in verdict.conditions][:2] == [False, False]
    text = str(verdict)
    assert text.startswith("random fails the game players' Turing test at tic_tac_toe")
    assert all(f"FAILED: {name}" in text for name in verdict.failed)
    assert json.loads(json.dumps(verdict.as_dict()))["failed"] == list(verdict.failed)


@pytest.mark.slow
def test_the_verdict_does_not_depend_on_processes() -> None:
    game = make_game("tic_tac_toe")
    verdict = turing_test(game, "random", MAXIMAL, TuringOptions(10, 3, "wise"))
    assert turing_test(game, "random", MAXIMAL, TuringOptions(10, 3, "wise", jobs=2)) == verdict
    assert turing_test(game, "random", MAXIMAL, TuringOptions(10, 3)) != verdict


def test_bad_input_is_named() -> None:
    game = make_game("tic_tac_toe")
    with pytest.raises(BadInputError, match="not known to be a draw"):  # (at marelle the first player wins)
        turing_test(make_game("marelle"), "random", MAXIMAL, TuringOptions(10, 0))
    with pytest.raises(BadInputError, match="maximal power is not given for: novice, random"):
        turing_test(game, "random", {"expert": 15.0}, TuringOptions(10, 0))
    with pytest.raises(BadInputError, match="is a percentage, from 0 to 100, not"):
        turing_test(game, "random", {**MAXIMAL, "expert": 150}, TuringOptions(10, 0))
    with pytest.raises(BadInputError, match="contests=0 is not allowed"):
        turing_test(game, "random", MAXIMAL, TuringOptions(0, 0))
