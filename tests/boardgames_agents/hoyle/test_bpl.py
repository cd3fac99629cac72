"""BPL: the templates that the picture of a board suggests."""

from time import perf_counter

import pytest

from boardgames_agents.hoyle.game_frame import frame_of, mask_of
from boardgames_agents.hoyle.items.pattern_language import MOST_TEMPLATES, Picture, templates_of
from boardgames_env import make_game

LETTERS = "ABCDEFGHJKLMNOPQ"  # of Figure 9 of "Visual Cues", row by row, without an I
PAPER = {
    "straight line": ["AB", "AC", "DE", "BE", "DF"],
    "square": ["DFNL"],
    "diagonal": ["DN"],
    "L": ["BED", "EDH", "ABE", "BAG", "EDL", "FDL"],
}


def places_of(letters: str) -> set[int]:
    frame = frame_of(make_game("five_mens_morris"))
    return set(frame.images(mask_of(LETTERS.index(letter) for letter in letters)))


def test_the_thirteen_templates_of_the_paper() -> None:
    found = templates_of(frame_of(make_game("five_mens_morris")), 4)
    assert len(found) == 13
    for shape, names in PAPER.items():
        places = [set(template.places) for template in found if template.shape == shape]
        assert len(places) == len(names)
        assert all(places_of(name) in places for name in names)


@pytest.mark.parametrize("outside", ["CAO", "CAG", "ACQO", "AD", "EM", "BK"])
def test_what_the_paper_leaves_out(outside: str) -> None:
    """Shapes beyond the field of view, diagonals of such squares, and diagonals of slanting squares."""
    found = templates_of(frame_of(make_game("five_mens_morris")), 4)
    assert places_of(outside) not in [set(template.places) for template in found]


def test_the_field_of_view_bounds_templates() -> None:
    frame = frame_of(make_game("five_mens_morris"))
    counts = [len(templates_of(frame, view)) for view in (1, 2, 3, 4)]
    assert counts == sorted(set(counts))
    assert all(template.locations != (0, 2) for template in templates_of(frame, 3))
    assert any(template.locations == (0, 2) for template in templates_of(frame, 4))


def test_cells_are_seen_along_the_lines_that_win() -> None:
    """The first six templates of Figure 7 of "Visual Cues", which people chose for a grid of nine cells."""
    found = {place for template in templates_of(frame_of(make_game("tic_tac_toe")), 4) for place in template.places}
    for chosen in [(0, 1), (0, 4), (1, 4), (0, 2), (0, 8), (1, 7)]:
        assert mask_of(chosen) in found
    assert mask_of((0, 1, 2)) not in found  # only the ends of a line are marked


def test_triangles_have_three_sides_and_an_area() -> None:
    found = templates_of(frame_of(make_game("tsoro_yematatu")), 4)
    triangles = [template.locations for template in found if template.shape == "triangle"]
    assert (0, 1, 3) in triangles
    assert (1, 2, 3) not in triangles  # on one line


def test_the_metric_unit_is_the_shortest_edge() -> None:
    assert Picture(make_game("nine_mens_morris").board, 4).unit == 1.0
    assert Picture(make_game("shisima").board, 4).unit == pytest.approx(1.5307, abs=1e-4)  # along the octagon


@pytest.mark.parametrize(
    "name",
    [pytest.param("fives", marks=pytest.mark.slow), "qubic", "murabaraba", "mu_torere", "pong_hau_ki", "tant_fant"],
)
def test_boards_of_all_kinds_have_templates_soon_and_not_too_many(name: str) -> None:
    frame = frame_of(make_game(name))
    templates_of.cache_clear()
    before = perf_counter()
    found = templates_of(frame, 4)
    assert perf_counter() - before < 5
    assert 0 < len(found) <= MOST_TEMPLATES
    seen: set[int] = set()
    for template in found:
        assert len(template.locations) >= 2
        assert not seen & set(template.places), "a template comes once, up to the symmetries"
        seen.update(template.places)
        for place in template.places:
            assert set(frame.images(place)) == set(template.places)
