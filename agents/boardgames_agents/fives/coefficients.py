"""The coefficients of the evaluation function, and the JSON file that holds a number for every feature."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from sys import float_info

import numpy as np
from numpy.typing import NDArray

from boardgames_agents.fives.features import CONTENTS, PAPER
from boardgames_env.errors import BadInputError, one_of
from boardgames_env.files import FileKind, write_atomically
from boardgames_env.json_file import read_json

_KIND = FileKind("coefficients", marks={"format": "boardgames-env coefficients of lines, 1"}, is_sealed=False)


@dataclass(frozen=True)
class Coefficients:
    """The values of the features of seat 0 for that seat.

    Attributes:
        values: A number for each of the paper's five features, or for those and the two broken ones, in the order of
            `boardgames_agents.fives.features.CONTENTS`.

    Raises:
        BadInputError: If their number is neither five nor seven, or one is not finite.
    """

    values: tuple[float, ...]

    def __post_init__(self) -> None:
        if len(self.values) not in (len(PAPER), len(CONTENTS)):
            raise BadInputError(
                f"{len(self.values)} coefficients are not allowed; there are {len(PAPER)}, or {len(CONTENTS)} with "
                "those of broken fours and threes"
            )
        for name, value in self.named.items():
            if not isinstance(value, (int, float)) or isinstance(value, bool) or not abs(value) <= float_info.max:
                raise BadInputError(
                    f"the coefficient of {name} is {value!r}, which is not allowed; it must be a finite number"
                )
        object.__setattr__(self, "values", tuple(map(float, self.values)))

    @property
    def named(self) -> Mapping[str, float]:
        """The coefficients by the names of their features."""
        return dict(zip(CONTENTS, self.values, strict=False))

    def as_array(self) -> NDArray[np.float64]:
        """Return the coefficients of all seven features, 0 for missing ones; shape ``(7,)``."""
        array = np.zeros(len(CONTENTS))
        array[: len(self.values)] = self.values
        return array

    def save(self, path: Path) -> None:
        """Write the coefficients to a file atomically; if that fails, an existing file is unchanged."""
        text = json.dumps({**_KIND.marks, "coefficients": self.named}, indent=1) + "\n"
        write_atomically(path, text.encode())


INITIAL = Coefficients((500, 400, 300, 200, 100))
"""The paper's initial coefficients, with which its tester always plays."""

INITIAL_BROKEN = Coefficients((*INITIAL.values, 400, 200))
"""The initial coefficients with broken features. (The paper has no numbers for them. A broken four becomes a five with
one mark, like a half open four, and a broken three a full open four, like a half open three.)"""


def load(path: Path) -> Coefficients:
    """Read coefficients from a file.

    Raises:
        BadInputError: If the file does not exist or is damaged, or a number is missing, not finite or superfluous.
    """
    data = read_json(path, _KIND)
    with _KIND.reading(path):
        given = dict(data["coefficients"].items())
    if strange := sorted(set(given) - set(CONTENTS)):
        raise BadInputError(f"{path} has a coefficient of {strange[0]!r}; there are those of: {one_of(CONTENTS)}")
    needed = CONTENTS if set(given) - set(PAPER) else PAPER
    if missing := [name for name in needed if name not in given]:
        raise BadInputError(f"{path} has no coefficient of {missing[0]!r}; it needs those of: {one_of(needed)}")
    try:
        return Coefficients(tuple(given[name] for name in needed))
    except BadInputError as error:
        raise BadInputError(f"{path}: {error}") from error
