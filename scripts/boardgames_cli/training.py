"""`boardgames train`, `trainers` and `test`: learners and what they have learned."""

import hashlib
import json
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from boardgames_cli.inspect_games import GameArgument
from boardgames_cli.matches import Jobs, Seed, with_interval
from boardgames_cli.printing import console, print_wide, progress, table
from boardgames_cli.shared_options import Address, Backend, seeds_in, workers_of

if TYPE_CHECKING:
    from boardgames_agents.arena.optima import Optimum
    from boardgames_agents.arena.score import Score
    from boardgames_agents.experiments.runner import Workers
    from boardgames_agents.policy import Policy
    from boardgames_agents.training.run import Run, RunConfig


_OPTIMA_CONTESTS, _OPTIMA_SEED = 10_000, 19_940_000
"""As many contests as the paper's Table 1 is made of, with chances of their own."""

_LONGEST_NAME = 200
"""Bytes of the name of a folder; file systems take 255."""


def train(
    game: GameArgument,
    agent: Annotated[str, typer.Argument(help="A learner, such as td or 'menace(beads=8)'.", metavar="AGENT")],
    trainer: Annotated[
        str, typer.Option(help="self, 2&7 (lessons & practice), what 'boardgames trainers' lists, or an opponent.")
    ] = "self",
    contests: Annotated[
        int | None, typer.Option(help="Ends after so many contests at the latest; by default 100,000.")
    ] = None,
    standard: Annotated[
        int, typer.Option(help="Ends at n contests in a row without a loss (in self-play: drawn); 0 for never.")
    ] = 0,
    seed: Seed = 0,
    seeds: Annotated[str, typer.Option(help="Train once with each of these seeds, such as 0-9 or 0,3,5-7.")] = "",
    jobs: Annotated[int, typer.Option(help="Processes to train with several seeds in.")] = 1,
    backend: Backend = "joblib",
    address: Address = "",
    run: Annotated[
        Path | None, typer.Option(help="The run's folder, or that of several seeds; by default under runs/.")
    ] = None,
    test_every: Annotated[int, typer.Option(help="Contests between tests; 0 for none.")] = 1000,
    test_contests: Annotated[int, typer.Option(help="Contests of a test, against each challenger.")] = 100,
    checkpoint_every: Annotated[int, typer.Option(help="Contests between checkpoints.")] = 1000,
    device: Annotated[
        str, typer.Option(help="Where a network practises with torch, such as cuda: the learner's option device.")
    ] = "",
) -> None:
    """Train a learner; the same command again goes on where the last one was stopped."""
    from boardgames_agents.training.loop import MOST_CONTESTS
    from boardgames_agents.training.run import RunConfig
    from boardgames_env import BadInputError
    from boardgames_env.spec import Spec

    if contests is None and not standard:
        raise BadInputError("a training needs an end: give --contests N, --standard n, or both")
    if device:
        from boardgames_agents.td.torch_network import device_named

        device_named(device)  # (before anything is written: a run made on a device may be tested without it)
        agent = str(Spec.parse(agent).with_options(device=device))
    config = RunConfig(
        game=game,
        learner=agent,
        trainer=trainer,
        contests=MOST_CONTESTS if contests is None else contests,
        standard=standard,
        seed=seed,
        test_every=test_every,
        test_contests=test_contests,
        checkpoint_every=checkpoint_every,
    )
    if seeds and seed:
        raise BadInputError("give --seed or --seeds, and not both")
    workers = workers_of(jobs, backend, address)
    if seeds or not workers.local:
        _train_seeds(config, seeds_in(seeds or str(seed)), workers, run)
        return
    if jobs > 1:
        raise BadInputError(f"jobs={jobs} is for several --seeds; one training takes one process")
    _train_once(config, run or _default_folder(config))


