"""A run: a learner, a game, a trainer and a stopping rule, in a folder from which it can be taken up again.

The folder holds ``config.json``, TensorBoard's event files and ``checkpoints/``. Contest k of a run draws its chances
from the numbers [seed, 0, k], and the test after it from [seed, 1, k], so a run that was killed goes on from its last
checkpoint to the very learner it would have become.
"""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np

import boardgames_env
from boardgames_agents.arena.tournament import tournament
from boardgames_agents.arena.turing import challengers_at
from boardgames_agents.policy import Episodes, Learner
from boardgames_agents.record import Record
from boardgames_agents.registry import make_agent, registered_agents
from boardgames_agents.training.checkpoint import Checkpoint, load_latest, save_checkpoint
from boardgames_agents.training.regime import StoppingRule, streak_after
from boardgames_agents.training.run_log import RunLog
from boardgames_agents.training.trainers import Trainer, make_trainer
from boardgames_env import Game, make_game
from boardgames_env.errors import BadInputError, require
from boardgames_env.files import write_atomically
from boardgames_env.spec import Spec

_CONFIG = "config.json"

_TRAINING, _TESTING = 0, 1

_LOGGED_EVERY = 1000
"""Contests between two entries in the log, where they are too fast to log each."""


@dataclass(frozen=True)
class RunConfig:
    """Everything that settles what a run becomes.

    Attributes:
        game: The game's spec.
        learner: The learner's spec.
        trainer: The trainer's spec.
        contests: Contests after which it ends at the latest.
        standard: The behavioral standard n; 0 for none.
        seed: Settles every chance.
        test_every: Contests between tests against the challengers, the first before any; 0 for none.
        test_contests: Contests against each challenger in such a test.
        checkpoint_every: Contests between checkpoints.
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


@dataclass(frozen=True)
class Run:
    """A run as it stands.

    Attributes:
        folder: Its folder.
        config: What it was told.
        game: The game.
        learner: The learner, with all it has learned.
        contests: Contests played so far.
        streak: How many of the last were up to the behavioral standard in a row.
        done: Whether the training has ended.
    """

    folder: Path
    config: RunConfig
    game: Game
    learner: Learner
    contests: int
    streak: int
    done: bool


def train(folder: str | Path, config: RunConfig, on_contest: Callable[[int], object] | None = None) -> Run:
    """Train a learner in a folder, or go on with the training there.

    Args:
        folder: The run's folder; made if it is not there.
        config: What the run is; that of an earlier call if there was one.
        on_contest: Told how many contests have been played, after each.

    Raises:
        BadInputError: If the configuration is not allowed, the folder holds a run of another or cannot be written to,
            or its last checkpoint is damaged.
    """
    folder = Path(folder)
    rule = StoppingRule(config.contests, config.standard)
    game = make_game(config.game)
    learner = make_learner(config.learner, game, config.seed)
    trainer = make_trainer(config.trainer, game)
    if config.standard and not trainer.plays:
        raise BadInputError(
            f"standard={config.standard} is not for {trainer.spec}, under which the learner never plays"
        )
    with _writing_to(folder):
        _claim(folder, config)
        with _alone_in(folder):
            return _train(folder, config, rule, game, learner, trainer, on_contest)


def _train(
    folder: Path,
    config: RunConfig,
    rule: StoppingRule,
    game: Game,
    learner: Learner,
    trainer: Trainer,
    on_contest: Callable[[int], object] | None,
) -> Run:
    """Go on from the last checkpoint to the end."""
    checkpoint = _restore(folder, learner)
    if checkpoint.done:
        return Run(folder, config, game, learner, checkpoint.contests, checkpoint.streak, done=True)
    contests, streak = checkpoint.contests, checkpoint.streak
    log = RunLog(folder, first_step=contests + 1 if contests else 0)
    try:
        if not contests:
            _introduce(log, config)
            _test(log, game, learner, config, contests)
        done = False
        while not done:
            stop = _next_stop(config, contests)
            practised = None
            if not config.standard:
                practised = trainer.play_in_a_row(learner, (config.seed, _TRAINING), range(contests, stop))
            if practised is not None:
                contests = stop
                _log_practice(log, practised, "seat 0" if trainer.alone else "learner", contests)
            else:
                meeting = trainer.meeting(contests, learner)
                record = meeting.play(game, learner, (config.seed, _TRAINING, contests))
                streak = streak_after(streak, meeting, record)
                contests += 1
                _log_contest(log, record, meeting.seats, streak, contests)
            done = rule.is_met(contests, streak)
            if done or (config.test_every and contests % config.test_every == 0):
                _test(log, game, learner, config, contests)
            if done or contests % config.checkpoint_every == 0:
                log.flush()  # what a checkpoint has behind it must be on disk before the checkpoint is
                save_checkpoint(folder / "checkpoints", Checkpoint(contests, streak, done, learner.snapshot()))
            if on_contest:
                on_contest(contests)
    finally:
        log.close()
    return Run(folder, config, game, learner, contests, streak, done)


def load_run(folder: str | Path) -> Run:
    """A run as its last checkpoint left it.

    Raises:
        BadInputError: If the folder holds no run, or something in it is damaged.
    """
    folder = Path(folder)
    config = _read_config(folder)
    game = make_game(config.game)
    learner = make_learner(config.learner, game, config.seed)
    checkpoint = _restore(folder, learner)
    return Run(folder, config, game, learner, checkpoint.contests, checkpoint.streak, checkpoint.done)


def make_learner(spec: str | Spec, game: Game, seed: int = 0) -> Learner:
    """A learner that has not learned anything.

    Args:
        spec: Its spec.
        game: The game.
        seed: Settles its first weights, say, where it has an option `seed` that the spec leaves out.

    Raises:
        BadInputError: As `make_agent` does, and for an agent that does not learn.
    """
    spec = Spec.parse(spec)
    entry = registered_agents().get(spec.name)
    if seed and entry and "seed" in entry.options:
        spec = Spec(spec.name, {"seed": seed, **spec.options})
    learner = make_agent(spec, game)
    if not isinstance(learner, Learner):
        raise BadInputError(f"{spec} does not learn; train a learner, such as td or menace")
    return learner


def _restore(folder: Path, learner: Learner) -> Checkpoint:
    """The last checkpoint, its learning given to the learner."""
    checkpoint = load_latest(folder / "checkpoints")
    if checkpoint is None:
        return Checkpoint(0, 0, False, learner.snapshot())
    learner.restore(checkpoint.snapshot)
    return checkpoint


@contextmanager
def _writing_to(folder: Path) -> Iterator[None]:
    """Say which folder it was that could not be written to."""
    try:
        yield
    except OSError as error:
        raise BadInputError(f"{folder} cannot be written to ({error}); give the run a folder that can be") from error


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Hold a lock on the folder while training there; it goes with the process, however that ends."""
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
    """How far the run in a folder has come, if there is one that has come to a checkpoint.

    Raises:
        BadInputError: If the folder holds something else, or its last checkpoint is damaged.
    """
    _demand_usable(folder, config)
    return load_latest(folder / "checkpoints")


