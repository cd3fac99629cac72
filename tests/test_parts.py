"""Each test is in one part of the tests."""

from argparse import ArgumentTypeError

import pytest

from tests.parts import Part


@pytest.mark.parametrize("of", [1, 2, 3, 7])
def test_each_test_is_in_one_part(of: int) -> None:
    names = [f"tests/test_games.py::test_ends[{number}]" for number in range(1000)]
    parts = [[name for name in names if Part(number, of).has(name)] for number in range(1, of + 1)]
    assert sorted(name for part in parts for name in part) == sorted(names)
    assert max(map(len, parts)) < 2 * len(names) / of


@pytest.mark.parametrize("text", ["", "2", "0/3", "4/3", "-1/3", "1/0", "a/b", "1/3/5"])
def test_only_parts_are_named(text: str) -> None:
    assert Part.parse("2/3") == Part(2, 3)
    with pytest.raises(ArgumentTypeError, match="is no part K/N of the tests, such as 2/3"):
        Part.parse(text)
