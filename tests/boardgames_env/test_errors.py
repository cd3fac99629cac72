"""The check of bounds, and what errors say."""

import pickle
from math import inf, nan

import pytest

from boardgames_env.errors import BadInputError, MissingLibraryError, described, did_you_mean, require, unknown


def test_numbers_within_bounds_pass() -> None:
    require(0, 1, epsilon=0, alpha=1.0)
    require(1, plies=1, jobs=10**9)
    require(0, inf, margin=inf)


@pytest.mark.parametrize(
    ("bounds", "number", "message"),
    [
        ((1,), 0, "plies=0 is not allowed; it must be at least 1"),
        ((1, 20), 21, "plies=21 is not allowed; it must be from 1 to 20"),
        ((0, 1_000_000), -1, "plies=-1 is not allowed; it must be from 0 to 1,000,000"),
        ((0, 1), nan, "plies=nan is not allowed; it must be from 0 to 1"),
        ((0,), inf, "plies=inf is not allowed; it must be at least 0"),
    ],
)
def test_numbers_out_of_bounds_are_refused(bounds: tuple[float, ...], number: float, message: str) -> None:
    with pytest.raises(BadInputError) as raised:
        require(*bounds, plies=number)
    assert str(raised.value) == message


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("tictactoe", " (did you mean tic_tac_toe?)"),
        ("Tic-Tac-Toe", " (did you mean tic_tac_toe?)"),
        ("TicTacToe-v0", " (did you mean tic_tac_toe?)"),
        ("tic_tac_toe_v3", " (did you mean tic_tac_toe?)"),
        ("5_mens_morris", " (did you mean five_mens_morris?)"),
        ("morris", " (did you mean five_mens_morris?)"),
        ("matchboxes", " (did you mean menace?)"),
        ("lose_tictactoe", " (did you mean lose_tic_tac_toe?)"),
        ("menance", " (did you mean menace?)"),
        ("chess", ""),
        ("", ""),
    ],
)
def test_names_that_are_spelled_alike_are_suggested(name: str, hint: str) -> None:
    names = ["tic_tac_toe", "lose_tic_tac_toe", "menace", "achi", "five_mens_morris"]
    assert did_you_mean(name, names, {"menace": "Michie's matchboxes.", "achi": "four men each"}) == hint


def test_at_most_three_names_are_suggested() -> None:
    assert did_you_mean("tabel", ["tables", "table", "tabled", "tablet"]).count("table") == 3
    assert did_you_mean("table", [f"table-of-{each}" for each in "abcd"]).count("table") == 3


def test_names_are_suggested_or_else_all_listed() -> None:
    assert str(unknown("doubling formula", "janovski", ["janowski"])).endswith("'janovski' (did you mean janowski?)")
    assert str(unknown("doubling formula", "other", ["janowski"])).endswith("'other'; the formulas are: janowski")


def test_another_number_is_not_suggested() -> None:
    assert did_you_mean("table-9", ["table-1", "table-2"]) == ""
    assert did_you_mean("table2", ["table-1", "table-2"]) == " (did you mean table-2?)"


class Textless(Exception):  # noqa: N818  (as somebody else's may be)
    """An error without a text."""

    def __str__(self) -> str:
        raise KeyError


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (ValueError("one"), "ValueError: one"),
        (ValueError("\n \r\n one \n two"), "ValueError: one"),
        (ValueError(), "ValueError"),
        (ValueError(" \n"), "ValueError"),
        (KeyError("a"), "KeyError: 'a'"),
        (Textless("one"), "Textless"),
    ],
)
def test_an_error_is_described_in_one_line(error: Exception, text: str) -> None:
    assert described(error) == text


def test_a_missing_library_is_the_same_from_another_process() -> None:
    error = MissingLibraryError("chat needs a client", "llm")
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again)) == (MissingLibraryError, str(error))