def _claim(folder: Path, config: RunConfig) -> None:
    """Write the configuration, or hold it against the one that is there."""
    _demand_usable(folder, config)
    path = folder / _CONFIG
    if not path.exists():
        data = json.dumps({**asdict(config), "boardgames-env": boardgames_env.__version__}, indent=1)
        write_atomically(path, lambda file: file.write(data.encode()))


def _demand_usable(folder: Path, config: RunConfig) -> None:
    """Refuse a folder that holds a run of another configuration, or no run but something else."""
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
    left_over = f".{_CONFIG}."  # what a process leaves that is killed while it writes the configuration
    if folder.exists() and any(not there.name.startswith(left_over) for there in folder.iterdir()):
        raise BadInputError(f"{folder} is not empty and holds no run; give a folder that is empty or not there")


def _read_config(folder: Path) -> RunConfig:
    path = folder / _CONFIG
    try:
        data = json.loads(path.read_bytes())
        return RunConfig(**{each.name: data[each.name] for each in fields(RunConfig)})
    except FileNotFoundError:
        raise BadInputError(f"{folder} holds no run: there is no {path.name} in it") from None
    except (ValueError, TypeError, KeyError) as error:
        raise BadInputError(f"{path} is damaged: {error}") from error


def _introduce(log: RunLog, config: RunConfig) -> None:
    settings: dict[str, Any] = asdict(config)
    rows = "\n".join(f"| {name} | `{value}` |" for name, value in settings.items())
    log.text("run", f"| setting | value |\n|---|---|\n{rows}\n")
    log.hyperparameters(settings)


def _next_stop(config: RunConfig, contests: int) -> int:
    """The number of contests at which there is next something to be done: a test, a checkpoint, the end."""
    stops = [config.contests, *(contests - contests % every + every for every in _pauses(config) if every)]
    return min(stops)


def _pauses(config: RunConfig) -> tuple[int, ...]:
    return config.test_every, config.checkpoint_every, _LOGGED_EVERY


def _log_practice(log: RunLog, practised: Episodes, of: str, contests: int) -> None:
    """Log what contests in a row came to: their means, after the last."""
    cut = np.isnan(practised.points)
    values = {
        f"contest/points of {of}": float(np.where(cut, 0, practised.points).mean()),
        "contest/wins of two points and more": float((np.abs(practised.points) > 1).mean()),
    }
    if practised.plies.any():
        values["contest/plies"] = float(practised.plies.mean())
    log.scalars(values, contests)


def _log_contest(log: RunLog, record: Record, seats: tuple[int, ...], streak: int, contests: int) -> None:
    points = record.points_for(seats[0]) if seats else record.outcome
    of = "learner" if len(seats) == 1 else "seat 0"
    values = {f"contest/points of {of}": points, "contest/plies": record.plies, "contest/streak": streak}
    log.scalars(values, contests)


def _test(log: RunLog, game: Game, learner: Learner, config: RunConfig, contests: int) -> None:
    """Log power and reliability against the challengers, what is known, and how a contest ended as a picture."""
    from boardgames_env.render.pixels import draw_pixels

    if not config.test_every:
        return
    player = learner.frozen()
    values: dict[str, float] = {f"knowledge/{name}": number for name, number in learner.knowledge().items()}
    for number, (name, challenger) in enumerate(challengers_at(game).items()):
        seed = (config.seed, _TESTING, contests, number)
        played = tournament(game, player, challenger, config.test_contests, seed, records=True)
        values[f"power/{name}"] = played.score.power
        values[f"reliability/{name}"] = played.score.reliability
    log.scalars(values, contests)
    log.image("last position", draw_pixels(played.records[-1].positions(game)[-1]), contests)
    log.flush()
