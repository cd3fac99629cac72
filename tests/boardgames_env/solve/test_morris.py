"""The morris solver against published and independent counts, and against the rules themselves."""

import hashlib
import resource
from pathlib import Path

import numpy as np
import pytest
from numba import types

from boardgames_env import BadInputError, Game, Position, make_game
from boardgames_env.kernels import kernel
from boardgames_env.solve import ClassTables, known_so_far, solve, solve_classes
from boardgames_env.solve.morris import class_tables
from boardgames_env.solve.morris.classes import SLIDING, Classes, PositionClass, parse_class
from boardgames_env.solve.morris.index import INDEX, carried, row_of, spread_out
from tests.positions import random_positions
from tests.variants import fast_for, over, sampled

GAME = "five_mens_morris"
NINE = "nine_mens_morris"
FLYING = "nine_mens_morris(fly_at=3)"
CARRIED, ROW_OF = (kernel(types.int64(INDEX, types.int64, types.int64))(each.py_func) for each in (carried, row_of))
SPREAD_OUT = kernel(types.int64(types.int64, types.int64))(spread_out.py_func)


@pytest.fixture(scope="module")
def five(game: Game) -> ClassTables:
    tables = solve(game)
    assert isinstance(tables, ClassTables)
    return tables


@pytest.mark.parametrize(
    ("text", "expected"),
    [("3-3", (70696, 58952, 30512, 15)), ("4-4", (526380, 127556, 246964, 38)), ("5-5", (1198704, 301800, 517512, 31))],
)
def test_classes_of_five_mens_morris(five: ClassTables, text: str, expected: tuple[int, ...]) -> None:
    counts = five.counts(parse_class(text))
    assert (counts.won, counts.drawn, counts.lost, counts.longest) == expected


def test_sliding_positions_of_five_mens_morris(five: ClassTables) -> None:
    sliding = [each for each in five.classes.all() if each.is_sliding]
    assert sum(five.counts(each).positions for each in sliding) == 8_204_196


@pytest.mark.parametrize(
    "spec",
    fast_for(
        ["five_mens_morris"],
        [
            *(f"{number}_mens_morris" for number in ("five", "six", "seven")),
            *(f"{number}_mens_morris(any_capture=True)" for number in ("five", "six")),
            *(f"{number}_mens_morris(fly_at=3)" for number in ("five", "six")),
        ],
    ),
)
def test_the_games_on_16_points_and_all_their_openings_are_draws(spec: str) -> None:
    game = make_game(spec)
    tables = solve(game)
    assert tables.value(game.initial) == 0
    assert game.value == 0
    assert {tables.value(move.afterstate) for move in game.initial.moves()} == {0}


@pytest.mark.slow
def test_flying_with_three_against_three_on_24_points(tmp_path: Path) -> None:
    """R. Gasser gives 83 % won; the counts are from an independent program."""
    tables = solve_classes(make_game(FLYING), [PositionClass(3, 3)], tmp_path)
    counts = tables.counts(PositionClass(3, 3))
    assert (counts.positions, counts.won, counts.drawn, counts.lost) == (2_691_920, 2_232_160, 4_112, 455_648)
    assert counts.longest == 26


@pytest.mark.parametrize(
    ("spec", "text", "positions"),
    [
        ("nine_mens_morris(fly_at=3)", "3-3", 56_922),
        ("nine_mens_morris", "3-3", 169_626),
        ("nine_mens_morris", "4-3", 760_398),
        ("nine_mens_morris", "3-4", 760_398),
        ("nine_mens_morris", "4-4", 3_225_597),
        ("nine_mens_morris", "5-3", 2_580_390),
        ("nine_mens_morris", "9-9", 409_106_740),
    ],
)
def test_positions_up_to_symmetry(spec: str, text: str, positions: int) -> None:
    classes = Classes(make_game(spec).family)
    each = parse_class(text)
    assert classes.positions_up_to_symmetry(each) == positions
    assert positions <= classes.rows(each) < 1.5 * positions


def test_all_classes_of_nine_mens_morris() -> None:
    classes = Classes(make_game(NINE).family)
    sliding = [PositionClass(own, other) for own in range(3, 10) for other in range(3, 10)]
    assert sum(classes.positions_up_to_symmetry(each) for each in sliding) == 8_904_593_601


