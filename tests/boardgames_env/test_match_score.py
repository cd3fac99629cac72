"""The score of a match, and the Crawford game."""

import pytest

from boardgames_env import BadInputError
from boardgames_env.match_score import MatchScore


def test_a_match_game_by_game() -> None:
    score = MatchScore.begun(5)
    seen = [score]
    for points in (2, -4, 1, 1, -2):
        score = score.after(points)
        seen.append(score)
    assert [each.points for each in seen] == [(0, 0), (2, 0), (2, 4), (3, 4), (4, 4), (4, 6)]
    assert [each.is_crawford for each in seen] == [False, False, True, False, False, False]
    assert [each.is_post_crawford for each in seen[:-1]] == [False, False, False, True, True]
    assert [each.winner for each in seen] == [None] * 5 + [1]
    assert seen[2].away == (3, 1)
    assert seen[2].turned == MatchScore(5, (4, 2), True)


def test_the_crawford_game_comes_once() -> None:
    """It is the first game in which a seat needs one point, even if the match begins with it."""
    assert MatchScore.begun(1).is_crawford
    assert MatchScore.begun(7, (6, 2)).is_crawford
    assert not MatchScore.begun(7, (6, 2), post_crawford=True).is_crawford
    assert not MatchScore.begun(7, (5, 2)).after(2).is_crawford
    assert MatchScore.begun(7, (5, 2)).after(1).is_crawford
    assert not MatchScore.begun(7, (6, 2)).after(-4).is_crawford, "the other seat reaches its last point later"


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"length": 0}, "match_length=0 is not allowed; it must be from 1 to 99"),
        ({"length": 100}, "match_length=100 is not allowed"),
        ({"length": 3, "points": (3, 0)}, r"score=\(3, 0\) is not allowed; it is the points of both seats"),
        ({"length": 3, "points": (-1, 0)}, r"score=\(-1, 0\) is not allowed"),
        ({"length": 3, "points": (1, 0, 1)}, r"score=\(1, 0, 1\) is not allowed"),
        ({"length": 3, "points": (True, 0)}, r"score=\(True, 0\) is not allowed"),
        ({"length": 3, "points": (1, 0), "post_crawford": True}, "post_crawford is not allowed at the score"),
    ],
)
def test_scores_that_there_are_not(options, why) -> None:
    with pytest.raises(BadInputError, match=why):
        MatchScore.begun(**options)
