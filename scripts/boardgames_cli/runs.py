"""`boardgames runs` and `boardgames board`: runs as a table, and their curves in TensorBoard."""

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated

import typer

from boardgames_cli.printing import console, print_json, print_note, print_sentence, show, status
from boardgames_cli.shared_options import AsJson, shell_quoted

Folders = Annotated[
    list[Path] | None,
    typer.Argument(help="Folders of runs, or folders above some; by default runs.", metavar="FOLDER..."),
]


def runs(folders: Folders = None, as_json: AsJson = False) -> None:
    """List runs with the results of their last tests; of a single run, print all settings and results."""
    from boardgames_agents.training.run import holds_run
    from boardgames_agents.training.runs import record_of, rows_of_runs, tables_of

    rows, problems = rows_of_runs(_found(folders, holds_run))
    for problem in problems:
        print_note(f"Warning: {problem}")
    if as_json:
        print_json(rows)
        return
    if len(rows) == 1 and not problems:
        show(record_of(rows[0]))
        return
    for table in tables_of(rows):
        show(table)
    print_sentence(f"all settings and results of one: boardgames runs {shell_quoted(rows[0]['folder'])}")


def board(
    folders: Folders = None,
    port: Annotated[int, typer.Option(help="The port; another one if it is taken.", min=1, max=65535)] = 6006,
) -> None:
    """Start TensorBoard with runs, and print the links to their curves and to their tests with intervals."""
    from boardgames_agents.experiments.tensorboard_log import folders_for
    from boardgames_agents.training.runs import holds_curves
    from boardgames_env import BadInputError

    found = _found(folders, holds_curves)
    if strange := [each for each in found if "," in str(each)]:
        raise BadInputError(f"TensorBoard takes no path with a comma: {strange[0]}; rename the folder")
    is_named_apart = len({each.resolve().name for each in found}) == len(found)
    names = folders_for(each.resolve().name if is_named_apart else str(each.resolve()) for each in found)
    with status("Starting TensorBoard"):
        from tensorboard.program import TensorBoard

        program = TensorBoard()
    named = ",".join(f"{name}:{each.resolve()}" for name, each in zip(names.values(), found, strict=True))
    program.configure(argv=("tensorboard", "--logdir_spec", named, "--port", str(port)))
    address = program.launch()
    console.print(f"curves:                  {address}#scalars", soft_wrap=True)
    console.print(f"tests with intervals:    {address}#custom_scalars", soft_wrap=True)
    console.print(f"settings and results:    {address}#hparams", soft_wrap=True)
    console.print("Ctrl-C ends it.")
    threading.Event().wait()


def _found(folders: Sequence[Path] | None, holds: Callable[[Path], bool]) -> list[Path]:
    """Return the folders of all runs that are meant, or of others that hold what is asked for."""
    from boardgames_agents.training.runs import folders_of_runs
    from boardgames_env import BadInputError

    found = []
    for folder in folders or [Path("runs")]:
        there = list(folders_of_runs(folder, holds))
        if not there:
            raise BadInputError(f"there is no run in {folder}; give a folder that boardgames train has written into")
        found += there
    return list(dict.fromkeys(found))
