"""`boardgames train` and `trainers`: training a learner."""

import hashlib
import shlex
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from boardgames_cli.printing import console, print_wide, progress, table
from boardgames_cli.shared_options import Address, Backend, GameArgument, Seed, seeds_in, takes

if TYPE_CHECKING:
    from boardgames_agents.experiments.runner import Workers
    from boardgames_agents.training.run import RunConfig

_LONGEST_NAME = 200
"""Bytes of the name of a folder; file systems take 255."""


@dataclass(frozen=True)
class TrainOptions:
    """The options of the command."""

    game: GameArgument
    learner: Annotated[str, typer.Argument(help="A learner, such as td or 'menace(beads=8)'.", metavar="AGENT")]
    trainer: Annotated[
        str, typer.Option(help="self, 2&7 (lessons & practice), a name of 'boardgames trainers', or an opponent.")
    ] = "self"
    contests: Annotated[int | None, typer.Option(help="The greatest number of contests; by default 100,000.")] = None
    standard: Annotated[
        int, typer.Option(help="End after n contests in a row without a loss (in self-play: drawn); 0 for never.")
    ] = 0
    seed: Seed = 0
    seeds: Annotated[str, typer.Option(help="Train once with each of these seeds, such as 0-9 or 0,3,5-7.")] = ""
    jobs: Annotated[int, typer.Option(help="Processes, for several seeds.")] = 1
    backend: Backend = "joblib"
    address: Address = ""
    run: Annotated[
        Path | None, typer.Option(help="The run's folder, or that of several seeds; by default under runs/.")
    ] = None
    test_every: Annotated[int, typer.Option(help="Contests between tests; 0 for none.")] = 1000
    test_contests: Annotated[int, typer.Option(help="Contests of a test against each challenger.")] = 100
    checkpoint_every: Annotated[int, typer.Option(help="Contests between checkpoints.")] = 1000
    device: Annotated[
        str, typer.Option(help="Device of a network in torch, such as cuda: the learner's option device.")
    ] = ""

    @property
    def config(self) -> "RunConfig":
        """The configuration of the run."""
        from boardgames_agents.training.loop import MOST_CONTESTS
        from boardgames_agents.training.run import RunConfig
        from boardgames_env import BadInputError
        from boardgames_env.spec import Spec

        if self.contests is None and not self.standard:
            raise BadInputError("a training needs an end: give --contests N, --standard n, or both")
        given = {each.name: getattr(self, each.name) for each in fields(RunConfig)}
        if self.contests is None:
            given["contests"] = MOST_CONTESTS
        if self.device:
            from boardgames_agents.td.torch_network import device_named  # (it imports torch)

            device_named(self.device)  # (before anything is written: a run made on a device may be tested without it)
            given["learner"] = str(Spec.parse(self.learner).with_options(device=self.device))
        return RunConfig(**given)


@takes(TrainOptions)
def train(options: TrainOptions) -> None:
    """Train a learner; the same command again resumes a training that was stopped."""
    from boardgames_agents.experiments.runner import Workers
    from boardgames_env import BadInputError

    config = options.config
    if options.seeds and options.seed:
        raise BadInputError("give --seed or --seeds, and not both")
    workers = Workers(options.jobs, options.backend, options.address)
    if options.seeds or not workers.local:
        _train_seeds(config, seeds_in(options.seeds or str(options.seed)), workers, options.run)
        return
    if options.jobs > 1:
        raise BadInputError(f"jobs={options.jobs} is for several --seeds; one training takes one process")
    _train_once(config, options.run or _default_folder(config))


def _train_once(config: "RunConfig", folder: Path) -> None:
    from boardgames_agents.training.run import train as train_in

    with progress(f"{config.learner} at {config.game}", config.contests, " contests") as bar:
        trained = train_in(folder, config, bar.to)
    console.print(f"{config.learner} has played {trained.contests:,} contests of {config.game}")
    if config.standard:
        short = "" if trained.streak >= config.standard else "NOT "
        rest = f": the last {trained.streak} in a row were up to it" if short else ""
        console.print(f"the behavioral standard of {config.standard} was {short}met{rest}")
    for name, value in trained.learner.knowledge().items():
        console.print(f"  {name}: {value:,.6g}")
    console.print(f"the run is in {folder}; test it:", soft_wrap=True)
    console.print(f"  boardgames test {shlex.quote(str(folder))}", soft_wrap=True)
    console.print(f"look at its curves:\n  tensorboard --logdir {shlex.quote(str(folder))}", soft_wrap=True)


def _train_seeds(config: "RunConfig", seeds: tuple[int, ...], workers: "Workers", folder: Path | None) -> None:
    from boardgames_agents.training.run import load_run
    from boardgames_agents.training.sweep import TrainingJob, train_all

    configs = [replace(config, seed=seed) for seed in seeds]
    trainings = [
        TrainingJob(folder / f"seed-{each.seed}" if folder else _default_folder(each), each) for each in configs
    ]
    with progress(f"{config.learner} at {config.game}", len(trainings), " runs") as bar:
        train_all(trainings, workers, bar.step)
    rows = []
    for training in trainings:
        trained = load_run(training.folder)
        rows.append((f"{trained.config.seed}", f"{trained.contests:,}", f"{trained.streak:,}", str(training.folder)))
    numbers, title = ("seed", "contests", "streak"), f"{config.learner} at {config.game}, trainer {config.trainer}"
    print_wide(table(title, (*numbers, "run"), rows, right=numbers))


def _default_folder(config: "RunConfig") -> Path:
    """Return a folder under ``runs``; a name that is too long for file systems ends in a digest of the whole."""
    name = f"{config.game}-{config.learner}-{config.trainer}-{config.seed}".replace("/", "_")
    if len(name.encode()) > _LONGEST_NAME:
        digest = hashlib.sha256(name.encode()).hexdigest()[:8]
        name = name.encode()[: _LONGEST_NAME - 9].decode(errors="ignore") + f"-{digest}"
    return Path("runs") / name
