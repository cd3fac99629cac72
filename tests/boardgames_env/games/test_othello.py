"""Othello, against rules written down once more, and against records that others have published."""

import numpy as np
import pytest

from boardgames_agents.search.alpha_beta import AlphaBeta
from boardgames_agents.search.negamax import WON
from boardgames_env import Game, Position, make_game
from boardgames_env.render.layout import caption
from tests.perft import through_kernels
from tests.positions import men_at, play, random_positions
from tests.variants import fast_for, over

SIZES = ["othello(size=4)", "othello(size=6)", "othello"]

STEPS = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0)]


def turned_by(position: Position, square: int, seat: int) -> set[int]:
    """The discs that a disc of a seat on a square turns, found square by square."""
    size, own = round(position.game.board.size**0.5), 1 - 2 * seat
    men = position.state[1:].reshape(size, size)
    found: set[int] = set()
    if men.flat[square] != 0:
        return found
    for down, right in STEPS:
        row, column = square // size + down, square % size + right
        passed = []
        while 0 <= row < size and 0 <= column < size and men[row, column] == -own:
            passed.append(row * size + column)
            row, column = row + down, column + right
        if 0 <= row < size and 0 <= column < size and men[row, column] == own:
            found.update(passed)
    return found


def of_any_discs(game: Game, count: int, seed: int) -> list[Position]:
    """Positions of discs at random, most of which contests do not reach."""
    rng = np.random.default_rng(seed)
    return [
        Position.unchecked(game, np.array([k % 2, *rng.choice([-1, 0, 1], game.board.size, p=odds)], dtype=np.int8))
        for k in range(count)
        for odds in [rng.dirichlet([3, 1, 3])]
    ]


@over(SIZES)
def test_rows_between_two_discs_are_turned(game: Game) -> None:
    passes = 0
    for position in [*random_positions(game, 100, 4), *of_any_discs(game, 100, 4)]:
        turned, theirs = (
            {square: found for square in range(game.board.size) if (found := turned_by(position, square, seat))}
            for seat in (position.seat, 1 - position.seat)
        )
        men = position.state[1:]
        if not turned and not theirs:
            assert position.outcome == np.sign(men.sum())
            continue
        assert position.outcome is None
        assert position.legal_actions == (tuple(turned) or (game.board.size,))
        passes += not turned
        for square, discs in turned.items():
            expected = men.copy()
            expected[[square, *discs]] = 1 - 2 * position.seat
            assert position.after(square).state.tolist() == [1 - position.seat, *expected]
        if not turned:
            after = position.after(game.parse_action("pass"))
            assert after.state.tolist() == [1 - position.seat, *men]
            assert after.legal_actions == tuple(theirs)
    assert passes > 0


@over(SIZES)
def test_squares_and_first_discs(game: Game) -> None:
    size = round(game.board.size**0.5)
    assert game.board.labels[0] == "a1"
    assert game.board.labels[size - 1] == "abcdefgh"[size - 1] + "1"
    assert game.board.labels[-1] == f"{'abcdefgh'[size - 1]}{size}"
    assert len(game.board.symmetries) == 4
    images = {image.key for image in game.initial.images()}
    assert images == {game.initial.key}
    assert len({game.initial.after(action).canonical for action in game.initial.legal_actions}) == 1


def test_a_quarter_turn_exchanges_the_seats() -> None:
    game = make_game("othello")
    for position in random_positions(game, 100, 9):
        men = -np.rot90(position.state[1:].reshape(8, 8)).ravel()
        other = game.position([1 - position.seat, *men])
        assert other.outcome == (None if position.outcome is None else -position.outcome)
        there = np.rot90(np.arange(64).reshape(8, 8)).ravel().tolist()
        placed = [action for action in position.legal_actions if action < 64]
        assert sorted(there.index(action) for action in placed) == [each for each in other.legal_actions if each < 64]


