"""Analysis of positions, against reckonings by other ways."""

from itertools import accumulate
from pathlib import Path

import numpy as np
import pytest

from boardgames_agents.lookahead.cube.doubler import Doubler
from boardgames_agents.lookahead.cube.formulas import Formula, Janowski, Prospects, ZadehKobliska
from boardgames_agents.lookahead.cube.models import MoneyCube
from boardgames_agents.lookahead.evaluator import equities, evaluator_of
from boardgames_agents.lookahead.expectimax import Expectimax
from boardgames_agents.lookahead.rollout import RolloutOptions, rollout
from boardgames_agents.people.judging.position_analysis import advise, before_the_roll, roll_out, rolls_of
from boardgames_agents.registry import make_player
from boardgames_agents.td.network import Network
from boardgames_agents.td.network_file import save_network
from boardgames_agents.td.options import Design
from boardgames_env import BadInputError, Game, Position, make_game
from boardgames_env.contest import turn_text
from boardgames_env.games.backgammon.notation import parse_play
from boardgames_env.games.backgammon.notation.position_id import parse_position
from tests.boardgames_agents.exact import Pips, Says, race, seen_by
from tests.variants import over

GAME = "backgammon"
WITH_CUBE = "backgammon(cube=True)"


def search(plies: int = 1, candidates: int = 8, game: str = "backgammon") -> Expectimax:
    return Expectimax(make_game(game), Pips(), plies, candidates)


@pytest.fixture
def opening(game: Game) -> Position:
    """White is to play 3-1."""
    return parse_position(game, "start", (3, 1))


def test_plays_are_examined_and_named(opening: Position) -> None:
    plays = search(plies=2, candidates=3).candidates(opening)
    assert len(plays) == 16
    for play in plays:
        assert opening.after(*parse_play(opening, turn_text(opening, play.actions))) == opening.after(*play.actions)
    assert [play.plies for play in plays[:4]] == [2, 2, 2, 1]
    assert plays[0].equity > plays[1].equity > plays[2].equity


def test_any_play_can_be_looked_at_as_deeply_as_the_best(game: Game, opening: Position) -> None:
    looks = search(plies=2, candidates=4)
    plays = looks.candidates(opening)
    assert looks.candidate(opening, plays[0].actions) == plays[0]
    last = looks.candidate(opening, plays[-1].actions)
    assert last in Expectimax(game, Pips(), 2, candidates=4096, margin=9.0).candidates(opening)
    assert last.plies == 2 > plays[-1].plies


def test_a_play_that_ends_the_contest_is_known() -> None:
    position = race("hypergammon", [2, 1, 0], [3, 1, 0], roll=(3, 2))
    found = search(plies=2, game="hypergammon").candidate(position, parse_play(position, "2/off 1/off"))
    assert (found.probabilities, found.equity) == ((1, 0, 0, 0, 0, 0), 1)


@over([GAME, WITH_CUBE])
def test_the_rolls_average_to_the_prospects(game: Game) -> None:
    looks = search(plies=2, game=game.spec)
    awaiting = before_the_roll(parse_position(game, "start"))
    assert awaiting.awaits_chance
    rolls = rolls_of(looks, awaiting)
    assert [roll.text for roll in rolls[:2]] == ["21", "31"]
    assert sum(roll.probability for roll in rolls) == pytest.approx(1)
    (chances,) = looks.outcome_probabilities(awaiting.state[np.newaxis])
    mean = sum(roll.probability * np.array(roll.probabilities) for roll in rolls)
    np.testing.assert_allclose(mean, chances, atol=1e-6)
    equity = sum(roll.probability * roll.best.equity for roll in rolls)
    assert equity == pytest.approx(equities(chances), abs=1e-5)


def test_the_opening_rolls_are_told_as_seat_0_sees_them(game: Game) -> None:
    looks = search(plies=2)
    rolls = rolls_of(looks, game.initial)
    assert len(rolls) == 30
    mean = sum(roll.probability * equities(np.array(roll.probabilities)) for roll in rolls)
    assert mean == pytest.approx(0, abs=1e-6)
    row = looks.outcome_probabilities(game.initial.state[np.newaxis])
    assert equities(row) == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("formula", [Janowski(), ZadehKobliska()])
def test_what_actions_with_the_cube_are_worth_agrees_with_what_is_done(formula: Formula) -> None:
    game = make_game("backgammon(cube=True, beavers=True)")
    doubler = Doubler(game, formula)
    start = parse_position(game, "start")
    answered = start.play(152)
    for win in np.linspace(0.02, 0.98, 49):
        prospects = Prospects(float(win), 1.25, 1.2)
        for position in (start, answered, answered.play(155)):
            values = doubler.values(position, prospects)
            assert set(values) == set(position.legal_actions)
            # (where the other drops, lines alone do not settle whether to double)
            if position != start or doubler.verdict(start, prospects).takes:
                assert values[doubler.action(position, prospects)] == pytest.approx(max(values.values()))


