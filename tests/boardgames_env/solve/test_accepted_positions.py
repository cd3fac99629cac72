"""Every position that a game accepts has its exact value, also one that no contest reaches."""

from contextlib import suppress

import numpy as np
import pytest

from boardgames_env import BadInputError, Game, Position, make_game
from boardgames_env.solve import solve
from tests.positions import random_positions
from tests.variants import EACH_GAME, EACH_SMALL_GAME, fast_for, over

SOLVED = [*EACH_SMALL_GAME, "connect_four(columns=4,rows=4)", "othello(size=4)", "hex(size=3)", "five_mens_morris"]
SOME = ["hexapawn", "tsoro_yematatu", "othello(size=4)", "five_mens_morris"]


def changed_positions(game: Game, count: int) -> list[Position]:
    """Positions that the game accepts after a slot of a reachable one was changed, or two were exchanged."""
    rng, found = np.random.default_rng(3), list[Position]()
    for position in random_positions(game, count, 5):
        state = position.state.copy()
        one, other = rng.integers(0, len(state), 2)
        if rng.random() < 0.5:
            state[one], state[other] = state[other], state[one]
        else:
            state[one] = 1 - state[0] if one == 0 else rng.integers(-1, 4)
        try:
            found.append(game.position(state))
        except BadInputError:
            continue
    return found


@pytest.mark.parametrize(("spec", "count"), fast_for([(each, 200) for each in SOME], [(each, 200) for each in SOLVED]))
def test_values_are_those_of_the_best_move(spec: str, count: int) -> None:
    game = make_game(spec)
    solution, positions = solve(game), changed_positions(game, count)
    assert len(positions) > count // 10
    for position in positions:
        assert solution.knows(position)
        value, distance = solution.value(position), solution.distance(position)
        if position.is_over:
            assert (value, distance) == (position.points_for(position.seat), 0 if position.outcome else None)
            continue
        after = [solution.value_for(position.play(action), position.seat) for action in position.legal_actions]
        assert value == max(after), position.text
        assert (distance is None) == (value == 0)


def test_a_man_lost_before_anybody_can_have_closed_a_mill() -> None:
    """Black has placed two men and has one: the class of two men against one after four plies is solved when asked."""
    game = make_game("five_mens_morris")
    state = game.initial.play(4).play(6).play(0).play(12).state.copy()
    state[1] = 0
    position, solution = game.position(state), solve(game)
    assert solution.knows(position)
    assert solution.value(position) == max(
        solution.value_for(position.play(action), position.seat) for action in position.legal_actions
    )


@over(EACH_GAME)
def test_the_ends_of_int8_overflow_nowhere(game: Game) -> None:
    """A warning of NumPy would be an error here."""
    for slot in range(game.state_size):
        for value in (-128, 127):
            state = game.initial.state.copy()
            state[slot] = value
            with suppress(BadInputError):
                assert game.position(state).state[slot] == value
