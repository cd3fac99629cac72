"""Snapshots that are damaged are refused, whatever is wrong with them."""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from boardgames_agents.hoyle.items.remembered_moves import Tallies
from boardgames_agents.hoyle.options import HoyleOptions
from boardgames_agents.hoyle.useful_knowledge import Knowledge
from boardgames_agents.policy import Snapshot
from boardgames_env import BadInputError, make_game
from tests.boardgames_agents.hoyle.situation import hoyle, views_of

Array = NDArray[Any]

DAMAGE: dict[str, Callable[[Array], Array]] = {
    "another type": lambda array: array.astype(np.float64) + 0.5 if array.dtype != np.float64 else array.astype(int),
    "text": lambda array: array.astype(str),
    "no numbers": lambda array: np.full(array.shape, np.nan),
    "too wide": lambda array: np.concatenate([array, array], axis=-1),
    "no dimensions": lambda array: np.array(1, dtype=array.dtype),
}


@cache
def learned() -> Knowledge:
    return hoyle(make_game("tic_tac_toe"), contests=30, trainer="fallible(e=0.5)").useful_knowledge


def with_zones() -> Knowledge:
    return Knowledge(views_of(make_game("five_mens_morris")), HoyleOptions(zones=True))


def with_lessons(*lessons: tuple[int, ...]) -> Snapshot:
    """Of zones that have taught something."""
    saved = with_zones().snapshot()
    return Snapshot({**saved.arrays, "zones/lessons": np.array(lessons)}, saved.data)


@pytest.mark.parametrize("how", DAMAGE)
def test_an_array_that_is_not_what_was_saved_is_refused(how: str) -> None:
    assert learned().forks.space
    zones = with_lessons((0, 5, 1, 0), (1, 215, -1, 2))
    for knowledge, saved in ((learned(), learned().snapshot()), (with_zones(), zones)):
        knowledge.restore(saved)
        for name, array in saved.arrays.items():
            item = name.partition("/")[0]
            if item in ("forks", "tallies", "zones"):
                with pytest.raises(BadInputError, match=f"the snapshot's {item} are damaged"):
                    knowledge.restore(Snapshot({**saved.arrays, name: DAMAGE[how](array)}, saved.data))


def test_counts_are_not_negative() -> None:
    with pytest.raises(ValueError, match="the counts are not four non-negative whole numbers"):
        Tallies().restore(Snapshot({"counts": np.array([3, 20, -1, 1])}))


@pytest.mark.parametrize("lesson", [(2, 0, 1, 0), (0, 216, 1, 0), (0, 0, 0, 0), (0, 0, 1, 1), (-1, 0, 1, 0)])
def test_a_lesson_is_of_an_expression(lesson: tuple[int, ...]) -> None:
    with pytest.raises(BadInputError, match="a lesson is of no zone expression"):
        with_zones().restore(with_lessons(lesson))


@pytest.mark.parametrize(
    "counts", [None, 3, "x", [1], {"Patsy": 3}, {"Patsy": [1]}, {"Patsy": [2, 3]}, {"a": [1, 0.5]}]
)
def test_weights_are_counts(counts: object) -> None:
    saved = learned().snapshot()
    items = {**saved.data["items"], "Advisor weights": {"counts": counts}}
    with pytest.raises(BadInputError, match="the snapshot's Advisor weights are damaged"):
        learned().restore(Snapshot(saved.arrays, {**saved.data, "items": items}))
