"""Luck: its mean over the events is 0, and results without it vary less around the same mean."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from boardgames_agents.arena.luck import luck_by_agent, luck_of_contests, points_less_luck
from boardgames_agents.lookahead.evaluator import equities
from boardgames_agents.lookahead.expectimax import Expectimax
from boardgames_agents.lookahead.rollout import luck_of_events
from boardgames_agents.record import Record
from boardgames_agents.td.network import Network
from boardgames_agents.td.options import Design
from boardgames_env import BadInputError, Position, make_game
from tests.contests import recorded

GAME, WITH_CUBE = "hypergammon", "hypergammon(cube=True)"
PLAYERS, JUDGE = ("td_gammon_raw", "pubeval"), "td_gammon_raw"


@cache
def network(game: str = GAME) -> Network:
    return Network(make_game(game), Design(inputs="raw", hidden=5, outputs=6, gammons="within"), seed=3)


@cache
def contests(game: str = GAME) -> tuple[Record, ...]:
    return recorded(game, contests=8, seed=5).records


@cache
def contests_of_players() -> tuple[Record, ...]:
    return recorded("backgammon", *PLAYERS, 80, 5).records


def rolls_of(record: Record) -> Sequence[tuple[Position, int]]:
    """The positions before the events of a contest, and the events, replayed by hand."""
    found, position, left = [], make_game(record.game).initial, list(record.events)
    for action in (None, *record.actions):
        if action is not None:
            position = position.play(action)
        while position.awaits_chance:
            found.append((position, left.pop(0)))
            position = position.happen(found[-1][1])
    assert not left
    return found


def test_the_mean_over_all_events_is_the_mean() -> None:
    game = make_game(GAME)
    search = Expectimax(game, network())
    for position in (game.initial, rolls_of(contests()[0])[9][0]):
        events = position.events()
        chances = np.array([event.probability for event in events])
        draws = chances.cumsum() - chances / 2
        states = np.repeat(position.state[np.newaxis], len(events), axis=0)
        means, reached, predicted = search.best_replies(states, draws, 1)
        assert_allclose(chances @ predicted, means[0], atol=1e-6)
        for event, state in zip(events, reached, strict=True):
            moves = {move.afterstate.state.tobytes() for move in event.position.moves()}
            assert state.tobytes() in moves


@pytest.mark.parametrize("game", [GAME, WITH_CUBE])
def test_it_is_what_rollouts_subtract(game: str) -> None:
    """Event by event, and at the stake in force."""
    made = make_game(game)
    search = Expectimax(made, network())
    found = luck_of_contests(made, network(), contests(game))
    stakes = set()
    for record, luck in zip(contests(game), found, strict=True):
        total = 0.0
        for position, event in rolls_of(record):
            stake = search.replier.stake(position.state)
            stakes.add(stake)
            (own,) = equities(luck_of_events(search, position.state[np.newaxis], np.array([event], dtype=np.int32)))
            total += stake * own * (1 if position.seat == 0 else -1)
        assert luck == pytest.approx(total, abs=1e-5)
    assert (len(stakes) > 1) == (game == WITH_CUBE)


@pytest.mark.slow
def test_results_without_it_vary_less_around_the_same_mean() -> None:
    game, records = make_game("backgammon"), contests_of_players()
    points = np.array([record.outcome for record in records], dtype=np.float64)
    luck = luck_by_agent(JUDGE, game, records)
    adjusted = points - luck
    assert abs(luck.mean()) < 4 * luck.std() / len(luck) ** 0.5
    assert adjusted.std() < 0.7 * points.std()


@pytest.mark.slow
def test_the_points_of_the_first_policy_are_those_of_its_seats() -> None:
    records = contests_of_players()[:3]
    zero, one, two = (record.outcome for record in records)
    assert points_less_luck(records, np.array([0.5, 0.25, -1])) == [zero - 0.5, 0.25 - one, two + 1]


@pytest.mark.slow
def test_processes_find_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    game, records = make_game("backgammon"), contests_of_players()[:9]
    monkeypatch.setattr("boardgames_agents.arena.luck._CONTESTS_AT_ONCE", 4)
    assert_array_equal(luck_by_agent(JUDGE, game, records, 2), luck_by_agent(JUDGE, game, records))


def test_without_contests_there_is_no_luck() -> None:
    assert luck_of_contests(make_game(GAME), network(), []).shape == (0,)


@pytest.mark.parametrize(
    ("game", "sentence"), [("tic_tac_toe", "left to chance"), ("hypergammon(match_length=3)", "is a match")]
)
def test_games_without_luck_in_points_are_refused(game: str, sentence: str) -> None:
    with pytest.raises(BadInputError, match=sentence):
        luck_by_agent("random", make_game(game), [])


def test_a_record_of_something_else_is_refused() -> None:
    game, record = make_game(GAME), contests()[0]
    with pytest.raises(BadInputError, match="event 99"):
        luck_of_contests(game, network(), [replace(record, events=(99, *record.events[1:]))])
    wrong: list[dict[str, Any]] = [{"actions": record.actions[:-1]}, {"events": (*record.events, 0)}]
    for fields in (*wrong, {"actions": (), "events": ()}, {"outcome": -record.outcome}):
        with pytest.raises(BadInputError, match="does not end as"):
            luck_of_contests(game, network(), [replace(record, **fields)])


def test_an_agent_that_predicts_nothing_is_refused() -> None:
    with pytest.raises(BadInputError, match="pubeval does not predict"):
        luck_by_agent("pubeval", make_game("backgammon"), [])
