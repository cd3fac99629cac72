"""The configuration of a run, and its file."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import get_type_hints

import boardgames_env
from boardgames_agents.experiments.program import import_recorded, own_imports
from boardgames_agents.training.checkpoint import Checkpoint
from boardgames_agents.training.loop import StoppingRule
from boardgames_env.errors import BadInputError, require
from boardgames_env.files import write_atomically

CONFIG = "config.json"
"""The name of the file of a run's configuration."""

_IMPORTS = "imports"
"""The name in it of the files and modules that were imported by `import_own`: they may have brought what is trained."""

_LOGGED_EVERY = 1000
"""The number of contests between two entries in the log, where contests are played in a row."""


@dataclass(frozen=True)
class RunConfig:
    """The configuration of a run: the specs of game, learner and trainer, and numbers. It determines the result.

    Attributes:
        contests: The greatest number of contests.
        standard: The behavioral standard n; 0 for none.
        test_every: The number of contests between tests against the challengers; the first test is before the first
            contest. 0 for no tests.
        test_contests: The number of contests against each challenger in a test.
        checkpoint_every: The number of contests between checkpoints.
    """

    game: str
    learner: str
    trainer: str
    contests: int
    standard: int = 0
    seed: int = 0
    test_every: int = 0
    test_contests: int = 100
    checkpoint_every: int = 1000

    def __post_init__(self) -> None:
        require(0, seed=self.seed, test_every=self.test_every)
        require(1, test_contests=self.test_contests, checkpoint_every=self.checkpoint_every)

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


_KINDS: dict[str, type] = get_type_hints(RunConfig)


def holds_run(folder: Path) -> bool:
    """Return whether there is a run in a folder."""
    return (folder / CONFIG).exists()


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
    write_atomically(folder / CONFIG, json.dumps(data, indent=1).encode())


def _read_config(folder: Path) -> tuple[RunConfig, Sequence[str]]:
    """Return the configuration of a run, and what was imported."""
    path = folder / CONFIG
    try:
        data = json.loads(path.read_bytes())
        values = {name: data[name] for name in _KINDS}
        if wrong := [name for name, value in values.items() if type(value) is not _KINDS[name]]:
            raise TypeError(f"{wrong[0]}={values[wrong[0]]!r}")
        config = RunConfig(**values)
        return config, [str(each) for each in data.get(_IMPORTS, ())]
    except FileNotFoundError:
        raise BadInputError(f"{folder} holds no run: there is no {path.name} in it") from None
    except (ValueError, TypeError, KeyError, RecursionError, OSError) as error:
        raise BadInputError(f"{path} is damaged: {error}") from error
