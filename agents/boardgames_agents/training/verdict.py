"""The result of the last test of a run's learner, kept in the run's folder."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from boardgames_agents.arena.score import Score
from boardgames_env.files import FileKind
from boardgames_env.json_file import read_json, write_json

_FILE = "test.json"
_KIND = FileKind("the result of a test", "test the run again")


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
    write_json(folder / _FILE, asdict(verdict), indent=1)


def read_verdict(folder: Path) -> RunVerdict | None:
    """Return the result of the last test of a run, ``None`` if it has not been tested.

    Raises:
        BadInputError: If the file is damaged.
    """
    path = folder / _FILE
    if not path.exists():
        return None
    data = read_json(path, _KIND)
    with _KIND.reading(path):
        scores = {name: _score(each) for name, each in data["scores"].items()}
        rest = {each.name: data[each.name] for each in fields(RunVerdict)}
        return RunVerdict(**{**rest, "scores": scores, "failed": tuple(data["failed"])})


def _score(data: Mapping[str, Any]) -> Score:
    return Score(**{each.name: data[each.name] for each in fields(Score)})
