"""The known counts and values of each game."""

from collections.abc import Callable
from typing import get_args

import numpy as np
import pytest

from boardgames_agents.arena.exact_outcomes import exact_outcomes
from boardgames_agents.registry import make_agent
from boardgames_env import BadInputError, Position, make_game, registered_games
from boardgames_env.games import game as register
from boardgames_env.solve import solve_reachable
from tests.boardgames_env.games.test_small_games import BLOCKED_LOSES, LINE_WINS
from tests.positions import reachable
from tests.processes import printed
from tests.variants import ONLY_LIMITS, fast_for


def test_a_game_is_in_the_file_of_its_name() -> None:
    ours = [entry for entry in registered_games().values() if entry.factory.__module__.startswith("boardgames_env.")]
    assert [entry.factory.__module__.rpartition(".")[2] for entry in ours] == [entry.name for entry in ours]
    assert len(ours) == 32


def test_every_option_that_changes_how_a_game_feels_has_a_label_for_people() -> None:
    for name, entry in registered_games().items():
        decided = {option for options in entry.ways.values() for option in options}
        for option in entry.options.values():
            label = option.label
            is_detail = option.name in ONLY_LIMITS or option.name in decided
            assert label or is_detail, f"{name}: {option.name}"
            if label:
                assert "`" not in label.text
                assert not label.values or len(label.values) == len(get_args(option.type))
                assert label.way in ("", *entry.ways), f"{name}: {option.name}"
                assert label.on is None or entry.make({option.name: label.on})
        for way, options in entry.ways.items():
            assert entry.make(dict(options)), way


@pytest.mark.parametrize(
    ("name", "same"), [
        ("akidada", "six_mens_morris"), ("checkers", "english_draughts"), ("tapatan", "marelle"),
        ("three_mens_morris", "marelle"), ("reversi", "othello"), ("noughts_and_crosses", "tic_tac_toe"),
        ("mill", "nine_mens_morris"), ("merels", "nine_mens_morris"), ("five_in_a_row", "gomoku"),
        ("four_in_a_row", "connect_four"),
    ]
)  # fmt: skip
def test_a_game_has_other_names(name: str, same: str) -> None:
    assert make_game(name) is make_game(same)


@pytest.mark.parametrize("spec", fast_for(["tic_tac_toe"], ["tic_tac_toe", "lose_tic_tac_toe"]))
def test_positions_of_tic_tac_toe_by_ply(spec: str) -> None:
    found = reachable(spec)
    assert len(found) == 5478
    assert np.bincount([ply for _, ply in found.values()]).tolist() == [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]
    classes = {position.canonical: ply for position, ply in found.values()}
    assert np.bincount(list(classes.values())).tolist() == [1, 3, 12, 38, 108, 174, 204, 153, 57, 15]
    ends = [position for position, _ in found.values() if position.is_over]
    sign = 1 if spec == "tic_tac_toe" else -1
    assert len(ends) == 958
    assert [sum(end.outcome == sign * points for end in ends) for points in (1, -1, 0)] == [626, 316, 16]
    classes_over = {end.canonical: end.outcome for end in ends}
    assert [sum(points == sign * wanted for points in classes_over.values()) for wanted in (1, -1, 0)] == [91, 44, 3]


@pytest.mark.parametrize("plies", fast_for([4], [4, 7]))
def test_positions_of_connect_four_by_ply(plies: int) -> None:
    counts, reached = [], {make_game("connect_four").initial}
    for _ in range(plies + 1):
        counts.append(len(reached))
        reached = {position.after(action) for position in reached for action in position.legal_actions}
    assert counts == [1, 7, 49, 238, 1120, 4263, 16_422, 54_859][: plies + 1]


