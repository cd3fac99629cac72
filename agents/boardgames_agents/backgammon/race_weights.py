"""The weights of a network for races in a file, and the file that comes with the package."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import numpy as np

from boardgames_agents.backgammon.race_network import INPUTS, OUTPUTS, RaceWeights
from boardgames_env.array_file import read_arrays, write_arrays
from boardgames_env.errors import BadInputError
from boardgames_env.files import FileKind

SHIPPED = Path(__file__).parent / "nets" / "race.safetensors"
"""The network that comes with the package; its metadata have the command that made it."""

_KIND = FileKind("a network for races", "train it again", {"holds": "a network for races", "version": "1"})


def save_weights(path: Path, weights: RaceWeights, about: Mapping[str, str]) -> None:
    """Write a network to a file, whole or not at all; ``about`` says how it was made."""
    write_arrays(path, weights._asdict(), {**_KIND.marks, **about})


def load_weights(path: Path) -> RaceWeights:
    """Read the network of a file.

    Raises:
        BadInputError: If it is damaged, or holds something else.
    """
    arrays, _ = read_arrays(path, _KIND)
    hidden = arrays["hidden_bias"].size if "hidden_bias" in arrays else 0
    shapes = {
        "hidden": (INPUTS, hidden),
        "hidden_bias": (hidden,),
        "output": (hidden, OUTPUTS),
        "output_bias": (OUTPUTS,),
    }
    if {name: each.shape for name, each in arrays.items()} != shapes:
        raise BadInputError(f"the network in {path} has other inputs or outputs than one for races; train it again")
    return RaceWeights(**{name: np.array(arrays[name], dtype=np.float32) for name in shapes})


@cache
def shipped_weights() -> RaceWeights:
    """Return the network that comes with the package."""
    return load_weights(SHIPPED)
