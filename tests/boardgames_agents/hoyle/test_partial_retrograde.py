"""Partial retrograde analysis against the games' solutions."""

import pytest

from boardgames_agents.hoyle.items.states import analyse, value_after
from boardgames_env import Game, make_game
from boardgames_env.solve import solve
from tests.boardgames_agents.hoyle.situation import view_after, views_of, walk
from tests.variants import EACH_SMALL_GAME, over, sampled

EVERYTHING = 1_000_000


@over(sampled(EACH_SMALL_GAME, one_in=2))
def test_what_a_whole_search_finds_is_the_solution(game: Game) -> None:
    views, solution = views_of(game), solve(game)
    roots = [position for position in walk(game, 4, 25) if solution.value(position) or game.positions < 6_000]
    for position in roots[:: max(1, len(roots) // 2)][:2]:
        found, values = analyse(views.view_of(position), EVERYTHING, {}.get)
        assert set(values) == set(found)
        for key, view in found.items():
            assert values[key] == (solution.value(view.position), solution.distance(view.position) or 0)


@pytest.mark.parametrize(("budget", "game"), sampled([1, 40, 300], EACH_SMALL_GAME), indirect=["game"])
def test_what_a_small_search_proves_is_right_and_the_budget_is_kept(budget: int, game: Game) -> None:
    views, solution = views_of(game), solve(game)
    settled = 0
    for position in list(walk(game, 3, 25))[:: max(1, budget // 30)]:
        found, values = analyse(views.view_of(position), budget, {}.get)
        assert 1 <= len(found) <= budget
        for key, (value, plies) in values.items():
            settled += 1
            assert value == solution.value(found[key].position)
            assert plies >= (solution.distance(found[key].position) or 0)
            assert value or set(values) == set(found)
    assert settled or budget < 40


def test_positions_recur_without_harm() -> None:
    """A game without an end in sight: nobody can force anything from the start, and all of it was looked at."""
    game = make_game("mu_torere")
    root = view_after(game, ())
    _, values = analyse(root, EVERYTHING, {}.get)
    assert values[root.key] == (0, 0)
    assert any(value for value, _ in values.values())


def test_the_search_stops_at_what_is_known() -> None:
    game = make_game("tic_tac_toe")
    start, solution = view_after(game, ()), solve(game)
    known = {choice.key: (solution.value(choice.then.position), 5) for choice in start.choices}
    found, values = analyse(start, EVERYTHING, known.get)
    assert list(found) == [start.key]
    assert values[start.key] == (0, 0)
    lost = {**known, start.choices[1].key: (-1, 4)}
    assert analyse(start, EVERYTHING, lost.get)[1][start.key] == (1, 5)


def test_a_move_is_worth_the_opposite_of_the_position_it_leads_to() -> None:
    game = make_game("tic_tac_toe")
    choice = view_after(game, ()).choices[0]
    assert value_after(choice, {}.get) is None
    assert value_after(choice, {choice.key: (-1, 4)}.get) == (1, 5)
    winning = view_after(game, (0, 3, 1, 4)).choice_of((2,))
    assert value_after(winning, {}.get) == (1, 1)
