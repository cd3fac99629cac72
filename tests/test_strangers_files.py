"""Files of strangers: reading them runs no code, as the table in SECURITY.md says, whose rows are tested here."""

import io
import json
import pickle
import re
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from boardgames_agents.arena.match_store import MatchStore
from boardgames_agents.experiments.tensorboard_log import RunLogReader
from boardgames_agents.league.league_file import read_league
from boardgames_agents.people.language.transcript import Transcript
from boardgames_agents.training.run import RunConfig, load_run, train
from boardgames_env import BadInputError
from boardgames_env.array_file import array_bytes, digest
from boardgames_env.games.backgammon.notation.match_file import read_match
from boardgames_env.json_file import SEAL, sealed
from tests.contests import recorded
from tests.processes import ROOT
from tests.test_damaged_files import KINDS

NO_CODE = {
    "runs: `config.json`": ("configuration of a run",),
    "runs: checkpoints, curves, `test.json`": (
        *("checkpoint's arrays", "checkpoint's data", "test of a run"),
        "events.out.tfevents.1",
    ),
    "networks, solved tables, examples (`.safetensors`)": (
        *("network", "network of alpha_zero", "table", "class table", "bear-off tables", "race network", "examples"),
    ),
    "records, starting positions, coefficients of features, what people have been taught (`.json`)": (
        *("record", "starting positions", "coefficients", "profile of a person"),
    ),
    "transcripts of language models (`.jsonl`)": ("transcript.jsonl",),
    "match files of backgammon": ("match.mat",),
    "networks of other programs: Stable-Baselines3's (`.zip`), exported programs of torch (`.pt2`)": (
        *("network of Stable-Baselines3", "exported program"),
    ),
    "leagues, runs of `improve`, results of papers": (
        *("league", "configuration of an improvement", "measures of a network", "results"),
        *("league.toml", "league.json"),
    ),
    "match stores, contests of the page (`.sqlite`)": ("match store", "contests.sqlite"),
}
"""By row of the table, the kinds of files in it: those of `KINDS`, and the names of others."""

CODE = ("compiled kernels", "what `--import` names")
"""The rows of what runs code on purpose."""


def read_contests(path: Path) -> object:
    pytest.importorskip("starlette", reason="the extra web is not installed")
    from boardgames_cli.web.store import SittingStore

    return SittingStore(path).get("x")


READERS: Mapping[str, Callable[[Path], Any]] = {
    "events.out.tfevents.1": lambda path: RunLogReader(path.parent).curves(),
    "transcript.jsonl": Transcript,
    "match.mat": read_match,
    "league.toml": read_league,
    "league.json": read_league,
    "contests.sqlite": read_contests,
}

MARK = "mark"


def expression(folder: Path) -> str:
    return f"__import__('pathlib').Path({str(folder / MARK)!r}).touch()"


class Marking:
    """Unpickling one leaves a mark."""

    def __init__(self, folder: Path) -> None:
        self._text = expression(folder)

    def __reduce__(self) -> tuple[Callable[[str], object], tuple[str]]:
        return eval, (self._text,)


def numpy_file(folder: Path) -> bytes:
    made = io.BytesIO()
    np.save(made, np.array([Marking(folder)], dtype=object), allow_pickle=True)
    return made.getvalue()


def safetensors_file(folder: Path) -> bytes:
    data = {name: expression(folder) for name in ("format", "data", "spec", "game", "kind", "content")}
    return array_bytes({"x": np.zeros(1)}, {**data, SEAL: digest({"x": np.zeros(1)}, data)})


PROGRAMS: dict[str, Callable[[Path], bytes]] = {
    "pickle": lambda folder: pickle.dumps(Marking(folder)),
    "numpy": numpy_file,
    "python": lambda folder: expression(folder).encode(),
    "toml": lambda folder: f'games = ["tic_tac_toe"]\nagents = ["{expression(folder)}"]\n'.encode(),
    "json": lambda folder: json.dumps(sealed({"games": [expression(folder)], "agents": [expression(folder)]})).encode(),
    "safetensors": safetensors_file,
}
"""Files that would leave a mark, if they were taken for programs."""


def texts_replaced(value: Any, text: str) -> Any:
    if isinstance(value, dict):
        return {name: texts_replaced(each, text) for name, each in value.items()}
    if isinstance(value, list):
        return [texts_replaced(each, text) for each in value]
    return text if isinstance(value, str) else value


