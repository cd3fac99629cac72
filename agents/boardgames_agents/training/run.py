"""A run: the training of a learner in a folder, where it can be resumed.

The folder holds ``config.json``, TensorBoard's event files and ``checkpoints/``. Contest k of a run is seeded with
``[seed, 0, k]``, and the test after it with ``[seed, 1, k, ...]``, so that a run that was killed and resumed, or that
had ended and goes on, ends with the same learner as one that was not. Learners that play contests in a row may depend
on where they pause: these go on from the last checkpoint at which the longer run pauses, too.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, fields
from pathlib import Path

import numpy as np

from boardgames_agents.arena.score import Score
from boardgames_agents.experiments.tensorboard_log import RunLog
from boardgames_agents.policy import Learner, Snapshot, demand_kind
from boardgames_agents.registry import make_learner
from boardgames_agents.training.checkpoint import Checkpoint, load_latest, progress_of_latest, save_checkpoint
from boardgames_agents.training.config import CONFIG, RunConfig, holds_run, read_config, write_config
from boardgames_agents.training.curves import Tester, log_settings, log_step
from boardgames_agents.training.loop import TrainingLoop
from boardgames_agents.training.trainers import make_trainer
from boardgames_env import Game, make_game
from boardgames_env.errors import BadInputError
from boardgames_env.files import FileKind, demand_folder, lock
from boardgames_env.json_file import read_json, write_json
from boardgames_env.spec import Spec

__all__ = [
    "Run",
    "RunConfig",
    "RunProgress",
    "RunVerdict",
    "holds_run",
    "is_in_progress",
    "last_checkpoint",
    "load_run",
    "read_config",
    "read_progress",
    "read_verdict",
    "train",
    "write_verdict",
]

_MAY_GROW = ("contests", "standard")
"""What may be another number, a greater one, when a run is continued."""

_TRAINING_STREAM = 0
"""Sets the random numbers of the contests of training apart from those of tests."""


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


def train(
    folder: str | Path, config: RunConfig, on_contest: Callable[[int], object] | None = None, progress_bar: bool = False
) -> Run:
    """Train a learner in a folder, or continue the training there, also beyond its end.

    Args:
        folder: The run's folder; made if it does not exist.
        config: The configuration; it must be that of an earlier call, if there was one, but for ``contests`` and a
            ``standard``, which may be greater.
        on_contest: Called with the number of contests played, after each step.
        progress_bar: Whether to show a progress bar, on a terminal or in a notebook.

    Raises:
        BadInputError: If the configuration is not allowed, the folder holds another run or cannot be written to, or its
            last checkpoint is damaged.
    """
    report = on_contest or (lambda contests: None)
    if not progress_bar:
        return _train(folder, config, report)
    from boardgames_agents.experiments import progress

    with progress.progress_bar(f"{config.label} at {config.game}", unit=" contests") as bar:
        return _train(folder, config, report, lambda contests: bar.to(contests, config.contests))


def _train(
    folder: str | Path,
    config: RunConfig,
    on_contest: Callable[[int], object],
    show: Callable[[int], object] = lambda contests: None,
) -> Run:
    """Train; call ``show`` with the number of contests so far once everything has been checked, and then often."""
    folder = Path(folder)
    rule = config.rule  # (refuses numbers before anything is made)
    if holds_run(folder):
        read_config(folder)  # (imports what the run needs)
    game, spec = make_game(config.game), Spec.parse(config.learner)
    learner, trainer = make_learner(spec, game, config.seed), make_trainer(config.trainer, game)
    if config.standard and not trainer.plays:
        raise BadInputError(
            f"standard={config.standard} is not for {trainer.spec}, under which the learner never plays"
        )
    loop = TrainingLoop(game, learner, trainer, rule, (config.seed, _TRAINING_STREAM), pause=config.next_pause)
    try:
        _demand_usable(folder, config)
        if not holds_run(folder):
            # (what a learner refuses at the beginning of a contest, such as a device, leaves no folder behind)
            make_learner(spec, game, config.seed).begin(game, (0, 1), np.random.default_rng(0))
            write_config(folder, config)
        with _alone_in(folder):
            if read_config(folder) != config:
                write_config(folder, config)
            return _go_on(folder, config, loop, spec, on_contest, show)
    except OSError as error:
        raise BadInputError(f"{folder} cannot be written to ({error}); give the run a folder that can be") from error


def _go_on(
    folder: Path,
    config: RunConfig,
    loop: TrainingLoop,
    spec: Spec,
    on_contest: Callable[[int], object],
    show: Callable[[int], object],
) -> Run:
    """Continue from the last checkpoint to the end."""
    learner = loop.learner
    last = load_latest(folder / "checkpoints")
    is_extended = last is not None and last.done and not config.is_ended_by(last)
    if is_extended and loop.plays_in_a_row:
        last = load_latest(folder / "checkpoints", lambda contests: config.next_pause(contests - 1) == contests)
    checkpoint = _restore(learner, last)
    if checkpoint.trainer.data:
        loop.trainer.restore(checkpoint.trainer, lambda: make_learner(spec, loop.game, config.seed))
    contests, streak, done = checkpoint.contests, checkpoint.streak, config.is_ended_by(checkpoint)
    recent = {who: list(points) for who, points in checkpoint.recent.items()}
    show(contests)
    learner.on_played = lambda played: show(contests + played)
    if not done:
        tester = Tester(loop.game, config.test_contests, config.seed) if config.test_every else None
        with closing(RunLog(folder, first_step=contests + 1 if contests else 0)) as log:
            if not contests or is_extended:
                log_settings(log, config, learner, spec, contests)
            if not contests and tester:
                tester.log_layout(log)
                tester.test(log, learner, contests)
            for step in loop.steps(contests, streak):
                contests, streak, done = step.contests, step.streak, step.done
                log_step(log, step, loop.trainer.alone, recent)
                if tester and (done or contests % config.test_every == 0):
                    tester.test(log, learner, contests)
                if done or contests % config.checkpoint_every == 0:
                    log.flush()  # what was logged must be on disk before the checkpoint is
                    learned = learner.snapshot()
                    demand_kind(config.learner, "snapshot", learned, Snapshot)
                    reached = Checkpoint(contests, streak, done, learned, recent, loop.trainer.snapshot())
                    save_checkpoint(folder / "checkpoints", reached)
                show(contests)
                on_contest(contests)
    learner.on_played = None
    return Run(folder, config, loop.game, learner, contests, streak, done)


def load_run(folder: str | Path) -> Run:
    """Return a run as its last checkpoint left it.

    Raises:
        BadInputError: If the folder holds no run or one without a checkpoint, or something in it is damaged.
    """
    folder = Path(folder)
    config = read_config(folder)
    game = make_game(config.game)
    learner = make_learner(config.learner, game, config.seed)
    last = load_latest(folder / "checkpoints")
    if last is None:
        raise BadInputError(f"{folder} has no checkpoint yet, so its learner knows nothing; train on")
    checkpoint = _restore(learner, last)
    return Run(folder, config, game, learner, checkpoint.contests, checkpoint.streak, config.is_ended_by(checkpoint))


def _restore(learner: Learner, checkpoint: Checkpoint | None) -> Checkpoint:
    """Restore the learner from a checkpoint, if there is one, and return that."""
    if checkpoint is None:
        return Checkpoint(0, 0, False, learner.snapshot())
    learner.restore(checkpoint.snapshot)
    return checkpoint


@contextmanager
def _alone_in(folder: Path, mode: str = "a") -> Iterator[None]:
    """Lock the folder; the system unlocks it when the process ends, however it ends."""
    with (folder / "lock").open(mode, encoding="utf-8") as file:
        try:
            lock(file, wait=False)
        except BlockingIOError:
            raise BadInputError(f"{folder} has a training running in it; wait for it, or give another folder") from None
        yield


def is_in_progress(folder: Path) -> bool:
    """Return whether a process is training in the folder of a run; false where the system has no locks to tell."""
    try:
        with _alone_in(folder, mode="r"):
            return False
    except BadInputError:
        return True
    except OSError:
        return False


def last_checkpoint(folder: Path, config: RunConfig) -> Checkpoint | None:
    """Return the last checkpoint of the run in a folder, or ``None`` if there is no run or no checkpoint yet.

    Raises:
        BadInputError: If the folder holds something else, or its last checkpoint is damaged.
    """
    _demand_usable(folder, config)
    return load_latest(folder / "checkpoints")


def _demand_usable(folder: Path, config: RunConfig) -> None:
    """Raise `BadInputError` if the folder holds a run that does not go on as this one, or something else."""
    if holds_run(folder):
        there = read_config(folder)
        for name in (each.name for each in fields(config)):
            old, new = getattr(there, name), getattr(config, name)
            if old != new and not (name in _MAY_GROW and 0 < old < new):
                raise BadInputError(
                    f"{folder} holds a run with {name}={old!r}, not {new!r}; give another folder, or the options of "
                    "that run to go on with it, of which only contests, and a standard other than 0, may become greater"
                )
        return
    demand_folder(folder)
    left_over = f".{CONFIG}."  # (left by a process that was killed while it wrote the configuration)
    if folder.exists() and any(not there.name.startswith(left_over) for there in folder.iterdir()):
        raise BadInputError(f"{folder} is not empty and holds no run; give a folder that is empty or not there")


@dataclass(frozen=True)
class RunProgress:
    """How far a run has got, read from its files without its learner.

    Attributes:
        contests: The number of contests at the last checkpoint; 0 without one.
        done: Whether the training has ended.
        in_progress: Whether a process is training there.
    """

    config: RunConfig
    contests: int
    done: bool
    in_progress: bool


def read_progress(folder: Path) -> RunProgress:
    """Return how far the run in a folder has got.

    Raises:
        BadInputError: If the folder holds no run, or its configuration is damaged.
    """
    config = read_config(folder, imports=False)
    contests, streak = progress_of_latest(folder / "checkpoints")
    return RunProgress(config, contests, config.rule.is_met(contests, streak), is_in_progress(folder))


_TEST = "test.json"
_VERDICT = FileKind("the result of a test", "test the run again")


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
    write_json(folder / _TEST, asdict(verdict), indent=1)


def read_verdict(folder: Path) -> RunVerdict | None:
    """Return the result of the last test of a run, ``None`` if it has not been tested.

    Raises:
        BadInputError: If the file is damaged.
    """
    path = folder / _TEST
    if not path.exists():
        return None
    data = read_json(path, _VERDICT)
    with _VERDICT.reading(path):
        figures = [each.name for each in fields(Score)]
        scores = {name: Score(**{each: found[each] for each in figures}) for name, found in data["scores"].items()}
        rest = {each.name: data[each.name] for each in fields(RunVerdict)}
        return RunVerdict(**{**rest, "scores": scores, "failed": tuple(data["failed"])})
