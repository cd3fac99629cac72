"""What is counted on a board: by every picture of the paper's section 2.2, and the same however it is counted."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from boardgames_agents.fives.features import CONTENTS, after_mark, contents, counts, places, put, recount
from boardgames_agents.fives.grid_lines import lines_of
from boardgames_env import BadInputError, Game, Position, make_game
from boardgames_env.board import aligned
from boardgames_env.kernels import ONGOING, State, outcome
from tests.boardgames_agents.fives.plain import (
    BROKEN_FOUR,
    BROKEN_THREE,
    FIVE,
    FULL_FOUR,
    FULL_THREE,
    HALF_FOUR,
    HALF_THREE,
    QUARTER_THREE,
    grid_game,
    plain_counts,
    random_positions,
)
from tests.positions import men_at
from tests.variants import EACH_GAME

GAME = "fives"
fives = partial(make_game, GAME)
DIRECTIONS = {"across": (1, 0), "down": (0, 1), "diagonal": (1, 1), "other diagonal": (-1, 1)}

ON_A_LINE = {
    "_ssss_": {FULL_FOUR: 1},
    "_sssso": {HALF_FOUR: 1},
    "ossss_": {HALF_FOUR: 1},
    "osssso": {},
    "__sss__": {FULL_THREE: 1},
    "o__sss__o": {FULL_THREE: 1},
    "o_sss__": {HALF_THREE: 1},
    "__sss_o": {HALF_THREE: 1},
    "o_sss_o": {QUARTER_THREE: 1},
    "__ssso": {QUARTER_THREE: 1},
    "osss__": {QUARTER_THREE: 1},
    "o_ssso": {},
    "osss_o": {},
    "ossso": {},
    "osssso__": {},
    "osssss": {FIVE: 1},
    "_sssss_": {FIVE: 1},
    "_ssssss": {FIVE: 1},
    "sssssssss": {FIVE: 1},
    "oss__ss_": {},
    "o_s_ss_": {BROKEN_THREE: 1},
    "o_ss_s_o": {BROKEN_THREE: 1},
    "os_ss_": {},
    "o_ss_so": {},
    "_s_ss_s_": {BROKEN_THREE: 2},
    "s_ssso": {BROKEN_FOUR: 1},
    "osss_s": {BROKEN_FOUR: 1},
    "oss_sso": {BROKEN_FOUR: 1},
    "oss_ss_sso": {BROKEN_FOUR: 2},
    "osss_ssso": {BROKEN_FOUR: 1},
    "ossss_s": {HALF_FOUR: 1},  # what is one cell short of a five is counted once
    "os_sss_o": {QUARTER_THREE: 1, BROKEN_FOUR: 1},  # one's own mark beyond a gap is no empty cell
    "s_s_s_s_": {},
}


def on_board(cells: dict[int, str], seat: int = 0) -> Position:
    """A position, which contests need not reach, with own marks (s) of a seat and the other's (o)."""
    men = [[cell for cell, letter in cells.items() if letter == side] for side in "so"]
    return men_at(GAME, *men[:: 1 - 2 * seat])


def placed(text: str, direction: str, seat: int) -> list[Position]:
    """A text wherever it has room in one direction; what comes before and after it is the other seat's, or an edge."""
    dx, dy = DIRECTIONS[direction]
    found = []
    for line in aligned(10, 10, len(text)):
        (x, y), (beyond_x, beyond_y) = (divmod(cell, 10)[::-1] for cell in (line[0], line[-1]))
        if line[1] - line[0] == 10 * dy + dx:
            cells = dict(zip(line, text, strict=True))
            for column, row in ((x - dx, y - dy), (beyond_x + dx, beyond_y + dy)):
                if 0 <= column < 10 and 0 <= row < 10:
                    cells[10 * row + column] = "o"
            found.append(on_board(cells, seat))
    return found


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("direction", DIRECTIONS)
@pytest.mark.parametrize("text", ON_A_LINE)
def test_every_picture_wherever_it_stands(text: str, direction: str, seat: int) -> None:
    positions = placed(text, direction, seat)
    assert positions
    for position in positions:
        assert counts(position)[seat].tolist() == [ON_A_LINE[text].get(which, 0) for which in range(8)]


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        # a corner blocks like a man
        ([0, 11, 22, 33], {HALF_FOUR: 1}),
        ([11, 22, 33], {HALF_THREE: 1}),
        ([90, 91, 92], {QUARTER_THREE: 1}),
        # lines too short for a five hold nothing
        ([3, 12, 21, 30], {}),
        ([4, 13, 22, 31], {HALF_FOUR: 1}),
        # one mark counts in all directions
        ([55, 54, 53, 65, 75, 44, 33, 46, 37], {FULL_THREE: 4}),
    ],
)
def test_marks_alone_on_the_board(cells: list[int], expected: dict[int, int]) -> None:
    of_own, of_other = counts(on_board(dict.fromkeys(cells, "s")))
    assert of_own.tolist() == [expected.get(which, 0) for which in range(8)]
    assert not of_other.any()


