"""The doubling formulas against published values, and the cube in contests."""

from collections.abc import Callable
from itertools import product

import numpy as np
import pytest

from boardgames_agents.lookahead.cube.doubler import Doubler
from boardgames_agents.lookahead.cube.formulas import Formula, Janowski, Prospects, ZadehKobliska
from boardgames_agents.lookahead.cube.models import MoneyCube
from boardgames_agents.lookahead.player import LookaheadPolicy
from boardgames_env import BadInputError, Position, make_game
from boardgames_env.games.backgammon.rules.backgammon_board import DOUBLING
from boardgames_env.match_score import MatchScore
from tests.boardgames_agents.exact import Says, race
from tests.boardgames_env.games.backgammon_contests import position_of
from tests.positions import play

FORMULAS: list[Formula] = [Janowski(0), Janowski(), Janowski(1), ZadehKobliska(), ZadehKobliska(0.8), ZadehKobliska(1)]
AVERAGES = list(product((1.0, 1.2, 1.6), repeat=2))


def take_point(formula: Formula, wins: float = 1, losses: float = 1) -> float:
    """The lowest probability of winning with which a seat takes, by its mean points."""
    return MoneyCube(formula).take_point(Prospects(0.5, losses, wins))


def points_of(formula: Formula, wins: float = 1, losses: float = 1, jacoby: bool = False) -> dict[str, float]:
    """The probabilities of winning from which a seat cashes, redoubles, and doubles first."""
    from scipy.optimize import brentq

    def double(value: Callable[[Prospects], float]) -> float:
        def gain(win: float) -> float:
            prospects = Prospects(win, wins, losses)
            return 2 * MoneyCube(formula).unavailable(prospects) - value(prospects)

        return float(brentq(lambda win: gain(win) + 1e-13, 0, cash))

    cash = 1 - take_point(formula, losses, wins)
    first = double(lambda prospects: MoneyCube(formula, jacoby).centred(prospects))
    return {"cash": cash, "redouble": double(MoneyCube(formula).owned), "double": first}


@pytest.mark.parametrize("dead", [Janowski(0), ZadehKobliska(1)])
def test_a_dead_cube(dead: Formula) -> None:
    """Take with 25 %, double from 50 %, and what it is worth is the equity without a cube."""
    assert take_point(dead) == pytest.approx(0.25)
    assert points_of(dead) == pytest.approx({"cash": 0.75, "redouble": 0.5, "double": 0.5})
    cube = MoneyCube(dead)
    for win, (wins, losses) in product((0.0, 0.3, 0.6, 1.0), AVERAGES):
        prospects = Prospects(win, wins, losses)
        for worth in (cube.owned, cube.unavailable, cube.centred):
            assert worth(prospects) == pytest.approx(prospects.equity)


@pytest.mark.parametrize("live", [Janowski(1), ZadehKobliska(0.8)])
def test_a_live_cube(live: Formula) -> None:
    """Keeler and Spencer: double at 80 %, take with 20 %."""
    assert take_point(live) == pytest.approx(0.2)
    assert list(points_of(live).values()) == pytest.approx([0.8] * 3)
    assert MoneyCube(live).centred(Prospects(0.5)) == pytest.approx(0)
    assert MoneyCube(live).owned(Prospects(0.5)) == pytest.approx(0.25)


