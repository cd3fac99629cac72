"""Coefficients and their file."""

import json
from pathlib import Path

import numpy as np
import pytest

from boardgames_agents.fives.coefficients import INITIAL, INITIAL_BROKEN, Coefficients, load
from boardgames_env import BadInputError

NAMES = ["full open four", "half open four", "full open three", "half open three", "quarter open three"]


def test_what_the_paper_begins_with() -> None:
    assert dict(INITIAL.named) == dict(zip(NAMES, [500, 400, 300, 200, 100], strict=True))
    assert INITIAL.as_array().tolist() == [500, 400, 300, 200, 100, 0, 0]
    assert INITIAL_BROKEN.values[:5] == INITIAL.values
    assert len(INITIAL_BROKEN.named) == 7


@pytest.mark.parametrize("coefficients", [INITIAL, INITIAL_BROKEN, Coefficients((1 / 3, -2, 0.1, 1e300, 222.5))])
def test_a_file_brings_back_the_same_numbers(coefficients: Coefficients, tmp_path: Path) -> None:
    path = tmp_path / "new" / "coefficients.json"
    coefficients.save(path)
    assert load(path) == coefficients
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_numbers_of_numpy_are_numbers() -> None:
    values = Coefficients(tuple(np.array([1.5, 2, 3, 4, 5]))).values
    assert values == (1.5, 2, 3, 4, 5)
    assert all(type(value) is float for value in values)


@pytest.mark.parametrize("values", [(), (1, 2, 3, 4), (1, 2, 3, 4, 5, 6), (1,) * 8])
def test_there_are_five_or_seven(values: tuple[float, ...]) -> None:
    with pytest.raises(BadInputError, match=f"{len(values)} coefficients are not allowed; there are 5, or 7"):
        Coefficients(values)


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf"), 10**400, True, "7", None])
def test_each_is_a_finite_number(value: float) -> None:
    with pytest.raises(BadInputError, match=r"coefficient of full open three is .*; it must be a finite number"):
        Coefficients((500, 400, value, 200, 100))


def damaged(**changes: object) -> str:
    """A file's text in which some coefficients are others, or with ``None`` are missing."""
    data = {**dict(INITIAL.named), **{name.replace("_", " "): value for name, value in changes.items()}}
    given = {name: value for name, value in data.items() if value is not None}
    return json.dumps({"format": "boardgames-env coefficients of lines, 1", "coefficients": given})


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (damaged(half_open_four=None), "has no coefficient of 'half open four'; it needs those of: full open four, "),
        (damaged(broken_four=1), "has no coefficient of 'broken three'"),
        (damaged(half_open_four=float("nan")), "the coefficient of half open four is nan"),
        (damaged(sixes=1), "has a coefficient of 'sixes'; there are those of: full open four, "),
        ("", "not hold coefficients"),
        ("[]", "not hold coefficients"),
        ("{}", "not hold coefficients"),
        ("[" * 100_000, "not hold coefficients"),
        ('{"format": 1, "coefficients": [1]}', "not hold coefficients"),
        ('{"format": 1, "coefficients": [[1, 2], ["a", 3]]}', "not hold coefficients"),
        ('{"format": "another", "coefficients": {}}', "does not hold coefficients: its format is 'another'"),
    ],
    ids=range(11),
)
def test_a_damaged_file_is_refused_in_a_sentence_and_left_alone(text: str, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "coefficients.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadInputError) as told:
        load(path)
    assert sentence in str(told.value)
    assert str(path) in str(told.value)
    assert path.read_text(encoding="utf-8") == text


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(BadInputError, match="cannot be read"):
        load(tmp_path)


def test_what_cannot_be_written_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "coefficients.json"
    INITIAL.save(path)
    with pytest.raises(OSError, match=r"coefficients\.json"):
        INITIAL_BROKEN.save(path / "below")
    assert load(path) == INITIAL
