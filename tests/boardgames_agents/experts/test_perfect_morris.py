"""The perfect player at the solved morris games: never beaten, finishes what is won, heeds the ply limit."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

import numpy as np
import pytest

from boardgames_agents.arena.contest import play_contest
from boardgames_agents.arena.tournament import tournament
from boardgames_agents.experts.perfect import PerfectPlayer
from boardgames_agents.policy import Policy
from boardgames_agents.registry import make_agent
from boardgames_env import Game, Limits, Position
from boardgames_env.solve import Solution, solve
from tests.positions import random_contest
from tests.variants import fast_for, sampled

GAMES = ["five_mens_morris", "six_mens_morris"]
every_game = pytest.mark.parametrize("game", fast_for(GAMES[:1], GAMES), indirect=True)
OPPONENTS = (
    *("random", "fallible(e=0.1)", "fallible(e=0.5, style='wise')", "reasonable(x=0.1)", "worst"),
    *("perfect", "perfect(style='wise')", "perfect(style='values')"),
    *("alpha_beta(nodes=300)", "mcts(playouts=10)", "menace", "td"),
)


@every_game
@pytest.mark.parametrize("opponent", sampled(OPPONENTS, one_in=3))
def test_the_wise_style_is_unbeaten(game: Game, opponent: str) -> None:
    assert tournament(game, "perfect(style='wise')", opponent, 10, seed=5).score.losses == 0


@pytest.mark.slow
@every_game
@pytest.mark.parametrize("opponent", OPPONENTS)
def test_is_unbeaten_in_hundreds_of_contests(game: Game, opponent: str) -> None:
    assert tournament(game, "perfect", opponent, 500, seed=5).score.losses == 0


def won_positions(game: Game, solution: Solution) -> Iterator[Position]:
    """Positions of contests between poor players that are won for the seat to move, and not with the next action."""
    rng = np.random.default_rng(11)
    while True:
        for position in random_contest(game, rng):
            if solution.value(position) == 1 and (solution.distance(position) or 0) > 3 and rng.random() < 0.2:
                yield position
                break


def play_on(position: Position, players: tuple[Policy, Policy], plies: int) -> Position:
    """The position after a number of plies, or at the end of the contest."""
    for seat, policy in enumerate(players):
        policy.begin(position.game, (seat,), np.random.default_rng(seat))
    while plies > 0 and not position.is_over:
        action = players[position.seat].choose(position)
        for policy in players:
            policy.saw(position, action)
        reached = position.play(action)
        plies -= reached.seat != position.seat or reached.is_over
        position = reached
    return position


@every_game
@pytest.mark.parametrize("opponent", ["perfect", "worst", "random", "alpha_beta(nodes=300)"])
def test_a_won_position_is_finished_in_time(game: Game, opponent: str) -> None:
    solution = solve(game)
    unlimited = replace(game, limits=Limits())
    perfect, other = make_agent("perfect", unlimited), make_agent(opponent, unlimited)
    for start in islice(won_positions(unlimited, solution), 40):
        distance = solution.distance(start)
        assert distance is not None
        end = play_on(start, (perfect, other) if start.seat == 0 else (other, perfect), distance)
        assert end.points_for(start.seat) == 1


@every_game
def test_a_win_that_comes_too_late_is_a_draw(game: Game) -> None:
    """With as many plies left as a win takes it is played for; with fewer, winner and loser treat it as drawn."""
    solution, perfect = solve(game), PerfectPlayer(game)
    both = 0
    for position in islice(won_positions(game, solution), 40):
        distance = solution.distance(position)
        assert distance is not None
        soonest, _ = perfect.distribution(position)
        assert perfect.distribution(position, left=distance)[0] == soonest
        late, _ = perfect.distribution(position, left=distance - 1)
        # nothing is won any more: whatever does not lose in time is as good
        for reached in map(position.after, late):
            lost = solution.value_for(reached, position.seat) == -1
            assert not lost or (solution.distance(reached) or 0) > distance - 2
        assert set(soonest) <= set(late)
        both += len(late) > len(soonest)
    assert both > 20


@every_game
def test_contests_of_perfect_players_are_draws_within_the_limit(game: Game) -> None:
    perfect, other = make_agent("perfect", game), make_agent("perfect(style='wise')", game)
    records = [play_contest(game, (perfect, other), [contest]) for contest in range(20)]
    assert {record.outcome for record in records} == {0}
    assert max(record.plies for record in records) <= 80