@pytest.mark.parametrize(
    ("game", "each"), [(GAME, PositionClass(4, 3)), (FLYING, PositionClass(3, 3))], indirect=["game"]
)
@pytest.mark.parametrize(
    ("step", "step_beside", "least"), [(13, 9, 250), pytest.param(7, 5, 500, marks=pytest.mark.slow)]
)
def test_rows_are_without_gaps(game: Game, each: PositionClass, step: int, step_beside: int, least: int) -> None:
    """Every row is the row of the position it stands for, up to the symmetries that keep the mover's men."""
    classes = Classes(game.family)
    index = classes.index(each)
    assert index.rows == classes.rows(each)
    seen = set()
    for orbit in range(0, len(index.representatives), step):
        own = int(index.representatives[orbit])
        for beside in range(0, len(index.others), step_beside):
            other = SPREAD_OUT.run(own, int(index.others[beside]))
            assert own & other == 0
            assert own.bit_count() == each.own
            assert other.bit_count() == each.other
            assert ROW_OF.run(index, own, other) == orbit * len(index.others) + beside
            seen.add((own, other))
            for symmetry in range(len(index.carry)):
                image = CARRIED.run(index, symmetry, own), CARRIED.run(index, symmetry, other)
                orbit_there, _ = divmod(ROW_OF.run(index, *image), len(index.others))
                assert orbit_there == orbit
    assert len(seen) > least


def position_with(game: Game, own: int, other: int, seat: int, in_hand: tuple[int, int]) -> Position:
    """The position with these men, as masks, of the seat to move and of the other."""
    sign = 1 - 2 * seat
    men = [sign * ((own >> point & 1) - (other >> point & 1)) for point in range(game.board.size)]
    return game.position([seat, *men, *(in_hand if seat == 0 else in_hand[::-1]), 0])


def code_by_the_rules(tables: ClassTables, position: Position) -> int:
    """The code of a position from those its moves lead to, as `Position.moves` finds them."""
    if position.is_over:
        return tables.code(position)
    after = []
    for move in position.moves():
        reached = move.afterstate
        # a contest that is over is no ply away from its end, whoever has won it
        code = tables.code(reached) if not reached.is_over else 0 if reached.outcome == 0 else 1
        assert not reached.is_over or reached.points_for(position.seat) in (0, 1)
        after.append(code + 1 if code else 0)
    wins = [code for code in after if code and code % 2 == 0]
    return min(wins) if wins else 0 if 0 in after else max(after)


def checked_codes(tables: ClassTables, each: PositionClass, rows: int, rng: np.random.Generator) -> list[int]:
    """The codes of a sample of a class's rows, each of which agrees with the game's own kernels."""
    index, codes = tables.classes.index(each), []
    for row in rng.integers(0, index.rows, rows):
        orbit, beside = divmod(int(row), len(index.others))
        own = int(index.representatives[orbit])
        other = SPREAD_OUT.run(own, int(index.others[beside]))
        seat = int(rng.integers(2)) if each.ply == SLIDING else each.ply % 2
        position = position_with(tables.game, own, other, seat, tables.classes.in_hand(each))
        assert tables._place(position).each == each
        codes.append(int(tables.codes(each)[row]))
        assert tables.code(position) == codes[-1] or position.is_over
        assert code_by_the_rules(tables, position) == codes[-1]
    return codes


@pytest.mark.parametrize(
    "spec",
    fast_for(
        ["five_mens_morris"], ["five_mens_morris", "six_mens_morris(fly_at=3)", "five_mens_morris(any_capture=True)"]
    ),
)
def test_codes_follow_from_the_rules(spec: str) -> None:
    game = make_game(spec)
    tables = solve(game)
    rng = np.random.default_rng(7)
    codes = [code for each in tables.classes.all() for code in checked_codes(tables, each, 25, rng)]
    assert len(codes) > 900


@pytest.mark.slow
def test_codes_of_nine_mens_morris_follow_from_the_rules(tmp_path: Path) -> None:
    tables = solve_classes(make_game(FLYING), [PositionClass(4, 3)], tmp_path)
    rng = np.random.default_rng(8)
    classes = (PositionClass(3, 3), PositionClass(4, 3), PositionClass(3, 4))
    assert sum(code > 0 for each in classes for code in checked_codes(tables, each, 150, rng)) > 150


