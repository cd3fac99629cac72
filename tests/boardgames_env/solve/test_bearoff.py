"""The bear-off tables against known means, and against play from one roll to the next."""

from pathlib import Path

import numpy as np
import pytest
from numba import types

from boardgames_env import Position, make_game
from boardgames_env.files import cache_root
from boardgames_env.games.backgammon.rules.backgammon_board import BARS, TRAYS
from boardgames_env.kernels import READ_ONLY_STATE, kernel
from boardgames_env.kernels.signatures import FLOAT32_2D_READONLY, FLOAT64_1D
from boardgames_env.solve.bearoff import (
    MEN,
    MEN_OF_EACH,
    MOST_ROLLS,
    POSITIONS,
    Bearoff,
    bearoff,
    bearoff_path,
    home_number,
    race_chances,
)
from tests.boardgames_env.games.backgammon_contests import state_of

GAME = "backgammon"
NUMBER = kernel(types.int64(READ_ONLY_STATE, types.int64, types.int64))(home_number.py_func)
CHANCES = kernel(types.boolean(READ_ONLY_STATE, *3 * [FLOAT32_2D_READONLY], FLOAT64_1D))(race_chances.py_func)


@pytest.fixture(scope="module")
def tables() -> Bearoff:
    return bearoff()


def mean_rolls(tables: Bearoff, state: np.ndarray, seat: int) -> float:
    return float(tables.rolls[number_of(state, seat)] @ np.arange(MOST_ROLLS + 1.0))


def number_of(state: np.ndarray, seat: int) -> int:
    return NUMBER.run(state, seat, MEN)


def chances(tables: Bearoff, state: np.ndarray) -> tuple[float, ...]:
    """The probabilities that the seat to move wins, wins a gammon, and loses a gammon."""
    found = np.zeros(3)
    assert CHANCES.run(state, tables.rolls, tables.firsts, tables.wins, found)
    return tuple(found.tolist())


def race(own: tuple[int, ...], other: tuple[int, ...] = (1,), seat: int = 0) -> np.ndarray:
    """A state with these numbers of men on the points 1, 2, … of the seat to move, and of the other."""
    sides = [{**dict(enumerate(men, start=1)), 0: MEN - sum(men)} for men in (own, other)]
    return state_of(make_game(GAME), sides[0], sides[1], seat)


def random_race(rng: np.random.Generator, most: int) -> np.ndarray:
    def men() -> tuple[int, ...]:
        return tuple(np.bincount(rng.integers(0, 6, rng.integers(1, most + 1)), minlength=6).tolist())

    return race(men(), men(), int(rng.integers(2)))


@pytest.mark.parametrize(
    ("men", "mean"),
    [
        ((0, 0, 0, 0, 0, 1), 1.25),
        ((0, 2), 1.277778),
        ((0, 0, 2), 1.527778),
        ((0, 0, 0, 2), 1.709877),
        ((0, 0, 0, 0, 2), 1.914523),
        ((0, 0, 0, 0, 0, 2), 2.109611),
        ((0, 0, 0, 0, 1, 1), 1.960048),
        ((0, 0, 1, 0, 1), 1.623457),
        ((3,), 1.833333),
        ((3, 1), 1.861111),
        ((0, 0, 0, 1, 0, 1), 1.849709),
        ((1, 1, 1, 1, 1, 1), 3.463648),
        ((2, 2, 2, 2, 2, 0), 5.011549),
        ((10,), 4.408179),
        ((0, 0, 0, 0, 0, 10), 8.430397),
        ((15,), 6.979592),
        ((0, 0, 0, 0, 0, 15), 12.266187),
        ((2, 2, 2, 3, 3, 3), 8.138923),
        ((3, 3, 3, 2, 2, 2), 7.555030),
        ((0, 0, 2, 3, 5, 5), 9.825144),
        ((0, 0, 0, 5, 5, 5), 10.073759),
        ((7, 0, 0, 0, 0, 8), 9.489053),
    ],
)
def test_means(tables: Bearoff, men: tuple[int, ...], mean: float) -> None:
    for seat in (0, 1):
        assert mean_rolls(tables, race(men, seat=seat), seat) == pytest.approx(mean, abs=1e-6)
        assert mean_rolls(tables, race((4,), men, seat=1 - seat), seat) == pytest.approx(mean, abs=1e-6)


def test_every_row_is_a_distribution(tables: Bearoff) -> None:
    assert tables.rolls.shape[0] == POSITIONS == 54_264
    assert tables.wins.shape == (924, 924)
    for table in (tables.rolls, tables.firsts):
        assert (table >= 0).all()
        assert np.allclose(table.sum(axis=1), 1, atol=1e-6)
    means = tables.rolls.astype(np.float64) @ np.arange(MOST_ROLLS + 1)
    assert means.max() == means[-1] == pytest.approx(12.266187, abs=1e-6)


