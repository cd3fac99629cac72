import numpy as np
import pytest

from boardgames_agents.hoyle.advisors import Advisor, graded
from boardgames_agents.hoyle.advisors.freedom import Freedom
from boardgames_agents.hoyle.advisors.material import Material, Vulnerable
from boardgames_env.position import Position
from tests.boardgames_agents.hoyle.situation import Situation, watched

# black slides 10-3 and has a mill; none of White's men is in one
MILL = Situation("five_mens_morris", own=[1, 2, 10], enemy=[4, 11, 12, 16], rest=[0, 0, 0])
EACH_MILL = "six_mens_morris(capture_each_mill=True)"


@pytest.mark.parametrize(
    ("made", "situation", "expected"),
    [
        (Material, MILL, {"10-3x4": 8, "10-3x11": 8, "10-3x12": 8, "10-3x16": 8}),
        # every placement adds a man, which is no reason for one of them
        (Material, Situation("five_mens_morris", [1, 2], [4, 13], [3, 3, 0]), {"3x4": 8, "3x13": 8}),
        (Material, Situation("tic_tac_toe"), {}),
        # counts stay
        (Material, Situation("pong_hau_ki", [1, 2], [4, 5]), {}),
        (Material, Situation("shisima", [1, 2, 4], [6, 8, 9]), {}),
        # White would close 1-2-3 with one of its three men in hand
        (Vulnerable, Situation("five_mens_morris", [5, 13], [1, 2], [3, 3, 0]), {"3": 8}),
        # nothing to fear; and two mills about to be closed, only one of which can be prevented
        (Vulnerable, Situation("five_mens_morris", [5], [1], [4, 4, 0]), {}),
        (Vulnerable, Situation("five_mens_morris", [5, 8, 13], [1, 2, 7], [2, 2, 0]), {}),
        # 3 would close two mills, which take a man each in this variant; with a man on 7, too, 14 still closes one
        (Vulnerable, Situation(EACH_MILL, [5, 11], [1, 2, 10, 16], [4, 2, 0]), {"3": 10}),
        (Vulnerable, Situation(EACH_MILL, [5, 11], [1, 2, 10, 16, 7], [4, 1, 0]), {"3": 8}),
        # Now both have five moves. After 1-5 it is six against three, after 2-5 five against two, after 6-5 four
        # against three, and after 2-3 five against five; 6-3 wins.
        (Freedom, Situation("marelle", [1, 2, 6], [4, 8, 9], [6]), {"1-5": 8, "2-5": 8, "6-5": 6}),
        # both lose the same
        (Freedom, Situation("tic_tac_toe"), {}),
    ],
)
def test_counts_men_and_moves(made: type[Advisor], situation: Situation, expected: dict[str, int]) -> None:
    assert situation.said(made) == expected


@pytest.mark.parametrize("spec", ["five_mens_morris", "tsoro_yematatu", "mu_torere"])
def test_freedom_counts_legal_actions(spec: str) -> None:
    knowledge, views = watched(spec, contests=3)
    advisor = Freedom(knowledge)
    signs = set()
    for view in views:
        opinion = advisor.comment(view, view.choices)
        now = _lead(view.position, view.seat)
        for choice in view.choices:
            position = Position.unchecked(view.frame.game, np.frombuffer(choice.state, dtype=np.int8).copy())
            gain = 0 if position.is_over else _lead(position, view.seat) - now
            assert np.sign(opinion.get(choice, 5) - 5) == np.sign(gain)
            signs.add(int(np.sign(gain)))
    assert signs == {-1, 0, 1}


def _lead(position: Position, seat: int) -> int:
    actions = []
    for mover in (seat, 1 - seat):
        state = position.state.copy()
        state[0] = mover
        actions.append(len(Position.unchecked(position.game, state).legal_actions))
    return actions[0] - actions[1]


def test_strengths_keep_to_the_scale_and_tell_gains_apart() -> None:
    options = MILL.view.choices[:4]
    assert list(graded(dict(zip(options, (2, -1, 0, 5), strict=True))).values()) == [7, 4, 10]
    assert list(graded(dict(zip(options, (20, 10, 1, -20), strict=True))).values()) == [10, 8, 6, 0]
    assert graded({}) == {}
