"""The exceptions for bad input, and checks that raise them."""

import sys
from collections.abc import Collection, Iterable
from difflib import get_close_matches
from numbers import Integral


class BadInputError(ValueError):
    """Bad input. The message is one sentence, which the command line prints before it exits with 2."""


class UnknownOptionError(BadInputError, TypeError):
    """An unknown option, which to a Python caller is an unexpected keyword argument."""

    def __init__(self, message: str, option: str = "") -> None:
        super().__init__(message)
        self.option = option


class MissingLibraryError(BadInputError):
    """A library that an optional part needs is not installed; an extra of this package brings it."""

    def __init__(self, what: str, extra: str) -> None:
        super().__init__(f"{what}: pip install 'boardgames-env[{extra}]'")


def one_of(names: Iterable[object]) -> str:
    """List what is allowed, for the end of an error message."""
    return ", ".join(str(name) for name in names) or "(none)"


def did_you_mean(name: str, names: Iterable[str]) -> str:
    """Return the part of an error message that suggests names spelled like an unknown one, or an empty string.

    A name with the same letters, whatever their case and what is between them, is the only one that is suggested:
    ``tic_tac_toe`` for ``tictactoe``.
    """
    letters = _letters(name)
    # (another number is another thing, not another spelling)
    names_by_letters = {_letters(each): each for each in names if _digits_in_name(each) == _digits_in_name(name)}
    close = [letters] if letters in names_by_letters else get_close_matches(letters, names_by_letters, 2, 0.7)
    return f" (did you mean {' or '.join(names_by_letters[each] for each in close)}?)" if close else ""


def demand_named(what: str, name: str, names: Collection[str]) -> None:
    """Raise `BadInputError`, which lists the names that there are, for a name that is none of them."""
    if name not in names:
        hint, all_names = did_you_mean(name, names), one_of(names)
        raise BadInputError(f"there is no {what} {name!r}{hint}; the {what.rsplit(maxsplit=1)[-1]}s are: {all_names}")


def _digits_in_name(name: str) -> str:
    return "".join(letter for letter in name if letter.isdigit())


def _letters(name: str) -> str:
    return "".join(letter for letter in name.lower() if letter.isalnum())


_LARGEST = sys.float_info.max


def require(least: float, most: float = _LARGEST, /, **numbers: float) -> None:
    """Raise `BadInputError` for numbers out of bounds: ``require(1, plies=plies)``, ``require(0, 1, e=e)``."""
    for name, number in numbers.items():
        if not least <= number <= most:
            bounds = f"at least {least:,}" if most >= _LARGEST else f"from {least:,} to {most:,}"
            raise BadInputError(f"{name}={number} is not allowed; it must be {bounds}")


def require_whole(least: int, most: int, /, **numbers: object) -> None:
    """Raise `BadInputError` for what is no whole number from ``least`` to ``most``."""
    for name, number in numbers.items():
        if not isinstance(number, Integral) or isinstance(number, bool) or not least <= int(number) <= most:
            raise BadInputError(
                f"{name}={number!r} is not allowed; it must be a whole number from {least:,} to {most:,}"
            )
