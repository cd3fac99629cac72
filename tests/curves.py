"""TensorBoard's tags as they are declared."""

import re
from collections.abc import Iterable


def any_of(declared: Iterable[str], name: str) -> bool:
    """Return whether a name is one of those declared, in which ``{...}`` stands for any text."""
    return any(re.fullmatch(re.sub(r"\\\{\w+\\\}", ".+", re.escape(each)), name) for each in declared)
