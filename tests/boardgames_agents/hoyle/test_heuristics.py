"""The heuristic Advisors: what holds for all of them, and each on positions worked by hand."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from boardgames_agents.hoyle.advisors import Advisor, advisor, graded, registered_advisors
from boardgames_agents.hoyle.advisors.freedom import Cover, Coverage, Freedom
from boardgames_agents.hoyle.advisors.men_and_forks import Material, Vulnerable
from boardgames_agents.hoyle.advisors.shapes import Candide, Challenge, Greedy, Worried
from boardgames_agents.hoyle.advisors.shortcut import Shortcut
from boardgames_agents.hoyle.forr import INDIFFERENT
from boardgames_agents.hoyle.game_frame import locations_of
from boardgames_agents.hoyle.position_view import Choice, PositionView
from boardgames_env import BadInputError
from boardgames_env.position import Position
from tests.boardgames_agents.hoyle.situation import Situation, numbers, watched
from tests.variants import fast_for, sampled

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


ON_LINES = (Candide, Worried, Greedy, Challenge)
SILENT = {
    "tic_tac_toe": (Coverage, Shortcut, Vulnerable),  # no predrawn lines, no captures
    "qubic": (Coverage, Shortcut, Vulnerable),
    "lose_tic_tac_toe": (*ON_LINES, Coverage, Shortcut),  # no line to play for
    "mu_torere": ON_LINES,
    "pong_hau_ki": ON_LINES,
    "marelle": (Challenge, Vulnerable),  # men move, and stay on the board
}


@pytest.mark.parametrize("spec", SILENT)
def test_silent_where_its_reason_does_not_exist(spec: str) -> None:
    knowledge, views = watched(spec, contests=3)
    assert not any(made(knowledge).comment(view, view.choices) for view in views for made in SILENT[spec])


def test_two_advisors_cannot_have_one_name() -> None:
    with pytest.raises(BadInputError, match=f"{THIRD[0].__name__!r} already"):
        advisor(type(THIRD[0].__name__, (THIRD[0],), {}))


# a cross in a corner, a nought in the centre; what is symmetric comes up once
CORNER = Situation("tic_tac_toe", own=[1], enemy=[5])
# three men each, and three empty points
SLIDING = Situation("marelle", own=[1, 2, 6], enemy=[4, 8, 9], rest=[6])
CLOSING = Situation("marelle", own=[1, 2, 8], enemy=[3, 4, 6], rest=[6])
# black slides 10-3 and has a mill; none of White's men is in one
MILL = Situation("five_mens_morris", own=[1, 2, 10], enemy=[4, 11, 12, 16], rest=[0, 0, 0])
EACH_MILL = "six_mens_morris(capture_each_mill=True)"
# of "Visual Cues": the men follow from what is printed of them: the covers and, in Figures 4 and 5, the legal moves
PLACED, HELD = [0, 0, 0], [2, 1, 0]
FIGURE_3 = Situation("five_mens_morris", own=[1, 6, 8], enemy=[3, 4, 13, 14], rest=HELD)
FIGURE_4 = Situation("five_mens_morris", own=[1, 9, 10, 11, 14], enemy=[2, 8, 12, 15], rest=PLACED)
FIGURE_5 = Situation("five_mens_morris", own=[2, 6, 8, 10, 14], enemy=[1, 5, 11, 12, 16], rest=PLACED)
figure_6 = partial(Situation, "nine_mens_morris", own=[2, 20], rest=[6, 7, 0], seat=1)


def eights(*moves: str) -> dict[str, int]:
    return dict.fromkeys(moves, 8)


@pytest.mark.parametrize(
    ("made", "situation", "expected"),
    [
        (Candide, CORNER, {"2": 9, "3": 9, "6": 7, "9": 7}),
        (Worried, CORNER, {"2": 9, "3": 9, "6": 9, "9": 7}),
        # a block is urgent
        (Worried, Situation("tic_tac_toe", own=[5, 8], enemy=[1, 2]), {"3": 10, "4": 9, "6": 7, "7": 9, "9": 7}),
        (Greedy, CORNER, {"3": 7, "9": 7}),
        (Challenge, CORNER, {"2": 6, "3": 8, "6": 8, "9": 9}),
        # the centre first
        (Challenge, Situation("tic_tac_toe"), {"1": 9, "2": 8, "5": 10}),
        (Greedy, Situation("tic_tac_toe"), {"1": 8, "2": 7, "5": 9}),
        # a man that stays on a line does not advance it: 2-3 stays on 1-2-3 and reaches 3-5-7; 6-3 reaches both
        (Candide, SLIDING, {"1-5": 7, "2-3": 7, "2-5": 7, "6-3": 10, "6-5": 7}),
        (Greedy, SLIDING, {"6-3": 7}),
        # of the other seat's plans 3-6-9 and 4-5-6 are two thirds done, 3-5-7 is begun; all others are closed
        (Worried, CLOSING, {"1-5": 10, "2-5": 10, "8-5": 10, "8-7": 9, "8-9": 10}),
        # 7-8-9 man 8 was on before 8-7, and the other two lines through 7 are closed
        (Candide, CLOSING, {"1-5": 10, "2-5": 9, "8-5": 9, "8-9": 9}),
        # The net change of open lines may count: own men on 1-2-3 count two; 6-3 makes that three, and one on 3-5-7;
        # nothing that the other seat has is closed, and 1-5 opens 1-4-7 to it;
        # the other seat's men on 3-6-9 and 4-5-6 count two each, that on 3-5-7 one; 1-5 opens 1-4-7
        (Candide, replace(SLIDING, net_lines=True), {"2-3": 6, "6-3": 7, "6-5": 6}),
        (Worried, replace(SLIDING, net_lines=True), {}),
        (Worried, replace(CLOSING, net_lines=True), {"1-5": 7, "2-5": 8, "8-5": 8, "8-7": 6, "8-9": 7}),
        # nobody wins in its own home row: 7-8-9 is that of seat 0, 1-2-3 of seat 1
        (Candide, Situation("tant_fant", own=[5, 7, 9], enemy=[1, 3, 6]), {"7-8": 9, "9-8": 9}),
        (Worried, Situation("tant_fant", own=[5, 7, 9], enemy=[1, 3, 6]), {}),
        (Candide, Situation("tant_fant", own=[1, 3, 5], enemy=[7, 9, 4]), {"1-2": 9, "3-2": 9, "5-2": 10}),
        (Candide, Situation("tant_fant", own=[1, 3, 5], enemy=[7, 9, 4], seat=1), {"1-2": 9, "3-2": 9}),
        # no line is open
        *((made, Situation("tic_tac_toe", [1, 2, 6, 7], [3, 4, 5, 9]), {}) for made in ON_LINES),
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
        (Coverage, FIGURE_3, {"16": 8}),
        (Coverage, FIGURE_4, {"9-6": 8}),
        (Coverage, FIGURE_5, {"14-15": 8}),
        # where only the enemy is if nothing there is covered twice:
        # the man on 3 covers 1, 2, 10 and 16 once; the men on 1 and 5 cover 1 and 2
        (Coverage, Situation("five_mens_morris", [1, 5], [3], [3, 4, 0], seat=1), {"10": 8, "16": 8}),
        # on what the enemy covers twice if it has nothing for itself: that on 2 and 10 covers 3 twice;
        # 1 to 3, 8 to 10, 5 and 16 are covered by the men on 1, 8, 9, 5 and 16, too
        (Coverage, Situation("six_mens_morris", [1, 8, 9, 5, 16], [2, 10], [1, 4, 0]), {"3": 8}),
        # Figure 6: the ways by 1 and 10 and by 23 and 24 must be barred to White; they are as short, and not printed
        *(
            (Shortcut, figure_6(enemy=black), eights("4", "6", "11", "14", "15"))
            for black in ([10, 24, 18], [10, 24, 22], [10, 23, 9], [1, 23, 9])
        ),
        # an enemy on a path leaves the others
        (Shortcut, figure_6(enemy=[10, 24, 14]), eights("4", "11")),
        # both lines through 3, on the way to 15, have an enemy's man
        (Shortcut, figure_6(enemy=[1, 24, 18]), eights("4", "6", "11", "14")),
        # some empty position must be where open lines meet
        (Shortcut, Situation("five_mens_morris", [4, 6], [16], [4, 3, 0], seat=1), {"5x16": 8}),
        (Shortcut, Situation("five_mens_morris", [4, 6], [2], [4, 3, 0], seat=1), {}),
        # a man alone looks for a way back to itself
        (Shortcut, Situation("five_mens_morris", [2], [16], [4, 4, 0]), eights("8", "9")),
        # men next to each other are no pair; what is left is the ring 2-3-10-9-6-5
        (Shortcut, Situation("five_mens_morris", [1, 2], [16], [4, 3, 0], seat=1), {"9": 8}),
        # slides to the middle
        (Shortcut, Situation("five_mens_morris", [4, 6, 15, 16], [1, 3, 10, 11, 12], PLACED), eights("4-5", "6-5")),
    ],
)
def test_positions_worked_by_hand(made: type[Advisor], situation: Situation, expected: dict[str, int]) -> None:
    assert situation.said(made) == expected


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
    own, other = position.state.copy(), position.state.copy()
    own[0], other[0] = seat, 1 - seat
    actions = [len(Position.unchecked(position.game, state).legal_actions) for state in (own, other)]
    return actions[0] - actions[1]


def test_strengths_keep_to_the_scale_and_tell_gains_apart() -> None:
    options = MILL.view.choices[:4]
    assert list(graded(dict(zip(options, (2, -1, 0, 5), strict=True))).values()) == [7, 4, 10]
    assert list(graded(dict(zip(options, (20, 10, 1, -20), strict=True))).values()) == [10, 8, 6, 0]
    assert graded({}) == {}


def covers(situation: Situation) -> tuple[Cover, Cover]:
    advisor, view = Coverage(situation.knowledge), situation.view
    return advisor.cover(view.own), advisor.cover(view.enemy)


def test_figure_3() -> None:
    (once, twice), (own, enemy) = Coverage(FIGURE_3.knowledge).cover(1 << 2), covers(FIGURE_3)
    assert (numbers(once), numbers(twice)) == ([1, 2, 3, 10, 16], [3])  # 3 is where lines meet
    assert numbers(own.once) == [1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 14]
    assert numbers(own.twice) == [1, 4, 6, 7, 8]
    assert numbers(enemy.once & ~own.once) == [10, 12, 15, 16]
    assert numbers(own.once & ~enemy.once) == []


def test_figure_5() -> None:
    own, enemy = covers(FIGURE_5)
    assert numbers(enemy.once) == [1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15, 16]
    assert numbers(enemy.twice & ~own.twice) == [11, 12, 13, 15]
    assert len(FIGURE_5.view.choices) == 8


def times_heard(
    made: type[Advisor], recommended: Callable[[PositionView], set[Choice]], spec: str, plies: int = 60
) -> int:
    """How often an Advisor comments in random contests; it is to comment on the moves that are recommended."""
    knowledge, views = watched(spec, contests=6, plies=plies)
    advisor, heard = made(knowledge), 0
    for view in views:
        opinion = advisor.comment(view, view.choices)
        assert set(opinion) == recommended(view)
        heard += bool(opinion)
    return heard


COVERED = ["five_mens_morris(fly_at=3)", "eleven_mens_morris", "marelle", "achi", "tsoro_yematatu", "shisima"]


@pytest.mark.parametrize("spec", sampled(COVERED, one_in=3))
def test_coverage_agrees_with_the_text_word_for_word(spec: str) -> None:
    def spreading(view: PositionView) -> set[Choice]:
        return {choice for choice in view.choices if _recommends(view, choice)}

    assert times_heard(Coverage, spreading, spec) > 10


def _recommends(view: PositionView, choice: Choice) -> bool:
    """The algorithm with multisets that count."""
    own, enemy = _cover(view, view.own), _cover(view, view.enemy)
    arrived, left = locations_of(choice.own & ~view.own), locations_of(view.own & ~choice.own)
    if not arrived:
        return False
    if left:
        spreads = len(_cover(view, choice.own)) > len(own)
        return spreads or (enemy[arrived[0]] > 1 and own[arrived[0]] <= 1)
    empty = locations_of(view.empty)
    difference = {location: count for location, count in enemy.items() if location not in own and location in empty}
    first = {location for location, count in difference.items() if count > 1}
    third = {location for location in empty if enemy[location] > 1}
    return arrived[0] in (first or set(difference) or third)


def _cover(view: PositionView, men: int) -> Counter[int]:
    lines = view.frame.game.board.lines
    return Counter(location for man in locations_of(men) for line in lines if man in line for location in line)


MOVING_MEN = ["five_mens_morris", "nine_mens_morris", "eleven_mens_morris", "marelle", "tsoro_yematatu", "shisima"]


@pytest.mark.parametrize("spec", sampled(MOVING_MEN, one_in=3))
def test_shortcut_agrees_with_a_list_of_all_paths(spec: str) -> None:
    assert times_heard(Shortcut, _on_the_middles, spec, plies=40) > 0


def _on_the_middles(view: PositionView) -> set[Choice]:
    """To the middlemost positions of the paths that the text asks for, all of them written down."""
    open_lines = [line for line in view.frame.game.board.lines if not set(line) & set(locations_of(view.enemy))]
    own, empty = locations_of(view.own), set(locations_of(view.empty))
    unfinished: list[tuple[int, ...]] = [(man,) for man in own]
    middles: set[int] = set()
    while unfinished:
        if found := [path[1:-1] for path in _continued(view, unfinished, set(own)) if _is_connection(view, path)]:
            for between in found:
                counts = [sum(position in line for line in open_lines) for position in between]
                if min(counts) >= 1 and max(counts) >= 2:
                    middles |= {between[(len(between) - 1) // 2], between[len(between) // 2]}
            break
        unfinished = list(_continued(view, unfinished, empty))
    return {choice for choice in view.choices if set(locations_of(choice.own & ~view.own)) & middles}


def _continued(view: PositionView, paths: list[tuple[int, ...]], to: set[int]) -> Iterator[tuple[int, ...]]:
    """Longer by a step, to a position that is not on the path yet, or back to where it began."""
    for path in paths:
        for there in view.frame.game.board.adjacency[path[-1]]:
            if there in to and there not in path[1:]:
                yield (*path, there)


def _is_connection(view: PositionView, path: tuple[int, ...]) -> bool:
    first, last = path[0], path[-1]
    return len(path) > 3 if first == last else last not in view.frame.game.board.adjacency[first]