def test_advice_by_both_formulas(game: Game) -> None:
    looks, with_cube = search(game=WITH_CUBE), make_game(WITH_CUBE)
    start = parse_position(with_cube, "start")
    janowski, other = advise(looks, start)
    assert (janowski.formula, other.formula) == ("janowski", "zadeh_kobliska")
    for each in (janowski, other):
        assert each.advice == "no double, take"
        assert list(each.values) == ["no double", "double, take", "double, drop"]
        assert each.values["double, drop"] == 1
    wins = losses = 0.75 + 0.2 * 2 + 0.05 * 3
    assert janowski.take_point == pytest.approx(
        MoneyCube(Janowski()).take_point(Prospects(0.5, losses, wins)), abs=1e-6
    )
    answer, _ = advise(looks, start.play(152))
    assert answer.advice == "take"
    assert answer.values == {"take": pytest.approx(-janowski.values["double, take"]), "drop": -1}
    assert advise(looks, parse_position(with_cube, "start", (3, 1))) == []
    assert advise(search(), parse_position(game, "start")) == []


@pytest.mark.parametrize(
    ("win", "advice"),
    [(0.55, "no double, take"), (0.75, "double, take"), (0.9, "double, drop"), (0.999, "too good to double, drop")],
)
def test_advice_in_words(win: float, advice: str) -> None:
    game, sure = make_game(WITH_CUBE), Says(win, gammons=0.9 if win > 0.95 else 0)
    assert {each.advice for each in advise(Expectimax(game, sure), parse_position(game, "start"))} == {advice}


def test_a_rollout_of_plays_is_one_of_what_they_lead_to(opening: Position) -> None:
    looks, options = search(candidates=2), RolloutOptions(40, 2, seed=3)
    told: list[tuple[int, int]] = []
    found = roll_out(looks, opening, options, on_trials=lambda *each: told.append(each))
    assert told == [(40, 80), (80, 80)]
    best = [turn_text(opening, play.actions) for play in looks.candidates(opening)[:2]]
    assert sorted(each.play for each in found) == sorted(best)
    assert found[0].rollout.equity >= found[1].rollout.equity
    for each in found:
        reached = opening.after(*parse_play(opening, each.play))
        apart = rollout(reached, Pips(), options)
        assert each.rollout.equity == -apart.equity
        assert each.rollout.error == apart.error
        np.testing.assert_array_equal(each.rollout.probabilities, seen_by(0, reached, np.array(apart.probabilities)))
        low, high = each.rollout.interval
        assert (high - low) / 2 == pytest.approx(1.95996 * apart.error, rel=1e-4)
        assert (high + low) / 2 == pytest.approx(each.rollout.equity)


def test_a_rollout_of_a_position() -> None:
    start = parse_position(make_game(WITH_CUBE), "start")
    looks, options = search(game=WITH_CUBE), RolloutOptions(36, 2, seed=1)
    (alone,) = roll_out(looks, start, options)
    assert (alone.play, alone.rollout) == ("", rollout(start, Pips(), options))
    assert roll_out(looks, start.play(152), options) == [alone], "whoever has doubled is to roll"


def test_a_rollout_of_a_play_that_ends_the_contest() -> None:
    position = race("hypergammon", [2, 1, 0], [3, 1, 0], roll=(2, 1))
    ended, *others = roll_out(search(game="hypergammon"), position, RolloutOptions(36))
    assert (ended.rollout.trials, ended.rollout.equity, ended.rollout.interval) == (0, 1, (1, 1))
    assert {each.rollout.trials for each in others} == {36}


def test_whose_judgement_can_be_asked_for(tmp_path: Path, game: Game, opening: Position) -> None:
    network = Network(game, Design("raw", 4, 6), seed=3)
    save_network(tmp_path / "net", network)
    states = opening.state[np.newaxis]
    learner = "td(inputs='raw', hidden=4, outputs=6, units='sigmoid', seed=3)"
    for spec in (f"td_net(file='{tmp_path / 'net'}', plies=2)", learner):
        found = evaluator_of(spec, game).outcome_probabilities(states)
        np.testing.assert_array_equal(found, network.outcome_probabilities(states))
    for spec in ("random", "pubeval", "human"):
        with pytest.raises(BadInputError, match=f"^{spec} does not predict outcomes; take an agent that"):
            evaluator_of(spec, game)
    with pytest.raises(BadInputError, match="there is no agent 'deep_blue'"):
        evaluator_of("deep_blue", game)


def test_gnubg_judges_as_it_says(game: Game, opening: Position) -> None:
    pytest.importorskip("gnubg_nn")
    (row,) = evaluator_of("gnubg", game).outcome_probabilities(opening.state[np.newaxis])
    player = make_player("gnubg", game)
    win, gammon, backgammon, *_ = player.probabilities(opening.state)  # type: ignore[attr-defined]
    assert list(accumulate(row[2::-1])) == pytest.approx([backgammon, gammon, win], abs=1e-6)
    assert row.sum() == pytest.approx(1, abs=1e-6)
