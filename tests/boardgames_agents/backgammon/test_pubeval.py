"""Tesauro's benchmark evaluator: its published scores and its choice of every opening roll."""

import numpy as np
import pytest

from boardgames_agents.arena.contest import play_contest
from boardgames_agents.backgammon.pubeval import ALL_OFF, find_race, score_kernel, weights
from boardgames_agents.policy import MarkovPolicy
from boardgames_agents.registry import make_agent
from boardgames_env import Game, Position, make_game
from boardgames_env.games.backgammon.rules.backgammon_board import BARS
from tests.boardgames_env.games.backgammon_contests import START, position_of
from tests.positions import turn_of

GAME = "backgammon"


def rolled(high: int, low: int, seat: int = 0) -> Position:
    """The initial position with a roll."""
    return position_of(GAME, START, START, (high,) * 4 if high == low else (high, low), seat)


def test_weights() -> None:
    assert weights().shape == (2, 122)
    assert weights()[:, 0].tolist() == [0.25696, 0.0]


@pytest.mark.parametrize("seat", [0, 1])
def test_scores_of_the_start(seat: int, game: Game) -> None:
    score = score_kernel()
    assert score(game.initial.state, seat, False) == pytest.approx(6.84055, abs=1e-5)
    assert score(game.initial.state, seat, True) == pytest.approx(9.93903, abs=1e-5)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize(
    ("roll", "play", "score"),
    [
        ((2, 1), "24/22 22/21", 7.09586),
        ((3, 1), "8/5 6/5", 10.34312),
        ((4, 2), "8/4 6/4", 9.50657),
        ((5, 3), "8/3 6/3", 8.44329),
        ((6, 1), "13/7 8/7", 8.71917),
        ((6, 5), "24/18 18/13", 8.01652),
        ((6, 4), "24/18 18/14", 7.60271),
        ((6, 3), "24/18 18/15", 7.39890),
        ((6, 2), "24/18 18/16", 7.27179),
        ((5, 4), "24/20 20/15", 7.39890),
        ((5, 2), "13/8 13/11", 7.14401),
        ((5, 1), "24/23 23/18", 6.77681),
        ((4, 3), "24/20 24/21", 7.15557),
        ((4, 1), "24/20 24/23", 6.77499),
        ((3, 2), "13/11 24/21", 7.22248),
        ((6, 6), "13/7 13/7 24/18 24/18", 12.24212),
        ((5, 5), "13/8 13/8 8/3 8/3", 9.25347),
        ((4, 4), "13/9 13/9 24/20 24/20", 12.01426),
        ((3, 3), "24/21 24/21 6/3 6/3", 11.91559),
        ((2, 2), "24/22 24/22 6/4 6/4", 12.18711),
        ((1, 1), "24/23 24/23 6/5 6/5", 11.85855),
    ],
)
def test_opening_rolls(seat: int, roll: tuple[int, int], play: str, score: float, game: Game) -> None:
    position = rolled(*roll, seat)
    texts, reached = turn_of(make_agent("pubeval", game), position)
    assert score_kernel()(reached.state, seat, False) == pytest.approx(score, abs=1e-5)
    assert len(texts) == len(play.split())
    for move in position.moves():  # (the order of the steps is nobody's business)
        if sorted(map(game.action_text, move.actions)) == sorted(play.split()):
            assert move.afterstate == reached


def test_men_on_the_bar_of_the_other_count_for_the_mover(game: Game) -> None:
    state = game.initial.state.copy()
    before = score_kernel()(state, 1, False)
    state[24] -= 2
    state[BARS] += 2
    assert before != pytest.approx(score_kernel()(state, 1, False))


def test_the_last_man_off_is_best(game: Game) -> None:
    position = position_of(game, {1: 1, 0: 14}, {1: 1, 0: 14}, (6, 5))
    texts, reached = turn_of(make_agent("pubeval", game), position)
    assert texts in (["1/off(5)"], ["1/off(6)"])
    assert reached.outcome == 1
    assert score_kernel()(reached.state, 0, True) == ALL_OFF


def test_a_race_is_when_nobody_can_be_hit_any_more(game: Game) -> None:
    passed = find_race.run
    state = np.zeros(game.state_size, dtype=np.int8)
    state[[10, 11]] = [15, -15]
    assert passed(state)
    state[[10, 11, 12]] = [14, -15, 1]
    assert not passed(state)
    state[[10, 11, 12, BARS]] = [14, -15, 0, 1]
    assert not passed(state)


def test_it_answers_in_the_middle_of_a_turn_it_has_not_begun(game: Game) -> None:
    halfway = rolled(3, 1).play(game.parse_action("8/5"))
    assert turn_of(make_agent("pubeval", game), halfway)[0] == ["6/5"]
    assert not isinstance(make_agent("pubeval", game), MarkovPolicy)


def test_it_beats_the_random_player(game: Game) -> None:
    """It wins 99.8 % of the contests, at 2.53 points each (1,000 contests of another program)."""
    players = make_agent("pubeval", game), make_agent("random", game)
    records = [play_contest(game, players, [6, contest]) for contest in range(150)]
    assert 2.53 - 0.35 < np.mean([record.outcome for record in records]) < 2.53 + 0.35
    # nothing is carried from one contest to the next
    assert play_contest(game, (make_agent("pubeval", game), make_agent("random", game)), [6, 149]) == records[-1]


def test_it_rolls_and_takes() -> None:
    game = make_game("backgammon", cube=True, beavers=True)
    player = make_agent("pubeval", game)
    player.begin(game, (0, 1), np.random.default_rng(0))
    position = position_of(game, START, START, seat=1).happen(0)
    while position.seat == 1:
        position = position.play(player.choose(position))
    assert game.action_text(player.choose(position)) == "roll"
    assert game.action_text(player.choose(position.play(game.parse_action("double")))) == "take"
