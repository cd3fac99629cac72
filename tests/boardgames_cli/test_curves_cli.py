"""`boardgames curves`: a curve of several runs."""

import csv
import json
import re
import urllib.request
from contextlib import closing
from pathlib import Path
from shutil import copytree

import pytest
from PIL import Image
from rich.console import Console

from boardgames_agents.experiments.tensorboard_log import RunLog
from boardgames_agents.training.run import RunConfig, train
from boardgames_agents.training.runs import load_runs
from boardgames_cli import printing
from tests.conftest import Command, Run
from tests.processes import started


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two runs of different lengths."""
    folder = tmp_path_factory.mktemp("runs")
    for name, contests in (("short", 20), ("long", 30)):
        options = {"seed": contests, "test_every": 10, "test_contests": 4}
        train(folder / name, RunConfig("tic_tac_toe", "menace", "random", contests, **options))
    return folder


@pytest.fixture
def runs(trained: Path, tmp_path: Path) -> list[Path]:
    """Copies of these runs."""
    return [copytree(trained / name, tmp_path / name) for name in ("short", "long")]


def test_an_improvement_is_no_run(boardgames: Run, refused: Run, runs: list[Path], tmp_path: Path) -> None:
    folder = tmp_path / "improved"
    boardgames("improve", "tic_tac_toe", "alpha_zero", "--run", folder, "--iterations", 1, "--contests", 100)
    listed = json.loads(boardgames("runs", tmp_path, "--json"))
    assert {each["run"] for each in listed} == {"short", "long"}
    sentence = "holds no run, but an improvement, which boardgames improve goes on with"
    assert sentence in refused("test", folder)
    assert sentence in refused("curves", folder)


def test_curves_are_listed_and_compared(boardgames: Run, runs: list[Path]) -> None:
    assert "reliability/random" in boardgames("curves", *runs).split()
    printed = boardgames("curves", *runs, "--curve", "reliability/random")
    rows = [line.split() for line in printed.splitlines() if line.split() and line.split()[0].isdigit()]
    assert [row[0] for row in rows] == ["0", "10", "20", "30"]
    values = [re.findall(r"([\d.]+) \(([\d.]+) to ([\d.]+)\)", " ".join(row)) for row in rows]
    assert [len(each) for each in values] == [2, 2, 2, 1]
    assert all(0 <= float(low) <= float(value) <= float(high) <= 100 for row in values for value, low, high in row)


def test_a_file_has_the_intervals_as_well(boardgames: Run, runs: list[Path], tmp_path: Path) -> None:
    file = tmp_path / "curves.csv"
    boardgames("curves", *runs, "--curve", "reliability/random", "--out", file)
    with file.open(encoding="utf-8") as lines:
        heading, *rows = csv.reader(lines)
    assert heading == ["contests", "short", "long", "short low", "short high", "long low", "long high"]
    assert all(float(row[5]) <= float(row[2]) <= float(row[6]) for row in rows)


def test_a_table_has_the_points_that_are_logged(boardgames: Run, runs: list[Path], tmp_path: Path) -> None:
    file = tmp_path / "curves.csv"
    boardgames("curves", *runs, "--curve", "training/plies", "--first", 5, "--out", file)
    with file.open(encoding="utf-8") as lines:
        heading, *rows = csv.reader(lines)
    assert heading == ["contests", "short", "long"]
    assert [int(row[0]) for row in rows] == list(range(5, 31))
    assert all(5 <= float(value) <= 9 for row in rows for value in row[1:] if value)
    assert [bool(row[1]) for row in rows] == [int(row[0]) <= 20 for row in rows]


def test_runs_are_listed(boardgames: Run, refused: Run, trained: Path) -> None:
    out = boardgames("runs", trained)
    assert re.search(r"^Runs at tic_tac_toe\n", out)
    assert re.search(r"long +30 +[\d.]+ \([\d.]+ to [\d.]+\) *\n +menace, trainer random, seed 30 ", out)
    one = boardgames("runs", trained / "long")
    assert re.search(r"learner\.beads +4\b", one)
    assert re.search(r"reliability/expert +[\d.]+ \([\d.]+ to [\d.]+\)", one)
    rows = json.loads(boardgames("runs", trained / "short", trained, "--json"))
    assert [row["run"] for row in rows] == ["short", "long"]
    assert "there is no run in " in refused("runs", trained / "nowhere")


@pytest.mark.parametrize("content", ["{", "", "[]", "null", '{"game": 1}', "\0", '"run"', "[" * 9, "{'game': 'x'}"])
def test_a_damaged_run_leaves_the_others_listed(
    content: str, boardgames: Run, refused: Run, command: Command, runs: list[Path]
) -> None:
    short, long = runs
    (short / "config.json").write_text(content, encoding="utf-8")
    for options in ((), ("--json",)):
        code, out, err = command("runs", short.parent, *options)
        assert (code, err.count("\n")) == (0, 1)
        assert err.startswith(
            f"Warning: {short / 'config.json'} is damaged, or does not hold the configuration of a run ("
        )
        assert "Error(" not in err or content.startswith('{"')
        assert "long" in out
        assert "short" not in out
    with pytest.warns(RuntimeWarning, match="short.*is damaged"):
        assert list(load_runs(short.parent).index) == ["long"]
    assert "is damaged" in refused("runs", short)
    assert "reliability/random" in boardgames("curves", *runs).split()
    (long / "config.json").write_text(content, encoding="utf-8")
    assert "is damaged" in refused("runs", short.parent)


def test_names_of_runs_stay_whole_at_80_columns(
    boardgames: Run, trained: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    terminal = Console(markup=False, highlight=False, width=80, force_terminal=True, color_system=None)
    monkeypatch.setattr(printing, "console", terminal)
    names = [f"a-run-with-a-name-of-46-letters-and-number-{number}" for number in (1001, 1002)]
    for name in names:
        copytree(trained / "long", tmp_path / name)
    monkeypatch.chdir(tmp_path)
    out = boardgames("runs", ".")
    assert max(map(len, out.splitlines())) <= 80
    assert out.count("Runs at") == 1
    cells = [re.split(r" {2,}", line.strip())[0] for line in out.splitlines()]
    assert all(name in "".join(cells) for name in names)


@pytest.mark.slow
def test_the_board_shows_runs_and_their_layout(trained: Path) -> None:
    code = "from boardgames_cli.main import main; main()"
    with started(code, "board", trained, "--port", 16006) as process:
        line = process.stdout.readline() if process.stdout else ""
        (address,) = re.findall(r"http\S+/(?=#scalars)", line)
        with urllib.request.urlopen(f"{address}data/plugin/custom_scalars/layout") as answer:
            assert "power and reliability against random" in answer.read().decode()
        process.kill()


@pytest.mark.slow
def test_runs_of_one_name_are_named_by_their_paths(boardgames: Run, runs: list[Path], tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    other = runs[0].rename(tmp_path / "elsewhere" / "long")
    file = tmp_path / "curves.png"
    said = boardgames("curves", other, runs[1], runs[1].parent / "." / "long", "--curve", "power/random", "--out", file)
    assert said.split(" of ")[1].split() == [f"{other},", str(runs[1])]
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
        (("--first", 31), "--first is for one curve; name it with --curve"),
    ],
)
def test_what_cannot_be_shown(refused: Run, runs: list[Path], words: tuple[object, ...], message: str) -> None:
    assert message in refused("curves", *runs, *words)


def test_a_folder_without_a_run_is_refused(refused: Run, tmp_path: Path) -> None:
    assert "holds no run: there is no config.json in it" in refused("curves", tmp_path)


@pytest.mark.filterwarnings("error")
def test_names_are_drawn_as_they_are(boardgames: Run, runs: list[Path], tmp_path: Path) -> None:
    """Matplotlib would read dollar signs as mathematics, and leave names out that begin with an underscore."""
    pictures, run = [], runs[0]
    for name in ("_one", "m$\\frac$"):
        run = run.rename(tmp_path / name)
        boardgames("curves", run, "--curve", "power/random", "--out", tmp_path / "picture.png")
        pictures.append((tmp_path / "picture.png").read_bytes())
    assert pictures[0] != pictures[1]


def test_points_are_written_in_full(boardgames: Run, runs: list[Path], tmp_path: Path) -> None:
    run, file = runs[1], tmp_path / "curves.csv"
    with closing(RunLog(run, first_step=31)) as log:
        log.scalars({"state/positions": 123456}, 31)
        log.scalars({"state/positions": 123457}, 32)
    boardgames("curves", run, "--curve", "state/positions", "--out", file)
    assert file.read_text(encoding="utf-8") == "contests,long\n31,123456.0\n32,123457.0\n"


def test_a_run_without_a_log_is_refused(refused: Run, runs: list[Path]) -> None:
    (log,) = runs[1].glob("events.*")
    log.unlink()
    assert "long has no curves yet" in refused("curves", *runs)
