"""GNU Backgammon's own databases of backgammon with few men, which its program `makehyper` makes."""

import shutil
import subprocess
from functools import cache
from itertools import combinations_with_replacement
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from numpy.typing import NDArray

from boardgames_env import make_game
from boardgames_env.games.backgammon.rules.backgammon_board import BAR
from boardgames_env.kernels.signatures import Float64s
from boardgames_env.solve import few_men_with_cube
from boardgames_env.solve.few_men import FewMen, solve_without_cube
from boardgames_env.solve.few_men_tables import is_few_men_known, known_few_men, solve_few_men
from boardgames_env.solve.few_men_with_cube import CENTRED, OTHERS, OWN, solve_with_cube
from boardgames_env.solve.placings import LIKELY, NUM_ROLLS, Placings, placings_of, plays_of, plays_with
from tests.boardgames_env.solve.test_few_men import game_of

MAKEHYPER = shutil.which("makehyper", path="/usr/games:/usr/local/bin:/usr/bin")
HEADER, BYTES = 40, 28
"""A file has a header, and for each position nine numbers of three bytes, and a byte that is not used."""

pytestmark = [
    pytest.mark.skipif(MAKEHYPER is None, reason="GNU Backgammon's program `makehyper` is not installed"),
    pytest.mark.slow,
]


@cache
def made_by_gnubg(men: int) -> Float64s:
    """Return GNU Backgammon's equities, by the placings of the seat that rolls and of the other.

    Returns:
        Shape ``(placings, placings, 5)``: without a cube, with it at the seat that rolls, in the middle, in the middle
        with the Jacoby rule, and at the other seat.
    """
    with TemporaryDirectory() as folder:
        make_database(Path(folder, "made.bd"), men, "-t", "1e-6")
        return read_database(Path(folder, "made.bd"), placings_of(game_of(men)))


def make_database(file: Path, men: int, *options: str) -> None:
    """Have GNU Backgammon's program write a database."""
    command = [str(MAKEHYPER), "-c", str(men), "-n", "-f", file.name, *options]
    subprocess.run(command, cwd=file.parent, stdout=subprocess.DEVNULL, check=True)


def their_rows(placings: Placings) -> NDArray[np.int64]:
    """Return the number that each placing has in a database."""
    listed = [each[::-1] for each in combinations_with_replacement(range(BAR + 1), placings.points.shape[1])]
    number = {placing: row for row, placing in enumerate(listed)}
    return np.array([number[tuple(placing)] for placing in placings.points.tolist()])


def read_database(file: Path, placings: Placings) -> Float64s:
    """Return what `made_by_gnubg` does, from a file."""
    rows = their_rows(placings)
    stored = np.fromfile(file, dtype=np.uint8, offset=HEADER).reshape(len(rows), len(rows), BYTES)[np.ix_(rows, rows)]
    numbers = stored[..., : BYTES - 1].reshape(len(rows), len(rows), 9, 3) @ np.array([1, 2**8, 2**16]) / (2**24 - 1)
    equities = (numbers[..., 4:] - 0.5) * 6
    equities[..., 0] = numbers[..., :3] @ [2, 1, 1] - 1 - numbers[..., 3:5].sum(axis=-1)
    return equities


def write_database(file: Path, table: FewMen) -> None:
    """Write a solution without a cube as a database, the equities with a cube as if there were none."""
    placings, size = placings_of(table.game), len(table.chances)
    rows, stored = their_rows(placings), np.zeros((size, size, BYTES), dtype=np.uint8)
    for own, chances in enumerate(table.chances.astype(np.float64)):
        if placings.wins[own]:
            chances[0, 2 + placings.wins[own]] = 1  # (the other seat has no man left)
        wins, losses = (chances[:, k : k + 3][:, ::-1].cumsum(axis=1)[:, ::-1] for k in (0, 3))
        equities = (chances @ [1, 2, 3, -1, -2, -3] / 6 + 0.5)[:, np.newaxis].repeat(4, axis=1)
        numbers = (np.hstack([wins, losses[:, 1:], equities]).clip(0, 1) * (2**24 - 1)).astype(np.uint32)
        stored[rows[own], rows, : BYTES - 1] = (numbers[..., np.newaxis] >> [0, 8, 16] & 255).reshape(size, BYTES - 1)
    file.write_bytes(b"gnubg-H".ljust(HEADER) + stored.tobytes())