@pytest.mark.parametrize("efficiency", [0.0, 0.3, 2 / 3, 1.0])
@pytest.mark.parametrize(("wins", "losses"), AVERAGES)
def test_janowskis_general_model(wins: float, losses: float, efficiency: float) -> None:
    formula, x = Janowski(efficiency), efficiency
    whole = wins + losses + x / 2
    assert take_point(formula, wins, losses) == pytest.approx((losses - 0.5) / whole)
    points = points_of(formula, wins, losses)
    assert points["cash"] == pytest.approx((losses + 0.5 + x / 2) / whole)
    assert points["redouble"] == pytest.approx((losses + x) / whole)
    live = 4 / 3 * x  # what the live model of a cube in the middle adds to slope and intercept
    slope = live * (wins + losses + 0.5) + (1 - x) * (wins + losses)
    intercept = live * (losses + 0.25) + (1 - x) * losses
    assert points["double"] == pytest.approx((2 * losses + x - intercept) / (2 * whole - slope))
    for win in np.linspace(1 - (wins + 1) / (wins + losses + 0.5), (losses + 1) / (wins + losses + 0.5), 5):
        prospects = Prospects(float(win), wins, losses)
        assert MoneyCube(formula).owned(prospects) == pytest.approx(win * whole - losses)
        assert MoneyCube(formula).unavailable(prospects) == pytest.approx(win * whole - losses - x / 2)
        assert MoneyCube(formula).centred(prospects) == pytest.approx(win * slope - intercept)


@pytest.mark.parametrize("formula", FORMULAS)
@pytest.mark.parametrize(("wins", "losses"), AVERAGES)
def test_beyond_the_live_cash_point_values_are_means_of_both(formula: Formula, wins: float, losses: float) -> None:
    live, dead = (losses + 1) / (wins + losses + 0.5), (losses + 1) / (wins + losses)
    weight = formula.live_weight(live, dead)
    for win in np.linspace(live, 1, 4):
        played_on = 1 + (wins - 1) * (win - live) / (1 - live)
        prospects = Prospects(float(win), wins, losses)
        mean = weight * played_on + (1 - weight) * prospects.equity
        assert MoneyCube(formula).owned(prospects) == pytest.approx(mean)
    if wins > 1:  # too good to double: at the live cash point never, with a certain win always
        assert MoneyCube(formula).owned(Prospects(live, wins, losses)) <= 1 + 1e-12
        assert MoneyCube(formula).owned(Prospects(1, wins, losses)) == pytest.approx(wins)


def test_the_effective_number_gives_the_points_of_races() -> None:
    """What is quoted of Zadeh and Kobliska's tables for races of 60 to 110 pips."""
    points = points_of(ZadehKobliska())
    assert 0.705 <= points["double"] < 0.735
    assert 0.715 <= points["redouble"] < 0.755
    assert 0.205 <= take_point(ZadehKobliska()) < 0.235


@pytest.mark.parametrize("formula", FORMULAS)
@pytest.mark.parametrize(("wins", "losses"), AVERAGES)
def test_the_points_are_where_the_choices_are_worth_the_same(formula: Formula, wins: float, losses: float) -> None:
    taker = Prospects(take_point(formula, wins, losses), wins, losses)
    assert 2 * MoneyCube(formula).owned(taker) == pytest.approx(-1)
    points = points_of(formula, wins, losses)
    doubler = Prospects(points["cash"], wins, losses)
    assert 2 * MoneyCube(formula).unavailable(doubler) == pytest.approx(1)
    if wins >= losses:  # gammons that do not count yet are a reason to turn the cube
        assert points_of(formula, wins, losses, jacoby=True)["double"] <= points["double"] + 1e-11


@pytest.mark.parametrize("formula", FORMULAS)
def test_what_a_position_is_worth_rises_with_its_chances_and_is_the_others_loss(formula: Formula) -> None:
    cube = MoneyCube(formula)
    for wins, losses in AVERAGES:
        before = -9.0
        for win in np.linspace(0, 1, 41):
            prospects = Prospects(float(win), wins, losses)
            owned = cube.owned(prospects)
            assert cube.centred(prospects) == pytest.approx(-cube.centred(prospects.turned))
            assert -losses - 1e-12 <= cube.unavailable(prospects) <= owned + 1e-12 <= wins + 1e-9
            assert owned >= before
            before = owned


