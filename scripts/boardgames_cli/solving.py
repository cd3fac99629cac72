"""`boardgames solve`: perfect play, of a whole game or of some classes of a morris game."""

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from boardgames_cli.inspect_games import GameArgument
from boardgames_cli.printing import console, print_wide, progress, table

if TYPE_CHECKING:
    from boardgames_env import Game
    from boardgames_env.solve import ClassTables, PositionTable
    from boardgames_env.solve.morris.classes import PositionClass

_WORDS = {1: "the first player wins", 0: "a draw", -1: "the second player wins"}


def solve(
    game: GameArgument,
    classes: Annotated[
        str | None,
        typer.Option(help="Of a morris game, only these classes and what they depend on: 3-3,4-3 and so on."),
    ] = None,
    folder: Annotated[
        Path | None, typer.Option("--dir", help="Where tables are kept; by default in the user's cache folder.")
    ] = None,
    jobs: Annotated[int | None, typer.Option(help="Threads for a morris game; by default as many as cores.")] = None,
    csv: Annotated[
        Path | None, typer.Option(help="Of a morris game, write the table of classes to this file, too.")
    ] = None,
    forecast: Annotated[bool, typer.Option(help="Of a morris game, tell what is not solved yet, and stop.")] = False,
) -> None:
    """Solve a game and keep the tables; what has been solved is not solved again."""
    from boardgames_env import BadInputError, make_game
    from boardgames_env.files import write_atomically
    from boardgames_env.games.morris.morris_rules import MorrisRules
    from boardgames_env.solve import ClassTables, solve_classes, solve_reachable, table_path
    from boardgames_env.solve.morris.classes import parse_class

    made = make_game(game)
    if not isinstance(made.family, MorrisRules):
        if classes is not None or forecast or csv or jobs is not None:
            raise BadInputError(
                f"{made.spec} is not a morris game, so its positions have no classes: --classes, --jobs, --csv and "
                "--forecast are not for it"
            )
        with progress(f"solving {made.spec}") as bar:
            solved = solve_reachable(made, folder, on_progress=bar.to)
        _tell_table(solved)
        _tell_openings(made, solved)
        if (path := table_path(made, folder)).exists():
            console.print(f"kept in {path}", soft_wrap=True, highlight=False)
        return
    wanted = None if classes is None else [parse_class(text) for text in classes.split(",")]
    if forecast:
        if wanted or csv or jobs is not None:
            raise BadInputError(
                "--forecast tells what is left of the whole game; no --classes, --jobs or --csv with it"
            )
        if folder and folder.exists():
            ClassTables(made, folder).check()
        _forecast(ClassTables(made, folder))
        return
    with progress(f"solving {made.spec}", unit=" rows") as bar:
        tables = solve_classes(made, wanted, folder, jobs if jobs is not None else os.cpu_count() or 1, bar.to)
    order = tables.classes.closure(wanted) if wanted else tables.classes.all()
    told = [_told(tables, each) for each in order if each.is_sliding]
    _tell_classes(tables, told)
    if csv:
        write_atomically(
            csv, lambda file: file.write("".join(f"{','.join(row)}\n" for row in (_COLUMNS, *told)).encode())
        )
    if not wanted:
        _tell_openings(made, tables)
    console.print(f"kept in {tables.folder}", soft_wrap=True, highlight=False)


def _tell_table(solved: "PositionTable") -> None:
    """Value, distance and counts of a game that was solved position by position."""
    from boardgames_env.kernels import ONGOING

    made = solved.game
    distance = solved.distance(made.initial)
    end = "" if distance is None else f" in {distance} plies"
    value = solved.value_for(made.initial, 0)
    console.print(f"{made.spec}: {_WORDS[value]}{end}; {len(solved):,} positions can be reached")
    going_on = [
        value for value, state in zip(solved.values, solved.states, strict=True) if made.rules.outcome(state) == ONGOING
    ]
    counts = {value: going_on.count(value) for value in (1, 0, -1)}
    console.print(
        f"while the contest goes on, for the seat to move: {counts[1]:,} won, {counts[0]:,} drawn, {counts[-1]:,} lost"
    )


def _tell_openings(game: "Game", solved: "PositionTable | ClassTables") -> None:
    """Which first moves win, draw and lose."""
    values = {move.actions: solved.value_for(move.afterstate, game.initial.seat) for move in game.initial.moves()}
    for value, verb in ((1, "win"), (0, "draw"), (-1, "lose")):
        texts = [" ".join(map(game.action_text, actions)) for actions, worth in values.items() if worth == value]
        if texts:
            console.print(f"openings that {verb}: {', '.join(texts)}", highlight=False)


_COLUMNS = ("class", "positions", "won", "drawn", "lost", "longest", "up to symmetry", "seconds")


def _told(tables: "ClassTables", each: "PositionClass") -> tuple[str, ...]:
    """What there is to tell of a class, by `_COLUMNS`."""
    counts = tables.counts(each)
    numbers = (counts.positions, counts.won, counts.drawn, counts.lost, counts.longest)
    return (
        *map(str, (each, *numbers, tables.classes.positions_up_to_symmetry(each))),
        f"{tables.seconds(each):.1f}",
    )


def _tell_classes(tables: "ClassTables", told: list[tuple[str, ...]]) -> None:
    """A row for each class in which men slide, and the value of the game if it is known."""
    game = tables.game
    rows = table(
        f"Classes of {game.spec}: men of the seat to move and of the other, while sliding",
        *_COLUMNS,
        right=_COLUMNS[1:],
    )
    for name, *numbers, seconds in told:
        rows.add_row(name, *(f"{int(number):,}" for number in numbers), seconds)
    print_wide(rows)
    console.print(
        "longest: in plies; seconds: for a class together with its partner, in which the other seat is to move"
    )
    if tables.knows(game.initial):
        distance = tables.distance(game.initial)
        end = "" if distance is None else f" in {distance} plies"
        console.print(f"{game.spec}: {_WORDS[tables.value_for(game.initial, 0)]}{end}")


def _forecast(tables: "ClassTables") -> None:
    """How much is left to solve, at the speed of the largest class that has been."""
    order = tables.classes.all()
    known = [each for each in order if tables.holds(each)]
    rest = [each for each in order if not tables.holds(each)]
    rows = table(
        f"What is left of {tables.game.spec}",
        *(headings := ("classes", "how many", "rows", "bytes", "the largest at once")),
        right=headings[1:],
    )
    for name, some in (
        ("sliding", [e for e in rest if e.is_sliding]),
        ("placing", [e for e in rest if not e.is_sliding]),
    ):
        sizes = [tables.classes.rows(each) for each in some]
        at_once = [sum(map(tables.classes.rows, tables.classes.partners(each))) for each in some]
        rows.add_row(
            name, *(f"{count:,}" for count in (len(some), sum(sizes), 2 * sum(sizes), 2 * max(at_once, default=0)))
        )
    console.print(rows)
    timed = [each for each in known if tables.seconds(each) >= 1]
    if not timed:
        console.print("no class that took a second or more has been solved, so there is no telling how long it takes")
        return
    largest = max(timed, key=tables.classes.rows)
    speed = sum(map(tables.classes.rows, tables.classes.partners(largest))) / tables.seconds(largest)
    hours = sum(map(tables.classes.rows, rest)) / speed / 3600
    console.print(
        f"about {hours:,.0f} hours at {speed:,.0f} rows/s, the speed at which {largest} was solved; classes differ by "
        "a factor of two or more, and placing has not been timed",
        highlight=False,
    )


COMMANDS = (solve,)
