"""One contest in progress, in Python."""

import pickle
from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace

import numpy as np
import pytest

from boardgames_env import BadInputError, make_game
from boardgames_env.chance import ChanceStream
from boardgames_env.contest import Contest
from boardgames_env.history import CUT, Limits
from boardgames_env.kernels import ONGOING
from boardgames_env.position import IllegalActionError


def backgammon(seed: int) -> Contest:
    game = make_game("backgammon")
    return Contest(game, ChanceStream(game, np.random.default_rng(seed)))


def play_first(contest: Contest, actions: int) -> None:
    for _ in range(actions):
        contest.play(contest.position.legal_actions[0])


def test_a_contest_ends_by_the_board() -> None:
    contest = Contest(make_game("tic_tac_toe"))
    assert [contest.play(action) for action in (0, 3, 1, 4, 2)] == [ONGOING] * 4 + [1]
    assert (contest.is_over, contest.is_cut, contest.points, contest.plies) == (True, False, 1, 5)
    assert contest.actions == [0, 3, 1, 4, 2]
    with pytest.raises(IllegalActionError, match="the contest is over"):
        contest.play(5)


def test_an_illegal_action_changes_nothing() -> None:
    contest = Contest(make_game("tic_tac_toe"))
    contest.play(4)
    with pytest.raises(IllegalActionError):
        contest.play(4)
    assert (contest.actions, contest.plies, contest.seat) == ([4], 1, 1)


@pytest.mark.parametrize(("plies_draw", "result"), [(True, 0), (False, CUT)])
def test_a_limit_ends_a_contest_for_good(plies_draw: bool, result: int) -> None:
    contest = Contest(replace(make_game("tic_tac_toe"), limits=Limits(plies=3, plies_draw=plies_draw)))
    play_first(contest, 3)
    assert (contest.is_over, contest.position.is_over) == (True, False)
    assert (contest.result, contest.points, contest.is_cut) == (result, 0, not plies_draw)
    with pytest.raises(BadInputError, match="a limit has ended it"):
        contest.play(contest.position.legal_actions[0])


def test_chance_events_happen_by_the_stream_or_by_the_caller() -> None:
    streamed = backgammon(seed=3)
    play_first(streamed, 10)
    chosen, events = Contest(make_game("backgammon")), iter(streamed.events)
    for action in streamed.actions:
        while chosen.position.awaits_chance:
            assert chosen.happen(next(events)) == ONGOING
        chosen.play(action)
    while chosen.position.awaits_chance:
        chosen.happen(next(events))
    assert chosen.position == streamed.position
    assert (chosen.plies, chosen.events) == (streamed.plies, streamed.events)


def test_a_position_is_no_view_of_the_state() -> None:
    contest = Contest(make_game("tic_tac_toe"))
    before = contest.position
    contest.play(0)
    assert before == contest.game.initial != contest.position


@pytest.mark.parametrize("copied", [deepcopy, lambda contest: pickle.loads(pickle.dumps(contest))])
def test_a_copy_goes_on_by_itself_with_the_same_events(copied: Callable[[Contest], Contest]) -> None:
    contest = backgammon(seed=5)
    play_first(contest, 4)
    twin = copied(contest)
    key = contest.position.key
    play_first(twin, 20)
    assert contest.position.key == key
    play_first(contest, 20)
    assert (twin.position, twin.events) == (contest.position, contest.events)