@pytest.mark.parametrize("men", [1, 2])
def test_the_values_without_a_cube_are_those_of_gnu_backgammon(men: int) -> None:
    table = solve_without_cube(game_of(men))
    rows = np.nonzero(table.chances.any(axis=2))
    theirs = made_by_gnubg(men)
    np.testing.assert_allclose(table.chances[rows] @ [1, 2, 3, -1, -2, -3], theirs[rows][:, 0], rtol=0, atol=5e-6)


@pytest.mark.parametrize("men", [2, 3])
def test_gnu_backgammon_keeps_the_values_when_it_starts_from_them(men: int, tmp_path: Path) -> None:
    """With three men its program takes hours from nothing, and some minutes from the solution."""
    game = make_game("hypergammon") if men == 3 else game_of(men)
    if men == 3 and not is_few_men_known(game):
        pytest.skip("hypergammon has not been solved here; boardgames solve hypergammon takes 20 minutes")
    table = known_few_men(game) if men == 3 else solve_few_men(game)
    assert isinstance(table, FewMen)
    write_database(tmp_path / "ours.bd", table)
    make_database(tmp_path / "theirs.bd", men, "-r", "ours.bd", "-t", "1")
    rows = np.nonzero(table.chances.any(axis=2))
    theirs = read_database(tmp_path / "theirs.bd", placings_of(game))[rows][:, 0]
    np.testing.assert_allclose(table.chances[rows] @ [1, 2, 3, -1, -2, -3], theirs, rtol=0, atol=5e-6)


def test_the_values_with_the_cube_are_those_of_gnu_backgammon() -> None:
    """With one man a seat, so that every roll can be played."""
    theirs = made_by_gnubg(1)
    plain, jacoby = (solve_with_cube(game_of(1, cube=True, jacoby=each)).rolled for each in (False, True))
    rows = np.nonzero(plain.any(axis=2))
    ours = [plain[..., OWN], plain[..., CENTRED], jacoby[..., CENTRED], plain[..., OTHERS]]
    for k, equities in enumerate(ours, start=1):
        np.testing.assert_allclose(equities[rows], theirs[rows][:, k], rtol=0, atol=5e-6)


@pytest.mark.parametrize("has_jacoby", [False, True])
def test_rolls_that_cannot_be_played_are_all_that_is_different_with_the_cube(has_jacoby: bool) -> None:
    """GNU Backgammon (1.07) then takes the other seat's equity with the cube where it is not.

    The other seat's own cube becomes one's own, and it cannot double with the cube in the middle. With this put right,
    each of its equities follows from the others as ours do.
    """
    game = game_of(2)
    placings, rng = placings_of(game), np.random.default_rng(0)
    plays, theirs = plays_of(game, placings), made_by_gnubg(2)
    equities = np.stack([theirs[..., 3 if has_jacoby else 2], theirs[..., 1], theirs[..., 4]], axis=-1)
    choices = np.zeros((*equities.shape[:2], 3 * NUM_ROLLS), dtype=np.int8)
    table = few_men_with_cube._CubeTable(equities, has_jacoby, False, choices, np.zeros(3))
    passes = 0
    apart = np.argwhere(placings.own[1:, np.newaxis] & placings.taken[1:] == 0) + 1
    blocked = apart[(placings.points[apart[:, 0], 0] == BAR) & (placings.block[apart[:, 1]] > 0)]
    for own, other in np.concatenate([rng.permutation(apart)[:300], rng.permutation(blocked)[:100]]).tolist():
        few_men_with_cube._sum_equities(placings, plays, table, own, other, NUM_ROLLS)
        expected = table.sums.copy()
        for roll in range(NUM_ROLLS):
            play, _ = plays_with(placings, plays, own, other, roll)
            if plays.placings[play] == own:
                passes += 1
                right = few_men_with_cube._equities_after(placings, plays, table, play, other)
                expected -= LIKELY[roll] * (equities[other, own] + right)
        np.testing.assert_allclose(equities[own, other], expected, rtol=0, atol=5e-6)
    assert passes > 20
