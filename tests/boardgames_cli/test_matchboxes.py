"""Sheets of the matchboxes of MENACE."""

import re
import zlib
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from boardgames_agents.arena.contest import play_contest
from boardgames_agents.registry import make_agent
from boardgames_agents.tabular import face_of
from boardgames_cli.matchbox_sheets import boxes_of, pdf_of, sheets
from boardgames_env import BadInputError, make_game


def test_tic_tac_toe_has_304_boxes_by_turn_as_michie_counts() -> None:
    boxes = boxes_of(make_game("tic_tac_toe"))
    assert [sum(box.turn == turn for box in boxes) for turn in range(4)] == [1, 12, 108, 183]
    assert [next(box.beads for box in boxes if box.turn == turn) for turn in range(4)] == [4, 3, 2, 1]
    assert [box.number for box in boxes] == list(range(1, 305))


@pytest.mark.parametrize("name", ["tic_tac_toe", "hexapawn", "tsoro_yematatu"])
def test_a_box_is_the_position_of_the_learner_with_a_bead_for_each_colour(name: str) -> None:
    boxes = boxes_of(make_game(name))
    assert len({box.position.canonical for box in boxes}) == len(boxes)
    for box in boxes:
        assert box.position.key == box.position.canonical
        assert list(box.moves) == list(face_of(box.position).colours)
        assert len(box.moves) > 1
        assert box.position.seat == 0


def test_the_pdf_has_a_page_for_each_sheet_and_names_every_box(boardgames: Any, tmp_path: Path) -> None:
    out = boardgames("matchboxes", "hexapawn", tmp_path / "h.pdf", "--paper", "letter")
    assert "13 matchboxes of hexapawn on 2 sheets" in out
    content = (tmp_path / "h.pdf").read_bytes()
    game = make_game("hexapawn")
    assert content == pdf_of(list(sheets(game, boxes_of(game), "letter")), "letter")
    assert content.count(b"/Type /Page ") == 2
    assert b"/MediaBox [0 0 612.000 792.000]" in content
    streams = re.findall(rb"stream\n(.*?)\nendstream", content, re.DOTALL)
    painted = "".join(zlib.decompress(each).decode("cp1252") for each in streams)
    assert [f"(box {number}, turn" in painted for number in range(1, 15)] == [True] * 13 + [False]
    assert "(Matchboxes that learn: Hexapawn)" in painted
    start = int(content.split(b"startxref\n")[1].split()[0])
    places = re.findall(rb"(\d{10}) 00000 n", content[start:])
    for number, place in enumerate(places, start=1):
        assert content[int(place) :].startswith(b"%d 0 obj" % number)


def test_each_sheet_is_an_svg_of_its_own(boardgames: Any, tmp_path: Path) -> None:
    boardgames("matchboxes", "hexapawn", tmp_path / "h.svg")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["h-1.svg", "h-2.svg"]
    for path in tmp_path.iterdir():
        root = ElementTree.fromstring(path.read_text(encoding="utf-8"))
        assert (root.attrib["width"], root.attrib["height"]) == ("210.0mm", "297.0mm")
        for circle in root.iter("{http://www.w3.org/2000/svg}circle"):
            assert 0 < float(circle.attrib["cx"]) < 210
            assert 0 < float(circle.attrib["cy"]) < 297


@pytest.mark.parametrize(("name", "why"), [("backgammon", "roll"), ("nine_mens_morris", "more than 2,000 matchboxes")])
def test_games_of_dice_and_large_games_have_none(name: str, why: str) -> None:
    with pytest.raises(BadInputError, match=why):
        boxes_of(make_game(name))


def test_the_learner_fills_the_same_boxes() -> None:
    game = make_game("hexapawn")
    machine, other = make_agent("menace", game), make_agent("random", game)
    for seed in range(40):
        play_contest(game, (machine, other), [seed])
    arrays = machine.snapshot().arrays
    filled = {
        state.tobytes()
        for state, beads in zip(arrays["states"], arrays["beads"], strict=True)
        if (beads >= 0).sum() > 1
    }
    assert len(filled) > 8
    assert filled <= {box.position.key for box in boxes_of(game)}


def test_a_file_of_another_kind_is_refused(refused: Any) -> None:
    assert "the name of the sheets ends in .pdf or .svg" in refused("matchboxes", "hexapawn", "x.doc")
