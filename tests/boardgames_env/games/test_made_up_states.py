"""States that a caller makes up are refused, or contests go on from them without harm."""

from typing import Any

import numpy as np
import pytest

from boardgames_env import BadInputError, Game, Position, make_game, registered_games
from boardgames_env.contest import Contest
from tests import made_up_states
from tests.processes import python
from tests.variants import EACH_GAME, MORRIS, OWN_RULES, WITH_CHANCE, fast_for, over, sampled

MADE_UP = 20_000

OTHERS = [name for name in EACH_GAME if name not in (*WITH_CHANCE, *MORRIS)]


@over(fast_for(EACH_GAME, OWN_RULES))
def test_every_game_checks_states(game: Game) -> None:
    assert game.check is not None
    rng = np.random.default_rng(3)
    for state in made_up_states.reachable_states(game, rng, 2):
        assert game.check(state) is None
        assert game.position(state).state.tolist() == state.tolist()


@over(sampled(OWN_RULES, one_in=9))
def test_play_goes_on_from_states_that_are_accepted(game: Game) -> None:
    number = 600 if game.name == "connect_four" else 60  # (few boards have no disc in the air)
    assert made_up_states.try_states(game.spec, number) > 3


@pytest.mark.slow
@pytest.mark.parametrize("names", [WITH_CHANCE, MORRIS, OTHERS], ids=["with chance", "morris", "others"])
def test_made_up_states_stay_within_all_arrays(names: list[str]) -> None:
    """(Variants take minutes to compile with bounds checks: ``NUMBA_BOUNDSCHECK=1 python -m tests.made_up_states``.)"""
    words = ("-W", "error::RuntimeWarning", "-m", "tests.made_up_states", MADE_UP, *names)
    found = python(*words, NUMBA_BOUNDSCHECK="1")
    assert found.returncode == 0, found.stdout + found.stderr  # (the last line printed begins with the game)
    accepted = dict(line.split() for line in found.stdout.splitlines())
    assert list(accepted) == names
    assert all(int(number) > MADE_UP / 100 for number in accepted.values()), accepted


