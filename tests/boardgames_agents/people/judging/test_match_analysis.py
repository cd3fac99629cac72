"""Analysis of contests, against reckonings by other ways."""

from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from boardgames_agents.arena.contest import play_contest
from boardgames_agents.lookahead.cube.formulas import Formula, Janowski, Prospects, ZadehKobliska
from boardgames_agents.lookahead.cube.models import MoneyCube
from boardgames_agents.lookahead.player import LookaheadPolicy
from boardgames_agents.people.judging.match_analysis import CLOSE, AnalysedDecision, Analyst, Totals
from boardgames_agents.record import Record
from boardgames_agents.registry import make_agent
from boardgames_env import Game, make_game
from boardgames_env.games.backgammon.notation import parse_play
from boardgames_env.games.backgammon.notation.matches import MatchContest
from tests.boardgames_agents.exact import Pips
from tests.boardgames_agents.people.judging.test_position_analysis import WITH_CUBE, search

GAME = "backgammon"


def played(game: str, players: tuple[str, str], seed: int) -> Record:
    """A contest; ``"pips"`` plays by `Pips`."""
    made = make_game(game)
    cast = [LookaheadPolicy(made, Pips()) if name == "pips" else make_agent(name, made) for name in players]
    return play_contest(made, (cast[0], cast[1]), [seed])


@pytest.mark.slow
def test_who_plays_by_the_same_look_ahead_makes_no_errors() -> None:
    decisions = list(Analyst(search(game=WITH_CUBE), Janowski()).decisions(played(WITH_CUBE, ("pips", "pips"), 5)))
    assert {bool(each.roll) for each in decisions} == {True, False}
    assert [each for each in decisions if each.error > 0 or (each.played != each.best and each.counts)] == []


@pytest.mark.slow
def test_errors_are_what_a_play_is_worth_less_than_the_best() -> None:
    deep = search(plies=2, candidates=3)
    decisions = list(Analyst(deep, Janowski()).decisions(played("backgammon", ("random", "pips"), 2)))
    errors = 0
    for each in decisions[:25]:
        plays = deep.candidates(each.position)
        actual = deep.candidate(each.position, parse_play(each.position, each.played))
        highest = max(plays[0].equity, actual.equity)
        assert each.equity == highest
        assert each.error == pytest.approx(highest - actual.equity)
        assert each.counts == (len(plays) > 1)
        errors += each.error > 0
    assert errors >= 8
    totals = [Totals.of(each for each in decisions if each.position.seat == seat) for seat in (0, 1)]
    assert totals[0].rate > 3 * totals[1].rate
    assert totals[0].cube_decisions == 0


def test_all_decisions_of_a_contest_are_found() -> None:
    record = played(WITH_CUBE, ("random", "pips"), 8)
    decisions = list(Analyst(search(game=WITH_CUBE), ZadehKobliska()).decisions(record))
    found = [each.position for each in decisions]
    assert found == [each for each in dict.fromkeys(record.positions(make_game(WITH_CUBE))) if each in found]
    rolled = [each for each in decisions if each.roll]
    assert len(rolled) == len(record.events)
    actions = sum(len(parse_play(each.position, each.played)) for each in rolled)
    assert actions + len(decisions) - len(rolled) == len(record.actions)


def test_a_contest_that_was_broken_off() -> None:
    record = played(WITH_CUBE, ("pips", "pips"), 5)
    analyst = Analyst(search(game=WITH_CUBE), Janowski())
    whole = list(islice(analyst.decisions(record), 20))
    cut = list(analyst.decisions(MatchContest(record.events[:4], record.actions[:3], 0)))
    assert cut == whole[: len(cut)]  # (amid the second play, or before it)
    for rolls in (1, 0):
        assert list(analyst.decisions(MatchContest(record.events[:rolls], (), 0))) == []


def test_luck_evens_out_over_the_rolls(game: Game) -> None:
    """Of the first roll, and of the second after one and the same play."""
    analyst = Analyst(search(), Janowski())
    lucks = []
    for event in game.initial.events():
        rolled = event.position
        (decision,) = analyst.decisions(MatchContest((event.number,), rolled.moves()[0].actions, 0))
        lucks.append(decision.luck if rolled.seat == 0 else -decision.luck)
    assert len(lucks) == 30
    assert sum(lucks) == pytest.approx(0, abs=1e-5)
    assert max(lucks) > 0.02
    first = game.initial.happen(0).moves()[0]
    mean = spread = 0.0
    for event in first.afterstate.events():
        contest = MatchContest((0, event.number), (*first.actions, *event.position.moves()[0].actions), 0)
        luck = list(analyst.decisions(contest))[1].luck
        mean += event.probability * luck
        spread += event.probability * luck**2
    assert mean == pytest.approx(0, abs=1e-5)
    assert spread > 0.01**2


def doubled(*answers: str) -> MatchContest:
    """White plays 31, black doubles, and so on."""
    game = make_game(WITH_CUBE)
    opening = parse_play(game.initial.happen(1), "8/5 6/5")
    return MatchContest((1,), (*opening, *map(game.parse_action, answers)), 0)


@pytest.mark.parametrize("formula", [Janowski(), ZadehKobliska()])
def test_decisions_about_the_cube_are_weighed_by_the_formula(formula: Formula) -> None:
    looks = search(plies=2, game=WITH_CUBE)
    play, double, take = Analyst(looks, formula).decisions(doubled("double", "take"))
    assert (play.roll, double.roll, take.roll) == ("31", "", "")
    assert (double.position.seat, take.position.seat) == (1, 0)
    row = looks.look_ahead(double.position.after(151).state[np.newaxis], 1)[0]
    prospects = Prospects.of(row.tolist())
    turned = MoneyCube(formula).unavailable(prospects)
    assert double.best == "roll"
    assert double.counts
    assert double.error == pytest.approx(MoneyCube(formula).centred(prospects) - min(2 * turned, 1))
    assert double.equity == pytest.approx(MoneyCube(formula).centred(prospects))
    assert (take.best, take.error, take.equity) == ("take", 0, pytest.approx(-2 * turned))
    *_, dropped = Analyst(looks, formula).decisions(doubled("double", "drop"))
    assert (dropped.best, dropped.error) == ("take", pytest.approx(1 - 2 * turned))
    *_, rolled = Analyst(looks, formula).decisions(doubled("roll"))
    assert rolled.error == 0
    assert rolled.counts == (double.error < CLOSE)


def test_totals(game: Game) -> None:
    one = AnalysedDecision(game.initial, "31", "8/5 6/5", "8/5 6/5", 0.1, 0.0, True, 0.3)
    decisions = [
        one,
        replace(one, error=0.05, luck=-0.5),
        replace(one, counts=False, luck=0.1),
        replace(one, roll="", error=0.2, luck=0.0),
        replace(one, roll="", counts=False, luck=0.0),
    ]
    totals = Totals.of(decisions)
    assert totals == Totals(2, 0.05, 1, 0.2, 1, 0, 1, pytest.approx(-0.1))
    assert totals.rate == pytest.approx(1000 * 0.25 / 3)
    assert Totals.of([]).rate == 0
