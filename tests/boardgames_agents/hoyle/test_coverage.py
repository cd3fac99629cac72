from collections import Counter

import pytest

from boardgames_agents.hoyle.advisors.freedom import Coverage
from boardgames_agents.hoyle.game_frame import locations_of
from boardgames_agents.hoyle.position_view import Choice, PositionView
from tests.boardgames_agents.hoyle.situation import Situation, mask, numbers, watched
from tests.variants import sampled

# of "Visual Cues": the men follow from what is printed of them: the covers and, in Figures 4 and 5, the legal moves
PLACED, HELD = [0, 0, 0], [2, 1, 0]
FIGURE_3 = Situation("five_mens_morris", own=[1, 6, 8], enemy=[3, 4, 13, 14], rest=HELD)
FIGURE_4 = Situation("five_mens_morris", own=[1, 9, 10, 11, 14], enemy=[2, 8, 12, 15], rest=PLACED)
FIGURE_5 = Situation("five_mens_morris", own=[2, 6, 8, 10, 14], enemy=[1, 5, 11, 12, 16], rest=PLACED)


def test_a_position_where_lines_meet_is_covered_twice() -> None:
    once, twice = Coverage(FIGURE_3.knowledge).cover(mask(3))
    assert numbers(once) == [1, 2, 3, 10, 16]
    assert numbers(twice) == [3]


def test_figure_3() -> None:
    advisor, view = Coverage(FIGURE_3.knowledge), FIGURE_3.view
    own, enemy = advisor.cover(view.own), advisor.cover(view.enemy)
    assert numbers(own.once) == [1, 2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 14]
    assert numbers(own.twice) == [1, 4, 6, 7, 8]
    assert numbers(enemy.once & ~own.once) == [10, 12, 15, 16]
    assert numbers(own.once & ~enemy.once) == []
    assert FIGURE_3.said(Coverage) == {"16": 8}


def test_figure_4() -> None:
    assert FIGURE_4.said(Coverage) == {"9-6": 8}


def test_figure_5() -> None:
    advisor, view = Coverage(FIGURE_5.knowledge), FIGURE_5.view
    own, enemy = advisor.cover(view.own), advisor.cover(view.enemy)
    assert numbers(enemy.once) == [1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15, 16]
    assert numbers(enemy.twice & ~own.twice) == [11, 12, 13, 15]
    assert len(view.choices) == 8
    assert FIGURE_5.said(Coverage) == {"14-15": 8}


def test_places_where_only_the_enemy_is_if_nothing_there_is_covered_twice() -> None:
    # the man on 3 covers 1, 2, 10 and 16 once; the men on 1 and 5 cover 1 and 2
    said = Situation("five_mens_morris", own=[1, 5], enemy=[3], rest=[3, 4, 0], seat=1).said(Coverage)
    assert said == {"10": 8, "16": 8}


def test_places_on_what_the_enemy_covers_twice_if_it_has_nothing_for_itself() -> None:
    # the enemy on 2 and 10 covers 3 twice; 1 to 3, 8 to 10, 5 and 16 are covered by the men on 1, 8, 9, 5 and 16, too
    crowded = Situation("six_mens_morris", own=[1, 8, 9, 5, 16], enemy=[2, 10], rest=[1, 4, 0])
    assert crowded.said(Coverage) == {"3": 8}


MOVING_MEN = ["five_mens_morris(fly_at=3)", "eleven_mens_morris", "marelle", "achi", "tsoro_yematatu", "shisima"]


@pytest.mark.parametrize("spec", sampled(MOVING_MEN, one_in=3))
def test_agrees_with_the_text_word_for_word(spec: str) -> None:
    knowledge, views = watched(spec, contests=6)
    advisor = Coverage(knowledge)
    spoken = 0
    for view in views:
        opinion = advisor.comment(view, view.choices)
        assert set(opinion) == {choice for choice in view.choices if _recommends(view, choice)}
        spoken += bool(opinion)
    assert spoken > 10


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