@pytest.mark.parametrize(
    ("spec", "state", "why"),
    [
        ("mu_torere", [1, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1], r"the seats have \(0, 1\) men on the board, not \(4, 4\)"),
        ("mu_torere", [1, *[-1] * 4, *[1] * 4, 0, 3], "slot 10, the plies for which .* is 3; it begins with -1"),
        ("mu_torere(restricted='first_move')", [1, *[-1] * 4, *[1] * 4, 0, 2], "seat 0 is to move"),
        ("achi", [0, 1, 1, 1, -1, -1, -1, 0, 0, 0, 8], r"after 8 men are placed, the seats have \(4, 4\)"),
        ("achi", [1, 1, 0, -1, 0, 0, 0, 0, 0, 0, 2], "after 2 men are placed, seat 0 is to move, not seat 1"),
        ("achi", [0, *[0] * 9, -1], "-1 men are placed; it is 0 to 8"),
        ("pong_hau_ki", [0, 1, 1, 0, 0, 0], r"not \(2, 2\)"),
        ("tsoro_yematatu", [0, *[1] * 7, 6], r"not \(7, 0\)"),
        ("shisima", [0, 2, *[-1] * 3, 1, 0, 0, 0, 0], "location 0 holds 2; it is 1, -1 or 0"),
        ("tic_tac_toe", [0, 1, 1, 1, -1, -1, 0, -1, 0, 0], r"seat 0 is to move, but has the line \(0, 1, 2\)"),
        ("tant_fant", [0, 1, 1, 1, -1, -1, -1, 0, 0, 0], "has the line"),
        ("connect_four", [1, 1, *[0] * 41, 1, 0], "the disc on a6 has none below it"),
        ("connect_four(columns=4,rows=4)", [0, *[0] * 12, *[1] * 4, 4, 0], r"not \(4, 0\)"),
        ("gomoku", [0, 1, -1, *[0] * 223, 2, 0], "after 4 men are placed, .* not .1, 1"),
        (
            "gomoku(size=6,overline='nothing')",
            [1, *[1] * 5, *[0] * 23, *[-1] * 4, *[0] * 4, 9, 0],
            "the winner, is 0; .* is 1",
        ),
        (
            "gomoku(size=6,overline='loses')",
            [1, *[-1] * 6, *[0] * 6, *[1] * 4, 0, 0, *[1] * 3, *[0] * 15, 13, 0],
            "seat 1 is to move, but has a",
        ),
        ("hex(size=3)", [0, *[0] * 9, 1, 0], "slot 10, the plies until a swap is past, is 1, not 2"),
        ("hex(size=3,swap=False)", [0, -1, *[0] * 8, 0, 0], r"the seats have \(0, 1\) stones"),
        ("hex(size=3)", [1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0], r"the seats have \(3, 0\) stones"),
        ("hex(size=3)", [1, -1, -1, 1, 0, 1, 0, 1, 0, 0, 0, 0], "slot 11, the winner, is 0; by the stones it is 1"),
        ("hex(size=3)", [0, -1, -1, 1, 0, 1, 0, 1, 0, -1, 0, 0], "seat 0 is to move, but has joined its sides"),
        ("othello", [0, *[0] * 64], "e4 is empty; a disc is there from the beginning"),
        ("othello", [0, *[0] * 27, 1, 1, *[0] * 7, 1, *[0] * 27], "d5 is empty"),
        ("othello(size=4)", [0, *[0] * 5, 1, 2, 0, 0, -1, 1, *[0] * 5], "location 6 holds 2"),
        ("qubic", [0, *[0] * 64, 0, 1], "slot 66, the winner, is 1; by the lines it is 0"),
        ("nine_mens_morris", [0, *[1] * 10, *[0] * 14, 0, 0, 0], "seat 0 has 10 men on the board and 0 in hand"),
        ("nine_mens_morris", [0, *[0] * 24, 9, 8, 0], "place them in turn, seat 0 first"),
        ("nine_mens_morris", [0, *[1, -1] * 4, *[0] * 16, 0, 0, 2], "2 captures cannot .* there are 0 to 1"),
        ("nine_mens_morris", [0, 1, 1, 0, -1, *[0] * 20, 0, 0, 1], "seat 0 is to capture, but has no mill"),
        ("nine_mens_morris", [0, *[1, -1] * 4, *[0] * 16, 0, 0, -1], "-1 captures cannot"),
        ("nerenchi", [0, *[0] * 24, 12, 3, 0], "seat 1 has 0 men on the board and 3 in hand; a seat has 12"),
    ],
)
def test_what_is_wrong_with_a_state_is_said(spec: str, state: list[int], why: str) -> None:
    with pytest.raises(BadInputError, match=f"no contest of {spec.partition('(')[0]} reaches this state: .*{why}"):
        make_game(spec).position(state)


def test_positions_check_what_they_are_made_of() -> None:
    mu_torere, states = make_game("mu_torere"), ([1, *[0] * 8, -1, -1], [0, 1], np.zeros(11))
    for state in states:
        with pytest.raises(BadInputError):
            Position(mu_torere, state)
    given = mu_torere.initial.state.copy()
    assert Position(mu_torere, given) == mu_torere.initial
    assert given.flags.writeable
    restore, (game, key) = mu_torere.initial.__reduce__()
    assert restore(game, key) == mu_torere.initial
    with pytest.raises(BadInputError, match="a position of mu_torere has 11 slots, not 10 as in this pickle"):
        restore(game, key[1:])


@pytest.mark.parametrize("event", [0.5, 30, "0", None], ids=repr)
def test_only_events_happen(event: Any) -> None:
    with pytest.raises(BadInputError, match=f"event {event} cannot happen .* events are 0 to 29"):
        make_game("backgammon").initial.happen(event)


def test_contests_begin_at_positions_of_their_game() -> None:
    with pytest.raises(BadInputError, match=r"a state of qubic has shape \(67,\), not \(10,\)"):
        Contest(make_game("qubic"), start=make_game("tic_tac_toe").initial)
    other = make_game("achi(recurrences=2)").initial
    assert Contest(make_game("achi"), start=other).position.game is make_game("achi")


@pytest.mark.parametrize("viewer", [-1, 2, 10**6, "black"])
def test_only_seats_observe(viewer: int) -> None:
    for name in list(registered_games())[:3]:
        with pytest.raises(BadInputError, match="it must be a seat, 0 or 1"):
            make_game(name).initial.features(viewer)
