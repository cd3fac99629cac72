"""Games of marks in a row: boards, rules, openings and what guides a search."""

import numpy as np
import pytest

from boardgames_env import BadInputError, Contest, Game, Position, make_game
from boardgames_env.ending import board_end
from boardgames_env.games.fives import OPENINGS
from boardgames_env.games.shared import in_a_row
from boardgames_env.solve import solve
from tests.positions import men_at, random_positions
from tests.variants import over, sampled

GUIDED = ["tic_tac_toe", "qubic", "fives", "fives(opening=3)", "fives(paired_moves=25,opening=1)", "connect_four"]
GUIDED += [
    "gomoku",
    "gomoku(size=7,overline='loses')",
    "connect_four(columns=8,rows=5,in_a_row=5)",
    "connect_four(in_a_row=3)",
]


def counts(position: Position) -> tuple[np.ndarray, np.ndarray]:
    """Own marks and the other seat's, by winning line, as the seat to move sees them."""
    own = 1 - 2 * position.seat
    marks = position.state[1:][np.array(position.game.board.winning_lines)]
    return (marks == own).sum(axis=1), (marks == -own).sum(axis=1)


def test_corners_and_inner_cells_of_the_cube_lie_on_seven_lines() -> None:
    board = make_game("qubic").board
    on_lines = np.bincount(np.array(board.winning_lines).ravel())
    for (x, y, z), lines in zip(board.coordinates, on_lines, strict=True):
        ends = sum(at in (0, 3) for at in (x, y, z))
        assert lines == (7 if ends in (0, 3) else 4)
    # the inner cells turn into the corners when every line is turned inside out
    assert any(on[0] == 21 for on in board.automorphisms)
    assert not any(on[0] == 21 for on in board.symmetries)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("spec", ["qubic", "fives", "gomoku(size=7)"])
def test_the_last_cell_of_every_line_wins(spec: str, seat: int) -> None:
    game = make_game(spec)
    for line in game.board.winning_lines:
        for last in line:
            men = ([cell for cell in line if cell != last], [])[:: 1 - 2 * seat]
            position = men_at(game, *men, seat)
            assert position.outcome is None
            assert position.play(last).outcome == 1 - 2 * seat
            # the other seat's mark there ends nothing
            assert men_at(game, *men, 1 - seat).play(last).outcome is None


@pytest.mark.parametrize(
    ("cells", "outcome"),
    [((0, 50, 1, 52, 2, 54, 4, 56, 5, 58, 6, 70, 3), 1), ((8, 50, 9, 52, 10, 54, 11, 56, 12, 58), None)],
)
def test_six_in_a_row_win_and_rows_end_at_the_edge(cells: tuple[int, ...], outcome: int | None) -> None:
    position = make_game("fives").initial
    for cell in cells:
        assert position.outcome is None
        position = position.play(cell)
    assert position.outcome == outcome


@pytest.mark.parametrize("number", range(1, len(OPENINGS)))
def test_openings_are_quiet(number: int) -> None:
    position = make_game("fives", opening=number).initial
    assert (position.state[1:101] == 1).sum() == (position.state[1:101] == -1).sum() == 5
    assert (position.seat, len(position.legal_actions)) == (0, 90)
    own, other = counts(position)
    assert own[other == 0].max() <= 2
    assert other[own == 0].max() <= 2


def test_openings_differ() -> None:
    firsts = [make_game("fives", opening=number).initial for number in range(len(OPENINGS))]
    assert len({first.canonical for first in firsts}) == len(OPENINGS)


