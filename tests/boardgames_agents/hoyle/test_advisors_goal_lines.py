import pytest

from boardgames_agents.hoyle.advisors import Advisor
from boardgames_agents.hoyle.advisors.goal_lines import Candide, Challenge, Greedy, Worried
from boardgames_agents.hoyle.options import HoyleOptions
from boardgames_agents.hoyle.useful_knowledge import Knowledge
from boardgames_env import make_game
from tests.boardgames_agents.hoyle.situation import Situation, views_of, written

ALL = (Candide, Worried, Greedy, Challenge)
# a cross in a corner, a nought in the centre; what is symmetric comes up once
CORNER = Situation("tic_tac_toe", own=[1], enemy=[5])
# three men each, and three empty points
SLIDING = Situation("marelle", own=[1, 2, 6], enemy=[4, 8, 9], rest=[6])
CLOSING = Situation("marelle", own=[1, 2, 8], enemy=[3, 4, 6], rest=[6])


@pytest.mark.parametrize(
    ("made", "situation", "expected"),
    [
        (Candide, CORNER, {"2": 9, "3": 9, "6": 7, "9": 7}),
        (Worried, CORNER, {"2": 9, "3": 9, "6": 9, "9": 7}),
        (Greedy, CORNER, {"3": 7, "9": 7}),
        (Challenge, CORNER, {"2": 6, "3": 8, "6": 8, "9": 9}),
        # the centre first
        (Challenge, Situation("tic_tac_toe"), {"1": 9, "2": 8, "5": 10}),
        (Greedy, Situation("tic_tac_toe"), {"1": 8, "2": 7, "5": 9}),
        # a man that stays on a line does not advance it: 2-3 stays on 1-2-3 and reaches 3-5-7; 6-3 reaches both
        (Candide, SLIDING, {"1-5": 7, "2-3": 7, "2-5": 7, "6-3": 10, "6-5": 7}),
        (Greedy, SLIDING, {"6-3": 7}),
        # no line is open
        *((made, Situation("tic_tac_toe", [1, 2, 6, 7], [3, 4, 5, 9]), {}) for made in ALL),
    ],
)
def test_weighs_the_lines_that_moves_serve(made: type[Advisor], situation: Situation, expected: dict[str, int]) -> None:
    assert situation.said(made) == expected


def test_a_block_is_urgent() -> None:
    said = Situation("tic_tac_toe", own=[5, 8], enemy=[1, 2]).said(Worried)
    assert said.pop("3") == 10
    assert max(said.values()) < 10


def test_a_slide_along_a_line_leaves_it_and_closes_others() -> None:
    # of the other seat's plans 3-6-9 and 4-5-6 are two thirds done, 3-5-7 is begun; all others have a man in the way
    said = CLOSING
    assert said.said(Worried) == {"1-5": 10, "2-5": 10, "8-5": 10, "8-7": 9, "8-9": 10}
    assert "8-7" not in said.said(Candide)  # 7-8-9 it was on before, and the other two are closed


def test_a_line_may_be_worth_something_to_one_seat_only() -> None:
    # nobody wins in its own home row: 7-8-9 is that of seat 0, 1-2-3 of seat 1
    assert "5-8" not in Situation("tant_fant", own=[5, 7, 9], enemy=[1, 3, 6]).said(Candide)
    assert "5-2" not in Situation("tant_fant", own=[5, 7, 9], enemy=[1, 3, 6]).said(Worried)
    assert Situation("tant_fant", own=[1, 3, 5], enemy=[7, 9, 4]).said(Candide)["5-2"] == 10
    assert Situation("tant_fant", own=[1, 3, 5], enemy=[7, 9, 4], seat=1).said(Candide).get("5-2") is None


def test_lines_that_take_a_man_are_played_for() -> None:
    """Black has two men on a mill's line, and white two on another's."""
    situation = Situation("five_mens_morris", own=[1, 2], enemy=[14, 15], rest=[3, 3, 0])
    candide, worried = situation.said(Candide), situation.said(Worried)
    assert {candide[move] for move in candide if move.startswith("3x")} == {max(candide.values())}
    assert worried["16"] == max(worried.values())


def test_longer_lines_in_space() -> None:
    said = Situation("qubic", own=[1, 2, 3], enemy=[17, 18, 33]).said(Candide)
    assert max(said, key=lambda move: said[move]) == "4"
    assert said["4"] == 10


@pytest.mark.parametrize(
    ("made", "situation", "expected"),
    [
        # own men on 1-2-3 count two; 6-3 makes that three, and one on 3-5-7
        (Candide, SLIDING, {"2-3": 6, "6-3": 7, "6-5": 6}),
        # nothing that the other seat has is closed, and 1-5 opens 1-4-7 to it
        (Worried, SLIDING, {}),
        # the other seat's men on 3-6-9 and 4-5-6 count two each, that on 3-5-7 one; 1-5 opens 1-4-7
        (Worried, CLOSING, {"1-5": 7, "2-5": 8, "8-5": 8, "8-7": 6, "8-9": 7}),
    ],
)
def test_the_net_change_of_open_lines_may_count(
    made: type[Advisor], situation: Situation, expected: dict[str, int]
) -> None:
    knowledge = Knowledge(views_of(make_game("marelle")), HoyleOptions(net_lines=True))
    opinion = made(knowledge).comment(situation.view, situation.view.choices)
    assert {written(situation.view, choice): strength for choice, strength in opinion.items()} == expected
