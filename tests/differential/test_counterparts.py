"""Games that OpenSpiel has, too, are walked in both versions at once, by the numbers of the counterpart."""

import pytest

from tests.differential.lockstep import play_both
from tests.differential.test_morris import cut_short

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel is not installed; pip install 'boardgames-env[open_spiel]'")

from baselines.open_spiel.counterparts import COUNTERPARTS, counterpart  # noqa: E402 (needs OpenSpiel)


def test_no_counterpart_has_been_lost() -> None:
    assert len(COUNTERPARTS) == 6


@pytest.mark.parametrize(("name", "spec"), COUNTERPARTS.items())
def test_random_contests(name: str, spec: str) -> None:
    found = counterpart(pyspiel.load_game(name))
    assert found.game.spec == spec
    ends = cut_short if found.game.limits.plies else lambda position, theirs: False
    assert play_both(found.game, name, found.numbers, contests=1000, ends=ends) > 5000
