"""`boardgames grade`: which decisions of an agent keep the value at a solved game, and what the others cost."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated

import typer

from boardgames_cli.printing import (
    console,
    print_json,
    print_scores,
    print_sentence,
    print_table,
    progress,
    with_interval,
)
from boardgames_cli.shared_options import AsJson, GameArgument, Seed

if TYPE_CHECKING:
    from boardgames_agents.people.language.grading import Grade
    from boardgames_agents.people.language.transcript import ChatCount


def grade(
    agent: Annotated[str, typer.Argument(help="An agent, such as \"chat(model='...', url='...')\".", metavar="AGENT")],
    game: GameArgument,
    positions: Annotated[
        int, typer.Option(help="Positions in which the agent is asked; 0 for all of a small game.", min=0)
    ] = 200,
    contests: Annotated[int, typer.Option(help="Contests with each of the four challengers.", min=0)] = 0,
    seed: Seed = 0,
    jobs: Annotated[
        int, typer.Option(help="Questions at once to an agent that waits for a server; the result is the same.", min=1)
    ] = 1,
    as_json: AsJson = False,
) -> None:
    """Grade an agent at a solved game: the share of its decisions that keep the value, and what the others cost."""
    from boardgames_agents.arena.tournament import tournament
    from boardgames_agents.arena.turing import challengers_at
    from boardgames_agents.people.examination import verdict_of
    from boardgames_agents.people.language.grading import Grader
    from boardgames_agents.people.language.player import ChatPlayer
    from boardgames_agents.registry import label_of, make_player
    from boardgames_env import BadInputError, make_game

    made = make_game(game)
    player = make_player(agent, made)
    if player.interactive:
        raise BadInputError(f"{agent} is a person; grades are those of programs")
    grader = Grader(made, positions, seed)
    with progress("grading", len(grader.positions), " decisions") as bar:
        own = grader.grade(player, bar.step, jobs)
    beside = grader.beside()
    challengers = challengers_at(made) if contests else {}
    with progress("contests", contests * len(challengers), " contests") as bar:
        scores = {
            name: tournament(made, player, spec, contests, (seed, number), jobs, lambda _: bar.step()).score
            for number, (name, spec) in enumerate(challengers.items())
        }
    verdict = verdict_of(made, player.spec, contests, scores) if scores else None
    asked = player.count if isinstance(player, ChatPlayer) else None
    if as_json:
        parts = {name: each.as_dict() for name, each in own.parts().items()}
        chat = {"chat": vars(asked)} if asked else {}
        others = {name: each.as_dict() for name, each in beside.items()}
        against = {name: each.as_dict() for name, each in scores.items()}
        found = {"agent": agent, "game": made.spec, "grade": parts, "beside": others, "scores": against, **chat}
        print_json([{**found, "turing": verdict.as_dict() if verdict else None}])
        return
    columns = ("decisions", "keep the value %", "mean loss", "illegal")
    print_table(f"{label_of(agent)} at {made.spec}", ("in", *columns), _rows(own.parts()), figures=columns)
    print_table("Beside it, in the same positions", ("agent", *columns), _rows(beside), figures=columns)
    if scores:
        print_scores("Against the challengers", "challenger", list(scores.items()), made.can_draw)
    if verdict:
        print_sentence(str(verdict))
    if asked:
        console.print(_words_on(asked), soft_wrap=True)


def _words_on(asked: "ChatCount") -> str:
    """Return what a language model was asked."""
    from boardgames_agents.policy.explanation import counted

    return (
        f"{counted(asked.exchanges, 'exchange')} ({asked.asked:,} asked of the server), "
        f"{counted(asked.illegal, 'answer')} without a legal move, "
        f"{asked.tokens[0]:,} + {asked.tokens[1]:,} tokens, {asked.seconds:.1f} seconds"
    )


def _rows(grades: "Mapping[str, Grade]") -> list[tuple[str, ...]]:
    return [
        (
            name,
            f"{len(each.decisions):,}",
            with_interval(each.share, each.interval),
            f"{each.mean('loss'):.3f}"
            + (f" ({each.loss_interval[0]:.3f}–{each.loss_interval[1]:.3f})" if each.loss_interval[1] else ""),
            f"{sum(decision.illegal for decision in each.decisions):,}",
        )
        for name, each in grades.items()
    ]
