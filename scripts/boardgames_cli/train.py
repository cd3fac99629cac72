"""`boardgames train`: training a learner, or going on with a training."""

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from boardgames_cli.dataclass_options import WORKERS, Given, takes
from boardgames_cli.printing import console, print_json, print_table, progress
from boardgames_cli.shared_options import AsJson, seeds_in, shell_quoted

if TYPE_CHECKING:
    from boardgames_agents.experiments.runner import Workers
    from boardgames_agents.training.run import Run, RunConfig
    from boardgames_agents.training.sweep import TrainingJob

_LONGEST_NAME = 200
"""Bytes of the name of a folder; file systems take 255."""


@takes(
    "boardgames_agents.training.run:RunConfig",
    WORKERS,
    game=typer.Argument(help="A game, such as achi; not needed to go on with a run.", metavar="GAME"),
    learner=typer.Argument(help="A learner, such as td or 'menace(beads=8)'; likewise.", metavar="AGENT"),
    trainer=typer.Option(
        help="self, 2&7 (lessons & practice), a name of 'boardgames trainers', or an opponent; by default self."
    ),
    contests=typer.Option(
        help="Contests to play. With --standard it is the greatest number, by default 100,000; without it, it must be "
        "given. A greater number continues a run."
    ),
    test_every=typer.Option(
        help="Contests between tests, 0 for none; by default 1,000, or a twentieth of the training where dice decide."
    ),
    test_contests=typer.Option(
        help="Contests of a test against each challenger; by default 100, or up to 2,000 where dice decide."
    ),
    jobs=typer.Option(help="Processes, for several seeds."),
)
def train(
    given: "Given[RunConfig]",
    workers: "Workers",
    seeds: Annotated[str, typer.Option(help="Train once with each of these seeds, such as 0-9 or 0,3,5-7.")] = "",
    run: Annotated[
        Path | None, typer.Option(help="The run's folder, or that of several seeds; by default under runs/.")
    ] = None,
    options: Annotated[
        Path | None,
        typer.Option(help="A file in TOML or JSON with options of the learner; those of its spec go before them."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Train a learner. The same command again resumes a training; --run R --contests N goes on with it up to N."""
    from boardgames_env import BadInputError

    if seeds and "seed" in given:
        raise BadInputError("give --seed or --seeds, and not both")
    if options:
        given["learner"] = _with_options_of(options, given.get("learner"))
    if seeds or not workers.local:
        numbers = seeds_in(seeds or str(given.get("seed", 0)))
        folders = (run / f"seed-{seed}" if run else None for seed in numbers)
        trainings = [
            _training_in_folder({**given, "seed": seed}, each) for seed, each in zip(numbers, folders, strict=True)
        ]
        if not as_json:
            _print_recipe(trainings[0])
        _train_seeds(trainings, workers, as_json)
        return
    if workers.jobs > 1:
        raise BadInputError(f"jobs={workers.jobs} is for several --seeds; one training takes one process")
    training = _training_in_folder(given, run)
    if not as_json:
        _print_recipe(training)
    _train_once(training, as_json)


def _with_options_of(file: Path, learner: str | None) -> str:
    """Return a learner's spec with the options of a file that it does not give itself."""
    from boardgames_agents.registry import demand_agent
    from boardgames_env import BadInputError
    from boardgames_env.decoding import data_in
    from boardgames_env.spec import Spec

    if learner is None:
        raise BadInputError("--options has the options of a learner; give a game and the learner, too")
    spec, data = Spec.parse(learner), data_in(file, "a file of options")
    if not isinstance(data, dict):
        raise BadInputError(f"{file} is not a file of options; it has lines such as hidden = 40")
    demand_agent(spec.name).check(data)
    return str(Spec(spec.name, {**data, **spec.options}))


def _training_in_folder(given: Mapping[str, Any], folder: Path | None) -> "TrainingJob":
    """Return a training in a folder: a new one, or one that is resumed or continued there."""
    from boardgames_agents.training.curves import usual_tests
    from boardgames_agents.training.run import RunConfig, holds_run, read_config
    from boardgames_agents.training.sweep import TrainingJob
    from boardgames_env import BadInputError, make_game
    from boardgames_env.spec import underscored

    given = {**given, **{name: underscored(given[name]) for name in ("game", "learner", "trainer") if name in given}}
    new = None
    if {"game", "learner"} <= given.keys():
        every, tested = usual_tests(make_game(given["game"]), given.get("contests", RunConfig.contests))
        if given.get("test_every"):
            tested = RunConfig.test_contests
        new = RunConfig(**{"test_every": every, "test_contests": tested, **given})
        folder = folder or _default_folder(new)
    if folder is None:
        raise BadInputError("give a game and an agent to train, or --run with the folder of a run to go on with")
    if new is None or holds_run(folder):
        begun = read_config(folder)
        return TrainingJob(folder, replace(begun, **given))
    if "contests" not in given and not new.standard:
        _check(new)  # (what is wrong with the names comes first)
        raise BadInputError(
            f"a training needs an end: give --contests N, --standard n, or both{_recipe_note(new, folder, '; ')}"
        )
    return TrainingJob(folder, new)


def _check(config: "RunConfig") -> None:
    """Raise `BadInputError` for an unknown game, learner or trainer."""
    from boardgames_agents.registry import make_learner
    from boardgames_agents.training.trainers import make_trainer
    from boardgames_env import make_game

    game = make_game(config.game)
    make_learner(config.learner, game)
    make_trainer(config.trainer, game)


def _print_recipe(training: "TrainingJob") -> None:
    """Print the recipe for its game that the learner of a new run leaves out, if there is one."""
    note = _recipe_note(training.config, training.folder, "Note: ")
    if note:
        _check(training.config)  # (what is refused comes first)
        console.print(note)


def _recipe_note(config: "RunConfig", folder: Path | None, before: str) -> str:
    """Return which recipe there is for the game of a new run whose learner has none, after a text, or nothing."""
    from boardgames_agents.registry import recipe_instead
    from boardgames_agents.training.run import holds_run
    from boardgames_env import make_game
    from boardgames_env.spec import Spec

    game, spec = make_game(config.game), Spec.parse(config.learner)
    better = "" if folder and holds_run(folder) else recipe_instead(spec, game)
    return better and f"{before}the defaults of {spec.name} are for other games; for {game.name} there is {better}"


def _train_once(training: "TrainingJob", as_json: bool) -> None:
    from boardgames_agents.policy.explanation import counted
    from boardgames_agents.training.run import train as train_in

    config, folder = training.config, training.folder
    trained = train_in(folder, config, progress_bar=True)
    if as_json:
        print_json([_row_of_run(trained)])
        return
    console.print(f"{config.label} has played {counted(trained.contests, 'contest')} of {config.game}")
    if config.standard:
        short = "" if trained.streak >= config.standard else "NOT "
        rest = f": the last {trained.streak} in a row were up to it" if short else ""
        console.print(f"the behavioral standard of {config.standard} was {short}met{rest}")
    for name, value in trained.learner.knowledge().items():
        console.print(f"  {name}: {value:,.6g}")
    console.print(f"the run is in {folder}; test it:", soft_wrap=True)
    console.print(f"  boardgames test {shell_quoted(str(folder))}", soft_wrap=True)
    console.print(f"look at its curves:\n  boardgames board {shell_quoted(str(folder))}", soft_wrap=True)


def _train_seeds(trainings: "list[TrainingJob]", workers: "Workers", as_json: bool) -> None:
    from boardgames_agents.training.run import load_run
    from boardgames_agents.training.sweep import train_all

    config = trainings[0].config
    what = f"{config.label} at {config.game}"
    _check(config)
    with progress(what, len(trainings), " runs") as bar:
        train_all(trainings, workers, bar.step)
    runs = [load_run(training.folder) for training in trainings]
    if as_json:
        print_json(map(_row_of_run, runs))
        return
    rows = [(f"{each.config.seed}", each.contests, each.streak, str(each.folder)) for each in runs]
    numbers, title = ("seed", "contests", "streak"), f"{what}, trainer {config.trainer}"
    print_table(title, (*numbers, "run"), rows, figures=numbers)


def _row_of_run(trained: "Run") -> dict[str, Any]:
    """Return a run with its configuration and what the learner knows."""
    reached = {"contests": trained.contests, "streak": trained.streak, "done": trained.done}
    config = {name: getattr(trained.config, name) for name in ("game", "learner", "trainer", "seed", "standard")}
    return {"run": str(trained.folder), **config, **reached, "knowledge": dict(trained.learner.knowledge())}


def _default_folder(config: "RunConfig") -> Path:
    """Return a folder under ``runs``; a name that is too long for file systems ends in a digest of the whole."""
    name = f"{config.game}-{config.learner}-{config.trainer}-{config.seed}".replace("/", "_")
    encoded = name.encode(errors="surrogateescape")  # (bytes of no encoding are refused where the name is looked up)
    if len(encoded) > _LONGEST_NAME:
        digest = hashlib.sha256(encoded).hexdigest()[:8]
        name = encoded[: _LONGEST_NAME - 9].decode(errors="ignore") + f"-{digest}"
    return Path("runs") / name
