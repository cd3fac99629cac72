"""The one exception for what a caller got wrong."""

from collections.abc import Iterable


class BadInputError(ValueError):
    """Something the caller gave is wrong.

    The message is one sentence that names what was wrong and what is allowed; the command line prints it
    and exits with 2.
    """


def one_of(names: Iterable[object]) -> str:
    """List what is allowed, for the end of an error message."""
    return ", ".join(str(name) for name in names) or "(none)"