@pytest.mark.parametrize("contests", [5, pytest.param(60, marks=pytest.mark.slow)])
def test_contests_lead_through_positions_that_agree(five: ClassTables, contests: int, game: Game) -> None:
    """Positions of random contests, captures under way included, are worth what their actions lead to."""
    rng = np.random.default_rng(3)
    captures = 0
    for _ in range(contests):
        position = game.initial
        while not position.is_over:
            worths = [five.value_for(position.after(action), position.seat) for action in position.legal_actions]
            assert five.value(position) == max(worths)
            images = {five.code(image) for image in position.images()}
            assert images == {five.code(position)}
            action = int(rng.choice(position.legal_actions))
            captures += game.actions[action].kind == "capture"
            position = position.after(action)
    assert captures > contests


@pytest.mark.slow
@pytest.mark.parametrize("wanted", [[PositionClass(4, 4)], None])
def test_threads_change_nothing(
    five: ClassTables, wanted: list[PositionClass] | None, tmp_path: Path, game: Game
) -> None:
    again = solve_classes(game, wanted, tmp_path, jobs=3)
    for each in wanted or five.classes.all():
        assert (again.codes(each) == five.codes(each)).all()


@pytest.mark.slow
def test_a_run_that_was_stopped_goes_on_where_it_was(five: ClassTables, tmp_path: Path, game: Game) -> None:
    class StoppedError(Exception):
        pass

    def stop(done: int, total: int) -> None:
        if done > total / 2:
            raise StoppedError

    with pytest.raises(StoppedError):
        solve_classes(game, folder=tmp_path, on_progress=stop)
    kept = {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    assert 5 < len(kept) < len(five.classes.all())
    steps: list[int] = []
    tables = solve_classes(game, folder=tmp_path, on_progress=lambda done, total: steps.append(done))
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    assert steps == sorted(steps)
    assert steps[-1] == sum(map(tables.classes.rows, tables.classes.all()))
    assert all((tables.codes(each) == five.codes(each)).all() for each in five.classes.all())


@over(sampled([GAME, NINE], one_in=2))
def test_the_classes_that_are_needed_are_solved_first(game: Game, tmp_path: Path) -> None:
    solve_classes(game, [parse_class("3-4")], tmp_path)
    assert sorted(path.stem for path in tmp_path.iterdir()) == ["3-3", "3-4", "4-3"]


def test_what_has_not_been_solved_is_said(tmp_path: Path) -> None:
    game = make_game(NINE)
    tables = solve_classes(game, [PositionClass(3, 3)], tmp_path)
    assert not tables.knows(game.initial)
    with pytest.raises(BadInputError, match=r"class ply-00-0-0 of nine_mens_morris has not been solved"):
        tables.value(game.initial)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("33", "write the men"),
        ("a-b", "write the men"),
        ("9" * 5000 + "-3", "write the men"),
        ("٣-٣", "write the men"),
        ("2-3", "each side has 3 to 9 men"),
        ("3-10", "3 to 9 men"),
    ],
)
def test_classes_that_make_no_sense_are_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(BadInputError, match=message):
        solve_classes(make_game(NINE), [parse_class(text)], tmp_path)


def test_what_the_solver_is_not_made_for_is_refused(tmp_path: Path, game: Game) -> None:
    whole = "too large to be solved whole"
    for name, why in ((NINE, whole), ("twelve_mens_morris", whole), ("nerenchi", "every mill captures one man")):
        with pytest.raises(BadInputError, match=why):
            solve(make_game(name))
    with pytest.raises(BadInputError, match="is not a morris game"):
        ClassTables(make_game("achi"))
    with pytest.raises(BadInputError, match="jobs=0 is not allowed"):
        solve_classes(game, folder=tmp_path, jobs=0)


def test_files_that_are_damaged_or_of_other_rules_are_refused(tmp_path: Path, game: Game) -> None:
    wanted = [PositionClass(3, 3)]
    path = solve_classes(game, wanted, tmp_path).path(wanted[0])
    whole = path.read_bytes()
    path.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    with pytest.raises(BadInputError, match="checksum is wrong"):
        solve_classes(game, wanted, tmp_path)
    path.write_bytes(whole)
    with pytest.raises(
        BadInputError, match=r"does not hold a table of the class 3-3 of five_mens_morris\(any_capture=True\)"
    ):
        solve_classes(make_game("five_mens_morris", any_capture=True), wanted, tmp_path)
    path.rename(tmp_path / "4-4.safetensors")
    with pytest.raises(BadInputError, match="does not hold a table of the class 4-4"):
        ClassTables(game, tmp_path).codes(PositionClass(4, 4))


