"""Recurrences and ply limits."""

from dataclasses import replace

import pytest

from boardgames_agents.arena.exploitability import markov
from boardgames_agents.registry import make_agent
from boardgames_env import BadInputError, Game, History, Limits, make_game
from boardgames_env.kernels import ONGOING
from tests.golden_records import what_recurs


def results(game: Game, actions: list[int]) -> list[int]:
    position = game.initial
    history = History(game)
    history.begin(position.state)
    found = []
    for action in actions:
        position = position.play(action)
        found.append(history.add(position.state))
    return found


def cycling(game: Game, turns: int) -> list[int]:
    """Actions of two perfect players without imagination: no contest of theirs is ever won."""
    perfect = markov(make_agent("perfect", game))
    position = game.initial
    actions = []
    for _ in range(turns):
        actions.append(perfect.distribution(position)[0][0])
        position = position.play(actions[-1])
    return actions


@pytest.mark.parametrize("recurrences", [2, 3, 4, 7])
@pytest.mark.parametrize("key", ["position", "board", "symmetry"])
def test_a_contest_is_drawn_at_the_nth_recurrence(recurrences: int, key: str) -> None:
    game = make_game("achi", recurrences=recurrences, recurrence_key=key)
    actions = cycling(game, 400)
    found = results(game, actions)
    position, seen = game.initial, []
    for action, result in zip(actions, found, strict=True):
        position = position.play(action)
        seen.append(what_recurs(position, key))
        # the initial position, an empty board, never comes again
        assert result == (0 if seen.count(seen[-1]) >= recurrences else ONGOING)
        if result == 0:
            return
    pytest.fail("the contest was never drawn")


def test_without_a_limit_a_contest_goes_on() -> None:
    game = replace(make_game("achi"), limits=Limits())
    assert set(results(game, cycling(game, 500))) == {ONGOING}


def test_the_board_decides_before_a_limit_does() -> None:
    game = replace(make_game("tic_tac_toe"), limits=Limits(plies=5))
    assert results(game, [0, 3, 1, 4, 2]) == [ONGOING] * 4 + [1]


def test_limits_that_make_no_sense_are_refused() -> None:
    for limits in ({"plies": -1}, {"recurrences": 3_000_000_000}, {"quiet_plies": -1}, {"progress": "king"}):
        with pytest.raises(BadInputError, match="|".join(limits)):
            Limits(**limits)


def test_beginning_again_forgets() -> None:
    game = make_game("achi", recurrences=2)
    history = History(game)
    for _ in range(3):
        history.begin(game.initial.state)
        assert history.add(game.initial.play(4).state) == ONGOING
        assert history.plies == 1
