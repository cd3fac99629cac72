"""`boardgames curves`: a curve of several runs."""

import csv
from pathlib import Path

import pytest
from PIL import Image

from tests.conftest import Run

TRAINING = ("train", "tic_tac_toe", "menace", "--trainer", "random", "--test-every", 10, "--test-contests", 4)


@pytest.fixture
def runs(boardgames: Run, tmp_path: Path) -> list[Path]:
    """Two runs of different lengths."""
    folders = [tmp_path / "short", tmp_path / "long"]
    for folder, contests in zip(folders, (20, 30), strict=True):
        boardgames(*TRAINING, "--contests", contests, "--seed", contests, "--run", folder)
    return folders


def test_curves_are_listed_and_compared(boardgames: Run, runs: list[Path]) -> None:
    assert "reliability/random" in boardgames("curves", *runs).split()
    printed = boardgames("curves", *runs, "--curve", "reliability/random")
    rows = [line.split() for line in printed.splitlines() if line.split() and line.split()[0].isdigit()]
    assert [len(row) for row in rows] == [3, 3, 3, 2]
    assert [row[0] for row in rows] == ["0", "10", "20", "30"]
    assert all(0 <= float(value) <= 100 for row in rows for value in row[1:])


def test_a_table_has_the_points_that_are_logged(boardgames: Run, runs: list[Path], tmp_path: Path) -> None:
    file = tmp_path / "curves.csv"
    boardgames("curves", *runs, "--curve", "training/plies", "--first", 5, "--out", file)
    with file.open() as lines:
        heading, *rows = csv.reader(lines)
    assert heading == ["contests", "short", "long"]
    assert [int(row[0]) for row in rows] == list(range(5, 31))
    assert all(5 <= float(value) <= 9 for row in rows for value in row[1:] if value)
    assert [bool(row[1]) for row in rows] == [int(row[0]) <= 20 for row in rows]


def test_a_picture_names_runs_in_folders_of_one_name_by_their_paths(
    boardgames: Run, runs: list[Path], tmp_path: Path
) -> None:
    (tmp_path / "elsewhere").mkdir()
    other = runs[0].rename(tmp_path / "elsewhere" / "long")
    file = tmp_path / "curves.png"
    said = boardgames("curves", other, runs[1], "--curve", "power/random", "--out", file)
    assert f"of {other}, {runs[1]}" in said.replace("\n", " ")
    with Image.open(file) as picture:
        assert picture.format == "PNG"
        assert len(picture.convert("RGB").getcolors(1 << 20) or ()) > 3


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--curve", "power/nobody"), "has no curve power/nobody; it has "),
        (("--curve", "power/random", "--out", "curves.pdf"), "the name ends in .csv or .png"),
        (("--out", "curves.png"), "name it with --curve"),
        (("--curve", "power/random", "--first", 31), "--first 31 leaves no point of power/random"),
    ],
)
def test_what_cannot_be_shown_is_refused(
    refused: Run, runs: list[Path], words: tuple[object, ...], message: str
) -> None:
    assert message in refused("curves", *runs, *words)


def test_a_folder_without_a_run_is_refused(refused: Run, tmp_path: Path) -> None:
    assert "holds no run; give folders that boardgames train has made" in refused("curves", tmp_path)