def test_positions_are_numbered_without_gaps() -> None:
    rng = np.random.default_rng(1)
    seen = {}
    for _ in range(3000):
        state = random_race(rng, MEN)
        men = tuple(np.abs(state[1:7] if state[0] == 0 else state[24:18:-1]).tolist())
        assert seen.setdefault(number_of(state, state[0]), men) == men
    assert len(set(seen.values())) == len(seen) > 2000
    assert max(seen) < POSITIONS
    assert number_of(race(()), 0) == 0
    assert number_of(race((0, 0, 0, 0, 0, 15)), 0) == POSITIONS - 1


def expected(tables: Bearoff, state: np.ndarray, value: object) -> float:
    """The value of a position before its roll, from those of the positions that its best moves lead to."""
    position, seat, total = Position.unchecked(make_game(GAME), state), int(state[0]), 0.0
    for event in position.events():
        reached = {move.afterstate for move in event.position.moves()}
        total += event.probability * max(value(each, seat) for each in reached)  # type: ignore[operator]
    return total


@pytest.mark.parametrize("races", [5, pytest.param(40, marks=pytest.mark.slow)])
def test_the_table_of_both_seats_is_that_of_best_play(tables: Bearoff, races: int) -> None:
    def chance(reached: Position, seat: int) -> float:
        return 1.0 if reached.is_over else 1 - chances(tables, reached.state)[0]

    rng = np.random.default_rng(2)
    for _ in range(races):
        state = random_race(rng, MEN_OF_EACH)
        assert chances(tables, state)[0] == pytest.approx(expected(tables, state, chance), abs=1e-6)


def test_the_mean_is_the_least(tables: Bearoff) -> None:
    def gain(reached: Position, seat: int) -> float:
        return -mean_rolls(tables, reached.state, seat)

    rng = np.random.default_rng(3)
    for _ in range(25):
        state = random_race(rng, MEN)
        mean = mean_rolls(tables, state, int(state[0]))
        assert mean == pytest.approx(1 - expected(tables, state, gain), abs=1e-6)


def test_one_sided_chances_are_close_to_exact_ones(tables: Bearoff) -> None:
    rng = np.random.default_rng(4)
    apart = []
    for _ in range(300):
        state = random_race(rng, MEN_OF_EACH)
        own, other = (tables.rolls[number_of(state, seat)] for seat in (state[0], 1 - state[0]))
        alone = float((own * np.concatenate([[1], 1 - np.cumsum(other)[:-1]])).sum())
        apart.append(chances(tables, state)[0] - alone)
    assert np.abs(apart).max() < 0.01
    assert np.abs(apart).mean() > 0


def test_gammons(tables: Bearoff) -> None:
    """Two men on the 1 point are off at once; the other bears off its first man only if it rolls before that."""
    late = race((2,), (5, 5, 5))
    assert chances(tables, late) == pytest.approx((1, 1, 0))
    soon = race((0, 0, 0, 0, 0, 15), (1,))
    win, win_gammon, lose_gammon = chances(tables, soon)
    assert (win, win_gammon) == pytest.approx((0, 0))
    assert lose_gammon == pytest.approx(19 / 36, abs=1e-6)
    assert chances(tables, race((15,), (15,)))[1] == pytest.approx(0, abs=1e-6)
    assert chances(tables, race((5,), (14,)))[1] == 0


@pytest.mark.parametrize("far", [7, 24, BARS])
def test_men_that_are_not_home_are_refused(tables: Bearoff, far: int) -> None:
    state = race((5, 5, 4), (0, 15))
    state[far] += 1
    state[TRAYS] = 0
    assert number_of(state, 0) == -1
    assert not CHANCES.run(state, tables.rolls, tables.firsts, tables.wins, np.zeros(3))
    assert number_of(state, 1) >= 0


def test_tables_are_kept_and_mapped(tables: Bearoff) -> None:
    assert bearoff_path().exists()
    assert not tables.rolls.flags.writeable


@pytest.mark.slow
def test_damaged_tables_are_computed_again(tmp_path: Path, tables: Bearoff, monkeypatch: pytest.MonkeyPatch) -> None:
    content = bearoff_path().read_bytes()
    (tmp_path / "kernels").symlink_to(cache_root() / "kernels")
    monkeypatch.setenv("BOARDGAMES_CACHE", str(tmp_path))
    path = bearoff_path()
    path.parent.mkdir()
    path.write_bytes(content[:-9])
    with pytest.warns(RuntimeWarning, match=rf"{path.name}.*computing the bear-off table again"):
        again = bearoff.__wrapped__()
    assert (again.wins == tables.wins).all()
    assert path.read_bytes() == content
