"""Hoyle goes to other processes and is copied whole: it plays there as it does here, and learns on by itself."""

import copy
import pickle
from collections.abc import Callable
from functools import cache

import pytest

from boardgames_agents.arena.tournament import tournament
from boardgames_agents.hoyle import Hoyle
from boardgames_env import make_game
from tests.boardgames_agents.hoyle.learners import hoyle, train
from tests.boardgames_agents.hoyle.situation import digest

EVERYTHING = "hoyle(patterns=True, zones=True, planning=True)"
GAME = make_game("achi")
"""Its contests are long, so one view leads to another deeper than Python's stack reaches."""


@cache
def learned() -> Hoyle:
    return hoyle(GAME, EVERYTHING, 12, "fallible(e=0.5)")


def by_pickle(learner: Hoyle) -> Hoyle:
    made = pickle.loads(pickle.dumps(learner))
    assert isinstance(made, Hoyle)
    return made


@pytest.mark.parametrize("made_again", [copy.deepcopy, by_pickle])
def test_a_copy_learns_the_same_and_leaves_the_original_alone(made_again: Callable[[Hoyle], Hoyle]) -> None:
    original = learned()
    before = digest(original.snapshot())
    one, two = made_again(original), made_again(original)
    for each in (one, two):
        train(each, GAME, "fallible(e=0.5)", range(12, 13))
    assert digest(one.snapshot()) == digest(two.snapshot()) != before
    assert digest(original.snapshot()) == before


def test_what_goes_to_another_process_is_what_is_known_and_not_what_was_seen() -> None:
    fresh, seasoned = (len(pickle.dumps(learner)) for learner in (hoyle(GAME, EVERYTHING), learned()))
    known = sum(array.nbytes for array in learned().snapshot().arrays.values())
    assert seasoned - fresh < 2 * known


@pytest.mark.slow
def test_processes_play_as_one_does() -> None:
    player = learned().frozen()
    one, two = (tournament(GAME, player, "fallible(e=0.5)", 8, 3, jobs=jobs).score for jobs in (1, 2))
    assert (one.wins, one.draws, one.losses, one.plies) == (two.wins, two.draws, two.losses, two.plies)
