"""Tables on disk, and what happens to those that are not whole."""

from pathlib import Path

import numpy as np
import pytest

from boardgames_agents.experts.perfect import can_be_perfect
from boardgames_env import BadInputError, Game, Position, make_game
from boardgames_env.solve import load_table, save_table, solve_reachable, table_path
from tests.variants import SMALL_GAMES, over, sampled


@over(sampled(SMALL_GAMES, one_in=9))
def test_agrees_with_value_iteration(game: Game) -> None:
    """Values for the seat to move by plain value iteration: slow, and nothing like the solver."""
    table = solve_reachable(game)
    positions = {position.key: position for position in map(game.position, table.states)}
    children = {key: [p.after(a) for a in p.legal_actions] for key, p in positions.items()}
    values = {key: p.points_for(p.seat) or 0 for key, p in positions.items()}
    changed = True
    while changed:
        changed = False
        for key, position in positions.items():
            if position.is_over or values[key]:
                continue
            reached = [values[c.key] if c.seat == position.seat else -values[c.key] for c in children[key]]
            value = 1 if 1 in reached else -1 if all(each == -1 for each in reached) else 0
            if value:
                values[key], changed = value, True
    assert [values[state.tobytes()] for state in table.states] == table.values.tolist()


@over(sampled(SMALL_GAMES, one_in=3))
def test_distances_are_best_plays(game: Game) -> None:
    table = solve_reachable(game)
    for row in range(0, len(table), 3):
        position = game.position(table.states[row])
        value, distance = table.value(position), table.distance(position)
        if position.is_over:
            assert distance == (None if position.outcome == 0 else 0)
            continue
        reached = [position.after(action) for action in position.legal_actions]
        costs = [
            (table.value_for(each, position.seat), (table.distance(each) or 0) + (each.seat != position.seat))
            for each in reached
        ]
        if value == 1:
            assert distance == min(cost for worth, cost in costs if worth == 1)
        elif value == -1:
            assert {worth for worth, _ in costs} == {-1}
            assert distance == max(cost for _, cost in costs)
        else:
            assert distance is None
            assert max(worth for worth, _ in costs) == 0


def test_a_table_is_found_again_and_mapped(tmp_path: Path) -> None:
    game = make_game("tic_tac_toe")
    solved = solve_reachable(game, tmp_path)
    path = table_path(game, tmp_path)
    before = path.stat().st_mtime_ns
    again = solve_reachable(game, tmp_path)
    assert path.stat().st_mtime_ns == before
    assert isinstance(again.states.base.base, np.memmap) or "memmap" in repr(type(again.states.base))
    assert not again.states.flags.writeable
    assert (again.values == solved.values).all()
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_a_damaged_table_is_rebuilt(tmp_path: Path) -> None:
    game = make_game("tic_tac_toe")
    solved = solve_reachable(game, tmp_path)
    path = table_path(game, tmp_path)
    whole = path.read_bytes()
    path.unlink()  # the old file stays mapped
    path.write_bytes(whole[:-1])
    with pytest.warns(RuntimeWarning, match=rf"{path.name}.*computing the table of tic_tac_toe again"):
        again = solve_reachable(game, tmp_path)
    assert (again.values == solved.values).all()
    assert path.read_bytes() == whole


def test_a_table_of_other_options_is_refused(tmp_path: Path) -> None:
    plain, traditional = make_game("achi"), make_game("achi", adjacent=True)
    assert table_path(plain) != table_path(traditional)
    save_table(solve_reachable(traditional, tmp_path), tmp_path / "table")
    with pytest.raises(BadInputError, match="does not hold a table of achi under these rules"):
        load_table(plain, tmp_path / "table")


def test_without_a_folder_to_write_to_it_still_solves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way", encoding="utf-8")
    game = make_game("tic_tac_toe")
    solve_reachable(game)  # everything is compiled: kernels are kept in the same folder
    with pytest.raises(OSError, match="file"):
        solve_reachable(game, blocked)
    monkeypatch.setenv("BOARDGAMES_CACHE", str(blocked))
    with pytest.warns(RuntimeWarning, match="is not kept"):
        assert solve_reachable(game).value(game.initial) == 0
    assert blocked.read_text(encoding="utf-8") == "in the way"


def test_positions_of_another_game_and_those_that_are_none_are_refused() -> None:
    game = make_game("tic_tac_toe")
    table = solve_reachable(game)
    with pytest.raises(BadInputError, match="is not a position of tic_tac_toe"):
        table.value(make_game("lose_tic_tac_toe").initial)
    with pytest.raises(BadInputError, match=r"the seats have .* on the board, not"):
        table.value(Position.unchecked(game, np.array([0, *[1] * 9], dtype=np.int8)))


@pytest.mark.parametrize("size", [4, 6])
def test_a_game_that_is_won_by_more_points_is_refused_at_once(size: int) -> None:
    game = make_game("othello", size=size, points="discs")
    with pytest.raises(BadInputError, match="is won by more points than one; only games that are won by one"):
        solve_reachable(game)
    assert not can_be_perfect(game)
    assert can_be_perfect(make_game("othello", size=size)) == (size == 4)
