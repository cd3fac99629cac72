"""`boardgames test`: the learner of a run against challengers, and the game players' Turing test."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from boardgames_cli.printing import console, power_text, progress, table, with_interval
from boardgames_cli.shared_options import Jobs, takes

if TYPE_CHECKING:
    from boardgames_agents.arena.optima import Optimum
    from boardgames_agents.arena.score import Score
    from boardgames_agents.arena.turing import TuringVerdict
    from boardgames_agents.policy import Policy
    from boardgames_agents.training.run import Run

_OPTIMA_CONTESTS, _OPTIMA_SEED = 10_000, 19_940_000
"""The paper's Table 1 is made of as many contests; the seed is used for nothing else."""


@dataclass(frozen=True)
class TestOptions:
    """The options of the command."""

    run: Annotated[Path, typer.Argument(help="A run's folder.", metavar="RUN")]
    contests: Annotated[int, typer.Option(help="Contests against each challenger.")] = 1000
    seed: Annotated[int, typer.Option(help="Random seed of the test.", min=0)] = 1_000_000
    jobs: Jobs = 1
    style: Annotated[
        str, typer.Option(help="The challengers' perfect decisions: uniform, or wise as in Epstein 1994.")
    ] = "uniform"
    as_json: Annotated[bool, typer.Option("--json", help="Print the results as JSON.")] = False


@takes(TestOptions)
def test(options: TestOptions) -> None:
    """Test a run's learner against the four challengers, and put it to the game players' Turing test."""
    from boardgames_agents.experts.perfect import can_be_perfect
    from boardgames_agents.training.run import load_run
    from boardgames_env import BadInputError

    trained = load_run(options.run)
    player = trained.learner.frozen()
    player.spec = trained.config.learner
    if not trained.contests:
        raise BadInputError(f"{options.run} has no checkpoint yet, so there is nothing to test; train on")
    if not can_be_perfect(trained.game):
        _test_without_perfection(trained, player, options)
        return
    maximal = _maximal_powers(trained, options)
    scores, verdict = _scores(trained, player, options, maximal)
    if options.as_json:
        found: dict[str, Any] = {
            "run": str(options.run),
            "seed": options.seed,
            "style": options.style,
            "scores": {name: score.as_dict() for name, score in scores.items()},
            "maximal power": {
                name: [found.power.value, found.power.low, found.power.high] for name, found in maximal.items()
            },
            "verdict": verdict.as_dict() if verdict else None,
        }
        print(json.dumps(found, indent=2))
        return
    _print_scores(trained, scores, maximal)
    if verdict:
        console.print(str(verdict), highlight=False, soft_wrap=True)
    else:
        console.print(f"no Turing test: it is defined for draw games, and {trained.game.spec} is not known to be one")
    _print_contests(options)


def _maximal_powers(trained: "Run", options: TestOptions) -> "dict[str, Optimum]":
    from boardgames_agents.arena.optima import optimum
    from boardgames_agents.arena.turing import CHALLENGERS
    from boardgames_env.spec import Spec

    perfect, found = Spec("perfect", {"style": options.style}), {}
    imperfect = [each for each in CHALLENGERS if each.e]
    with progress("maximal power", len(imperfect)) as bar:
        for each in imperfect:
            spec = each.spec(options.style)
            found[each.name] = optimum(trained.game, perfect, spec, _OPTIMA_CONTESTS, _OPTIMA_SEED, options.jobs)
            bar.step()
    return found


def _scores(
    trained: "Run", player: "Policy", options: TestOptions, maximal: "dict[str, Optimum]"
) -> "tuple[dict[str, Score], TuringVerdict | None]":
    """Return the scores against the challengers, and at a draw game the verdict of the Turing test."""
    from boardgames_agents.arena.tournament import tournament
    from boardgames_agents.arena.turing import CHALLENGERS, LADDER, TuringOptions, turing_test

    game, contests, seed, jobs, style = trained.game, options.contests, options.seed, options.jobs, options.style
    if game.value == 0:
        with progress("testing", contests * len(LADDER), " contests") as bar:
            bounds = {name: found.power.low for name, found in maximal.items()}
            verdict = turing_test(game, player, bounds, TuringOptions(contests, seed, style, jobs), bar.step)
        return {each.name: verdict.scores[each] for each in CHALLENGERS}, verdict
    with progress("testing", contests * len(CHALLENGERS), " contests") as bar:
        return {
            each.name: tournament(
                game, player, each.spec(style), contests, (seed, rung), jobs=jobs, on_contest=bar.step
            ).score
            for rung, each in enumerate(CHALLENGERS)
        }, None


def _test_without_perfection(trained: "Run", player: "Policy", options: TestOptions) -> None:
    """Test at a game that cannot be solved; there is no maximal power and no Turing test."""
    from boardgames_agents.arena.tournament import tournament
    from boardgames_agents.arena.turing import challengers_at

    challengers, contests, seed, jobs = challengers_at(trained.game), options.contests, options.seed, options.jobs
    with progress("testing", contests * len(challengers), " contests") as bar:
        scores = {
            name: tournament(trained.game, player, spec, contests, (seed, number), jobs=jobs, on_contest=bar.step).score
            for number, (name, spec) in enumerate(challengers.items())
        }
    if options.as_json:
        print(json.dumps({"seed": seed, "scores": {name: score.as_dict() for name, score in scores.items()}}, indent=2))
        return
    _print_scores(trained, scores, {})
    searcher = f"the searcher is {challengers['searcher']}; " if "searcher" in challengers else ""
    console.print(f"{searcher}nobody plays {trained.game.spec} perfectly", highlight=False)
    _print_contests(options)


def _print_contests(options: TestOptions) -> None:
    console.print(
        f"{options.contests:,} contests against each challenger, seed {options.seed}; 95 % intervals", highlight=False
    )


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
            power_text(maximal[name]) if name in maximal else "",
            with_interval(score.reliability, score.reliability_interval),
        )
    console.print(rows)


COMMANDS = (test,)