def _train_once(config: "RunConfig", folder: Path) -> None:
    """Train with one seed, and say what it has come to."""
    from boardgames_agents.training.run import train as train_in

    with progress(f"{config.learner} at {config.game}", config.contests, " contests") as bar:
        trained = train_in(folder, config, bar.to)
    console.print(f"{config.learner} has played {trained.contests:,} contests of {config.game}", highlight=False)
    if config.standard:
        met = (
            "met" if trained.streak >= config.standard else f"NOT met: the last {trained.streak} in a row were up to it"
        )
        console.print(f"the behavioral standard of {config.standard} was {met}", highlight=False)
    for name, value in trained.learner.knowledge().items():
        console.print(f"  {name}: {value:,.6g}", highlight=False)
    console.print(f"the run is in {folder}; test it:", soft_wrap=True, highlight=False)
    console.print(f"  boardgames test {shlex.quote(str(folder))}", soft_wrap=True, highlight=False)
    console.print(
        f"look at its curves:\n  tensorboard --logdir {shlex.quote(str(folder))}", soft_wrap=True, highlight=False
    )


def _train_seeds(config: "RunConfig", seeds: tuple[int, ...], workers: "Workers", folder: Path | None) -> None:
    """Train once with each seed, in folders of their own."""
    from dataclasses import replace

    from boardgames_agents.training.run import load_run
    from boardgames_agents.training.sweep import TrainingJob, train_all

    configs = [replace(config, seed=seed) for seed in seeds]
    trainings = [
        TrainingJob(folder / f"seed-{each.seed}" if folder else _default_folder(each), each) for each in configs
    ]
    with progress(f"{config.learner} at {config.game}", len(trainings), " runs") as bar:
        train_all(trainings, workers, bar.step)
    numbers = ("seed", "contests", "streak")
    rows = table(f"{config.learner} at {config.game}, trainer {config.trainer}", *numbers, "run", right=numbers)
    for training in trainings:
        trained = load_run(training.folder)
        rows.add_row(f"{training.config.seed}", f"{trained.contests:,}", f"{trained.streak:,}", str(training.folder))
    print_wide(rows)


def _default_folder(config: "RunConfig") -> Path:
    return Path("runs") / _folder_name(f"{config.game}-{config.learner}-{config.trainer}-{config.seed}")


def _folder_name(name: str) -> str:
    """A name that a file system takes: one that is too long ends in a digest of the whole."""
    name = name.replace("/", "_")
    if len(name.encode()) <= _LONGEST_NAME:
        return name
    digest = hashlib.sha256(name.encode()).hexdigest()[:8]
    return name.encode()[: _LONGEST_NAME - 9].decode(errors="ignore") + f"-{digest}"


def trainers() -> None:
    """List the trainers."""
    from boardgames_agents.training.trainers import registered_trainers

    rows = table("The trainers, besides every agent as an opponent", "name", "what it does and its options")
    for name, entry in registered_trainers().items():
        rows.add_row(name, f"{entry.summary}\n{', '.join(map(str, entry.options.values()))}".strip())
    console.print(rows)


