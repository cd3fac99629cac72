"""What holds for every Advisor of tier 3, whatever it goes by."""

import pytest

from boardgames_agents.hoyle.advisors import advisor, registered_advisors
from boardgames_agents.hoyle.advisors.freedom import Coverage
from boardgames_agents.hoyle.advisors.goal_lines import Candide, Challenge, Greedy, Worried
from boardgames_agents.hoyle.advisors.material import Vulnerable
from boardgames_agents.hoyle.advisors.shortcut import Shortcut
from boardgames_agents.hoyle.forr import INDIFFERENT
from boardgames_env import BadInputError
from tests.boardgames_agents.hoyle.situation import watched
from tests.variants import fast_for

THIRD = [made for made in registered_advisors() if made.tier == 3]
GAMES = ["tic_tac_toe", "lose_tic_tac_toe", "achi", "tant_fant", "five_mens_morris", "nerenchi"]


@pytest.mark.parametrize("spec", fast_for(GAMES[:-2], GAMES))
def test_comments_on_the_options_given_with_strengths_on_the_scale(spec: str) -> None:
    knowledge, views = watched(spec, contests=2, plies=30)
    advisors = [*(made(knowledge) for made in THIRD), knowledge.weights.anything]
    for view in views:
        options = view.choices[::2]
        for each in advisors:
            opinion = each.comment(view, options)
            assert set(opinion) <= set(options), each.name
            for strength in opinion.values():
                assert isinstance(strength, int), each.name
                assert 0 <= strength <= 10, each.name
                assert strength != INDIFFERENT, each.name
                assert each.supports if strength > INDIFFERENT else each.opposes, each.name
            assert each.comment(view, ()) == {}, each.name


SILENT = {
    "tic_tac_toe": (Coverage, Shortcut, Vulnerable),  # no predrawn lines, no captures
    "qubic": (Coverage, Shortcut, Vulnerable),
    "lose_tic_tac_toe": (Candide, Worried, Greedy, Challenge, Coverage, Shortcut),  # no line to play for
    "mu_torere": (Candide, Worried, Greedy, Challenge),
    "pong_hau_ki": (Candide, Worried, Greedy, Challenge),
    "marelle": (Challenge, Vulnerable),  # men move, and stay on the board
}


@pytest.mark.parametrize("spec", SILENT)
def test_silent_where_its_reason_does_not_exist(spec: str) -> None:
    knowledge, views = watched(spec, contests=3)
    assert not any(made(knowledge).comment(view, view.choices) for view in views for made in SILENT[spec])


def test_two_advisors_cannot_have_one_name() -> None:
    with pytest.raises(BadInputError, match=f"{THIRD[0].__name__!r} already"):
        advisor(type(THIRD[0].__name__, (THIRD[0],), {}))