FIVE_MEN = (1, 1, 1, -1, -1, -1)


@pytest.mark.parametrize(
    ("spec", "state", "message"),
    [
        ("nine_mens_morris", [0, *FIVE_MEN, *[0] * 18, 0, 0, 0], "is not a position of five_mens_morris"),
        ("five_mens_morris(any_capture=True)", [0] * 17 + [5, 5, 0], "is not a position of five_mens_morris"),
        ("achi", [0] * 11, "is not a position of five_mens_morris"),
        ("five_mens_morris", [0, 1, -1, *[0] * 14, 2, 4, 0], "cannot be reached"),
        ("five_mens_morris", [1, 1, -1, *[0] * 14, 4, 4, 0], "cannot be reached"),
        ("five_mens_morris", [0, 1, 1, 1, -1, -1, *[0] * 11, 2, 3, 2], "cannot be reached"),
        ("five_mens_morris", [0, *[1] * 7, *[-1] * 5, *[0] * 4, 0, 0, 0], "cannot be reached"),
    ],
)
def test_impossible_positions_are_refused(five: ClassTables, spec: str, state: list[int], message: str) -> None:
    position = Position.unchecked(make_game(spec), np.array(state, dtype=np.int8))
    for question in (five.value, five.distance, five.knows):
        with pytest.raises(BadInputError, match=message):
            question(position)


def test_rows_are_numbered_as_the_format_of_the_files_says() -> None:
    """Files are named by kernels and a format number, not by the Python code that numbers the rows.

    Whoever changes the numbering raises the number, and records both here.
    """
    numbers = hashlib.sha256()
    for name in (GAME, "five_mens_morris(fly_at=3)"):
        classes = Classes(make_game(name).family)
        for each in classes.all():
            numbers.update(str(each).encode())
            if each.own + each.other <= 6:
                for array in classes.index(each):
                    numbers.update(array.tobytes())
    assert (class_tables._FORMAT, numbers.hexdigest()[:16]) == (2, "e5e725926f11fb0a")


def test_limits_make_no_other_game(five: ClassTables) -> None:
    other = make_game("five_mens_morris", recurrences=5, plies=0)
    assert five.value(other.initial) == 0


@pytest.mark.slow
def test_progress_ends_after_a_damaged_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: Game) -> None:
    monkeypatch.setenv("BOARDGAMES_CACHE", str(tmp_path))
    path = solve_classes(game).path(PositionClass(4, 3))
    path.write_bytes(path.read_bytes()[:100])
    steps: list[tuple[int, int]] = []
    with pytest.warns(RuntimeWarning, match="solving it again"):
        solve_classes(game, on_progress=lambda *step: steps.append(step))
    assert steps[-1] == (1_204_943, 1_204_943)
    assert max(done for done, _ in steps) == 1_204_943


def test_a_folder_of_other_tables_is_refused(tmp_path: Path) -> None:
    game = make_game(NINE)
    with pytest.raises(BadInputError, match="holds no tables"):
        known_so_far(game, tmp_path)
    solve_classes(game, [PositionClass(3, 3)], tmp_path)
    assert known_so_far(game, tmp_path).knows(game.position([0, *FIVE_MEN, *[0] * 18, 0, 0, 0]))
    with pytest.raises(BadInputError, match=r"does not hold a table of nine_mens_morris\(fly_at=3\)"):
        known_so_far(make_game(FLYING), tmp_path)


def test_a_folder_that_cannot_be_written_to_is_told(tmp_path: Path, game: Game) -> None:
    in_the_way = tmp_path / "file"
    in_the_way.touch()
    with pytest.raises(OSError, match="file"):
        solve_classes(game, [PositionClass(3, 3)], in_the_way)


def test_a_probe_takes_no_memory(five: ClassTables, game: Game) -> None:
    positions = random_positions(game, 1000, 1)
    codes = [five.code(position) for position in positions]
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert [five.code(position) for position in positions] == codes
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 10_000


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="nothing tells here how many files are open")
def test_solutions_in_use_share_their_files() -> None:
    game = make_game("five_mens_morris")
    first = solve(game)
    assert isinstance(first, ClassTables)
    before = len(list(Path("/proc/self/fd").iterdir()))
    more = [solve(game) for _ in range(20)]
    assert len(list(Path("/proc/self/fd").iterdir())) == before
    assert all(each is first for each in more)
    assert solve(game, first.folder) is not first
