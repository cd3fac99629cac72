"""Match equities against printed tables, cube decisions at the score, and agents that play for the match."""

from itertools import product

import numpy as np
import pytest

from boardgames_agents.arena.contest import play_contest
from boardgames_agents.lookahead.cube.doubler import Doubler
from boardgames_agents.lookahead.cube.formulas import Formula, Janowski, Prospects, ZadehKobliska
from boardgames_agents.lookahead.cube.match_equity import MatchEquities, equities_with_cube, win_after
from boardgames_agents.lookahead.cube.models import MatchCube, MoneyCube
from boardgames_agents.lookahead.player import LookaheadPolicy
from boardgames_agents.lookahead.utility import Utility
from boardgames_agents.registry import make_agent
from boardgames_env import BadInputError, make_game
from boardgames_env.games.backgammon.rules.backgammon_board import DOUBLE
from boardgames_env.match_score import MatchScore
from tests.boardgames_agents.exact import Pips
from tests.boardgames_agents.lookahead.test_cube import at_the_cube, said
from tests.positions import play

WOOLSEY = (
    (50, 70, 75, 83, 85, 90, 91, 94, 95, 97, 97, 98, 98, 99, 99),
    (30, 50, 60, 68, 75, 81, 85, 88, 91, 93, 94, 95, 96, 97, 98),
    (25, 40, 50, 59, 66, 71, 76, 80, 84, 87, 90, 92, 94, 95, 96),
    (17, 32, 41, 50, 58, 64, 70, 75, 79, 83, 86, 88, 90, 92, 93),
    (15, 25, 34, 42, 50, 57, 63, 68, 73, 77, 81, 84, 87, 89, 90),
    (10, 19, 29, 36, 43, 50, 56, 62, 67, 72, 76, 79, 82, 85, 87),
    (9, 15, 24, 30, 37, 44, 50, 56, 61, 66, 70, 74, 78, 81, 84),
    (6, 12, 20, 25, 32, 38, 44, 50, 55, 60, 65, 69, 73, 77, 80),
    (5, 9, 16, 21, 27, 33, 39, 45, 50, 55, 60, 64, 68, 72, 76),
    (3, 7, 13, 17, 23, 28, 34, 40, 45, 50, 55, 60, 64, 68, 71),
    (3, 6, 10, 14, 19, 24, 30, 35, 40, 45, 50, 55, 59, 63, 67),
    (2, 5, 8, 12, 16, 21, 26, 31, 36, 40, 45, 50, 54, 58, 62),
    (2, 4, 6, 10, 13, 18, 22, 27, 32, 36, 41, 46, 50, 54, 58),
    (1, 3, 5, 8, 11, 15, 19, 23, 28, 32, 37, 42, 46, 50, 54),
    (1, 2, 4, 7, 10, 13, 16, 20, 24, 29, 33, 38, 42, 46, 50),
)
"""Woolsey's table (How to Play Tournament Backgammon, 1993) in per cent; rows and columns are the points needed."""


def at(one: int, other: int, crawford: bool | None = None) -> MatchScore:
    """The score at which the seats need some points, by default in the Crawford game if either needs one."""
    length = max(one, other)
    is_crawford = min(one, other) == 1 and (one, other) != (1, 1) if crawford is None else crawford
    return MatchScore(length, (length - one, length - other), is_crawford)


def test_match_equities_are_those_of_printed_tables() -> None:
    for (a, row), b in product(enumerate(WOOLSEY, start=1), range(1, 16)):
        assert 100 * equities_with_cube.of(at(a, b)) == pytest.approx(row[b - 1], abs=2.05), (a, b)
    assert equities_with_cube.of(at(1, 1)) == 0.5
    assert equities_with_cube.of(at(2, 1)) == pytest.approx(0.3226, abs=0.005)  # (Kazaross's table for XG 2)
    for needs, value in ((2, 0.488), (3, 0.3226), (4, 0.310), (5, 0.190)):
        assert equities_with_cube.of(at(needs, 1, crawford=False)) == pytest.approx(value, abs=0.005)


@pytest.mark.parametrize("table", [equities_with_cube, MatchEquities(has_cube=False)])
def test_match_equities_fit_together(table: MatchEquities) -> None:
    """What one seat has the other has not; a point more never hurts."""
    for a, b in product(range(1, 16), repeat=2):
        for crawford in (False, True) if min(a, b) == 1 else (False,):
            value = table.of(at(a, b, crawford))
            assert value + table.of(at(b, a, crawford)) == pytest.approx(1)
            assert 0 < value < 1
        if b > 2:
            assert table.of(at(a, b)) > table.of(at(a, b - 1))
    assert table.of(MatchScore(3, (4, 1))) == 1
    assert table.of(MatchScore(3, (2, 3))) == 0


def test_without_a_cube_a_match_of_single_points_is_a_matter_of_coins() -> None:
    """Two points to go each: win two games, or one gammon first."""
    table = MatchEquities(has_cube=False)
    assert table.of(at(2, 1)) == pytest.approx(0.5 * (0.72 * 0.5 + 0.28))
    assert table.of(at(7, 7)) == pytest.approx(0.5)


FORMULAS: list[Formula] = [Janowski(0), Janowski(), Janowski(1), ZadehKobliska()]
SHARES = ((1.0, 0.0, 0.0), (0.7, 0.28, 0.02), (0.5, 0.5, 0.0))


