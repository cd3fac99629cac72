"""A run: the training of a learner in a folder, where it can be resumed.

The folder holds ``config.json``, TensorBoard's event files and ``checkpoints/``. Contest k of a run is seeded with
``[seed, 0, k]``, and the test after it with ``[seed, 1, k, ...]``, so that a run that was killed and resumed ends with
the same learner as one that was not.
"""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, fields
from pathlib import Path

import boardgames_env
from boardgames_agents.experiments.program import import_recorded, own_imports
from boardgames_agents.experiments.run_log import RunLog
from boardgames_agents.policy import Learner
from boardgames_agents.registry import make_learner
from boardgames_agents.training.checkpoint import Checkpoint, load_latest, save_checkpoint
from boardgames_agents.training.curves import Tester, log_settings, log_step
from boardgames_agents.training.loop import StoppingRule, TrainingLoop
from boardgames_agents.training.trainers import make_trainer
from boardgames_env import Game, make_game
from boardgames_env.errors import BadInputError, require
from boardgames_env.files import write_atomically
from boardgames_env.spec import Spec

_CONFIG = "config.json"

_IMPORTS = "imports"
"""The name in it of the files and modules that were imported by `import_own`: they may have brought what is trained."""

_TRAINING = 0
"""Sets the random numbers of the contests of training apart from those of tests."""

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

    def next_pause(self, contests: int) -> int:
        """Return the number of contests at the next test, checkpoint or entry in the log."""
        pauses = (self.test_every, self.checkpoint_every, _LOGGED_EVERY)
        return min(contests - contests % every + every for every in pauses if every)


@dataclass(frozen=True)
class Run:
    """A run as it stands; ``streak`` is that of a `Step`."""

    folder: Path
    config: RunConfig
    game: Game
    learner: Learner
    contests: int
    streak: int
    done: bool


def train(folder: str | Path, config: RunConfig, on_contest: Callable[[int], object] | None = None) -> Run:
    """Train a learner in a folder, or continue the training there.

    Args:
        folder: The run's folder; made if it does not exist.
        config: The configuration; it must be that of an earlier call, if there was one.
        on_contest: Called with the number of contests played, after each step.

    Raises:
        BadInputError: If the configuration is not allowed, the folder holds another run or cannot be written to, or its
            last checkpoint is damaged.
    """
    folder = Path(folder)
    if (folder / _CONFIG).exists():
        _read_config(folder)  # (imports what the run needs)
    rule = StoppingRule(config.contests, config.standard)  # (refuses numbers before anything is made)
    game, spec = make_game(config.game), Spec.parse(config.learner)
    learner, trainer = make_learner(spec, game, config.seed), make_trainer(config.trainer, game)
    if config.standard and not trainer.plays:
        raise BadInputError(
            f"standard={config.standard} is not for {trainer.spec}, under which the learner never plays"
        )
    loop = TrainingLoop(game, learner, trainer, rule, (config.seed, _TRAINING), pause=config.next_pause)
    try:
        _demand_usable(folder, config)
        if not (folder / _CONFIG).exists():
            data = {**asdict(config), "boardgames-env": boardgames_env.__version__, _IMPORTS: own_imports()}
            write_atomically(folder / _CONFIG, json.dumps(data, indent=1).encode())
        with _alone_in(folder):
            return _train(folder, config, loop, spec, on_contest or (lambda contests: None))
    except OSError as error:
        raise BadInputError(f"{folder} cannot be written to ({error}); give the run a folder that can be") from error


def _train(folder: Path, config: RunConfig, loop: TrainingLoop, spec: Spec, on_contest: Callable[[int], object]) -> Run:
    """Continue from the last checkpoint to the end."""
    learner = loop.learner
    checkpoint = _restore(folder, learner)
    contests, streak, done = checkpoint.contests, checkpoint.streak, checkpoint.done
    if not done:
        tester = Tester(loop.game, config.test_contests, config.seed) if config.test_every else None
        with closing(RunLog(folder, first_step=contests + 1 if contests else 0)) as log:
            if not contests:
                log_settings(log, config, spec)
                if tester:
                    tester.test(log, learner, contests)
            for step in loop.steps(contests, streak):
                contests, streak, done = step.contests, step.streak, step.done
                log_step(log, step, loop.trainer.alone)
                if tester and (done or contests % config.test_every == 0):
                    tester.test(log, learner, contests)
                if done or contests % config.checkpoint_every == 0:
                    log.flush()  # what was logged must be on disk before the checkpoint is
                    save_checkpoint(folder / "checkpoints", Checkpoint(contests, streak, done, learner.snapshot()))
                on_contest(contests)
    return Run(folder, config, loop.game, learner, contests, streak, done)


def load_run(folder: str | Path) -> Run:
    """Return a run as its last checkpoint left it.

    Raises:
        BadInputError: If the folder holds no run, or something in it is damaged.
    """
    folder = Path(folder)
    config = _read_config(folder)
    game = make_game(config.game)
    learner = make_learner(config.learner, game, config.seed)
    checkpoint = _restore(folder, learner)
    return Run(folder, config, game, learner, checkpoint.contests, checkpoint.streak, checkpoint.done)


def _restore(folder: Path, learner: Learner) -> Checkpoint:
    """Restore the learner from the last checkpoint, and return that."""
    checkpoint = load_latest(folder / "checkpoints")
    if checkpoint is None:
        return Checkpoint(0, 0, False, learner.snapshot())
    learner.restore(checkpoint.snapshot)
    return checkpoint


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Lock the folder; the system unlocks it when the process ends, however it ends."""
    with (folder / "lock").open("a") as file:
        if os.name == "posix":
            import fcntl

            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise BadInputError(
                    f"{folder} has a training running in it; wait for it, or give another folder"
                ) from None
        yield


def last_checkpoint(folder: Path, config: RunConfig) -> Checkpoint | None:
    """Return the last checkpoint of the run in a folder, or ``None`` if there is no run or no checkpoint yet.

    Raises:
        BadInputError: If the folder holds something else, or its last checkpoint is damaged.
    """
    _demand_usable(folder, config)
    return load_latest(folder / "checkpoints")


def _demand_usable(folder: Path, config: RunConfig) -> None:
    """Raise `BadInputError` if the folder holds a run of another configuration, or something else."""
    if (folder / _CONFIG).exists():
        there = _read_config(folder)
        different = [each.name for each in fields(config) if getattr(there, each.name) != getattr(config, each.name)]
        if different:
            name = different[0]
            raise BadInputError(
                f"{folder} holds a run with {name}={getattr(there, name)!r}, not {getattr(config, name)!r}; "
                "give another folder, or the options of that run to go on with it"
            )
        return
    left_over = f".{_CONFIG}."  # (left by a process that was killed while it wrote the configuration)
    if folder.exists() and any(not there.name.startswith(left_over) for there in folder.iterdir()):
        raise BadInputError(f"{folder} is not empty and holds no run; give a folder that is empty or not there")


def _read_config(folder: Path) -> RunConfig:
    """Read the configuration of a run, and import what it needs."""
    path = folder / _CONFIG
    try:
        data = json.loads(path.read_bytes())
        config = RunConfig(**{each.name: data[each.name] for each in fields(RunConfig)})
        imports = [str(each) for each in data.get(_IMPORTS, ())]
    except FileNotFoundError:
        raise BadInputError(f"{folder} holds no run: there is no {path.name} in it") from None
    except (ValueError, TypeError, KeyError) as error:
        raise BadInputError(f"{path} is damaged: {error}") from error
    import_recorded(imports, folder)
    return config
