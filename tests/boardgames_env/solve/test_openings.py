"""Connect four solved by a search, and its table of openings."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from boardgames_env import BadInputError, Game, Position, make_game
from boardgames_env.solve import SearchedGame, demand_solvable, is_searched, openings, solve, solve_openings
from boardgames_env.solve.bitboards import score_within, search_arrays_of, shape_of
from boardgames_env.solve.position_table import solve_reachable
from tests.positions import random_positions
from tests.variants import fast_for

slow = partial(pytest.param, marks=pytest.mark.slow)

SMALL = "connect_four(columns=4,rows=4)"
MIDDLE = "connect_four(columns=5,rows=5)"
WIDE = "connect_four(columns=10,rows=4)"


def after(spec: str, columns: str) -> Position:
    """The position after discs in some columns, from 1, as P. Pons writes them."""
    position = make_game(spec).initial
    for column in columns:
        position = position.play(int(column) - 1)
    return position


def score(position: Position, entries: int = 1 << 16) -> int:
    """The score of a position by the search alone."""
    solution = SearchedGame(position.game)
    own, mask = solution._boards(position)
    work = search_arrays_of(solution.shape, np.zeros(entries, dtype=np.int64))
    found: int = score_within.run(solution.shape, work, own, mask, -solution.cells, solution.cells)
    return found


def fewer_openings(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let positions of 5 × 5 cells with more than 19 empty ones be openings."""
    monkeypatch.setattr(openings, "MOST_EMPTY", 19)


@pytest.mark.parametrize(
    ("spec", "step"),
    fast_for(
        [(SMALL, 97)],
        [
            (SMALL, 97),
            (SMALL, 1),
            ("connect_four(columns=5,rows=4)", 3),
            ("connect_four(columns=4,rows=5)", 1),
            ("connect_four(columns=3,rows=6)", 1),
            ("connect_four(columns=8,rows=2)", 1),
        ],
    ),
)
def test_the_search_agrees_with_the_table(spec: str, step: int) -> None:
    """Every position has the same value and distance in both; ``step`` leaves some out."""
    game = make_game(spec)
    table, search = solve_reachable(game), SearchedGame(game)
    for row in range(0, len(table), step):
        position = Position.unchecked(game, table.states[row].copy())
        assert search.value(position) == table.values[row], position.text
        assert search.distance(position) == table.distance(position), position.text


@pytest.mark.parametrize(
    ("columns", "expected"), [("4455", 18), ("44455554221", -15), ("2252576253462244111563365343671351441", -1)]
)
def test_published_scores(columns: str, expected: int) -> None:
    """Two examples and the first position of a test set of P. Pons's."""
    assert score(after("connect_four", columns)) == expected


@pytest.mark.parametrize(
    ("columns", "rows", "value"), [(6, 4, -1), (4, 6, 0), (5, 5, 0), *(slow(7, 4, 0), slow(6, 5, 0), slow(5, 6, 0))]
)
def test_values_of_other_boards(columns: int, rows: int, value: int) -> None:
    game = make_game("connect_four", columns=columns, rows=rows)
    assert is_searched(game)
    assert solve(game).value(game.initial) == game.value == value


def test_images_and_exchanged_colours_have_the_same_score() -> None:
    game = make_game("connect_four")
    for position in random_positions(game, 300, 3):
        if not position.is_over and position.state[43] >= 20:
            assert len({score(image) for image in position.images()}) == 1


def test_a_table_of_one_place_changes_nothing() -> None:
    """What the transposition table forgets, or keeps of other positions, changes no score."""
    game, kept = make_game(MIDDLE), SearchedGame(make_game(MIDDLE))
    for position in random_positions(game, 200, 5):
        if not position.is_over and position.state[26] >= 12:
            assert score(position, 2) == score(position) == kept._score(position, 25)


@pytest.mark.parametrize(
    ("spec", "searched"),
    [
        ("connect_four", True),
        (MIDDLE, True),
        (WIDE, True),
        (SMALL, False),  # (a table holds all of it)
        ("connect_four(in_a_row=5)", False),
        ("connect_four(columns=8,rows=8)", False),
        ("qubic", False),
    ],
)
def test_which_games_are_searched(spec: str, searched: bool) -> None:
    game = make_game(spec)
    assert is_searched(game) == searched
    assert isinstance(solve(game), SearchedGame) if searched else True


