import numpy as np
import pytest

from boardgames_agents.hoyle.advisors.freedom import Freedom
from boardgames_agents.hoyle.advisors.grades import graded
from boardgames_agents.hoyle.advisors.material import Material, Vulnerable
from boardgames_env.position import Position
from tests.boardgames_agents.hoyle.situation import Situation, watched

# black slides 10-3 and has a mill; none of White's men is in one
MILL = Situation("five_mens_morris", own=[1, 2, 10], enemy=[4, 11, 12, 16], rest=[0, 0, 0])
# White would close 1-2-3 with one of its three men in hand
THREAT = Situation("five_mens_morris", own=[5, 13], enemy=[1, 2], rest=[3, 3, 0])


def test_material_supports_captures() -> None:
    assert MILL.said(Material) == {"10-3x4": 8, "10-3x11": 8, "10-3x12": 8, "10-3x16": 8}


def test_material_likes_a_placement_with_a_capture_alone() -> None:
    """Every other placement adds a man, too, which is no reason for one of them."""
    said = Situation("five_mens_morris", own=[1, 2], enemy=[4, 13], rest=[3, 3, 0]).said(Material)
    assert said == {"3x4": 8, "3x13": 8}


def test_material_is_silent_where_every_move_adds_a_man() -> None:
    assert Situation("tic_tac_toe").said(Material) == {}


@pytest.mark.parametrize(("spec", "men"), [("pong_hau_ki", ([1, 2], [4, 5])), ("shisima", ([1, 2, 4], [6, 8, 9]))])
def test_material_is_silent_where_counts_stay(spec: str, men: tuple[list[int], list[int]]) -> None:
    assert Situation(spec, *men).said(Material) == {}


def test_vulnerable_prevents_a_capture() -> None:
    assert THREAT.said(Vulnerable) == {"3": 8}


def test_vulnerable_is_silent_where_no_move_is_safer_than_another() -> None:
    # nothing to fear; and two mills about to be closed, only one of which can be prevented
    assert Situation("five_mens_morris", own=[5], enemy=[1], rest=[4, 4, 0]).said(Vulnerable) == {}
    assert Situation("five_mens_morris", own=[5, 8, 13], enemy=[1, 2, 7], rest=[2, 2, 0]).said(Vulnerable) == {}


def test_vulnerable_counts_the_men_that_are_saved() -> None:
    # 3 would close two mills, which take a man each in this variant; with a man on 7, too, 14 still closes one
    spec = "six_mens_morris(capture_each_mill=True)"
    assert Situation(spec, own=[5, 11], enemy=[1, 2, 10, 16], rest=[4, 2, 0]).said(Vulnerable) == {"3": 10}
    assert Situation(spec, own=[5, 11], enemy=[1, 2, 10, 16, 7], rest=[4, 1, 0]).said(Vulnerable) == {"3": 8}


def test_freedom_weighs_own_moves_and_the_others() -> None:
    """Now both have five moves.

    After 1-5 it is six against three, after 2-5 five against two, after 6-5 four against three, and after 2-3 five
    against five; 6-3 wins.
    """
    sliding = Situation("marelle", own=[1, 2, 6], enemy=[4, 8, 9], rest=[6])
    assert sliding.said(Freedom) == {"1-5": 8, "2-5": 8, "6-5": 6}


def test_freedom_is_silent_where_both_lose_the_same() -> None:
    assert Situation("tic_tac_toe").said(Freedom) == {}


@pytest.mark.parametrize("spec", ["five_mens_morris", "tsoro_yematatu", "mu_torere"])
def test_freedom_counts_legal_actions(spec: str) -> None:
    knowledge, views = watched(spec, contests=3)
    advisor = Freedom(knowledge)
    signs = set()
    for view in views:
        opinion = advisor.comment(view, view.choices)
        now = _lead(view.position, view.seat)
        for choice in view.choices:
            position = Position(view.frame.game, np.frombuffer(choice.state, dtype=np.int8).copy())
            gain = 0 if position.is_over else _lead(position, view.seat) - now
            assert np.sign(opinion.get(choice, 5) - 5) == np.sign(gain)
            signs.add(int(np.sign(gain)))
    assert signs == {-1, 0, 1}


def _lead(position: Position, seat: int) -> int:
    actions = []
    for mover in (seat, 1 - seat):
        state = position.state.copy()
        state[0] = mover
        actions.append(len(Position(position.game, state).legal_actions))
    return actions[0] - actions[1]


def test_strengths_keep_to_the_scale_and_tell_gains_apart() -> None:
    options = MILL.view.choices[:4]
    assert list(graded(dict(zip(options, (2, -1, 0, 5), strict=True))).values()) == [7, 4, 10]
    assert list(graded(dict(zip(options, (20, 10, 1, -20), strict=True))).values()) == [10, 8, 6, 0]
    assert graded({}) == {}