def test_contents_are_the_first_seats_less_the_others(game: Game) -> None:
    cells = {22: "s", 23: "s", 24: "s", 62: "o", 63: "o", 64: "o", 65: "o"}
    assert contents(on_board(cells)).tolist() == [-1, 0, 1, 0, 0, 0, 0]
    assert contents(on_board(cells, seat=1)).tolist() == [1, 0, -1, 0, 0, 0, 0]
    assert contents(game.initial).tolist() == [0] * len(CONTENTS) == [0] * 7


@pytest.mark.parametrize(
    "make",
    [fives, *(pytest.param(partial(grid_game, *each), marks=pytest.mark.slow) for each in ((7, 6), (5, 12)))],
    ids=["10x10", "7x6", "5x12"],
)
def test_counts_are_those_of_the_pictures(make: Callable[[], Game]) -> None:
    game, together = make(), np.zeros((2, 8), dtype=int)
    for near in (False, True):
        for position in random_positions(game, 400, seed=3, near=near):
            found = counts(position)
            assert (found == plain_counts(position)).all()
            together += found
    assert game.name != GAME or np.all(together[:, :FIVE] > 0)


@pytest.mark.parametrize("make", [fives, partial(grid_game, 7, 6)], ids=["10x10", "7x6"])
def test_kept_up_to_date_is_recounted(make: Callable[[], Game]) -> None:
    """Along contests, up to the last cell, fives or not."""
    game = make()
    lines, rng = lines_of(game), np.random.default_rng(8)
    after, change = (getattr(each, "py_func", each) for each in (after_mark, put))
    for _ in range(10):
        codes, both, state = lines.empty.copy(), (0, 0), game.initial.state.copy()
        for ply, cell in enumerate(rng.permutation(game.board.size)):
            both = after(lines, codes, cell, ply % 2, both)
            change(lines, codes, cell, 1 + ply % 2)
            state[1 + cell] = 1 - 2 * (ply % 2)
            assert recount.run(lines, state) == both
            if ply % 31 == 0 or ply == game.board.size - 1:
                position = Position.unchecked(game, state.copy())
                assert (counts(position) == plain_counts(position)).all()


def test_symmetries_change_nothing_and_the_seats_are_alike(game: Game) -> None:
    for position in random_positions(game, 60, seed=5):
        images = position.images()
        assert len(images) == 8
        for image in images:
            assert (counts(image) == counts(position)).all()
        state = position.state.copy()
        state[1:101] *= -1
        assert (counts(Position.unchecked(game, state)) == counts(position)[::-1]).all()


@pytest.mark.parametrize("columns", [5, 7, 12])
@pytest.mark.parametrize("rows", [5, 9])
def test_lines_of_any_rectangle(columns: int, rows: int) -> None:
    """They hold every winning line once, and every cell knows its lines, and where in them it is."""
    lines = lines_of(grid_game(columns, rows))
    held = []
    for slots, length in zip(lines.slots.tolist(), lines.lengths.tolist(), strict=True):
        held += [frozenset(slot - 1 for slot in slots[start : start + 5]) for start in range(length - 4)]
    assert len(held) == len(set(held))
    assert set(held) == {frozenset(line) for line in aligned(columns, rows, 5)}
    for number, slots in enumerate(lines.slots):
        for place in range(lines.lengths[number]):
            cell = slots[place] - 1
            assert lines.steps[cell][lines.through[cell] == number].tolist() == [3**place]


@outcome
def marks_lose(state: State) -> int:
    """Whoever has won by the usual rules has lost."""
    return -state[102] if state[102] != 0 else ONGOING


def won_by_losing() -> Game:
    return replace(fives(), rules=replace(fives().rules, outcome=marks_lose))


@pytest.mark.parametrize(
    "make",
    [pytest.param(partial(make_game, name), id=name) for name in EACH_GAME if name != GAME]
    + [partial(grid_game, 13, 6), partial(grid_game, 4, 9), won_by_losing],
)
def test_other_games_are_refused(make: Callable[[], Game]) -> None:
    with pytest.raises(BadInputError, match="is another kind of game; this agent plays where one mark is placed"):
        lines_of(make())


def test_every_feature_that_is_counted_has_a_place() -> None:
    seen = set()
    for position in random_positions(fives(), 100, seed=6):
        found = np.zeros((2, len(CONTENTS)), dtype=int)
        for place in places(position):
            found[place.seat, place.feature] += 1
            marks = [int(position.state[1 + location]) for location in place.locations]
            assert set(marks) - {0} == {1 - 2 * place.seat}
            assert marks.count(0) == (place.feature in (BROKEN_FOUR, BROKEN_THREE))
            assert sum(map(abs, marks)) >= (4 if "four" in CONTENTS[place.feature] else 3)
            seen.add(place.feature)
        assert found.tolist() == counts(position)[:, : len(CONTENTS)].tolist()
    assert len(seen) > 3
