"""Expectimax, and the policy that plays by it."""

from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from boardgames_agents.arena.contest import play_contest
from boardgames_agents.arena.tournament import tournament
from boardgames_agents.lookahead.evaluator import Evaluator, Probabilities, equities
from boardgames_agents.lookahead.expectimax import Expectimax
from boardgames_agents.lookahead.player import LookaheadPolicy
from boardgames_env import BadInputError, Game, Position, make_game
from boardgames_env.games.backgammon.rules.backgammon_board import ROLLING, STAGE
from tests.boardgames_agents.exact import Exact, Pips, Says, afterstates, best_reply, judged, outcome_row, race, seen_by
from tests.boardgames_env.games.backgammon_contests import position_of
from tests.positions import play, random_positions, turn_of

GAME = "hypergammon"


@cache
def contact() -> Position:
    return race(GAME, [6, 20, 4], [20, 18, 3])


def unpruned(game: Game, evaluator: Evaluator, plies: int = 1) -> Expectimax:
    return Expectimax(game, evaluator, plies, candidates=4096, margin=9.0, replies=4096)


class Strict:
    """Refuses what it must not be asked about."""

    def __init__(self, evaluator: Evaluator) -> None:
        self.evaluator = evaluator
        self.calls = 0

    def outcome_probabilities(self, states: NDArray[np.int8]) -> Probabilities:
        self.calls += 1
        assert len(np.unique(states, axis=0)) == len(states), "the same position twice"
        game = make_game(GAME)
        positions = [Position.unchecked(game, state.copy()) for state in states]
        assert all(each.awaits_chance and not each.is_over for each in positions)
        return self.evaluator.outcome_probabilities(states)


def mean(position: Position, evaluator: Evaluator, plies: int) -> NDArray[np.float64]:
    """What `Expectimax.looked_at` must answer if nothing is pruned, position by position."""
    if position.is_over:
        return outcome_row(position)
    if plies == 0:
        row: NDArray[np.float64] = evaluator.outcome_probabilities(position.state[np.newaxis])[0].astype(np.float64)
        return row
    total = np.zeros(6)
    for event in position.events():
        seat = event.position.seat
        replies = [seen_by(seat, after, mean(after, evaluator, plies - 1)) for after in afterstates(event.position)]
        best = max(replies, key=lambda row: float(equities(row)))
        total += event.probability * seen_by(position.seat, event.position, best)
    return total


