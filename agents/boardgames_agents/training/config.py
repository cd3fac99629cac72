"""The configuration of a run, and its file."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import get_type_hints

import boardgames_env
from boardgames_agents.experiments.program import import_recorded, own_imports
from boardgames_agents.registry import label_of
from boardgames_agents.training.checkpoint import Checkpoint
from boardgames_agents.training.loop import MOST_CONTESTS, StoppingRule
from boardgames_env.errors import BadInputError, require
from boardgames_env.files import FileKind
from boardgames_env.json_file import read_json, write_json

CONFIG = "config.json"
"""The name of the file of a run's configuration."""

_KIND = FileKind("the configuration of a run", "restore it, or give another folder", is_sealed=False)

_IMPORTS = "imports"
"""The name in it of the files and modules that were imported by `import_own`: they may have brought what is trained."""

_LOGGED_EVERY = 1000
"""The number of contests between two entries in the log, where contests are played in a row."""


@dataclass(frozen=True)
class RunConfig:
    """The configuration of a run: the specs of game, learner and trainer, and numbers. It determines the result.

    Attributes:
        game: A game, such as ``achi``.
        learner: A learner, such as ``td`` or ``menace(beads=8)``.
        trainer: ``self``, ``2&7`` for lessons and practice, another trainer, or an opponent.
        contests: The greatest number of contests.
        standard: The behavioral standard n: end after n contests in a row without a loss (in self-play: drawn); 0 for
            never.
        seed: Random seed; the same seed gives the same contests.
        test_every: Contests between tests against the challengers; the first test is before the first contest. 0 for
            none.
        test_contests: Contests of a test against each challenger.
        checkpoint_every: Contests between checkpoints.
    """

    game: str
    learner: str
    trainer: str = "self"
    contests: int = MOST_CONTESTS
    standard: int = 0
    seed: int = 0
    test_every: int = 0
    test_contests: int = 100
    checkpoint_every: int = 1000

    def __post_init__(self) -> None:
        require(0, seed=self.seed, test_every=self.test_every)
        require(1, test_contests=self.test_contests, checkpoint_every=self.checkpoint_every)

    @property
    def label(self) -> str:
        """A short text for the learner, which pages and tables show."""
        return label_of(self.learner)

    @property
    def rule(self) -> StoppingRule:
        """The end of the training."""
        return StoppingRule(self.contests, self.standard)

    def is_ended_by(self, checkpoint: Checkpoint) -> bool:
        """Return whether the training has ended at a checkpoint."""
        return self.rule.is_met(checkpoint.contests, checkpoint.streak)

    def next_pause(self, contests: int) -> int:
        """Return the number of contests at the next test, checkpoint or entry in the log."""
        pauses = (self.test_every, self.checkpoint_every, _LOGGED_EVERY)
        return min(contests - contests % every + every for every in pauses if every)


def holds_run(folder: Path) -> bool:
    """Return whether there is a run in a folder, be it damaged. An improvement is none."""
    return (folder / CONFIG).exists() and not _holds_improvement(folder)


def _holds_improvement(folder: Path) -> bool:
    """Return whether a configuration is that of `boardgames improve`, which is kept under the same name."""
    with suppress(BadInputError):
        data = read_json(folder / CONFIG, _KIND)
        return isinstance(data, dict) and "learner" not in data and "iterations" in data
    return False


def read_config(folder: Path, imports: bool = True) -> RunConfig:
    """Read the configuration of a run, and, unless it is only to be looked at, import what the run needs.

    Raises:
        BadInputError: If the folder holds no run, or its configuration is damaged.
    """
    config, names = _read_config(folder)
    if imports:
        import_recorded(names, folder)
    return config


def write_config(folder: Path, config: RunConfig) -> None:
    """Write the configuration of a run, and what has been imported for it."""
    imports = own_imports(_read_config(folder)[1] if holds_run(folder) else ())
    data = {**asdict(config), "boardgames-env": boardgames_env.__version__, _IMPORTS: imports}
    write_json(folder / CONFIG, data, indent=1)


def _read_config(folder: Path) -> tuple[RunConfig, Sequence[str]]:
    """Return the configuration of a run, and what was imported."""
    path = folder / CONFIG
    if not path.exists():
        raise BadInputError(f"{folder} holds no run: there is no {path.name} in it")
    if _holds_improvement(folder):
        raise BadInputError(f"{folder} holds no run, but an improvement, which boardgames improve goes on with")
    data = read_json(path, _KIND)
    with _KIND.reading(path):
        kinds: dict[str, type] = get_type_hints(RunConfig)
        values = {name: data[name] for name in kinds}
        if wrong := [name for name, value in values.items() if type(value) is not kinds[name]]:
            raise TypeError(f"{wrong[0]}={values[wrong[0]]!r}")
        return RunConfig(**values), [str(each) for each in data[_IMPORTS]]
