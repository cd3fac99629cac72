"""`boardgames test`: an agent or the learner of a run against challengers, and the game players' Turing test."""

import json
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from boardgames_cli.dataclass_options import takes
from boardgames_cli.printing import console, power_text, print_scores, print_sentence, print_table, progress, status
from boardgames_cli.shared_options import AgentOfGame, AsJson, RunOrGame, TestedPlayer, tested_player

if TYPE_CHECKING:
    from boardgames_agents.arena.exact_outcomes import Optimum
    from boardgames_agents.arena.score import Score
    from boardgames_agents.arena.turing import TuringOptions, TuringVerdict
    from boardgames_agents.training.run import Run
    from boardgames_env import Game

Powers = dict[str, dict[str, "Optimum"]]
"""The power of a perfect player, by its style and the challenger's name."""

_STYLES = ("uniform", "wise")
"""The styles of a perfect player whose power is printed beside the learner's."""

_OPTIMA_CONTESTS, _OPTIMA_SEED = 10_000, 19_940_000
"""The paper's Table 1 is made of as many contests; the seed is used for nothing else."""


@takes("boardgames_agents.arena.turing:TuringOptions")
def test(
    run: RunOrGame,
    options: "TuringOptions",
    agent: AgentOfGame = None,  # noqa: PT028 (it is no test of ours)
    as_json: AsJson = False,  # noqa: PT028
) -> None:
    """Test an agent or a run's learner against the four challengers, and put it to the game players' Turing test."""
    with status("Starting"):  # (importing what tests takes seconds)
        from boardgames_agents.arena.tournament import tournament
        from boardgames_agents.arena.turing import CHALLENGERS, LADDER, challengers_at, turing_test
        from boardgames_agents.experts.perfect import can_be_perfect
        from boardgames_agents.policy.explanation import counted

    tested = tested_player(run, agent)
    game, player, verdict = tested.game, tested.player, None
    challengers, perfect = challengers_at(game), Powers()
    if can_be_perfect(game):
        challengers = {each.name: each.spec(options.style) for each in CHALLENGERS}
        perfect = _perfect_powers(game, options)
    if perfect and game.value == 0:
        bounds = {name: each.power.low for name, each in perfect[options.style].items()}
        with progress("testing", options.contests * len(LADDER), " contests") as bar:
            verdict = turing_test(game, player, bounds, options, bar.step)
        scores = {each.name: verdict.scores[each] for each in CHALLENGERS}
    else:
        contests, seed, jobs = options.contests, options.seed, options.jobs
        with progress("testing", contests * len(challengers), " contests") as bar:
            scores = {
                name: tournament(game, player, spec, contests, (seed, number), jobs=jobs, on_contest=bar.step).score
                for number, (name, spec) in enumerate(challengers.items())
            }
    if tested.run:
        _keep(tested.run, options, scores, perfect, verdict)
    if as_json:
        who = {"game": game.spec, "agent": player.spec} if agent else {"run": run}
        found = {**who, "seed": options.seed, **_as_dict(options.style, scores, perfect, verdict)}
        print(json.dumps(found, indent=2))
        return
    _print_scores(tested, scores, perfect)
    if verdict:
        print_sentence(str(verdict))
    elif perfect:
        console.print(f"no Turing test: it is defined for draw games, and {game.spec} is not known to be one")
    else:
        searcher = f"the searcher is {challengers['searcher']}; " if "searcher" in challengers else ""
        console.print(f"{searcher}{game.spec} has no perfect player that errs, so the four challengers are not there")
    console.print(
        f"{counted(options.contests, 'contest')} against each challenger, seed {options.seed}; 95 % intervals"
    )


def _perfect_powers(game: "Game", options: "TuringOptions") -> Powers:
    """Return the power of a perfect player of each style against the imperfect challengers."""
    from boardgames_agents.arena.exact_outcomes import optimum
    from boardgames_agents.arena.turing import CHALLENGERS
    from boardgames_env.spec import Spec

    imperfect = [each for each in CHALLENGERS if each.e]
    found: Powers = {style: {} for style in dict.fromkeys((*_STYLES, options.style))}
    with progress("a perfect player's power", len(found) * len(imperfect)) as bar:
        for style, powers in found.items():
            perfect = Spec("perfect", {"style": style})
            for each in imperfect:
                spec = each.spec(options.style)
                powers[each.name] = optimum(game, perfect, spec, _OPTIMA_CONTESTS, _OPTIMA_SEED, options.jobs)
                bar.step()
    return found


def _keep(
    trained: "Run",
    options: "TuringOptions",
    scores: "dict[str, Score]",
    perfect: Powers,
    verdict: "TuringVerdict | None",
) -> None:
    """Keep the result in the run's folder, for the page; a folder that cannot be written to is tested all the same."""
    from boardgames_agents.training.run import RunVerdict, write_verdict

    kept = RunVerdict(
        trained=trained.contests,
        contests=options.contests,
        seed=options.seed,
        scores=scores,
        perfect={name: each.power.value for name, each in perfect.get(options.style, {}).items()},
        passed=verdict.passed if verdict else None,
        failed=verdict.failed if verdict else (),
    )
    with suppress(OSError):
        write_verdict(trained.folder, kept)


def _as_dict(
    style: str, scores: "dict[str, Score]", perfect: Powers, verdict: "TuringVerdict | None"
) -> dict[str, Any]:
    found: dict[str, Any] = {"scores": {name: score.as_dict() for name, score in scores.items()}}
    if not perfect:  # nobody plays the game perfectly
        return found
    powers = {
        of: {name: [each.power.value, each.power.low, each.power.high] for name, each in some.items()}
        for of, some in perfect.items()
    }
    found |= {"style": style, "maximal power": powers[style], "perfect player's power": powers}
    return {**found, "verdict": verdict.as_dict() if verdict else None}


def _print_scores(tested: TestedPlayer, scores: "dict[str, Score]", perfect: Powers) -> None:
    title = tested.name + (f" with trainer {tested.run.config.trainer}" if tested.run else "")
    print_scores(title, "challenger", list(scores.items()), tested.game.can_draw)
    if not perfect:
        return
    columns = ("the learner" if tested.run else "the agent", *(f"{style} perfect player" for style in perfect))
    rows = [
        (name, f"{scores[name].power:.2f}", *(power_text(powers[name]) for powers in perfect.values()))
        for name in perfect["uniform"]
    ]
    title = "Power %, beside perfect players by their choice among correct actions"
    print_table(title, ("challenger", *columns), rows, figures=columns)