def test(
    run: Annotated[Path, typer.Argument(help="A run's folder.", metavar="RUN")],
    contests: Annotated[int, typer.Option(help="Contests against each challenger.")] = 1000,
    seed: Annotated[int, typer.Option(help="Settles every chance of the test.", min=0)] = 1_000_000,
    jobs: Jobs = 1,
    style: Annotated[
        str, typer.Option(help="The challengers' perfect decisions: uniform, or wise as in Epstein 1994.")
    ] = "uniform",
    as_json: Annotated[bool, typer.Option("--json", help="Print the results as JSON.")] = False,
) -> None:
    """Test a run's learner against the four challengers, and put it to the game players' Turing test."""
    from boardgames_agents.arena.optima import optimum
    from boardgames_agents.arena.tournament import tournament
    from boardgames_agents.arena.turing import CHALLENGERS, LADDER, TuringOptions, turing_test
    from boardgames_agents.experts.perfect import can_be_perfect
    from boardgames_agents.training.run import load_run
    from boardgames_env import BadInputError
    from boardgames_env.spec import Spec

    trained = load_run(run)
    game, player = trained.game, trained.learner.frozen()
    player.spec = trained.config.learner
    if not trained.contests:
        raise BadInputError(f"{run} has no checkpoint yet, so there is nothing to test; train on")
    maximal: dict[str, Optimum] = {}
    verdict = None
    if not can_be_perfect(game):
        _test_without_perfection(trained, player, contests, seed, jobs, as_json)
        return
    with progress("maximal power", len(CHALLENGERS) - 1) as bar:
        for each in CHALLENGERS:
            if each.e:
                player_spec = str(Spec("perfect", {"style": style}))
                maximal[each.name] = optimum(game, player_spec, each.spec(style), _OPTIMA_CONTESTS, _OPTIMA_SEED, jobs)
                bar.step()
    if game.value == 0:
        with progress("testing", contests * len(LADDER), " contests") as bar:
            bounds = {name: found.power.low for name, found in maximal.items()}
            verdict = turing_test(game, player, bounds, TuringOptions(contests, seed, style, jobs), bar.step)
        scores = {each.name: verdict.scores[each] for each in CHALLENGERS}
    else:
        with progress("testing", contests * len(CHALLENGERS), " contests") as bar:
            scores = {
                each.name: tournament(
                    game, player, each.spec(style), contests, (seed, rung), jobs=jobs, on_contest=bar.step
                ).score
                for rung, each in enumerate(CHALLENGERS)
            }
    if as_json:
        found = {
            "run": str(run),
            "seed": seed,
            "style": style,
            "scores": {name: score.as_dict() for name, score in scores.items()},
            "maximal power": {
                name: [found.power.value, found.power.low, found.power.high] for name, found in maximal.items()
            },
        }
        print(json.dumps({**found, "verdict": verdict.as_dict() if verdict else None}, indent=2))
        return
    _print_scores(trained, scores, maximal)
    if verdict:
        console.print(str(verdict), highlight=False, soft_wrap=True)
    else:
        console.print(f"no Turing test: it is defined for draw games, and {game.spec} is not known to be one")
    console.print(f"{contests:,} contests against each challenger, seed {seed}; 95 % intervals", highlight=False)


def _test_without_perfection(
    trained: "Run", player: "Policy", contests: int, seed: int, jobs: int, as_json: bool
) -> None:
    """Test at a game that cannot be solved: against who there is; no maximal power, no Turing test."""
    from boardgames_agents.arena.tournament import tournament
    from boardgames_agents.arena.turing import challengers_at

    challengers = challengers_at(trained.game)
    with progress("testing", contests * len(challengers), " contests") as bar:
        scores = {
            name: tournament(trained.game, player, spec, contests, (seed, number), jobs=jobs, on_contest=bar.step).score
            for number, (name, spec) in enumerate(challengers.items())
        }
    if as_json:
        print(json.dumps({"seed": seed, "scores": {name: score.as_dict() for name, score in scores.items()}}, indent=2))
        return
    _print_scores(trained, scores, {})
    console.print(
        f"the searcher is {challengers['searcher']}; nobody plays {trained.game.spec} perfectly", highlight=False
    )
    console.print(f"{contests:,} contests against each challenger, seed {seed}; 95 % intervals", highlight=False)


def _print_scores(run: "Run", scores: dict[str, "Score"], maximal: dict[str, "Optimum"]) -> None:
    config = run.config
    numbers = ("won", "drawn", "lost", "power %", "maximal", "reliability %")
    title = f"{config.learner} at {config.game} after {run.contests:,} contests with trainer {config.trainer}"
    rows = table(title, "challenger", *numbers, right=numbers)
    for name, score in scores.items():
        rows.add_row(
            name,
            *(f"{count:,}" for count in (score.wins, score.draws, score.losses)),
            with_interval(score.power, score.power_interval),
            _maximal(maximal[name]) if name in maximal else "",
            with_interval(score.reliability, score.reliability_interval),
        )
    console.print(rows)


def _maximal(found: "Optimum") -> str:
    power = found.power
    return with_interval(power.value, (power.low, power.high)) if found.contests else f"{power.value:.2f}"


COMMANDS = (train, trainers, test)
