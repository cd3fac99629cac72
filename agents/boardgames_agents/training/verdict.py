"""The result of the last test of a run's learner, kept in the run's folder."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from boardgames_agents.arena.score import Score
from boardgames_env.errors import BadInputError
from boardgames_env.files import checksum, write_atomically

_FILE = "test.json"


@dataclass(frozen=True)
class RunVerdict:
    """The result of a test.

    Attributes:
        trained: The number of contests that the learner had been trained with.
        contests: The number of contests against each challenger.
        seed: The random seed of the test.
        scores: The scores by the challenger's name.
        perfect: The power of a perfect player in per cent, by the challenger's name; empty if nobody plays perfectly.
        passed: Whether the learner meets the game players' Turing test; ``None`` where that is not defined.
        failed: The conditions of the Turing test that do not hold.
    """

    trained: int
    contests: int
    seed: int
    scores: Mapping[str, Score]
    perfect: Mapping[str, float]
    passed: bool | None
    failed: tuple[str, ...] = ()


def write_verdict(folder: Path, verdict: RunVerdict) -> None:
    """Write the result of a test into a run's folder, in the place of an earlier one; raise `OSError` if that fails."""
    data = asdict(verdict)
    write_atomically(folder / _FILE, json.dumps({**data, "sha256": checksum(data)}, indent=1).encode())


def read_verdict(folder: Path) -> RunVerdict | None:
    """Return the result of the last test of a run, ``None`` if it has not been tested.

    Raises:
        BadInputError: If the file is damaged.
    """
    path = folder / _FILE
    try:
        data: dict[str, Any] = json.loads(path.read_bytes())
        found = data.pop("sha256")
        if found != checksum(data):
            raise ValueError("its checksum is wrong")
        scores = {name: _score(each) for name, each in data["scores"].items()}
        rest = {each.name: data[each.name] for each in fields(RunVerdict)}
        return RunVerdict(**{**rest, "scores": scores, "failed": tuple(data["failed"])})
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise BadInputError(f"{path} is damaged ({error}); test the run again") from error


def _score(data: Mapping[str, Any]) -> Score:
    return Score(**{each.name: data[each.name] for each in fields(Score)})
