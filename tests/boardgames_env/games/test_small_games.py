"""Values and counts of the small games, every figure of which was computed by other programs, too."""

from functools import cache
from itertools import combinations

import numpy as np
import pytest

from boardgames_env import Game, Position, make_game
from boardgames_env.solve import solve_reachable
from tests.variants import EVERY_GAME, over, sampled, variants_of

LINE_WINS = ("achi", "marelle", "les_pendus", "nine_holes", "tant_fant", "tsoro_yematatu", "shisima")
BLOCKED_LOSES = ("mu_torere", "pong_hau_ki")
SMALL = variants_of(LINE_WINS + BLOCKED_LOSES, EVERY_GAME)


@cache
def every_position(spec: str) -> list[Position]:
    game = make_game(spec)
    return [game.position(state) for state in solve_reachable(game).states]


@over(SMALL)
def test_positions_and_value_are_those_that_it_tells(game: Game) -> None:
    table = solve_reachable(game)
    assert len(table) == game.positions
    assert table.value(game.initial) == game.value


@over(sampled(SMALL, one_in=5))
def test_the_seat_to_move_can_move_until_the_contest_is_over(game: Game) -> None:
    assert all(position.is_over or position.legal_actions for position in every_position(game.spec))


@pytest.mark.parametrize(
    ("spec", "value", "plies", "positions", "classes", "values"),
    [
        ("tic_tac_toe", 0, None, 5478, 765, (2836, 1068, 1574)),
        ("lose_tic_tac_toe", 0, None, 5478, 765, (3054, 980, 1444)),
        ("achi", 0, None, 5768, 801, (2960, 1128, 1680)),
        ("marelle", 1, 9, 5390, 744, (2997, 1208, 1185)),
        ("les_pendus", 0, None, 5390, 744, (3334, 972, 1084)),
        ("nine_holes", 0, None, 5470, 756, None),
        ("tant_fant", 0, None, 3080, 1568, None),
        ("tsoro_yematatu", 0, None, 815, 439, None),
        ("shisima", 0, None, 3200, 216, None),
        ("mu_torere", 0, None, 1180, 86, None),
        ("mu_torere(restricted='never')", 1, 1, 1180, None, None),
        ("mu_torere(restricted='first_move')", -1, 4, 1183, None, None),
        ("mu_torere(restricted='first_two_moves')", 0, None, 1187, None, None),
        ("pong_hau_ki", 0, None, 56, 30, (8, 44, 4)),
        ("pong_hau_ki(placing=True)", 0, None, 114, 61, None),
        *(
            pytest.param(*each, marks=pytest.mark.slow)
            for each in (
                ("achi(adjacent=True)", 1, 11, 5724, None, None),
                ("marelle(steps='orthogonal')", 1, 9, 5390, None, (2877, 1312, 1201)),
                ("marelle(steps='king')", 0, None, 5390, None, (2914, 1576, 900)),
                ("marelle(first_man_centre=False)", 0, None, 5381, 741, None),
                ("marelle(first_man_centre=False, steps='orthogonal')", 0, None, 5381, None, None),
                ("marelle(first_man_centre=False, steps='king')", 0, None, 5381, None, None),
            )
        ),
    ],
)
def test_positions_and_values(
    spec: str, value: int, plies: int | None, positions: int, classes: int | None, values: tuple[int, ...] | None
) -> None:
    """The value and its plies, all positions and those up to symmetry, and how many are won, drawn and lost."""
    game = make_game(spec)
    table = solve_reachable(game)
    assert (table.value(game.initial), table.distance(game.initial), len(table)) == (value, plies, positions)
    assert (game.value, game.positions) == (value, positions)
    assert table.acyclic == (game.name in ("tic_tac_toe", "lose_tic_tac_toe"))
    assert classes in (None, len({position.canonical for position in every_position(spec)}))
    assert values in (None, tuple(int((table.values == each).sum()) for each in (1, 0, -1)))


@pytest.mark.parametrize(
    ("spec", "openings"),
    [
        ("tic_tac_toe", dict.fromkeys("012345678", 0)),
        ("lose_tic_tac_toe", dict.fromkeys("01235678", -1) | {"4": 0}),
        ("achi", dict.fromkeys("012345678", 0)),
        ("achi(adjacent=True)", dict.fromkeys("01235678", -1) | {"4": 1}),
        ("marelle", {"0": 0, "1": -1, "2": 0, "3": -1, "4": 1, "5": -1, "6": 0, "7": -1, "8": 0}),
        ("marelle(first_man_centre=False)", {"0": 0, "1": -1, "2": 0, "3": -1, "5": -1, "6": 0, "7": -1, "8": 0}),
        ("les_pendus", dict.fromkeys("012345678", 0)),
        ("nine_holes", dict.fromkeys("012345678", 0)),
        ("tant_fant", {"6-3": 0, "6-4": -1, "7-4": 0, "8-4": -1, "8-5": 0}),
        ("tsoro_yematatu", dict.fromkeys("0123456", 0)),
        ("shisima", {"4-3": 0, "4-8": -1, "5-8": 0, "6-7": 0, "6-8": -1}),
        ("mu_torere", {"4": 0, "7": 0}),
        ("mu_torere(restricted='never')", {"4": -1, "5": 1, "6": 1, "7": -1}),
        ("pong_hau_ki", {"3": 0, "4": 0}),
    ],
)
def test_openings(spec: str, openings: dict[str, int]) -> None:
    game = make_game(spec)
    table = solve_reachable(game)
    values = {game.action_text(a): table.value_for(game.initial.play(a), 0) for a in game.initial.legal_actions}
    assert values == openings


