"""Every command that takes a folder, given one of another kind: one sentence, and the folder stays as it is."""

import itertools
import shutil
from pathlib import Path

import pytest

from boardgames_agents.alpha_zero.self_improvement import SelfPlayConfig
from boardgames_agents.improve.improvement_folder import as_data
from boardgames_agents.league.entrants import Entrant
from boardgames_agents.league.round_robin import League, play
from boardgames_agents.training.config import write_config
from boardgames_agents.training.run import RunConfig, train
from boardgames_env.json_file import write_json
from tests.conftest import Run

COMMANDS = {
    "test": ("run", "test {}"),
    "curves": ("run", "curves {}"),
    "runs": ("run", "runs {}"),
    "board": ("curves", "board {}"),
    "export": ("run", "export {} out.json"),
    "explain": ("run", "explain {}"),
    "knowledge": ("run", "knowledge {}"),
    "exploitability": ("run", "exploitability {}"),
    "train": ("run", "train tic_tac_toe menace --contests 4 --run {}"),
    "train on": ("run", "train --run {} --contests 8"),
    "match": ("run", "match tic_tac_toe trained(run='{}') random --contests 2"),
    "analyse": ("run", "analyse start --dice 31 --with trained(run='{}')"),
    "improve": ("improvement", "improve tic_tac_toe alpha_zero --run {}"),
    "improve with dice": ("improvement", "improve hypergammon td_gammon --run {}"),
    "alpha_zero": ("improvement", "match tic_tac_toe alpha_zero(network='{}') random --contests 2"),
    "league": ("league", "league tic_tac_toe --agents random,perfect --contests 2 --folder {}"),
}
"""By name, what a command takes and its words."""

FITS = {
    ("train", "empty"),
    *itertools.product(("improve", "improve with dice", "league"), ("empty",)),
    ("league", "notes"),  # (results of several leagues may lie in one folder with other things)
    *(("board", "run"), ("board", "improvement")),
    ("alpha_zero", "file"),  # (which may be a network)
}
"""What is no error, or another one."""

KINDS = ("run", "improvement", "league", "empty", "notes", "file")


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of each kind, a file, and a run without a checkpoint."""
    every = tmp_path_factory.mktemp("kinds")
    train(every / "run", RunConfig("tic_tac_toe", "menace", "random", 2))
    write_config(every / "begun", RunConfig("tic_tac_toe", "menace", "random", 2000))
    (every / "improvement").mkdir()
    write_json(every / "improvement" / "config.json", as_data(SelfPlayConfig("hexapawn", "alpha_zero")))
    play(League(("tic_tac_toe",), (Entrant("random"), Entrant("perfect")), 2), every / "league")
    (every / "empty").mkdir()
    (every / "notes").mkdir()
    (every / "notes" / "notes.txt").write_text("notes", encoding="utf-8")
    (every / "file").write_text("notes", encoding="utf-8")
    return every


@pytest.mark.parametrize(
    ("name", "kind"),
    [(name, kind) for name in COMMANDS for kind in KINDS if kind != COMMANDS[name][0] and (name, kind) not in FITS],
)
def test_a_folder_of_another_kind_is_refused(name: str, kind: str, folders: Path, here: Path, refused: Run) -> None:
    _, words = COMMANDS[name]
    place = here / "place"
    (shutil.copytree if (folders / kind).is_dir() else shutil.copy)(folders / kind, place)
    before = sorted(each.relative_to(place) for each in place.rglob("*"))
    sentence = refused(*(word.format("place") for word in words.split()))
    assert "place" in sentence
    assert "Errno" not in sentence
    assert "damaged" not in sentence
    assert sorted(each.relative_to(place) for each in place.rglob("*")) == before


@pytest.mark.parametrize(
    "words",
    [
        *("test {}", "explain {}", "knowledge {}", "exploitability {}", "export {} out.safetensors"),
        "match tic_tac_toe trained(run='{}') random --contests 2",
        "league tic_tac_toe --agents random,trained(run='{}') --contests 2 --folder league",
        "play tic_tac_toe --against trained(run='{}') --watch random",
        "grade trained(run='{}') tic_tac_toe",
    ],
)
def test_a_run_without_a_checkpoint_knows_nothing(words: str, folders: Path, here: Path, refused: Run) -> None:
    shutil.copytree(folders / "begun", here / "begun")
    sentence = refused(*(word.format("begun") for word in words.split()))
    assert "begun has no checkpoint yet, so its learner knows nothing; train on" in sentence