# the shortest contest; an optimal one by Takizawa (2023); on 6 x 6 one by Feinstein (1993), by the number of the ply
SHORTEST = "e6 f4 e3 f6 g5 d6 e7 f5 c5"
DRAWN = (
    "f5d6c3d3c4f4f6f3e6e7d7c5b6d8c6c7d2b5a5a6a7g5e3b4c8g6g4c2e8d1f7e2g3h4f1e1f2g1b1f8g8b3h3b2h5b7a3a4a1a2c1h2h1g2b8a8"
    "g7h8h7h6"
)
FEINSTEIN = [
    [28, 9, 8, 7, 31, 32],
    [22, 14, 1, 4, 17, 16],
    [27, 13, 0, 0, 6, 15],
    [19, 2, 0, 0, 5, 12],
    [24, 23, 3, 10, 26, 29],
    [21, 18, 20, 11, 25, 30],
]


def squares_of(which: str) -> tuple[str, list[str], int]:
    """The game, the squares in the order in which discs are placed, and the difference of discs at the end."""
    if which == "shortest":
        return "othello(points='discs')", SHORTEST.split(), 13
    if which == "drawn":
        return "othello(points='discs')", [DRAWN[k : k + 2] for k in range(0, len(DRAWN), 2)], 0
    numbers = np.array(FEINSTEIN).ravel()
    labels = make_game("othello(size=6)").board.labels
    return "othello(points='discs',size=6)", [labels[numbers.tolist().index(k)] for k in range(1, 33)], -4


@pytest.mark.parametrize("which", ["shortest", "drawn", "6 x 6"])
def test_published_contests(which: str) -> None:
    spec, squares, difference = squares_of(which)
    game = make_game(spec)
    position = game.initial
    for square in squares:
        if position.legal_actions == (game.board.size,):
            position = position.play(game.parse_action("pass"))
        position = position.play(game.parse_action(square))
    assert position.outcome == difference
    with_a_point = make_game(game.name, **{**game.options, "points": "win"}).position(position.state)
    assert with_a_point.outcome == np.sign(difference)


@pytest.mark.parametrize("turns", fast_for([6], [6, 9]))
def test_ways_to_play(turns: int) -> None:
    known = [4, 12, 56, 244, 1396, 8200, 55_092, 390_216, 3_005_288]
    assert through_kernels(make_game("othello").initial, turns) == known[:turns]


@over(SIZES)
def test_heuristics(game: Game) -> None:
    size = round(game.board.size**0.5)
    corners = {0, size - 1, size * (size - 1), size**2 - 1}
    found = np.empty(game.num_actions, dtype=np.int32)
    for position in of_any_discs(game, 100, 6):
        assert {game.heuristics.evaluate(image.state) for image in position.images()} == {
            game.heuristics.evaluate(position.state)
        }
        if position.is_over:
            continue
        urgent = found[: game.heuristics.forcing(position.state, found)].tolist()
        assert urgent == sorted(corners & set(position.legal_actions))


def test_a_corner_is_worth_more_than_the_square_beside_it() -> None:
    game = make_game("othello")
    corner, beside = (men_at(game, [square, 27, 28], [35, 36]) for square in (0, 9))
    assert game.heuristics.evaluate(corner.state) > 0 > game.heuristics.evaluate(beside.state)


def test_the_second_seat_wins_by_eight_discs_on_4_x_4() -> None:
    game = make_game("othello(points='discs',size=4)")
    player = AlphaBeta(game)
    assert set(player.values(game.initial).values()) == {-8 * WON + 10}  # (after ten more plies)


@pytest.mark.parametrize("plies", fast_for([20], [20, 16]))
def test_the_contest_on_6_x_6_is_best_play_to_its_end(plies: int) -> None:
    """After some plies of it, a search to the end finds four discs for the second seat, too."""
    spec, squares, _ = squares_of("6 x 6")
    position = play(make_game(spec).initial, *squares[:plies])
    best = max(AlphaBeta(position.game, nodes=10_000_000).values(position).values())
    assert round(best / WON) == -4


def test_the_caption_counts_the_discs() -> None:
    position = make_game("othello").initial
    assert caption(position) == "black to move; discs: black 2, white 2"
    assert caption(position.play(position.legal_actions[0])) == "white to move; discs: black 4, white 1"