def rows_of_the_table() -> list[str]:
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    return [row for row in re.findall(r"^\| (.*?) \|", text, re.MULTILINE) if row not in ("file", "---")]


def test_every_row_of_the_table_is_tested() -> None:
    assert rows_of_the_table() == [*NO_CODE, *CODE]
    assert {*KINDS, *READERS} == {kind for kinds in NO_CODE.values() for kind in kinds}


def test_the_programs_would_leave_a_mark(tmp_path: Path) -> None:
    for name, run in (
        ("pickle", pickle.loads),
        ("numpy", lambda content: np.load(io.BytesIO(content), allow_pickle=True)),
        ("python", eval),
    ):
        run(PROGRAMS[name](tmp_path))
        (tmp_path / MARK).unlink()


@pytest.mark.parametrize("kind", [kind for kinds in NO_CODE.values() for kind in kinds])
def test_reading_a_program_in_the_place_of_a_file_runs_nothing(kind: str, tmp_path: Path) -> None:
    path = tmp_path / (KINDS[kind].name if kind in KINDS else kind)
    read = KINDS[kind].read if kind in KINDS else READERS[kind]
    contents = [made(tmp_path) for made in PROGRAMS.values()]
    if kind in KINDS:
        KINDS[kind].write(path)
        with suppress(ValueError):
            entry = texts_replaced(json.loads(path.read_bytes()), expression(tmp_path))
            contents.append(json.dumps(sealed({name: each for name, each in entry.items() if name != SEAL})).encode())
    path.parent.mkdir(parents=True, exist_ok=True)
    for content in contents:
        path.unlink(missing_ok=True)  # (the old file may be mapped)
        path.write_bytes(content)
        with suppress(BadInputError):
            read(path)
        assert not (tmp_path / MARK).exists()


@pytest.mark.parametrize("action", ["load_extension('evil')", "writefile('mark', 'x')", "edit('x')", "readfile('x')"])
def test_a_match_store_with_a_trigger_runs_nothing(action: str, here: Path) -> None:
    store, more = MatchStore("x.sqlite"), recorded("tic_tac_toe", contests=2)
    with closing(sqlite3.connect("x.sqlite")) as database:
        database.execute(f"CREATE TRIGGER evil AFTER INSERT ON tournament BEGIN SELECT {action}; END")
    with pytest.raises(BadInputError, match=r"no such function|not authorized|unsafe use"):
        store.add(more)
    assert not (here / MARK).exists()


@pytest.mark.parametrize(
    "spec", ["{code}", "td({code})", "td(hidden={code})", "td_net(file={code!r})", "menace(beads=({code},))"]
)
@pytest.mark.parametrize("entry", ["game", "learner", "trainer"])
def test_the_specs_of_a_run_are_names_and_no_code(entry: str, spec: str, tmp_path: Path) -> None:
    train(tmp_path / "run", RunConfig("tic_tac_toe", "menace", "random", 2))
    path = tmp_path / "run" / "config.json"
    config = {name: each for name, each in json.loads(path.read_bytes()).items() if name != SEAL}
    path.write_text(json.dumps(sealed({**config, entry: spec.format(code=expression(tmp_path))})), encoding="utf-8")
    with pytest.raises(BadInputError):
        train(path.parent, load_run(path.parent).config)
    assert not (tmp_path / MARK).exists()


def test_training_removes_no_folders_but_checkpoints(tmp_path: Path) -> None:
    """Also where a run from elsewhere has a link in their place."""
    photos = [tmp_path / "home" / year for year in ("2019", "2020", "2021 summer", "00000000000x")]
    for each in photos:
        each.mkdir(parents=True)
    config = RunConfig("tic_tac_toe", "menace", "random", 8, checkpoint_every=2)
    train(tmp_path / "run", RunConfig("tic_tac_toe", "menace", "random", 2, checkpoint_every=2))
    for each in (tmp_path / "run" / "checkpoints").iterdir():
        each.rename(tmp_path / "home" / each.name)
    (tmp_path / "run" / "checkpoints").rmdir()
    (tmp_path / "run" / "checkpoints").symlink_to(tmp_path / "home")
    assert train(tmp_path / "run", config).contests == 8
    assert all(each.is_dir() for each in photos)