@pytest.mark.parametrize("plies", [0, 1, 2])
def test_looks_as_far_as_it_says(plies: int, game: Game) -> None:
    positions = [contact(), game.initial, race(game, [25, 2, 1], [25, 6, 6], seat=1)]
    for position in positions if plies < 2 else [race(game, [2, 3, 0], [1, 3, 0])]:
        found = unpruned(game, Strict(Pips())).look_ahead(position.state[np.newaxis], plies)[0]
        assert found == pytest.approx(mean(position, Pips(), plies), abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("plies", range(4))
def test_exact_values_stay_what_they_are_at_any_depth(plies: int, game: Game) -> None:
    exact = Exact(game)
    men = ([5, 3, 0], [6, 2, 0]), ([6, 5, 4], [1, 1, 2]), ([1, 0, 0], [4, 4, 4])
    positions = [race(game, *each, seat) for each, seat in zip(men, (0, 0, 1), strict=True)]
    states = np.array([position.state for position in positions])
    found = Expectimax(game, exact).look_ahead(states, plies)
    assert found == pytest.approx(np.array([exact.value(position) for position in positions]), abs=1e-6)


def test_every_ply_asks_the_evaluator_once(game: Game) -> None:
    evaluator = Strict(Pips())
    Expectimax(game, evaluator, plies=2).evaluate_moves(contact().events()[3].position.state)
    assert evaluator.calls == 2


def test_candidates_are_those_of_the_rules_with_the_values_they_should_have(game: Game) -> None:
    position = race(game, [6, 20, 4], [20, 18, 3], roll=(6, 2))
    found = unpruned(game, Pips(), 2).candidates(position)
    values = {}
    for candidate in found:
        after = play(position, *candidate.actions)
        values[after] = candidate
        assert candidate.plies == 2
        assert candidate.probabilities == pytest.approx(seen_by(position.seat, after, mean(after, Pips(), 1)), abs=1e-6)
        assert candidate.equity == pytest.approx(float(equities(np.array(candidate.probabilities))), abs=1e-6)
    assert set(values) == set(afterstates(position))
    assert [candidate.equity for candidate in found] == sorted((each.equity for each in found), reverse=True)


def test_only_what_looks_good_is_looked_at_more_deeply() -> None:
    game = make_game("backgammon")
    position = game.initial.happen(3)
    shallow = Expectimax(game, Pips()).candidates(position)
    for candidates, margin in ((3, 9.0), (9, 0.05), (1, 0.0)):
        found = Expectimax(game, Pips(), 3, candidates, margin, replies=1).candidates(position)
        most = [each for each in shallow[:candidates] if each.equity >= shallow[0].equity - margin]
        deeper = {each.actions for each in found if each.plies > 1}
        assert deeper == {each.actions for each in most}
        assert any(each.plies == 3 for each in found)
        assert [each.plies for each in found] == sorted((each.plies for each in found), reverse=True)


def test_a_race_that_has_been_decided_is_known(game: Game) -> None:
    position = race(game, [1, 0, 0], [20, 18, 19], roll=(6, 5))
    (only,) = Expectimax(game, Strict(Pips()), plies=3).candidates(position)
    assert only.probabilities in ((0, 0, 1, 0, 0, 0), (0, 1, 0, 0, 0, 0))
    assert only.equity == position.play(only.actions[0]).points_for(0)


def test_bearing_a_man_off_can_be_wrong(game: Game) -> None:
    """With 5-2, 6/1 4/2 leaves two men that any roll bears off; 6/off leaves one that 1-1, 1-2 ... may not."""
    position = race(game, [6, 4, 0], [1, 1, 0], roll=(5, 2))
    best = Expectimax(game, Exact(game)).best_move(position.state)
    assert sorted(game.action_text(action) for action in best) == ["4/2", "6/1"]


@pytest.mark.parametrize("turned", [0, 2])
def test_the_cube_does_not_change_what_is_seen_without_it(turned: int, game: Game) -> None:
    with_cube = make_game("hypergammon", cube=True)
    position = race(game, [2, 3, 9], [1, 3, 11], roll=(4, 3))
    men = {2: 1, 3: 1, 9: 1}, {1: 1, 3: 1, 11: 1}
    other = position_of(with_cube, *men, (4, 3), cube=turned, owner=1 if turned else 0)
    assert Expectimax(with_cube, Pips(), 3).candidates(other) == Expectimax(game, Pips(), 3).candidates(position)


def test_games_without_chance_are_searched_like_any() -> None:
    game = make_game("tic_tac_toe")
    search = unpruned(game, Says(), 3)
    threat = game.initial.play(0).play(4).play(1)
    assert search.best_move(threat.state) == (2,)
    assert search.candidates(threat.play(5))[0].equity == 1


@pytest.mark.parametrize(
    "options", [{"plies": 0}, {"plies": 5}, {"candidates": 0}, {"replies": 0}, {"margin": -0.1}], ids=str
)
def test_refuses_options_out_of_range(options: dict[str, int], game: Game) -> None:
    allowed = "from 1 to 4" if "plies" in options else "at least"
    with pytest.raises(BadInputError, match=f"is not allowed; it must be {allowed}"):
        Expectimax(game, Pips(), **options)


def test_refuses_positions_in_which_no_seat_is_to_move(game: Game) -> None:
    with pytest.raises(BadInputError, match="no seat is to move"):
        Expectimax(game, Pips()).candidates(contact())


@pytest.mark.parametrize("plies", [1, 2, 3])
@pytest.mark.parametrize("name", ["hypergammon", "tic_tac_toe"])
def test_predictions_that_are_no_numbers_choose_no_move(name: str, plies: int) -> None:
    class NoNumbers:
        def outcome_probabilities(self, states: NDArray[np.int8]) -> Probabilities:
            return np.full((len(states), 6), np.nan, dtype=np.float32)

    game = make_game(name)
    position = game.initial.happen(0) if game.rules.has_chance else game.initial
    search = Expectimax(game, NoNumbers(), plies)
    with pytest.raises(BadInputError, match="what an evaluator predicts of a position are not all numbers"):
        search.best_move(position.state)
    with pytest.raises(BadInputError, match="what an evaluator predicts of a position are not all numbers"):
        search.candidates(position)


def test_the_policy_plays_the_move_that_looks_best() -> None:
    game = make_game("backgammon")
    policy = LookaheadPolicy(game, Pips())
    for position in random_positions(game, 40, seed=2):
        _, after = turn_of(policy, position)
        best = best_reply(position, Pips())
        assert judged(position.seat, after, Pips()) == pytest.approx(judged(position.seat, best, Pips()))


@pytest.mark.parametrize("plies", [1, 2])
def test_the_policy_answers_for_any_position_by_itself(plies: int) -> None:
    game = make_game("backgammon")
    contests = [LookaheadPolicy(game, Pips(), plies) for _ in range(2)]
    for policy in contests:
        policy.begin(game, (0,), np.random.default_rng(1))
    positions = random_positions(game, 30, seed=4)
    first = [contests[0].choose(position) for position in positions]
    second = [contests[1].choose(position) for position in reversed(positions)]
    assert first == second[::-1]
    for position, action in zip(positions, first, strict=True):
        after = position.play(action)
        if after.legal_actions and after.seat == position.seat:
            assert contests[0].choose(after) in after.legal_actions


def test_the_policy_beats_one_that_plays_at_random() -> None:
    game = make_game("backgammon")
    assert tournament(game, LookaheadPolicy(game, Pips()), "random", 20, 5).score.points > 10


def test_contests_with_a_cube_are_played_to_the_end() -> None:
    game = make_game("hypergammon", cube=True, beavers=True, jacoby=True)
    policy = LookaheadPolicy(game, Pips())
    records = [play_contest(game, (policy, policy), (6, contest)) for contest in range(30)]
    played = {game.action_text(action) for record in records for action in record.actions}
    assert {"roll", "double", "take", "drop"} <= played
    assert all(record.outcome for record in records)


def test_the_state_that_is_asked_about_is_left_as_it_is(game: Game) -> None:
    state = contact().state.copy()
    Expectimax(game, Pips()).look_ahead(state[np.newaxis], 2)
    assert (state == contact().state).all()
    assert state[STAGE] == ROLLING
