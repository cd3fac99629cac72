"""The minimax of the paper: equal to its rules written down plainly, and what follows from them."""

import numpy as np
import pytest

from boardgames_agents.arena.contest import play_contest
from boardgames_agents.fives import FivesPlayer
from boardgames_agents.fives.coefficients import INITIAL, INITIAL_BROKEN, Coefficients
from boardgames_agents.fives.exam import contest
from boardgames_agents.fives.features import counts
from boardgames_agents.fives.minimax import FivesSearch
from boardgames_env import Game, Position, make_game
from tests.boardgames_agents.fives.plain import (
    grid_game,
    interest_zone,
    plain_children,
    plain_minimax,
    random_positions,
)
from tests.positions import men_at, play
from tests.variants import sampled

GAME = "fives"
ODD = Coefficients((61.3, 47.1, 31.7, 17.9, 7.3, 43.9, 13.1))
LIMITS = [(1, 1, 20), (2, 4, 15), (3, 3, 10), (4, 2, 6), (2, 42, 4), (5, 2, 4)]
"""Levels, widths, and how many positions."""


@pytest.mark.parametrize(("coefficients", "limits"), sampled([INITIAL, INITIAL_BROKEN, ODD], LIMITS, one_in=3))
def test_is_plain_minimax(coefficients: Coefficients, limits: tuple[int, int, int], game: Game) -> None:
    """The same value, and of moves that are valued alike the same one."""
    level, width, count = limits
    small = grid_game(7, 6)
    for each in (small, game) if level == width == 3 else (small,):
        search = FivesSearch(each, coefficients, level, width)
        for position in random_positions(each, count if each is small else 3, seed=level + width):
            value, action = plain_minimax(position, coefficients, level, width)
            assert (search.score(position.state), search.choose(position.state)) == (value, action)


@pytest.mark.slow
@pytest.mark.parametrize("near", [False, True])
def test_lists_the_best_children_of_the_interest_zone(near: bool, game: Game) -> None:
    for width in (1, 10, 100):
        search = FivesSearch(game, ODD, width=width)
        for position in random_positions(game, 6, seed=width, near=near):
            plain = [(cell, worth) for worth, cell in plain_children(position, ODD, width)]
            assert list(search.children(position.state).items()) == plain


def test_the_interest_zone_is_clipped_and_empty_cells_only(game: Game) -> None:
    children = FivesSearch(game, width=100).children
    for marked, zone in ((0, [1, 10, 11]), (99, [88, 89, 98]), (44, [33, 34, 35, 43, 45, 53, 54, 55])):
        assert list(children(play(game.initial, marked).state)) == zone
    assert len(children(play(game.initial, 11, 38).state)) == 5 * 10 - 2
    for position in (game.initial, *random_positions(game, 20, seed=2)):
        assert sorted(children(position.state)) == interest_zone(position)


def fives_at_once(position: Position) -> list[int]:
    """The actions that make five in a row."""
    return [action for action in position.legal_actions if position.after(action).is_over]


def with_a_four(count: int, of_mover: bool) -> list[Position]:
    """Positions of scattered marks in which seat 0, to move, or the other seat has four of five in a row."""
    rng = np.random.default_rng(9)
    lines, found = make_game(GAME).board.winning_lines, []
    for which in rng.choice(len(lines), size=count):
        line = rng.permutation(lines[which])
        scattered = [cell for cell in rng.permutation(100) if cell not in line][:8]
        men = [*line[:4], *scattered[5:]], scattered[:5]
        found.append(men_at(GAME, *men[:: 1 if of_mover else -1], rest=(12, 0)))
    return found


@pytest.mark.parametrize(("level", "width"), [(1, 1), (3, 3), (5, 10)])
def test_makes_five_when_it_can(level: int, width: int, game: Game) -> None:
    search = FivesSearch(game, INITIAL, level, width)
    for position in with_a_four(40, of_mover=True):
        fives = fives_at_once(position)
        assert fives
        assert search.choose(position.state) == fives[0]
        assert search.score(position.state) == 999999


