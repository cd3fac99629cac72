"""The options of commands that carry out sweeps."""

import sys
from pathlib import Path

import pytest

from boardgames_agents.training.run import RunConfig, load_run, train
from boardgames_agents.training.sweep import _finish_replacing
from boardgames_cli.shared_options import seeds_in
from boardgames_env.errors import BadInputError
from tests.conftest import Run

MENACE = ("train", "tic_tac_toe", "menace", "--contests", 20, "--test-every", 0)


def test_seeds_are_listed_or_spanned() -> None:
    assert seeds_in("0-3") == (0, 1, 2, 3)
    assert seeds_in("5, 0-2,1-3") == (5, 0, 1, 2, 3)


@pytest.mark.parametrize("text", ["", "a", "3-1", "-1", "1-", "0,,1", "1-2-3"])
def test_what_names_no_seeds_is_refused(text: str) -> None:
    with pytest.raises(BadInputError, match="names no seeds"):
        seeds_in(text)


@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_several_seeds_are_trained_as_each_would_be_alone(boardgames: Run, tmp_path: Path, jobs: int) -> None:
    out = boardgames(*MENACE, "--seeds", "1,3", "--jobs", jobs, "--run", tmp_path / "many")
    assert "seed-3" in out
    assert {path.name for path in (tmp_path / "many").iterdir()} == {"seed-1", "seed-3"}
    boardgames(*MENACE, "--seed", 3, "--run", tmp_path / "one")
    one, other = (load_run(tmp_path / name).learner.snapshot().digest for name in ("one", "many/seed-3"))
    assert one == other


@pytest.mark.parametrize("words", [MENACE, ("league", "tic_tac_toe", "--agents", "random,perfect")])
def test_without_ray_one_is_told_what_to_install(
    refused: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[object, ...]
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    folder = "--run" if words is MENACE else "--folder"
    line = refused(*words, "--backend", "ray", "--address", "auto", folder, tmp_path / "run")
    assert line == "Error: the backend ray needs Ray: pip install 'boardgames-env[ray]'"


def test_a_run_whose_replacement_was_interrupted_is_found(tmp_path: Path) -> None:
    """A process that brings runs from elsewhere was killed just before the last rename."""
    folder = tmp_path / "run"
    train(tmp_path / ".run.brought", RunConfig("tic_tac_toe", "menace", "self", contests=5))
    _finish_replacing(folder)
    assert not folder.exists()  # nothing was put aside yet: it may not be whole
    (tmp_path / ".run.older").mkdir()
    _finish_replacing(folder)
    assert load_run(folder).done
