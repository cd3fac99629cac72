"""OpenSpiel's own versions of our games, in which our agents play as bots: walked in both at once."""

from typing import Any

import pytest

from boardgames_env import Position, make_game
from tests.differential.lockstep import play_both

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed; pip install 'boardgames-env[open_spiel]'")

IN_HAND = 25
"""The slot of nine men's morris with the men that seat 0 has not placed; seat 1's follow."""


def cut_short(position: Position, theirs: Any) -> bool:
    """Whether OpenSpiel's limit of 200 turns, the only draw it has at nine men's morris, has ended the contest."""
    return theirs.is_terminal() and theirs.returns() == [0, 0]


def down_to_three(position: Position, theirs: Any) -> bool:
    """Whether a seat has three men left, with those in hand: from there on OpenSpiel lets it fly."""
    on_board = position.state[1:IN_HAND]
    left = [(on_board == 1).sum() + position.state[IN_HAND], (on_board == -1).sum() + position.state[IN_HAND + 1]]
    return min(left) <= 3 or cut_short(position, theirs)


def test_random_contests() -> None:
    from boardgames_baselines.open_spiel.counterparts import COUNTERPARTS, BackgammonCounterpart, counterpart

    assert len(COUNTERPARTS) == 6
    for name, spec in COUNTERPARTS.items():
        found = counterpart(pyspiel.load_game(name))
        assert not isinstance(found, BackgammonCounterpart)
        assert found.game.spec == spec
        is_morris = name == "nine_mens_morris"
        ends = cut_short if is_morris else lambda position, theirs: False
        compared = play_both(found.game, name, found.numbers, contests=1000, ends=ends)
        assert compared > (50_000 if is_morris else 5000)


def test_random_contests_without_flying() -> None:
    from boardgames_baselines.open_spiel.counterparts import _number

    game = make_game("nine_mens_morris", fly_at=0)
    numbers = [_number(action, game) for action in game.actions]
    assert play_both(game, "nine_mens_morris", numbers, contests=1000, ends=down_to_three) > 50_000
