"""What holds for every Advisor of tier 3, whatever it goes by."""

import pytest

from boardgames_agents.hoyle.advisors import Advisor, advisor, registered_advisors
from boardgames_agents.hoyle.forr import INDIFFERENT
from boardgames_env import BadInputError
from tests.boardgames_agents.hoyle.situation import watched

THIRD = [made for made in registered_advisors() if made.tier == 3]
GAMES = ["tic_tac_toe", "lose_tic_tac_toe", "achi", "tant_fant", "five_mens_morris", "nerenchi"]


@pytest.mark.parametrize("spec", GAMES)
@pytest.mark.parametrize("made", THIRD, ids=lambda made: made.__name__)
def test_comments_on_the_options_given_with_strengths_on_the_scale(made: type[Advisor], spec: str) -> None:
    knowledge, views = watched(spec, contests=2, plies=30)
    advisor = made(knowledge)
    for view in views:
        options = view.choices[::2]
        opinion = advisor.comment(view, options)
        assert set(opinion) <= set(options)
        for strength in opinion.values():
            assert isinstance(strength, int)
            assert 0 <= strength <= 10
            assert strength != INDIFFERENT
            assert advisor.supports if strength > INDIFFERENT else advisor.opposes
        assert advisor.comment(view, ()) == {}


def test_two_advisors_cannot_have_one_name() -> None:
    with pytest.raises(BadInputError, match=f"{THIRD[0].__name__!r} already"):
        advisor(type(THIRD[0].__name__, (THIRD[0],), {}))