@pytest.mark.parametrize("formula", FORMULAS)
def test_far_from_the_end_a_match_is_like_money(formula: Formula) -> None:
    def linear(points: int) -> float:
        return min(max(0.5 + points / 1e6, 0.0), 1.0)

    match, money = MatchCube(formula, 2, linear), MoneyCube(formula)
    for win, won, lost in product((0.0, 0.25, 0.6, 0.8), SHARES[::2], SHARES[1:]):
        wins, losses = (sum((k + 1) * share for k, share in enumerate(shares)) for shares in (won, lost))
        prospects = Prospects(float(win), wins, losses, won, lost)
        for name in ("cubeless", "centred", "owned", "unavailable", "taken", "take_point"):
            assert getattr(match, name)(prospects) == pytest.approx(getattr(money, name)(prospects), abs=1e-4), name


@pytest.mark.parametrize("formula", FORMULAS)
def test_values_rise_with_the_chance_to_win_and_are_the_others_loss(formula: Formula) -> None:
    for (a, b), shares in product(product((1, 2, 4), repeat=2), SHARES):
        score = at(a, b, crawford=False)
        cube, other = (MatchCube(formula, 1, win_after(score, seat, has_cube=True)) for seat in (0, 1))
        before = -9.0
        for win in np.linspace(0, 1, 11):
            prospects = Prospects(float(win), won=shares, lost=SHARES[0])
            centred = cube.centred(prospects)
            assert centred == pytest.approx(-other.centred(prospects.turned))
            assert cube.unavailable(prospects) == pytest.approx(-other.owned(prospects.turned))
            assert cube.unavailable(prospects) - 1e-9 <= centred <= cube.owned(prospects) + 1e-9
            assert centred >= before - 1e-9
            before = centred


def test_take_points_at_scores() -> None:
    """With the last cube of a match the taker needs what dropping leaves it."""

    def take_point(one: int, other: int, stake: int = 1, crawford: bool = False) -> float:
        cube = MatchCube(Janowski(), stake, win_after(at(one, other, crawford), 0, has_cube=True))
        return cube.take_point(Prospects(0.7))

    assert take_point(2, 2) == pytest.approx(equities_with_cube.of(at(2, 1)))  # at 2, the cube is dead for both
    free_drop = 1 - equities_with_cube.of(at(2, 1, crawford=False))
    assert take_point(3, 1) == pytest.approx((free_drop - 0.5) / 0.5), "the leader loses little by taking"
    assert take_point(2, 1) == pytest.approx(0.5), "the leader drops to double match point"
    assert 0.15 < take_point(5, 5) < 0.25
    assert take_point(2, 4, stake=2) == 0, "black loses the match by dropping"


def test_the_policy_doubles_and_takes_for_the_match() -> None:
    trailing, leading = at(3, 1, crawford=False), at(1, 3, crawford=False)
    assert said(at_the_cube(score=trailing), 0.4) == "double", "the seat that trails doubles at once after Crawford"
    assert said(at_the_cube(score=leading), 0.9) == "roll", "a dead cube is not turned"
    assert said(at_the_cube(score=MatchScore(2, (1, 1))), 0.7) == "roll", "the game wins the match"
    two_each = at_the_cube(score=at(2, 2))
    assert [said(two_each, win) for win in (0.3, 0.66)] == ["roll", "double"]
    doubled = play(two_each, "double")
    assert [said(doubled, win) for win in (0.66, 0.69)] == ["take", "drop"]
    owned = at_the_cube(score=at(2, 4), turned=1)
    assert said(owned, 0.95) == "roll", "the cube at 2 wins the match"


def test_the_cube_counts_as_for_money_early_in_a_long_match() -> None:
    position = at_the_cube(score=at(25, 25))
    match, money = (Doubler(each, Janowski()) for each in (position.game, make_game("hypergammon", cube=True)))
    prospects = Prospects.of([0.5, 0.2, 0, 0.25, 0.05, 0])
    found = match.verdict(position, prospects)
    of_money = MoneyCube(money.formula)
    assert found.no_double == pytest.approx(of_money.centred(prospects), abs=0.08)
    assert found.taken == pytest.approx(of_money.taken(prospects), abs=0.08)


def test_utilities() -> None:
    game = make_game("hypergammon", cube=True)
    assert Utility(game).of(game.initial.state).tolist() == [[1, 2, 3, -1, -2, -3]] * 2
    last = game.at_score(MatchScore(2, (1, 1)))
    assert Utility(last).of(last.initial.state).tolist() == [[1, 1, 1, -1, -1, -1]] * 2
    crawford = game.at_score(at(1, 4))
    leader, trailer = Utility(crawford).of(crawford.initial.state)
    assert leader[:3].tolist() == [1, 1, 1]
    assert (leader == -trailer[[3, 4, 5, 0, 1, 2]]).all()
    assert trailer[1] > 1.9, "a gammon spares the seat that trails a game"
    table = equities_with_cube
    won, lost, gammon = (table.of(at(4, 1).after(points)) for points in (1, -1, 2))
    assert trailer[1] == pytest.approx((2 * gammon - won - lost) / (won - lost))
    post = game.at_score(at(2, 1, crawford=False))
    utility = Utility(post)
    assert utility.of(post.initial.state)[0][0] == utility.of(post.initial.state)[0][1], "it wins with the cube at 2"


@pytest.mark.slow
def test_an_agent_plays_matches() -> None:
    game = make_game("hypergammon", cube=True, match_length=3)
    players = LookaheadPolicy(game, Pips()), LookaheadPolicy(game, Pips())
    records = [play_contest(game, players, [5, k]) for k in range(12)]
    assert {record.outcome for record in records} == {1, -1}
    assert any(DOUBLE in record.actions for record in records)
    assert play_contest(game, players, [5, 0]) == records[0]


def test_networks_learn_games_and_not_matches() -> None:
    with pytest.raises(BadInputError, match="a match; learn single games, and play matches with it"):
        make_agent("td", make_game("hypergammon", match_length=3))
