"""The players that know the value of every position, and those made from them."""

from functools import partial
from pathlib import Path

import numpy as np
import pytest

from boardgames_agents.arena.contest import play_contest
from boardgames_agents.arena.exact_outcomes import exact_outcomes, optimum
from boardgames_agents.arena.tournament import tournament
from boardgames_agents.experts.fallible import reasonable_moves
from boardgames_agents.league.entrants import Entrant
from boardgames_agents.people.levels import levels_of
from boardgames_agents.registry import make_agent
from boardgames_env import BadInputError, Game, make_game
from boardgames_env.solve import solve, solve_reachable
from tests.boardgames_agents.arena.test_exact_outcomes import agent
from tests.boardgames_agents.experts.test_perfect_morris import play_on
from tests.positions import random_positions
from tests.variants import SMALL_GAMES, over, sampled, spec_of

GAME = "tic_tac_toe"
slow = partial(pytest.param, marks=pytest.mark.slow)


@pytest.mark.parametrize(
    ("game", "player", "challenger", "powers"),
    [
        slow("tic_tac_toe", "perfect", "fallible(e={})", [15.42, 59.87, 73.80, 87.26]),
        slow("tic_tac_toe", "perfect(style='wise')", "fallible(e={}, style='wise')", [16.96, 64.45, 79.11, 93.60]),
        ("lose_tic_tac_toe", "perfect", "fallible(e={})", [17.74, 60.11, 70.25, 78.93]),
        slow("tic_tac_toe", "perfect", "reasonable(x={})", [5.58, 25.87, None, 46.98]),
        slow("lose_tic_tac_toe", "perfect", "reasonable(x={})", [15.33, 50.96, None, 65.89]),
    ],
    indirect=["game"],
    ids=lambda value: value if isinstance(value, str) else spec_of(value)[:20],
)
def test_exact_power(game: Game, player: str, challenger: str, powers: list[float | None]) -> None:
    for share, power in zip((0.1, 0.5, 0.7, 1.0), powers, strict=True):
        if power is not None:
            chances = exact_outcomes(game, agent(player, game), agent(challenger.format(share), game))
            assert 100 * chances[0] == pytest.approx(power, abs=0.0051)
            assert chances[2] == 0


def test_perfect_players_search_at_connect_four(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They keep the value and play on from any position with enough discs; openings that are not solved are refused."""
    monkeypatch.setenv("BOARDGAMES_CACHE", str(tmp_path))
    game = make_game("connect_four(columns=5,rows=5)")
    value, solution = solve(game).value, solve(game)
    agents = {spec: make_agent(spec, game) for spec in ("perfect", "worst", "fallible(e=0.5)", "reasonable")}
    for position in [each for each in random_positions(game, 120, 11) if not each.is_over][::12]:
        chosen = {spec: policy.distribution(position)[0] for spec, policy in agents.items()}
        best = max(-value(position.after(action)) for action in position.legal_actions)
        assert value(position) == best
        assert all(-value(position.after(action)) == best for action in chosen["perfect"])
        assert chosen["fallible(e=0.5)"] == position.legal_actions
        worst = [position.after(action) for action in chosen["worst"]]
        assert len({(value(each), solution.distance(each)) for each in worst}) == 1
    large = make_game("connect_four(columns=10,rows=4)")
    perfect = make_agent("perfect", large)
    with pytest.raises(BadInputError, match=r"boardgames solve 'connect_four.*' computes it"):
        perfect.distribution(large.initial)
    with pytest.raises(BadInputError, match="with fewer than 3 discs are not known"):
        Entrant("perfect").make(large)
    assert "perfect" not in levels_of(large)
    assert levels_of(game)["perfect"].agent == "perfect"


def test_maximal_power_at_a_game_that_can_cycle_comes_from_a_tournament() -> None:
    found = optimum(make_game("achi"), "perfect", "fallible(e=1.0)", contests=300, seed=3)
    assert found.contests == 300
    assert found.power.low < found.power.value <= found.power.high
    assert found.power.value > 98


@over(sampled(SMALL_GAMES, one_in=7))
def test_perfect_never_does_worse_than_the_value(game: Game) -> None:
    table = solve_reachable(game)
    value = table.value(game.initial)
    perfect = make_agent("perfect", game)
    for opponent in ("random", "worst", "fallible(e=0.3)", "perfect(style='wise')"):
        other = make_agent(opponent, game)
        for contest in range(30):
            assert play_contest(game, (perfect, other), [contest]).outcome >= value
            assert play_contest(game, (other, perfect), [contest]).outcome <= value


@over(sampled(SMALL_GAMES, one_in=3))
def test_a_won_position_is_finished_in_time(game: Game) -> None:
    """Where the game can cycle, against any opponent, in no more plies than the table says."""
    table = solve_reachable(game)
    perfect, worst, random = (make_agent(name, game) for name in ("perfect", "worst", "random"))
    rows = np.flatnonzero(table.values == 1)
    for start in map(game.position, table.states[rows[:: len(rows) // 60 + 1]]):
        for opponent in (perfect, worst, random):
            players = (perfect, opponent) if start.seat == 0 else (opponent, perfect)
            end = play_on(start, players, 9 if table.acyclic else table.distance(start))  # (a board has nine cells)
            assert end.points_for(start.seat) == 1


def test_worst_loses_to_anyone_who_can_win(game: Game) -> None:
    score = tournament(game, "worst", "perfect", 50, seed=1).score
    assert score.wins == 0
    assert score.losses > 45


def test_worst_wins_as_late_as_it_can_where_every_move_wins(game: Game) -> None:
    table, worst = solve_reachable(game), agent("worst", game)
    sooner_or_later = 0
    for state in table.states[table.values == 1]:
        position = game.position(state)
        distances = {a: table.distance(position.play(a)) for a in position.legal_actions}
        if all(table.value_for(position.play(a), position.seat) == 1 for a in distances):
            assert {distances[a] for a in worst.distribution(position)[0]} == {max(distances.values())}
            sooner_or_later += len(set(distances.values())) > 1
    assert sooner_or_later > 100


def test_reasonable_moves_win_or_avoid_a_loss_in_two_moves(game: Game) -> None:
    initial = game.initial
    wins = initial.play(0).play(3).play(1).play(4)  # X has 0 1, O has 3 4: X wins at 2
    assert reasonable_moves(wins) == ((2,), (1.0,))
    parries = initial.play(0).play(4).play(1)  # O must stop X at 2
    assert reasonable_moves(parries) == ((2,), (1.0,))
    hopeless = initial.play(0).play(3).play(4).play(1).play(6)  # X threatens 2 and 8: any move is as good
    assert set(reasonable_moves(hopeless)[0]) == set(hopeless.legal_actions)
    assert len(reasonable_moves(initial)[0]) == 9


def test_wise_opens_half_in_the_centre_and_half_in_a_corner(game: Game) -> None:
    actions, probabilities = agent("perfect(style='wise')", game).distribution(game.initial)
    assert dict(zip(actions, probabilities, strict=True)) == {4: 0.5, 0: 0.125, 2: 0.125, 6: 0.125, 8: 0.125}
