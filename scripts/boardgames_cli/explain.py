"""`boardgames explain`: the reasons for a trained agent's choices."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from boardgames_cli.printing import console, print_json, print_sentence, print_table, status
from boardgames_cli.shared_options import After, AsJson, ContestNumber, recorded_contest

if TYPE_CHECKING:
    from boardgames_agents.policy.explanation import Explanation
    from boardgames_env import Game, Position

    Decision = tuple[Position, int | None]


def explain(
    run: Annotated[Path, typer.Argument(help="The folder of a run.", metavar="RUN")],
    position: Annotated[
        list[str] | None,
        typer.Argument(help="The actions from the start to the position, such as 4 0 8.", metavar="POSITION"),
    ] = None,
    record: Annotated[
        Path | None, typer.Option(help="Explain the actions of a contest in this record (.json).")
    ] = None,
    contest: ContestNumber = 1,
    after: After = None,
    as_json: AsJson = False,
) -> None:
    """Explain what a trained agent chooses in a position, or in a contest."""
    from boardgames_agents.lookahead.player import explainer_of
    from boardgames_agents.policy.explanation import position_after
    from boardgames_agents.registry import make_player
    from boardgames_agents.training.run import load_run
    from boardgames_env import BadInputError

    with status("Starting"):  # (importing torch takes seconds)
        trained = load_run(run)
    player = explainer_of(make_player(trained.learner, trained.game), trained.game)
    if not record:
        if after is not None:
            raise BadInputError(
                f"--after {after} is for a contest of --record; without one give the position's actions"
            )
        decisions: list[Decision] = [(position_after(trained.game, " ".join(position or [])), None)]
        if decisions[0][0].awaits_chance:
            raise BadInputError("dice are rolled next there, which no POSITION tells; give a contest with --record")
    elif position:
        raise BadInputError(f"{' '.join(position)!r} is not allowed with --record; give --after to choose a position")
    else:
        decisions = _recorded_decisions(record, contest, after, trained.game)
    explained = ((player.explanation(*decision), *decision) for decision in decisions)
    if as_json:
        print_json(row for each in explained for row in _rows_of_moves(*each))
        return
    glossary: dict[str, None] = {}
    for explanation, there, played in explained:
        console.print(f"{there.text}\n")
        if played is not None:
            console.print(f"{there.game.men[there.seat].name} played {there.game.action_text(played)}")
        print_explanation(explanation)
        glossary |= dict.fromkeys(explanation.glossary)
    for sentence in glossary:
        print_sentence(sentence)


def _recorded_decisions(file: Path, contest: int, after: int | None, game: "Game") -> "list[Decision]":
    """Return the positions of a recorded contest, or the one after some actions, with what was played."""
    from boardgames_agents.policy.explanation import counted
    from boardgames_env import BadInputError

    found = recorded_contest(file, contest)
    if found.game != game:
        raise BadInputError(f"contest {contest} of {file} is one of {found.game.spec}, and the run is of {game.spec}")
    decisions = list(zip(found.positions, found.record.actions, strict=False))
    if after is None:
        return list(decisions)
    if found.place(after) == len(decisions):
        raise BadInputError(f"the contest is over after {counted(after, 'action')}; give fewer")
    return [decisions[after]]


def _rows_of_moves(explanation: "Explanation", position: "Position", played: int | None) -> Iterator[dict[str, Any]]:
    """Yield a row for each move of a decision; what is a number in the table is one, and a percentage a share."""
    action = None if played is None else position.game.action_text(played)
    decision = {"position": position.text, "seat": position.seat, "played": action, "decided by": explanation.title}
    for mark, *cells in explanation.rows:
        named = zip(explanation.columns[1:], cells, strict=True)
        row = {name: _number(cell) if name in explanation.numbers else cell for name, cell in named}
        yield {**decision, "chosen": bool(mark), **row}


def _number(text: str) -> float | None:
    """Return the number that a cell shows; ``None`` if it is empty."""
    plain = text.replace(",", "").replace("−", "-")
    if plain.endswith("%"):
        return round(float(plain[:-1]) / 100, 6)
    return (int(plain) if plain.lstrip("+-").isdecimal() else float(plain)) if plain else None


def print_explanation(explanation: "Explanation") -> None:
    """Print the moves of a decision in a table, and the facts about the position."""
    print_table(explanation.title, explanation.columns, explanation.rows, figures=explanation.numbers)
    for fact in explanation.facts:
        print_sentence(fact)