def test_prospects_from_probabilities() -> None:
    found = Prospects.of([0.3, 0.2, 0.1, 0.3, 0.1, 0.0])
    assert (found.win, found.wins, found.losses) == pytest.approx((0.6, 1.0 / 0.6, 1.25))
    assert found.equity == pytest.approx(0.5)
    assert Prospects.of([1, 0, 0, 0, 0, 0]) == Prospects(1)
    assert (found.turned.win, found.turned.wins, found.turned.losses) == pytest.approx((0.4, 1.25, 1.0 / 0.6))


@pytest.mark.parametrize(("formula", "number"), [(Janowski, -0.1), (Janowski, 1.1), (ZadehKobliska, 0.7)])
def test_refuses_numbers_out_of_range(formula: type[Formula], number: float) -> None:
    with pytest.raises(BadInputError, match="it must be from"):
        formula(number)  # type: ignore[call-arg]


def at_the_cube(turned: int = 0, score: MatchScore | None = None, **options: bool) -> Position:
    """A race in which seat 0 may double, for money or at the score of a match."""
    game, men = make_game("hypergammon", cube=True, **options), {6: 1, 5: 1, 4: 1}
    game = game.at_score(score) if score else game
    return position_of(game, men, men, stage=DOUBLING, cube=turned, owner=1 if turned else 0)


def said(position: Position, win: float, gammons: float = 0.0, formula: Formula | None = None) -> str:
    """What the policy does if it thinks so of seat 0."""
    policy = LookaheadPolicy(position.game, Says(win, gammons), doubling=formula)
    policy.begin(position.game, (0,), np.random.default_rng(1))
    return position.game.action_text(policy.choose(position))


def test_the_policy_doubles_takes_and_drops() -> None:
    """Janowski's points without gammons are 68.8 % and, for the owner of the cube, 71.4 %; the drop is at 78.6 %."""
    assert [said(at_the_cube(), win) for win in (0.3, 0.68, 0.69, 0.9)] == ["roll", "roll", "double", "double"]
    assert [said(at_the_cube(turned=2), win) for win in (0.3, 0.7, 0.72)] == ["roll", "roll", "double"]
    for turned in (0, 2):  # it doubles as long as it expects no more than the stake by playing on
        assert [said(at_the_cube(turned), *each) for each in ((0.99,), (0.95, 0.02))] == ["double", "double"]
    for turned in (0, 2):
        doubled = play(at_the_cube(turned), "double")
        assert doubled.seat == 1
        assert [said(doubled, win) for win in (0.3, 0.78, 0.79)] == ["take", "take", "drop"]
    assert said(at_the_cube(), 0.51, formula=Janowski(0)) == "double"
    assert said(at_the_cube(), 0.7, formula=ZadehKobliska()) == "roll"


def test_beavers() -> None:
    foolish = play(at_the_cube(beavers=True), "double")
    assert said(foolish, 0.3) == "beaver"
    assert said(foolish, 0.65) == "take"
    assert said(play(at_the_cube(), "double"), 0.3) == "take"
    beavered = play(foolish, "beaver")
    assert beavered.seat == 0
    assert [said(beavered, win) for win in (0.2, 0.4)] == ["drop", "take"]
    doubler = Doubler(foolish.game, Janowski())
    assert not doubler.verdict(at_the_cube(beavers=True), Prospects(0.5)).doubles
    beavers = [doubler.verdict(at_the_cube(beavers=True), Prospects(win)).beavers for win in (0.45, 0.65)]
    assert beavers == [True, False]


def test_a_gammon_is_played_for_unless_it_does_not_count() -> None:
    assert said(at_the_cube(), 0.9, 0.8) == "roll"
    assert said(at_the_cube(jacoby=True), 0.9, 0.8) == "double"
    assert said(at_the_cube(turned=1, jacoby=True), 0.9, 0.8) == "roll"


def test_a_game_without_a_cube_is_never_asked_about_one() -> None:
    position = race(make_game("hypergammon"), [6, 5, 4], [6, 5, 4], roll=(2, 1))
    assert not Doubler(position.game, Janowski()).is_asked(position)
    assert Doubler(make_game("hypergammon", cube=True), Janowski()).is_asked(at_the_cube())
