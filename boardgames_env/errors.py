"""The exceptions for bad input, and checks that raise them."""

import re
import sys
from collections.abc import Collection, Iterable, Mapping
from difflib import get_close_matches
from numbers import Integral, Real


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
        self._asked = what, extra

    def __reduce__(self) -> tuple[type, tuple[str, str]]:
        return type(self), self._asked


def one_line(text: str) -> str:
    """Return a text in one line: each end of a line, and the space around it, becomes a single space."""
    return " ".join(line.strip() for line in text.splitlines() if line.strip())


def message_of(error: BaseException) -> str:
    """Return the first line with text of an error's message; an empty text if there is none, or none can be made."""
    try:
        text = str(error)
    except Exception:  # (its class may be somebody else's)
        return ""
    return next((line.strip() for line in text.splitlines() if line.strip()), "")


def described(error: BaseException) -> str:
    """Return the class of an error and the first line of its message."""
    message = message_of(error)
    return f"{type(error).__name__}: {message}" if message else type(error).__name__


def one_of(names: Iterable[object]) -> str:
    """List what is allowed, for the end of an error message."""
    return ", ".join(str(name) for name in names) or "(none)"


def did_you_mean(name: str, names: Iterable[str], about: Mapping[str, str] | None = None) -> str:
    """Return the part of an error message that suggests at most three names for an unknown one, or an empty string.

    A name with the same letters, whatever their case and what is between them, is the only one that is suggested:
    ``tic_tac_toe`` for ``TicTacToe-v0``, ``connect_four`` for ``connect4``. Otherwise names that are spelled alike are,
    or else names that contain it, or names whose description in ``about`` does.
    """
    letters = _letters(name)
    names_by_letters = {_letters(each): each for each in names}
    # (another number is another thing, not another spelling)
    alike = [each for each, full in names_by_letters.items() if _digits_in_name(full) == _digits_in_name(name)]
    found = [letters] if letters in names_by_letters else get_close_matches(letters, alike, _MOST_SUGGESTED, 0.7)
    suggested = [names_by_letters[each] for each in found]
    if not suggested and len(letters) >= _LEAST_LETTERS:
        suggested = [full for each, full in names_by_letters.items() if letters in each]
        suggested = suggested or [full for full, text in (about or {}).items() if letters in _letters(text)]
    *others, last = suggested[:_MOST_SUGGESTED] or [""]
    return f" (did you mean {', '.join(others)}{' or ' * bool(others)}{last}?)" if last else ""


def unknown(what: str, name: str, names: Collection[str], about: Mapping[str, str] | None = None) -> BadInputError:
    """Return an error for a name that nothing has: it suggests some (see `did_you_mean`), or lists all."""
    hint = did_you_mean(name, names, about)
    return BadInputError(
        f"there is no {what} {name!r}{hint or f'; the {what.rsplit(maxsplit=1)[-1]}s are: {one_of(names)}'}"
    )


def demand_named(what: str, name: str, names: Collection[str], about: Mapping[str, str] | None = None) -> None:
    """Raise the error `unknown` for a name that is none of those there are."""
    if name not in names:
        raise unknown(what, name, names, about)


_MOST_SUGGESTED, _LEAST_LETTERS = 3, 4
_DIGITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def _digits_in_name(name: str) -> str:
    return "".join(letter for letter in name if letter.isdigit())


def _letters(name: str) -> str:
    """Return the letters of a name, and its digits in words; an environment's version is left out."""
    without_version = re.sub(r"[-_]v\d+$", "", name.lower())
    spelled = (_DIGITS[int(each)] if each in "0123456789" else each for each in without_version)
    return "".join(letter for letter in "".join(spelled) if letter.isalnum())


_LARGEST = sys.float_info.max


def require(least: float, most: float = _LARGEST, /, **numbers: float) -> None:
    """Raise `BadInputError` for numbers out of bounds: ``require(1, plies=plies)``, ``require(0, 1, e=e)``."""
    for name, number in numbers.items():
        if not isinstance(number, Real):
            raise BadInputError(f"{name}={number!r} is not allowed; it must be a number {_bounds(least, most)}")
        if not least <= number <= most:
            raise BadInputError(f"{name}={number} is not allowed; it must be {_bounds(least, most)}")


def _bounds(least: float, most: float) -> str:
    return f"at least {least:,}" if most >= _LARGEST else f"from {least:,} to {most:,}"


def require_whole(least: int, most: float = _LARGEST, /, **numbers: object) -> None:
    """Raise `BadInputError` for what is no whole number from ``least`` to ``most``."""
    for name, number in numbers.items():
        if not isinstance(number, Integral) or isinstance(number, bool) or not least <= int(number) <= most:
            raise BadInputError(f"{name}={number!r} is not allowed; it must be a whole number {_bounds(least, most)}")
