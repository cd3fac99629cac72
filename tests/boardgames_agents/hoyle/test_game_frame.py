"""The game frame, induced by watching random contests and asking the rules."""

from dataclasses import replace

import numpy as np
import pytest

from boardgames_agents.hoyle.game_frame import GameFrame, frame_of, locations_of, mask_of
from boardgames_env import make_game
from boardgames_env.board import Board
from tests.variants import WITHOUT_CHANCE, sampled

EVERY_FRAME = pytest.mark.parametrize("frame", sampled(WITHOUT_CHANCE, one_in=2), indirect=True)


@pytest.fixture(scope="module")
def frame(request: pytest.FixtureRequest) -> GameFrame:
    return frame_of(make_game(request.param))


def in_the_plane(board: Board) -> set[tuple[int, ...]]:
    """The board's symmetries that are turns by quarters and mirrorings of the plane, told by what they do to steps."""
    places = np.array(board.coordinates, dtype=float)
    found = set()
    for symmetry in board.symmetries:
        moved = places[list(symmetry)]
        # a linear map of differences, whole-numbered in the plane, that leaves any height as it is
        steps, images = places - places[0], moved - moved[0]
        linear = np.linalg.lstsq(steps, images, rcond=None)[0].T
        plane = np.rint(linear[:2, :2])
        whole = np.allclose(linear[:2, :2], plane, atol=1e-6) and np.abs(plane).sum() == 2
        if whole and np.allclose(moved[:, 2:], places[:, 2:]):
            found.add(symmetry)
    return found


@EVERY_FRAME
def test_the_induced_symmetries_are_the_boards_own(frame: GameFrame) -> None:
    """No game here has rules that know a direction its board does not."""
    board = frame.game.board
    if frame.game.name == "othello":  # (turned by a quarter, contests go on alike, but none begins so)
        board = replace(board, homes=())
    assert frame.symmetries[0] == tuple(range(board.size))
    assert set(frame.symmetries) == in_the_plane(board)
    assert len(set(frame.symmetries)) == len(frame.symmetries)
    assert len(set(frame.symmetry_names)) == len(frame.symmetries) == len(frame.symmetry_names)
    assert frame.symmetry_names[0] == "identity"


@EVERY_FRAME
def test_symmetries_act_on_states_and_masks_alike(frame: GameFrame) -> None:
    board, rng = frame.game.board, np.random.default_rng(3)
    state = np.arange(frame.game.state_size)
    men = sorted(rng.choice(board.size, size=3, replace=False).tolist())
    assert frame.slots.shape == (len(frame.symmetries), frame.game.state_size)
    assert frame.slots.dtype == np.int32
    for symmetry, slots, image in zip(frame.symmetries, frame.slots, frame.images(mask_of(men)), strict=True):
        moved = state[slots]
        assert moved[0] == 0
        assert all(moved[1 + symmetry[location]] == 1 + location for location in range(board.size))
        assert (moved[1 + board.size :] == state[1 + board.size :]).all()
        assert set(locations_of(image)) == {symmetry[location] for location in men}


def test_names_are_as_the_eye_sees_it() -> None:
    frame = frame_of(make_game("tic_tac_toe"))
    images = {
        name: "".join(str(symmetry.index(location)) for location in range(9))
        for name, symmetry in zip(frame.symmetry_names, frame.symmetries, strict=True)
    }
    assert images == {  # what stands, row by row, where 0 to 8 stood
        "identity": "012345678",
        "rotation by 90°": "630741852",
        "rotation by 180°": "876543210",
        "rotation by 270°": "258147036",
        "reflection in the vertical axis": "210543876",
        "reflection in the horizontal axis": "678345012",
        "reflection in the falling diagonal": "036147258",
        "reflection in the rising diagonal": "852741630",
    }


ALL_LINES_WIN = ("tic_tac_toe", "achi", "achi(adjacent=True)", "les_pendus", "marelle", "nine_holes", "qubic", "fives")
ALL_LINES_TAKE = ("five_mens_morris", "nine_mens_morris", "eleven_mens_morris", "murabaraba")
NO_LINE_SERVES = ("lose_tic_tac_toe", "mu_torere", "pong_hau_ki")
STATIC = ("tic_tac_toe", "disguised", "lose_tic_tac_toe", "qubic", "fives", "gomoku", "connect_four", "hex")


@pytest.mark.parametrize("spec", [*ALL_LINES_WIN, *ALL_LINES_TAKE, *NO_LINE_SERVES])
def test_lines_that_win_or_else_take_a_man(spec: str) -> None:
    frame = frame_of(make_game(spec))
    lines = () if spec in NO_LINE_SERVES else frame.game.board.winning_lines
    expected = tuple(sorted(mask_of(line) for line in lines))
    assert frame.goals == (expected, expected)


def test_a_line_may_win_for_one_seat_only() -> None:
    frame = frame_of(make_game("tant_fant"))
    every = {mask_of(line) for line in frame.game.board.winning_lines}
    for winning, home in zip(frame.goals, frame.game.board.homes, strict=True):
        assert set(winning) <= every - {mask_of(home)}  # to stand at home is no win
        assert len(winning) >= len(every) - 2  # a line may never have been completed in the contests that were watched


@EVERY_FRAME
def test_what_rules_and_board_say(frame: GameFrame) -> None:
    board = frame.game.board
    assert frame.static == (frame.game.name in STATIC)
    in_place = frame.game.name in {"breakthrough", "hexapawn", "othello"}  # (by displacement, or turned)
    captures = any(action.kind in ("capture", "jump") for action in frame.game.actions)
    assert frame.captures == (in_place or captures)
    assert [locations_of(line) for line in frame.lines] == [tuple(sorted(line)) for line in board.lines]
    assert [locations_of(men) for men in frame.neighbours] == [tuple(sorted(each)) for each in board.adjacency]


def test_masks_and_locations_are_inverse() -> None:
    for locations in ((), (0,), (3, 5, 99), tuple(range(64, 70))):
        assert locations_of(mask_of(locations)) == locations
    assert mask_of([2, 0, 2]) == 0b101
