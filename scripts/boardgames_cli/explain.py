"""`boardgames explain`: the reasons for a trained agent's choice."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from boardgames_cli.printing import console, table

if TYPE_CHECKING:
    from boardgames_agents.explanation import Explanation


def explain(
    run: Annotated[Path, typer.Argument(help="The folder of a run.", metavar="RUN")],
    position: Annotated[
        list[str] | None,
        typer.Argument(help="The actions from the start to the position, such as 4 0 8.", metavar="POSITION"),
    ] = None,
) -> None:
    """Explain what a trained agent chooses in a position; for agents that can, such as hoyle."""
    from boardgames_agents.explanation import Explains, position_after
    from boardgames_agents.training.run import load_run
    from boardgames_env import BadInputError

    trained = load_run(run)
    player = trained.learner.frozen()
    if not isinstance(player, Explains):
        raise BadInputError(
            f"{run} has trained {trained.config.learner}; give a run of hoyle, or of another agent that explains its "
            "choices"
        )
    there = position_after(trained.game, " ".join(position or []))
    explanation = player.explanation(there)
    console.print(f"{there.text}\n")
    print_explanation(explanation)
    for sentence in explanation.glossary:
        console.print(sentence, soft_wrap=True)


def print_explanation(explanation: "Explanation") -> None:
    """Print the moves of a decision in a table, and the facts about the position."""
    console.print(table(explanation.title, explanation.columns, explanation.rows, right=explanation.numbers))
    for fact in explanation.facts:
        console.print(fact, soft_wrap=True)
