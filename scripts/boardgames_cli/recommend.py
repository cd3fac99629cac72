"""`boardgames recommend`: the trainer that the study of trainers supports."""

import shlex
from typing import Annotated

import typer

from boardgames_cli.printing import console, print_json, print_table
from boardgames_cli.shared_options import AsJson


def recommend(
    game: Annotated[str, typer.Argument(help="A game of the study, such as tant_fant.", metavar="GAME")],
    learner: Annotated[str, typer.Argument(help="A learner of the study, such as q_learning.", metavar="LEARNER")],
    as_json: AsJson = False,
) -> None:
    """Print the trainer that the study of trainers supports for a learner at a game, with the evidence."""
    from boardgames_agents.policy.explanation import counted
    from boardgames_baselines.papers.ideal_trainer_today import recommendation
    from boardgames_env.spec import underscored

    found = recommendation.recommend(underscored(game), underscored(learner))
    ordered = sorted(found.evidence.items(), key=lambda item: -item[1].reliability.mean)
    if as_json:
        print_json(
            {
                "trainer": name,
                "spec": each.trainer,
                "best": name == found.best,
                "tied": name in found.tied,
                "reliability": each.reliability.mean,
                "runs": each.reliability.runs,
                "exploitability": each.exploitability,
                "errors": each.errors,
            }
            for name, each in ordered
        )
        return
    best = found.evidence[found.best]
    columns = ("reliability %", "exploitability", "errors", "contests to 95 %")
    rows = []
    for name, each in ordered:
        spread = f" ± {each.reliability.variance**0.5:.1f}" if each.reliability.runs > 1 else ""
        figures = (f"{each.reliability.mean:.1f}{spread}", f"{each.exploitability:.2f}", f"{each.errors:.0f}")
        rows.append((name, each.trainer, *figures, each.to_95))
    title = f"{' at '.join(found.names[::-1])}, {counted(best.contests, 'contest')}"
    title += f"; runs of each trainer: {best.reliability.runs}"
    print_table(title, ("trainer", "spec", *columns), rows, figures=columns)
    tied = f"; tied with it (95 %): {', '.join(found.tied)}" if found.tied else ""
    console.print(f"the best trainer in the study: {found.best}{tied}", soft_wrap=True)
    words = ["train", found.game, found.learner, "--trainer", best.trainer, "--contests", str(best.contests)]
    console.print(shlex.join(["boardgames", *words, "--run", "runs/best"]), soft_wrap=True)