@pytest.mark.parametrize(("spec", "plies"), [("fives(paired_moves=25,opening=2)", 40), ("fives(paired_moves=3)", 6)])
def test_paired_moves_end_a_contest_in_a_draw(spec: str, plies: int) -> None:
    contest = Contest(make_game(spec))
    cells = contest.position.legal_actions
    # rows of two marks and two, shifted by two every other row: nobody gets five
    quiet = [cell for cell in cells if (cell % 10 // 2 + cell // 10 // 2) % 2 == 0], cells[::-1]
    while not contest.is_over:
        here = contest.position
        contest.play(next(c for c in quiet[here.seat] if c in here.legal_actions and not wins(here, c)))
    assert (contest.plies, contest.result, contest.position.is_over) == (plies, 0, False)


def marked_by(position: Position, action: int) -> int:
    """The cell that an action marks."""
    (cell,) = np.flatnonzero(
        position.after(action).state[1 : 1 + position.game.board.size]
        != position.state[1 : 1 + position.game.board.size]
    )
    return int(cell)


def test_discs_fall_and_stay_in_their_column() -> None:
    game = make_game("connect_four")
    position = game.initial
    for row in range(1, 7):
        position = position.play(game.parse_action("d"))
        assert position.state[1 + game.board.labels.index(f"d{row}")] == (1 if row % 2 else -1)
    assert [game.action_text(action) for action in position.legal_actions] == list("abcefg")
    assert [game.action_text(action) for action in game.action_symmetries[1]] == list("gfedcba")
    assert game.action_symmetries[0].tolist() == list(range(7))


@pytest.mark.parametrize("spec", ["connect_four", "connect_four(columns=4,rows=4)", "connect_four(columns=3,rows=7)"])
def test_discs_that_fall_leave_the_mirror_image_alone(spec: str) -> None:
    board = make_game(spec).board
    assert len(board.symmetries) == 2
    assert [board.labels[image][1:] for image in board.symmetries[1]] == [label[1:] for label in board.labels]


def wins(position: Position, action: int) -> bool:
    return position.after(action).is_over


@pytest.mark.parametrize("spec", ["qubic", "fives"])
def test_the_solver_refuses_at_once(spec: str) -> None:
    with pytest.raises(BadInputError):
        solve(make_game(spec))


def test_no_contest_reaches_more_positions_than_the_bound() -> None:
    game = make_game("tic_tac_toe")
    # (that many ways to fill the board; some hold rows that would have ended the contest before)
    assert game.positions <= in_a_row.most_positions(game.board) == 6046


@over(sampled(GUIDED, one_in=2))
def test_what_guides_a_search(game: Game) -> None:
    guide = game.heuristics
    lines = np.array(game.board.winning_lines)
    length = lines.shape[1]
    found = np.empty(game.num_actions, dtype=np.int32)
    for position in random_positions(game, 900, 5):
        own, other = counts(position)
        worth = guide.evaluate(position.state)
        assert abs(worth) < 10_000
        open_lines = np.bincount(own[other == 0], minlength=6), np.bincount(other[own == 0], minlength=6)
        if (open_lines[0] == open_lines[1]).all():
            assert worth == 0
        wanted: dict[int, set[int]] = {1: set(), 2: set(), 3: set()}
        for urgency, here in (
            (3, (own == length - 1) & (other == 0)),
            (2, (other == length - 1) & (own == 0)),
            (1, (own == length - 2) & (other == 0)),
        ):
            wanted[urgency] = {
                action for action in position.legal_actions if marked_by(position, action) in lines[here]
            }
        forcing = found[: guide.forcing(position.state, found)].tolist()
        assert forcing == sorted(wanted[3] or wanted[2] or wanted[1])


@over(sampled(GUIDED, one_in=2))
def test_completing_a_row_gains_most_and_stopping_one_next(game: Game) -> None:
    """So that the likeliest move comes first in a search that goes by gains alone."""
    seen = 0
    for position in random_positions(game, 900, 7):
        completing = [action for action in position.legal_actions if wins(position, action)]
        if completing:
            gains = {action: game.heuristics.gain(position.state, action) for action in position.legal_actions}
            assert max(gains, key=gains.__getitem__) in completing
            assert all(gains[action] > 0 for action in completing if position.after(action).outcome)
            seen += 1
    assert seen


def test_worths_beyond_the_bound_of_a_search_are_refused() -> None:
    board = make_game("fives").board
    in_a_row.heuristics(board, values=(0, 1, 4, 14, 52, 1000))
    with pytest.raises(BadInputError, match="less than 10,000"):
        in_a_row.heuristics(board, values=(0, 1, 4, 14, 53, 1000))


LONG = "a1 a2 b1 b2 c1 c2 e1 e2 f1 f2 o15 o14 d1"
"""Six in a row by the last stone, which joins three and two."""

BOTH = "a1 h8 b1 h9 c1 i8 e1 j9 f1 k8 d2 l9 d3 k2 d4 m8 d5 n9 d1"
"""The same, with five in a row upright."""


@pytest.mark.parametrize(
    ("overline", "texts", "outcome", "end"),
    [
        ("wins", LONG, 1, "line"),
        ("nothing", LONG, None, ""),
        ("loses", LONG, -1, "line"),
        *((overline, BOTH, 1, "line") for overline in ("wins", "nothing", "loses")),
    ],
)
@pytest.mark.parametrize("seat", [0, 1])
def test_rows_of_six_at_gomoku(overline: str, texts: str, outcome: int | None, end: str, seat: int) -> None:
    game = make_game("gomoku", overline=overline)
    contest = Contest(game)
    if seat:  # (the seats exchange their stones, after one that is far from all)
        contest.play(game.parse_action("o1"))
    for text in texts.split():
        assert not contest.is_over
        contest.play(game.parse_action(text))
    position = contest.position
    assert position.outcome == (outcome if outcome is None or not seat else -outcome)
    assert contest.end == end
    assert game.position(position.state) == position


def test_a_row_that_was_too_long_stays_nothing() -> None:
    game = make_game("gomoku", overline="nothing")
    position = game.initial
    for text in (LONG + " n14 g1 n13 a3 m13 b3 n12 c3 k12 e3 l11 d3").split():
        assert position.outcome is None
        position = position.play(game.parse_action(text))
    assert position.outcome == 1


@pytest.mark.parametrize("size", [5, 10, 11, 12, 14, 15])
@pytest.mark.parametrize("overline", ["wins", "nothing", "loses"])
def test_a_full_board_without_five_in_a_row_is_a_draw(size: int, overline: str) -> None:
    """So many stones are counted as there are: on more than 127 points, in halves."""
    game = make_game("gomoku", size=size, overline=overline)
    x, y = np.arange(size**2) % size, np.arange(size**2) // size
    cells = [np.flatnonzero((x // 2 + y) % 2 == seat).tolist() for seat in (0, 1)]
    contest = Contest(game)
    while any(cells):
        assert not contest.is_over
        contest.play(cells[contest.seat].pop())
    assert (contest.plies, contest.result, contest.end) == (size**2, 0, "full_board")
    assert game.position(contest.state).is_over


def test_a_full_board_with_a_row_that_was_nothing_is_no_line() -> None:
    game = make_game("gomoku", size=6, overline="nothing")
    # black has the row at the top
    rows = ["BBBBBB", "WWBBWW", "BBWWBB", "WWBBWW", "WWBWWB", "BWBWWW"]
    men = [1 if each == "B" else -1 for row in rows for each in row]
    assert sum(men) == 0
    state = [0, *men, 36, 0]
    position = game.position(state)
    assert position.outcome == 0
    assert board_end(game, position.state) == "full_board"
    with pytest.raises(BadInputError, match="has the line"):
        make_game("gomoku", size=6).position(state)
