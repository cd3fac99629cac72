"""Hex: who has joined what, the swap, sides that the seats exchange, and how near they are."""

import numpy as np
import pytest

from boardgames_env import Game, Position, make_game
from boardgames_env.games.hex.connection import has_joined
from boardgames_env.moves import locations_of
from tests.positions import random_positions
from tests.variants import over

SIZES = ["hex", "hex(size=3)", "hex(size=4,swap=False)"]


def reflected(game: Game, location: int) -> int:
    size = round(game.board.size**0.5)
    return location % size * size + location // size


def exchanged(position: Position) -> Position:
    """The position on the board reflected in its long diagonal, with the seats exchanged: no contest need reach it."""
    game, state = position.game, position.state.copy()
    for location in range(game.board.size):
        state[1 + reflected(game, location)] = -position.state[1 + location]
    state[0], state[-1] = 1 - position.seat, -position.state[-1]
    return Position.unchecked(game, state)


@over(SIZES)
def test_seats_exchange_sides_when_the_board_is_reflected(game: Game) -> None:
    last = game.board.size - 1
    assert game.board.symmetries == (tuple(range(last + 1)), tuple(range(last, -1, -1)))
    for position in random_positions(game, 100, 3):
        other = exchanged(position)
        assert other.outcome == (None if position.outcome is None else -position.outcome)
        assert game.heuristics.evaluate(other.state) == game.heuristics.evaluate(position.state)
        for action in () if position.is_over else position.legal_actions:
            if game.action_text(action) != "swap":
                won = other.after(reflected(game, action)).outcome
                assert position.after(action).outcome == (None if won is None else -won)


@pytest.mark.parametrize("size", [3, 4, 7, 11])
def test_exactly_one_seat_joins_its_sides_on_a_full_board(size: int) -> None:
    game, rng = make_game("hex", size=size), np.random.default_rng(size)
    state = game.initial.state.copy()
    winners = set()
    for _ in range(200):
        state[1:-2] = rng.permutation(size**2) % 2 * 2 - 1
        joined = [has_joined(state, game.board, seat) for seat in (0, 1)]
        assert sum(joined) == 1
        winners.add(joined.index(True))
    assert winners == {0, 1}


@pytest.mark.parametrize("size", [3, 4, 7, 11])
def test_the_contest_ends_with_the_stone_that_joins(size: int) -> None:
    """Where the stones hang together is worked out anew after each, from all of them."""
    game, rng = make_game("hex", size=size), np.random.default_rng(size)
    for _ in range(30):
        position = game.initial
        while not position.is_over:
            assert not any(has_joined(position.state, game.board, seat) for seat in (0, 1))
            position = position.after(int(rng.choice(position.legal_actions)))
        mover = 1 - position.seat
        assert has_joined(position.state, game.board, mover)
        assert position.outcome == 1 - 2 * mover


@pytest.mark.parametrize(("first", "second"), [("a1", "a1"), ("c1", "a3"), ("b3", "c2"), ("c2", "b3")])
def test_the_swap_takes_the_first_stone_over_on_the_reflected_cell(first: str, second: str) -> None:
    game = make_game("hex", size=3)
    number = game.board.labels.index
    opened = game.initial.play(number(first))
    swap = game.parse_action("swap")
    assert swap == 9
    assert opened.legal_actions == tuple(action for action in range(10) if action != number(first))
    # (a click on the stone takes it over)
    assert locations_of(opened, swap) == (number(first),)
    after = opened.play(swap)
    assert after.seat == 0
    assert np.flatnonzero(after.state[1:10] == -1).tolist() == [number(second)]
    assert not (after.state[1:10] == 1).any()
    assert swap not in after.legal_actions
    assert swap not in opened.play(opened.legal_actions[0]).legal_actions
    assert swap not in game.initial.legal_actions


def test_nobody_swaps_where_the_rules_have_no_swap() -> None:
    game = make_game("hex", size=3, swap=False)
    assert game.num_actions == 9
    assert len(game.initial.play(4).legal_actions) == 8


@pytest.mark.parametrize(
    ("size", "red", "blue", "least", "other"),
    [
        (3, "", "", 1, 1),  # the cell in the middle joins both sides by bridges
        (5, "", "", 2, 2),
        (3, "b2", "", 0, 2),
        (3, "", "b2", 2, 0),
        (4, "b1 b2 b3", "", 0, 3),
        (4, "b1 b2 b3", "b4 a4", 2, 1),
    ],
)
def test_seats_are_as_near_as_the_stones_that_they_need(size: int, red: str, blue: str, least: int, other: int) -> None:
    from boardgames_env.games.hex.connection import nearness

    game = make_game("hex", size=size)
    state = game.initial.state.copy()
    for sign, labels in ((1, red), (-1, blue)):
        for label in labels.split():
            state[1 + game.board.labels.index(label)] = sign
    assert [-(nearness(state, size, seat) // 100) for seat in (0, 1)] == [least, other]
