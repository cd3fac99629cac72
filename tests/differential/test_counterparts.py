"""OpenSpiel's own versions of our games, in which our agents play as bots: walked in both at once."""

import pytest

from tests.differential.lockstep import play_both
from tests.differential.test_morris import cut_short

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed; pip install 'boardgames-env[open_spiel]'")


def test_random_contests() -> None:
    # (not above: it registers one more game, after the tests that run over all games are collected)
    from boardgames_baselines.open_spiel.counterparts import COUNTERPARTS, BackgammonCounterpart, counterpart

    assert len(COUNTERPARTS) == 6
    for name, spec in COUNTERPARTS.items():
        found = counterpart(pyspiel.load_game(name))
        assert not isinstance(found, BackgammonCounterpart)
        assert found.game.spec == spec
        ends = cut_short if found.game.limits.plies else lambda position, theirs: False
        assert play_both(found.game, name, found.numbers, contests=1000, ends=ends) > 5000