@pytest.mark.parametrize("spec", sampled(LINE_WINS, one_in=3))
def test_a_contest_is_over_when_a_seat_holds_a_line_but_its_home(spec: str) -> None:
    board = make_game(spec).board
    homes = board.homes or ((), ())
    for position in every_position(spec):
        holders = {
            (0 if position.state[1 + line[0]] > 0 else 1, line)
            for line in board.winning_lines
            if abs(position.state[1 + np.array(line)].sum()) == len(line)
        }
        winners = {seat for seat, line in holders if line != homes[seat]}
        assert len(winners) <= 1
        assert position.outcome == ((1 if winners == {0} else -1) if winners else None)


@pytest.mark.parametrize(
    ("spec", "farthest"),
    [("marelle(steps='orthogonal')", 1), ("marelle(steps='king')", 1.5), ("les_pendus", 9), ("nine_holes", 9)]
    + [(name, None) for name in ("marelle", "tant_fant", "shisima")],
)
def test_how_far_men_move(spec: str, farthest: float | None) -> None:
    """Along a line to the next point, or as far as that whether a line leads there or not."""
    board = make_game(spec).board
    points = np.array(board.points)
    near = np.linalg.norm(points[:, None] - points[None], axis=2) <= farthest if farthest else board.adjacency_array
    for position in every_position(spec)[::7]:
        men = position.state[1 : 1 + board.size]
        actions = {position.game.actions[action] for action in position.legal_actions}
        if not position.is_over and {action.kind for action in actions} == {"move"}:
            own, empty = np.flatnonzero(men == 1 - 2 * position.seat), np.flatnonzero(men == 0)
            expected = {(here, there) for here in own for there in empty if near[here, there]}
            assert {action.locations for action in actions} == expected


@pytest.mark.parametrize(
    ("restricted", "plies"), [("always", 99), ("never", 0), ("first_move", 2), ("first_two_moves", 4)]
)
def test_when_a_man_of_mu_torere_needs_an_enemy_beside_him_to_enter(restricted: str, plies: int) -> None:
    rng = np.random.default_rng(5)
    game = make_game("mu_torere", restricted=restricted)
    for _ in range(50):
        position, played = game.initial, 0
        while not position.is_over and played < 12:
            men = position.state[1:10].tolist()
            own, empty = 1 - 2 * position.seat, men.index(0)
            beside = [
                man for man in range(9) if men[man] == own and man in game.board.adjacency[empty]
                and (empty != 8 or played >= plies or -own in (men[(man + 1) % 8], men[(man - 1) % 8]))
            ]  # fmt: skip
            assert list(position.legal_actions) == beside
            position, played = position.play(int(rng.choice(beside))), played + 1


def test_only_the_first_man_of_marelle_may_be_kept_from_the_centre() -> None:
    start = make_game("marelle", first_man_centre=False).initial
    assert start.legal_actions == (0, 1, 2, 3, 5, 6, 7, 8)
    assert all(4 in start.play(action).legal_actions for action in start.legal_actions)


def test_a_man_jumps_over_either_seats_man_at_tsoro_yematatu() -> None:
    game = make_game("tsoro_yematatu")
    # black on 1, 2 and 6, white on 3, 4 and 5; the apex is empty
    position = game.position([0, 0, 1, 1, -1, -1, -1, 1, 6])
    assert position.legal_actions == (1, 2, 6)
    jumped = position.play(6)
    assert jumped.state.tolist() == [1, 1, 1, 1, -1, -1, -1, 0, 6]
    assert jumped.legal_actions == (3, 4, 5)
    # 4 shares no line with the empty point
    assert game.position([0, -1, 1, 0, -1, 1, -1, 1, 6]).legal_actions == (1,)


def test_mu_torere_has_46_boards_up_to_symmetry() -> None:
    board = make_game("mu_torere").board
    assert len(board.symmetries) == 16
    boards = {tuple(position.state[1 : 1 + board.size].tolist()) for position in every_position("mu_torere")}
    assert len({min(tuple(each[i] for i in symmetry) for symmetry in board.symmetries) for each in boards}) == 46
    # all there are: a point is empty, and black has four of the other eight
    assert len(boards) == 9 * len(list(combinations(range(8), 4)))


@pytest.mark.parametrize(("spec", "ends"), [("mu_torere", 80), ("pong_hau_ki", 4), ("pong_hau_ki(placing=True)", 4)])
def test_a_blocked_seat_loses(spec: str, ends: int) -> None:
    over = [position for position in every_position(spec) if position.is_over]
    assert len(over) == ends
    for position in over:
        assert position.points_for(position.seat) == -1
        men = position.state[1 : 1 + position.game.board.size].tolist()
        beside = [men[point] for point in position.game.board.adjacency[men.index(0)]]
        assert spec == "mu_torere" or 1 - 2 * position.seat not in beside