@pytest.mark.parametrize("jobs", [1, 2])
def test_openings_are_those_of_the_search(jobs: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = SearchedGame(make_game(MIDDLE), tmp_path)
    fewer_openings(monkeypatch)
    solution = SearchedGame(make_game(MIDDLE), tmp_path)
    assert (solution.plies, solution.is_complete) == (5, False)
    solve_openings(solution, jobs)
    assert solution.is_complete
    assert len(solution.codes) == sum(up_to_symmetry(solution.game, 5))
    again = SearchedGame(make_game(MIDDLE), tmp_path)
    assert again.is_complete
    for position in random_positions(solution.game, 300, 7):
        assert again.knows(position)
        assert again.value(position) == whole.value(position)
        assert again.distance(position) == whole.distance(position)


def test_discs_that_cannot_have_fallen_in_turn_are_searched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An editor may place a red disc on a yellow one and nothing else: no contest begins so, and no table has it."""
    game = make_game(MIDDLE)
    state = after(MIDDLE, "33").state.copy()
    cells = np.flatnonzero(state[1:26]) + 1
    state[cells] = state[cells[::-1]]
    impossible = game.position(state)
    whole = SearchedGame(game, tmp_path)
    fewer_openings(monkeypatch)
    solution = SearchedGame(game, tmp_path)
    for _ in range(2):  # before the table is computed, and after
        assert not solution.knows(impossible)
        assert solution.value(impossible) == whole.value(impossible)
        assert solution.distance(impossible) == whole.distance(impossible)
        solve_openings(solution)


def up_to_symmetry(game: Game, plies: int) -> list[int]:
    """Count the positions after 0, 1, 2, ... plies in which the contest goes on, each with its images once."""
    counts, reached = [], {game.initial.canonical: game.initial}
    for _ in range(plies + 1):
        counts.append(len(reached))
        children = (each.after(action) for each in reached.values() for action in each.legal_actions)
        reached = {each.canonical: each for each in children if not each.is_over}
    return counts


def test_a_run_that_was_stopped_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fewer_openings(monkeypatch)
    game = make_game(MIDDLE)

    def stop_after(most: int) -> Callable[[int, int], None]:
        def stop(done: int, total: int) -> None:
            if done > most:
                raise KeyboardInterrupt

        return stop

    with pytest.raises(KeyboardInterrupt):
        solve_openings(SearchedGame(game, tmp_path), 1, stop_after(40))
    begun = SearchedGame(game, tmp_path)
    known = int((begun.scores != openings._UNKNOWN).sum())
    assert 40 < known < len(begun.scores)
    assert not begun.is_complete
    told: list[int] = []
    solve_openings(begun, 1, lambda done, total: told.append(done))
    assert told[0] > known
    other = SearchedGame(game, tmp_path / "other")
    solve_openings(other, 2)
    assert begun.path.read_bytes() == other.path.read_bytes()


def test_what_is_not_known_yet_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BOARDGAMES_CACHE", str(tmp_path))
    game = make_game(WIDE)
    solution = solve(game)
    assert not solution.knows(game.initial)
    message = "with fewer than 3 discs are not known before .* boardgames solve 'connect_four\\(columns=10, rows=4\\)'"
    for ask in (solution.value, solution.distance):
        with pytest.raises(BadInputError, match=message):
            ask(game.initial)
    demand_solvable(game)
    with pytest.raises(BadInputError, match=message):
        SearchedGame(game).demand_openings()
    with pytest.raises(BadInputError, match="not a position of connect_four"):
        solution.value(make_game(MIDDLE).initial)
    late = after(WIDE, "555")
    assert solution.knows(late)


def test_the_openings_of_the_usual_board_are_in_the_package(tmp_path: Path) -> None:
    """They are those of P. Pons's solver (2015): by the first column, and by the second after one in the middle."""
    game = make_game("connect_four")
    solution = SearchedGame(game)
    assert solution.is_complete
    assert len(solution.codes) == sum(up_to_symmetry(game, solution.plies))
    scores = [-solution._score(game.initial.after(column), 42) for column in game.initial.legal_actions]
    assert scores == [-2, -1, 0, 1, 0, -1, -2]
    middle = game.initial.after(3)
    assert [-solution._score(middle.after(column), 42) for column in range(7)] == [-4, -2, -2, -1, -2, -2, -4]
    assert not SearchedGame(game, tmp_path).is_complete


@pytest.mark.slow
def test_openings_in_the_package_are_those_of_a_search() -> None:
    solution = SearchedGame(make_game("connect_four"))
    table = np.zeros(1 << 20, dtype=np.int64)
    late = [each for each in random_positions(solution.game, 2000, 13) if solution._discs(each) == solution.plies]
    assert len(late) > 4
    for position in late[:4]:
        work = search_arrays_of(solution.shape, table)
        found = score_within.run(solution.shape, work, *solution._boards(position), -42, 42)
        assert found == solution._score(position, 42)


def test_a_damaged_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fewer_openings(monkeypatch)
    monkeypatch.setenv("BOARDGAMES_CACHE", str(tmp_path))
    game = make_game(MIDDLE)
    solution = SearchedGame(game)
    solution.path.parent.mkdir()
    solution.path.write_bytes(b"nothing")
    with pytest.raises(BadInputError, match="damaged"):
        SearchedGame(game, solution.path.parent)
    with pytest.warns(RuntimeWarning, match="it is computed again"):
        assert not SearchedGame(game).is_complete
    solution.scores = solution.scores[1:]
    solution.keep()
    with pytest.raises(BadInputError, match=r"is damaged, .*it has [\d,]+ positions"):
        SearchedGame(game, solution.path.parent)


def test_shapes() -> None:
    shape = shape_of(7, 6)
    assert (shape.board.bit_count(), shape.bottom.bit_count(), shape.lower.bit_count()) == (42, 7, 21)
    assert shape.lower & shape.bottom == shape.bottom
    assert shape_of(3, 5).lower & shape_of(3, 5).bottom == 0