@pytest.mark.parametrize(
    ("spec", "value", "positions"),
    fast_for(
        [
            ("connect_four(columns=3,rows=3,in_a_row=3)", 0, 694),
            ("breakthrough(columns=3,rows=3)", 1, 723),
            ("hexapawn", -1, 135),
            ("hexapawn(columns=4)", 1, 1128),
            ("hexapawn(rows=4)", -1, 987),
            ("hex(size=3,swap=False)", 1, 5514),
            ("hex(size=3)", -1, 11_027),
        ],
        [
            ("hex(size=3,swap=False)", 1, 5514),
            ("hex(size=3)", -1, 11_027),
            ("hex(size=4,swap=False)", 1, 9_386_235),
            ("othello(size=4)", -1, 62_789),
            ("breakthrough(columns=3,rows=3)", 1, 723),
            ("breakthrough(columns=3,rows=4)", 1, 10_689),
            ("breakthrough(columns=4,rows=4)", 1, 387_693),
            ("breakthrough(columns=4,rows=5)", 1, 3_574_384),
            ("hexapawn", -1, 135),
            ("hexapawn(columns=4)", 1, 1128),
            ("hexapawn(rows=4)", -1, 987),
            ("hexapawn(columns=4,rows=4)", 1, 20_286),
            ("hexapawn(columns=5,rows=4)", -1, 359_894),
            ("hexapawn(columns=4,rows=5)", -1, 118_133),
            ("connect_four(columns=3,rows=3,in_a_row=3)", 0, 694),
            ("connect_four(columns=4,rows=4)", 0, 161_029),
            ("connect_four(columns=5,rows=4)", 0, 3_945_711),
            ("connect_four(columns=4,rows=5)", 0, 1_706_255),
        ],
    ),
)
def test_small_variants_are_solved(spec: str, value: int, positions: int) -> None:
    game = make_game(spec)
    solution = solve_reachable(game)
    assert (solution.value(game.initial), len(solution)) == (value, positions)
    assert game.value in (value, None)
    assert game.positions >= positions


def outcomes(position: Position, combine: Callable[..., np.ndarray], known: dict[bytes, np.ndarray]) -> np.ndarray:
    """How many contests go on from here to +1, 0 and −1, or how likely they do."""
    if position.is_over:
        return np.eye(3)[1 - position.outcome]
    if position.key not in known:
        after = [outcomes(position.after(action), combine, known) for action in position.legal_actions]
        known[position.key] = combine(after, axis=0)
    return known[position.key]


@pytest.mark.parametrize("spec", ["tic_tac_toe", "lose_tic_tac_toe"])
def test_contests_of_tic_tac_toe(spec: str) -> None:
    expected = [131_184, 46_080, 77_904]
    assert outcomes(make_game(spec).initial, np.sum, {}).tolist() == expected[:: 1 if spec == "tic_tac_toe" else -1]


def test_every_sliding_position_of_achi_has_four_moves() -> None:
    sliding = [position for position, _ in reachable("achi").values() if position.state[-1] == 8]
    assert {len(position.legal_actions) for position in sliding if not position.is_over} == {4}


def test_a_blocked_seat_passes_in_traditional_achi() -> None:
    game = make_game("achi", adjacent=True)
    # white is to move; the empty point is 0, and 1, 3 and 4, next to it, are black's
    blocked = game.position([1, 0, 1, -1, 1, 1, -1, -1, -1, 1, 8])
    assert [game.action_text(action) for action in blocked.legal_actions] == ["pass"]
    after = blocked.play(game.parse_action("pass"))
    assert after.seat == 0
    assert after.state[1:].tolist() == blocked.state[1:].tolist()
    assert after.legal_actions == (1, 3, 4)


def test_the_fork_of_figure_3() -> None:
    """X on two opposite corners, O in the centre, O to move: the sides draw and the corners lose."""
    game = make_game("tic_tac_toe")
    position = game.initial.play(0).play(4).play(8)
    table = solve_reachable(game)
    values = {action: table.value_for(position.play(action), 1) for action in position.legal_actions}
    assert values == {1: 0, 3: 0, 5: 0, 7: 0, 2: -1, 6: -1}


