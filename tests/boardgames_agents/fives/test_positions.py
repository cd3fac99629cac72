import json
from pathlib import Path

import pytest

from boardgames_agents.fives.making import POSITIONS, ROLES, form_of, make_starts, role_of
from boardgames_agents.training.starting_positions import Start, load_starts, save_starts, shipped_sets
from boardgames_env import BadInputError, Game, make_game
from tests.boardgames_agents.fives.plain import grid_game
from tests.positions import play
from tests.variants import sampled

GAME = "fives"
GOOD = Start((35, 25, 44, 33, 4), (24, 16, 36, 14, 45))


def written(tmp_path: Path, positions: object, **other: object) -> str:
    path = tmp_path / "starts.json"
    data = {"format": "boardgames-env starting positions, 1", "about": "", "positions": positions, **other}
    path.write_text(json.dumps(data), encoding="utf-8")
    return str(path)


def test_a_file_is_read_back(tmp_path: Path, game: Game) -> None:
    starts = (GOOD, Start((1,), (2,)))
    save_starts(tmp_path / "sets" / "one.json", starts, 'some "words"')
    assert load_starts(str(tmp_path / "sets" / "one.json"), game) == starts


def test_marks_are_made_in_turn_on_an_empty_board_and_seat_0_is_to_move(game: Game) -> None:
    assert GOOD.actions == (35, 24, 25, 16, 44, 36, 33, 14, 4, 45)
    position = play(game.initial, *GOOD.actions)
    assert GOOD.position(game) == position
    assert position.seat == 0
    assert (GOOD.position(make_game("fives(opening=3)")).state == position.state).all()


ROW = {"x": [0, 1, 2, 3, 4], "o": [10, 11, 12, 13, 20]}
SIX = {"x": [0, 1, 2, 4, 5, 3], "o": [10, 11, 12, 20, 21, 23]}


@pytest.mark.parametrize(
    ("positions", "message"),
    [
        ([{"x": [1, 2], "o": [3, 1]}], "position 1 of .* cell 1 is marked twice"),
        ([{"x": [1, 1], "o": [3, 4]}], "cell 1 is marked twice"),
        ([{"x": [1, 2], "o": [3, 100]}], "cell 100 lies off the board; cells are 0 to 99"),
        ([{"x": [1, -2], "o": [3, 4]}], "cell -2 lies off the board"),
        ([{"x": [1], "o": [2]}, {"x": [1, 2], "o": [3]}], "position 2 of .* 2 marks of x and 1 of o"),
        ([ROW], "it is over already"),
        ([SIX], "it is over already"),
        ([{"x": ROW["o"], "o": ROW["x"]}], "it is over already"),
        ([], "holds no starting positions"),
        ({"x": [1], "o": [2]}, "holds no starting positions"),
        ([[1, 2]], "whole numbers"),
        ([{"x": [1]}], "whole numbers"),
        ([{"x": [1.0], "o": [2]}], "whole numbers"),
        ([{"x": [True], "o": [2]}], "whole numbers"),
        ([{"x": "1", "o": "2"}], "whole numbers"),
    ],
)
def test_bad_positions_are_refused(tmp_path: Path, positions: object, message: str, game: Game) -> None:
    with pytest.raises(BadInputError, match=message):
        load_starts(written(tmp_path, positions), game)


def test_bad_files_are_refused(tmp_path: Path, game: Game) -> None:
    with pytest.raises(BadInputError, match="does not hold starting positions: its format is 'x', not "):
        load_starts(written(tmp_path, [], format="x"), game)
    with pytest.raises(BadInputError, match="lies off the board"):
        load_starts("exam-1", grid_game(5, 5))
    bad = tmp_path / "bad.json"
    for text in ("", "{", "[1]", '{"format": 1}', "null"):
        bad.write_text(text, encoding="utf-8")
        with pytest.raises(BadInputError, match="does not hold starting positions"):
            load_starts(str(bad), game)
    bad.write_bytes(b"\xff\xfe\x00")
    for name in (bad, tmp_path, tmp_path / "none.json", "exam-0", "a\0b"):
        with pytest.raises(BadInputError, match="give a file or one of: exam-1, "):
            load_starts(str(name), game)


def test_there_are_sets_for_every_role() -> None:
    assert list(shipped_sets()) == [f"{role}-{number}" for role in sorted(ROLES) for number in (1, 2, 3)]


@pytest.mark.parametrize("name", sampled(list(shipped_sets()), one_in=4))
def test_a_set_of_the_package_is_what_it_says_it_is(name: str, game: Game) -> None:
    role, number = name.rsplit("-", 1)
    starts = load_starts(name, game)
    assert starts == make_starts(game, role, int(number))
    assert len(starts) == POSITIONS
    assert {len(start.x) for start in starts} == {5}
    assert {role_of(form_of(start, game)) for start in starts} == {role}
    assert len({form_of(start, game) for start in starts}) == POSITIONS


@pytest.mark.slow
def test_no_position_has_two_roles_however_it_is_turned(game: Game) -> None:
    forms = {role: {form_of(start, game) for start in make_starts(game, role, 7, count=12)} for role in ROLES}
    assert not forms["lessons"] & forms["self_test"] | forms["self_test"] & forms["exam"]
    for symmetry in game.board.symmetries:
        x, o = (tuple(symmetry[cell] for cell in cells) for cells in (GOOD.x, GOOD.o))
        assert form_of(Start(o, x), game) == form_of(GOOD, game)


@pytest.mark.slow
def test_sets_follow_from_their_seeds(game: Game) -> None:
    assert make_starts(game, "exam", 5) == make_starts(game, "exam", 5)
    assert make_starts(game, "exam", 5) != make_starts(game, "exam", 6)
    assert make_starts(game, "exam", 5, count=2) == make_starts(game, "exam", 5)[:2]


@pytest.mark.parametrize(
    ("options", "message"), [(("play", 0, 5), "role='play'"), (("exam", -1, 5), "seed=-1"), (("exam", 0, 0), "count=0")]
)
def test_bad_orders_of_sets_are_refused(options: tuple[str, int, int], message: str, game: Game) -> None:
    with pytest.raises(BadInputError, match=message):
        make_starts(game, *options)