@pytest.mark.parametrize(("level", "width"), [(2, 10), (3, 3), (5, 10), (2, 100)])
def test_stops_a_five_if_it_looks_at_the_cell(level: int, width: int, game: Game) -> None:
    """The rule is to look at what is evaluated best, not at what is forced: with a small width it may not see it."""
    search = FivesSearch(game, INITIAL, level, width)
    stopped = 0
    for position in with_a_four(40, of_mover=False):
        passed = position.state.copy()
        passed[0] = 1
        fives = fives_at_once(Position.unchecked(game, passed))
        children = search.children(position.state)
        if len(fives) == 1 and fives[0] in children:
            assert all(search.score(position.after(each).state, 1) == 999999 for each in children if each != fives[0])
            # (if all is lost, it plays what is evaluated best)
            if search.score(position.state) > -999999:
                assert search.choose(position.state) == fives[0]
                stopped += 1
    assert stopped >= 5


def test_boards_that_no_contest_comes_to_are_evaluated_too(game: Game) -> None:
    """With a five of each, seat 0 is asked first for its own; an empty or a full board is worth nothing."""
    search = FivesSearch(game)
    for seat, score in ((0, 999999), (1, -999999)):
        position = men_at(game, range(5), range(30, 35), seat)
        assert counts(position)[:, 7].tolist() == [1, 1]
        assert search.score(position.state) == score
    state = np.zeros(game.state_size, dtype=np.int8)
    marks = np.array([[1, 1, -1, -1] * 3, [-1, -1, 1, 1] * 3] * 5, dtype=np.int8)[:, :10]
    state[1:101], state[101] = marks.ravel(), 100
    assert search.score(state) == search.score(game.initial.state) == 0


def test_ranks_break_ties(game: Game) -> None:
    search = FivesSearch(game, level=1, width=1)
    assert search.choose(game.initial.state) == 0
    assert search.choose(game.initial.state, np.arange(100, dtype=np.int32)[::-1].copy()) == 99


def test_random_ties_are_the_generators() -> None:
    game = make_game("fives(opening=4)")

    def contests(ties: str, seed: int) -> list[tuple[int, ...]]:
        players = tuple(FivesPlayer(game, ties=ties) for _ in range(2))  # type: ignore[arg-type]
        return [play_contest(game, players, [seed, k]).actions for k in range(4)]  # type: ignore[arg-type]

    assert len(set(contests("lowest", 1) + contests("lowest", 2))) == 1
    assert contests("random", 1) == contests("random", 1)
    assert len(set(contests("random", 1))) > 1


def kernel_contest(
    first: FivesSearch, second: FivesSearch, position: Position, most: int
) -> tuple[int, tuple[int, ...]]:
    """The points of seat 0 and the actions of a contest played in a kernel."""
    played = np.zeros(most, dtype=np.int32)
    points, plies = contest.run(first.lines, first.solver, second.solver, first.by_number, position.state, played)
    return points, tuple(played[:plies].tolist())


@pytest.mark.parametrize("opening", range(1, 6))
@pytest.mark.parametrize(("levels", "widths"), [((3, 3), (3, 3)), ((4, 2), (2, 6)), ((1, 3), (4, 1))])
def test_a_contest_in_a_kernel_is_that_of_the_arena(
    opening: int, levels: tuple[int, int], widths: tuple[int, int]
) -> None:
    game = make_game(f"fives(opening={opening}, paired_moves=25)")
    one, other = map(FivesPlayer, (game, game), levels, widths, (INITIAL, ODD))
    record = play_contest(game, (one, other), [1])
    assert kernel_contest(one.search, other.search, game.initial, 40) == (record.outcome, record.actions)


def test_a_contest_goes_on_to_the_last_cell_unless_plies_are_used_up(game: Game) -> None:
    small = grid_game(7, 6)
    search = FivesSearch(small, level=2)
    for most in (0, 5, 42, 60):
        points, played = kernel_contest(search, search, small.initial, most)
        position = play(small.initial, *played)
        assert points == (position.outcome or 0)
        assert len(played) == most or position.is_over
    over = play(game.initial, 0, 50, 1, 60, 2, 70, 3, 80, 4)
    assert kernel_contest(FivesSearch(game), FivesSearch(game), over, 9) == (1, ())