def test_random_play_at_tic_tac_toe() -> None:
    game = make_game("tic_tac_toe")
    chances = np.array([0.584921, 0.126984, 0.288095])
    assert outcomes(game.initial, np.mean, {}) == pytest.approx(chances, abs=1e-6)
    found = exact_outcomes(game, make_agent("random", game), make_agent("random", game))
    assert found == pytest.approx((chances + chances[::-1]) / 2, abs=1e-6)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("chess", "no game 'chess'; the games are: .*achi"),
        ("five_mens_morris(fly_at=6)", r"fly_at=6 is not allowed; it is 0 \(never\), or 3 to 5"),
        ("nine_mens_morris(fly_at=2)", r"fly_at=2 is not allowed; .* a seat with 2 men has lost"),
        ("nine_mens_morris(fly_at=-1)", "fly_at=-1 is not allowed"),
        ("six_mens_morris(recurrences=0, plies=0)", "contests need not end"),
        ("six_mens_morris(recurrences=1)", "recurrences=1 is not allowed"),
        ("murabaraba(plies=-5)", "plies=-5 is not allowed"),
        ("nerenchi(lose_at=12)", "lose_at=12 is not allowed; it must be from 0 to 11"),
        ("nerenchi(lose_at=-1)", "lose_at=-1 is not allowed"),
        ("backgammon(match_length=5, jacoby=True)", "jacoby and beavers are rules of money sessions"),
        ("backgammon(match_length=5, beavers=True, cube=True)", "jacoby and beavers are rules of money sessions"),
        ("backgammon(score=(1, 0))", "score and post_crawford are those of a match"),
        ("backgammon(post_crawford=True)", "score and post_crawford are those of a match"),
        ("backgammon(match_length=-1)", "match_length=-1 is not allowed"),
        ("backgammon(match_length=5, score=(5, 0))", "each from 0 to 4"),
        ("connect_four(columns=1)", "columns=1 is not allowed; it must be a whole number from 2 to 10"),
        ("connect_four(rows=11)", "rows=11 is not allowed"),
        ("connect_four(columns=3, rows=3)", "in_a_row=4 is not allowed; it must be a whole number from 3 to 3"),
        ("connect_four(columns=2, rows=2, in_a_row=3)", "columns=2 and rows=2 are not allowed"),
        ("connect_four(columns=10, rows=10, in_a_row=9)", "in_a_row=9 is not allowed; .* from 3 to 8"),
        ("breakthrough(columns=1)", "columns=1 is not allowed; it must be a whole number from 2 to 10"),
        ("hexapawn(rows=2)", "rows=2 is not allowed; it must be a whole number from 3 to 10"),
        ("english_draughts(quiet_moves=0)", "quiet_moves=0 is not allowed; it must be a whole number from 1 to 500"),
        ("english_draughts(recurrences=1)", "recurrences=1 is not allowed"),
        ("english_draughts(progress='king')", "progress"),
        ("hex(size=2)", "size=2 is not allowed; it must be a whole number from 3 to 19"),
        ("hex(size=20)", "size=20 is not allowed"),
        ("gomoku(size=4)", "size=4 is not allowed; it must be a whole number from 5 to 15"),
        ("gomoku(size=16)", "size=16 is not allowed"),
        ("gomoku(overline='draws')", "overline='draws' is not allowed; .*'wins', 'nothing', 'loses'"),
        *((f"othello(size={size})", f"size={size} .*one of 4, 6, 8") for size in (2, 5, 7, 10, 8.0, True)),
        ("othello(points='squares')", "points='squares' .*one of 'win', 'discs'"),
        ("fives(opening=11)", "opening=11 is not allowed; it "),
        ("fives(opening=-1)", "opening=-1 is not allowed; it "),
        ("fives(paired_moves=-1)", "paired_moves=-1 is not allowed; it "),
        ("fives(paired_moves=51)", "paired_moves=51 is not allowed; it "),
        ("fives(paired_moves=5,opening=1)", "paired_moves=5 is not allowed; it "),
        *(
            (f"{name}(recurrences={number})", f"recurrences={number} is not allowed; it must be at least 2")
            for name in (*LINE_WINS, *BLOCKED_LOSES)
            for number in (1, 0, -3)
        ),
    ],
)
def test_what_is_refused_is_named(spec: str, message: str) -> None:
    with pytest.raises(BadInputError, match=message):
        make_game(spec)


def test_a_name_is_registered_once() -> None:
    with pytest.raises(BadInputError, match="registered already"):

        @register(version=0)
        def achi() -> None: ...


@pytest.mark.slow
@pytest.mark.parametrize("first", ["", "import boardgames_env.solve; "])
def test_solve_is_an_everyday_name_that_is_imported_when_needed(first: str) -> None:
    code = (
        "import sys, boardgames_env as b; assert 'boardgames_env.solve' not in sys.modules; "
        f"{first}from boardgames_env import make_game, solve; game = make_game('tic_tac_toe'); "
        "print(solve(game).value(game.initial)); from boardgames_env.solve import solve, solve_reachable"
    )
    assert printed(code) == "0\n"
