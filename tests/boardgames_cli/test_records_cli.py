"""Records of contests on the command line: who writes them, and who reads them."""

from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from boardgames_agents.arena.tournament import tournament
from boardgames_agents.record import Record, read_records, write_records
from boardgames_env import make_game
from boardgames_env.render.svg import draw_svg
from tests.conftest import Run


@pytest.fixture(scope="module")
def played() -> tuple[Record, ...]:
    return tournament("tic_tac_toe", "perfect", "random", 2, 0, records=True).records


@pytest.fixture
def file(tmp_path: Path, played: tuple[Record, ...]) -> Path:
    write_records(tmp_path / "contests.json", played)
    return tmp_path / "contests.json"


def test_matches_are_exported(boardgames: Run, refused: Run, tmp_path: Path, played: tuple[Record, ...]) -> None:
    one, other, store = (tmp_path / name for name in ("one.json", "other.json", "store.sqlite"))
    boardgames("match", "tic_tac_toe", "perfect", "random", "--contests", 2, "--save", one, "--store", store)
    assert read_records(one) == played
    assert "holds 2 contests" in boardgames("export", store, other).replace("\n", " ")
    assert other.read_bytes() == one.read_bytes()
    assert "the name of a record ends in .json" in refused("export", store, tmp_path / "other.txt")
    assert "export makes one of a match store" in refused("replay", store)


@pytest.mark.slow
def test_what_is_kept_is_named(boardgames: Run, tmp_path: Path) -> None:
    record, store, match = tmp_path / "one.json", tmp_path / "store.sqlite", tmp_path / "m.mat"
    out = boardgames("match", "tic_tac_toe", "perfect", "random", "--contests", 2, "--save", record, "--store", store)
    assert f"2 contests are in {record}; look at one:\n  boardgames replay {record} --contest 1\n" in out
    assert f"2 contests are in {store}; rate the agents:\n  boardgames ratings {store} tic_tac_toe\n" in out
    assert "contest 1 of 2" in boardgames("replay", record, "--contest", 1)
    out = boardgames("match", "hypergammon", "random", "random", "--contests", 1, "--save", record)
    assert f"1 contest are in {record}" not in out
    assert f"1 contest is in {record}; look at one:" in out
    out = boardgames("match", "backgammon", "random", "random", "--match-length", 1, "--contests", 2, "--save", match)
    assert f"2 contests are in {tmp_path / 'm-1.mat'} to {tmp_path / 'm-2.mat'}; look at the errors:" in out
    assert f"\n  boardgames analyse {tmp_path / 'm-1.mat'}\n" in out


def test_a_contest_at_the_terminal_and_a_league_are_saved(boardgames: Run, tmp_path: Path) -> None:
    save = ("--save", tmp_path / "one.json")
    shown = boardgames("play", "hypergammon", "--watch", "random", "--against", "random", "--seed", 3, *save)
    again = boardgames("replay", save[1])
    assert shown.rpartition("\n18 plies")[0].rpartition("\n")[0] in again, "every roll, move and position"
    assert again.endswith("18 plies; contest 1 of 1; seed [3]\n")
    boardgames("league", "tic_tac_toe", "--agents", "random,worst", "--contests", 3, "--folder", tmp_path / "l", *save)
    assert len(read_records(save[1])) == 3


def test_a_contest_is_replayed_and_drawn(boardgames: Run, refused: Run, file: Path, played: tuple[Record, ...]) -> None:
    out = boardgames("replay", file, "--contest", 2)
    assert out.startswith("tic_tac_toe: random (X) v. perfect (O)\n")
    assert out.endswith(f"perfect (O) wins\n{played[1].plies} plies; contest 2 of 2; seed [0, 1]\n")
    assert out.count(" plays ") == len(played[1].actions)
    position, picture = played[0].positions(make_game("tic_tac_toe")), file.with_name("picture.svg")
    boardgames("render", file, picture, "--after", 2, "--size", 99, "--no-labels")
    assert picture.read_text(encoding="utf-8") == draw_svg(position[2], 99, labels=False, before=position[1])
    for words, sentence in (
        (("replay", file, "--contest", 3), "has no contest 3; it has 2"),
        (("render", file, "picture.bmp"), "ends in .png, .svg or .gif"),
        (("render", file, "picture.png", "--after", 99), "after=99 is not allowed"),
        (("render", file, "picture.png", "--size", 0), "size=0 is not allowed"),
        (("play", "tic_tac_toe", "--save", "x.mat"), "the name of a record ends in .json"),
        (("match", "achi", "random", "random", "--save", "x.txt"), "the name of a record ends in .json"),
    ):
        assert sentence in refused(*words)


@pytest.mark.slow
def test_pictures_are_png_and_gif(boardgames: Run, file: Path, played: tuple[Record, ...]) -> None:
    for name, frames in (("picture.png", 1), ("picture.gif", 1 + len(played[0].actions))):
        boardgames("render", file, file.with_name(name), "--size", 60)
        with Image.open(file.with_name(name)) as picture:
            assert (picture.size, getattr(picture, "n_frames", 1)) == ((60, 60), frames)


def test_a_record_of_what_cannot_be_played_is_refused(refused: Run, file: Path, played: tuple[Record, ...]) -> None:
    write_records(file, [replace(played[0], game="chess"), replace(played[0], actions=(4, 4))])
    for contest, why in ((1, "there is no game 'chess'"), (2, "action 4 is not legal")):
        line = refused("replay", file, "--contest", contest)
        assert f"contest {contest} of {file} cannot be played again: {why}" in line
