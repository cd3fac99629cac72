from collections.abc import Iterator

import pytest

from boardgames_agents.hoyle.advisors.shortcut import Shortcut
from boardgames_agents.hoyle.game_frame import locations_of
from boardgames_agents.hoyle.position_view import PositionView
from tests.boardgames_agents.hoyle.situation import Situation, watched
from tests.variants import sampled


@pytest.mark.parametrize(
    ("spec", "own", "enemy", "rest", "seat", "expected"),
    [
        # Figure 6: the ways by 1 and 10 and by 23 and 24 must be barred to White; they are as short, and not printed
        *(
            ("nine_mens_morris", [2, 20], black, [6, 7, 0], 1, {"4", "6", "11", "14", "15"})
            for black in ([10, 24, 18], [10, 24, 22], [10, 23, 9], [1, 23, 9])
        ),
        # an enemy on a path leaves the others
        ("nine_mens_morris", [2, 20], [10, 24, 14], [6, 7, 0], 1, {"4", "11"}),
        # both lines through 3, on the way to 15, have an enemy's man
        ("nine_mens_morris", [2, 20], [1, 24, 18], [6, 7, 0], 1, {"4", "6", "11", "14"}),
        # some empty position must be where open lines meet
        ("five_mens_morris", [4, 6], [16], [4, 3, 0], 1, {"5x16"}),
        ("five_mens_morris", [4, 6], [2], [4, 3, 0], 1, set()),
        # a man alone looks for a way back to itself
        ("five_mens_morris", [2], [16], [4, 4, 0], 0, {"8", "9"}),
        # men next to each other are no pair; what is left is the ring 2-3-10-9-6-5
        ("five_mens_morris", [1, 2], [16], [4, 3, 0], 1, {"9"}),
        # slides to the middle
        ("five_mens_morris", [4, 6, 15, 16], [1, 3, 10, 11, 12], [0, 0, 0], 0, {"4-5", "6-5"}),
    ],
)
def test_middles_of_paths(
    spec: str, own: list[int], enemy: list[int], rest: list[int], seat: int, expected: set[str]
) -> None:
    assert Situation(spec, own, enemy, rest, seat).said(Shortcut) == dict.fromkeys(expected, 8)


MOVING_MEN = ["five_mens_morris", "nine_mens_morris", "eleven_mens_morris", "marelle", "tsoro_yematatu", "shisima"]


@pytest.mark.parametrize("spec", sampled(MOVING_MEN, one_in=3))
def test_agrees_with_a_list_of_all_paths(spec: str) -> None:
    knowledge, views = watched(spec, contests=6, plies=40)
    advisor = Shortcut(knowledge)
    spoken = 0
    for view in views:
        middles = _middles(view)
        opinion = advisor.comment(view, view.choices)
        expected = {choice for choice in view.choices if set(locations_of(choice.own & ~view.own)) & middles}
        assert set(opinion) == expected
        spoken += bool(expected)
    assert spoken > 0


def _middles(view: PositionView) -> set[int]:
    """The middlemost positions of the paths that the text asks for, all of them written down."""
    open_lines = [line for line in view.frame.game.board.lines if not set(line) & set(locations_of(view.enemy))]
    own, empty = locations_of(view.own), set(locations_of(view.empty))
    unfinished: list[tuple[int, ...]] = [(man,) for man in own]
    while unfinished:
        found = [path for path in _continued(view, unfinished, set(own)) if _is_connection(view, path)]
        if found:
            kept = [path[1:-1] for path in found if _is_kept(path[1:-1], open_lines)]
            return {between[index] for between in kept for index in {(len(between) - 1) // 2, len(between) // 2}}
        unfinished = list(_continued(view, unfinished, empty))
    return set()


def _continued(view: PositionView, paths: list[tuple[int, ...]], to: set[int]) -> Iterator[tuple[int, ...]]:
    """Longer by a step, to a position that is not on the path yet, or back to where it began."""
    for path in paths:
        for there in view.frame.game.board.adjacency[path[-1]]:
            if there in to and there not in path[1:]:
                yield (*path, there)


def _is_connection(view: PositionView, path: tuple[int, ...]) -> bool:
    first, last = path[0], path[-1]
    return len(path) > 3 if first == last else last not in view.frame.game.board.adjacency[first]


def _is_kept(between: tuple[int, ...], open_lines: list[tuple[int, ...]]) -> bool:
    counts = [sum(position in line for line in open_lines) for position in between]
    return min(counts) >= 1 and max(counts) >= 2
