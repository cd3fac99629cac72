"""`boardgames solve`: tables of perfect play, for a whole game or some classes of a morris game."""

import os
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from boardgames_cli.printing import console, print_json, print_table, progress
from boardgames_cli.shared_options import AsJson, GameArgument

if TYPE_CHECKING:
    from boardgames_agents.experiments.table import Row
    from boardgames_env import Game
    from boardgames_env.solve import ClassTables, PositionTable, SearchedGame
    from boardgames_env.solve.few_men import FewMen
    from boardgames_env.solve.morris.classes import PositionClass

_WORDS = {1: "the first player wins", 0: "a draw", -1: "the second player wins"}


def solve(
    game: GameArgument,
    classes: Annotated[
        str | None,
        typer.Option(help="Only these classes of a morris game, and those that they depend on, such as 3-3,4-3."),
    ] = None,
    folder: Annotated[
        Path | None, typer.Option("--dir", help="Folder of the tables; by default in the user's cache folder.")
    ] = None,
    jobs: Annotated[
        int | None, typer.Option(help="Threads for a morris game or openings; by default one for each core.")
    ] = None,
    csv: Annotated[Path | None, typer.Option(help="File to write the table of a morris game's classes to.")] = None,
    forecast: Annotated[bool, typer.Option(help="Print what is left to solve of a morris game, and stop.")] = False,
    as_json: AsJson = False,
) -> None:
    """Solve a game and store the tables; what has been solved is not solved again."""
    from boardgames_env import BadInputError, make_game
    from boardgames_env.files import demand_folder
    from boardgames_env.games.morris.morris_rules import MorrisRules
    from boardgames_env.solve import is_searched
    from boardgames_env.solve.morris.classes import parse_class

    made = make_game(game)
    if folder:
        demand_folder(folder)
    is_morris = isinstance(made.family, MorrisRules)
    if not is_morris and (classes is not None or forecast or csv or (jobs is not None and not is_searched(made))):
        why = "is not a morris game, so its positions have no classes"
        raise BadInputError(f"{made.spec} {why}: --classes, --jobs, --csv and --forecast are not for it")
    wanted = None if classes is None else [parse_class(text) for text in classes.split(",")]
    if forecast and (wanted or csv or jobs is not None):
        raise BadInputError("--forecast is for the whole game; no --classes, --jobs or --csv with it")
    if forecast:
        _print_forecast(made, folder, as_json)
    elif is_morris:
        _solve_classes(made, wanted, folder, jobs if jobs is not None else os.cpu_count() or 1, csv, as_json)
    elif made.rules.has_chance:
        _solve_few_men(made, folder, as_json)
    elif is_searched(made):
        _solve_openings(made, folder, jobs if jobs is not None else os.cpu_count() or 1, as_json)
    else:
        _solve_positions(made, folder, as_json)


def _solve_positions(game: "Game", folder: Path | None, as_json: bool) -> None:
    from boardgames_agents.policy.explanation import counted
    from boardgames_env.kernels import ONGOING
    from boardgames_env.solve import solve_reachable, table_path

    with progress(f"solving {game.spec}") as bar:
        solved = solve_reachable(game, folder, on_progress=bar.to)
    pairs = zip(solved.values, solved.states, strict=True)
    counts = Counter(value for value, state in pairs if game.rules.outcome(state) == ONGOING)
    if as_json:
        value, distance = solved.value_for(game.initial, 0), solved.distance(game.initial)
        shares = {"won": counts[1], "drawn": counts[0], "lost": counts[-1]}
        print_json([{"game": game.spec, "value": value, "plies": distance, "positions": len(solved), **shares}])
        return
    console.print(f"{_value_text(solved)}; {counted(len(solved), 'position')} can be reached")
    console.print(
        f"while the contest goes on, for the seat to move: {counts[1]:,} won, {counts[0]:,} drawn, {counts[-1]:,} lost"
    )
    _print_openings(game, solved)
    if (path := table_path(game, folder)).exists():
        console.print(f"stored in {path}", soft_wrap=True)


def _solve_openings(game: "Game", folder: Path | None, jobs: int, as_json: bool) -> None:
    from boardgames_agents.policy.explanation import counted
    from boardgames_env.solve import SearchedGame, solve_openings

    solved = SearchedGame(game, folder)
    with progress(f"solving the openings of {game.spec}") as bar:
        solve_openings(solved, jobs, bar.to)
    if as_json:
        value, distance = solved.value_for(game.initial, 0), solved.distance(game.initial)
        print_json([{"game": game.spec, "value": value, "plies": distance, "openings": len(solved.codes)}])
        return
    console.print(_value_text(solved))
    _print_openings(game, solved)
    if solved.path.exists():
        openings = f"{counted(len(solved.codes), 'position')} of up to {counted(solved.plies, 'disc')}, up to symmetry"
        console.print(f"{openings}, stored in {solved.path}", soft_wrap=True)


def _solve_few_men(game: "Game", folder: Path | None, as_json: bool) -> None:
    from boardgames_env.solve.few_men_tables import solve_few_men, table_path
    from boardgames_env.solve.few_men_with_cube import CENTRED, FewMenWithCube

    shares: dict[str, float]

    with progress(f"solving {game.spec}", unit=" steps") as bar:
        solved = solve_few_men(game, folder, bar.to)
    if isinstance(solved, FewMenWithCube):
        points, shares = float(solved.opening[CENTRED]), {}
    else:
        points, shares = _chances_of_who_begins(solved)
    if as_json:
        print_json([{"game": game.spec, "positions": len(solved), "points_of_who_begins": points, **shares}])
        return
    console.print(f"{game.spec}: the seat that wins the opening roll expects {points:+.4f} points under best play")
    if shares:
        console.print(", ".join(f"{name.replace('_', ' a ')} {share:.2%}" for name, share in shares.items()))
    console.print(f"{len(solved):,} positions in which a seat is to roll")
    if (path := table_path(game, folder)).exists():
        console.print(f"stored in {path}", soft_wrap=True)


def _chances_of_who_begins(solved: "FewMen") -> tuple[float, dict[str, float]]:
    """Return the points that the seat expects that wins the opening roll, and the shares of what it wins and loses."""
    win, two, three, lose, lose_two, lose_three = map(float, solved.opening)
    points = win + 2 * two + 3 * three - lose - 2 * lose_two - 3 * lose_three
    shares = {
        "wins": win + two + three,
        "wins_gammon": two + three,
        "wins_backgammon": three,
        "loses_gammon": lose_two + lose_three,
        "loses_backgammon": lose_three,
    }
    return points, shares


def _solve_classes(
    game: "Game", wanted: "list[PositionClass] | None", folder: Path | None, jobs: int, csv: Path | None, as_json: bool
) -> None:
    from boardgames_agents.experiments.table import Table
    from boardgames_env.files import write_atomically
    from boardgames_env.solve import solve_classes

    with progress(f"solving {game.spec}", unit=" rows") as bar:
        tables = solve_classes(game, wanted, folder, jobs, bar.to)
    order = tables.classes.closure(wanted) if wanted else tables.classes.all()
    rows = [_class_row(tables, each) for each in order if each.is_sliding]
    if csv:
        write_atomically(csv, Table("", _COLUMNS, rows).csv().encode())
    if as_json:
        print_json(dict(zip(_COLUMNS, row, strict=True)) for row in rows)
        return
    title = f"Classes of {game.spec}: men of the seat to move and of the other, while sliding"
    print_table(title, _COLUMNS, ((*row[:-1], f"{row[-1]:.1f}") for row in rows), figures=_COLUMNS[1:])
    console.print(
        "longest: in plies; seconds: for a class together with its partner, in which the other seat is to move"
    )
    if tables.knows(game.initial):
        console.print(_value_text(tables))
    if not wanted:
        _print_openings(game, tables)
    console.print(f"stored in {tables.folder}", soft_wrap=True)


def _value_text(solved: "PositionTable | ClassTables | SearchedGame") -> str:
    from boardgames_agents.policy.explanation import counted

    initial = solved.game.initial
    distance = solved.distance(initial)
    end = "" if distance is None else f" in {counted(distance, 'ply')}"
    return f"{solved.game.spec}: {_WORDS[solved.value_for(initial, 0)]}{end}"


def _print_openings(game: "Game", solved: "PositionTable | ClassTables | SearchedGame") -> None:
    values = {move.actions: solved.value_for(move.afterstate, game.initial.seat) for move in game.initial.moves()}
    for value, verb in ((1, "win"), (0, "draw"), (-1, "lose")):
        texts = [" ".join(map(game.action_text, actions)) for actions, reached in values.items() if reached == value]
        if texts:
            console.print(f"openings that {verb}: {', '.join(texts)}")


_COLUMNS = ("class", "positions", "won", "drawn", "lost", "longest", "up to symmetry", "seconds")


def _class_row(tables: "ClassTables", each: "PositionClass") -> "Row":
    counts = tables.counts(each)
    numbers = (counts.positions, counts.won, counts.drawn, counts.lost, counts.longest)
    symmetric = tables.classes.positions_up_to_symmetry(each)
    return (str(each), *numbers, symmetric, round(tables.seconds(each), 1))


def _print_forecast(game: "Game", folder: Path | None, as_json: bool) -> None:
    """Print how much is left to solve, at the speed of the largest class that has been solved."""
    from boardgames_env.solve import ClassTables

    tables = ClassTables(game, folder)
    if folder and folder.exists():
        tables.check()

    def rows_at_once(each: "PositionClass") -> int:
        """Return the rows of a class and of those that are solved together with it."""
        return sum(map(tables.classes.rows, tables.classes.partners(each)))

    order = tables.classes.all()
    rest = [each for each in order if not tables.holds(each)]
    found = []
    for name, is_sliding in (("sliding", True), ("placing", False)):
        some = [each for each in rest if each.is_sliding == is_sliding]
        size = sum(map(tables.classes.rows, some))
        found.append((name, len(some), size, 2 * size, 2 * max(map(rows_at_once, some), default=0)))
    columns = ("classes", "number", "rows", "bytes", "largest at once")
    if as_json:
        print_json(dict(zip(columns, row, strict=True)) for row in found)
        return
    print_table(f"What is left of {game.spec}", columns, found, figures=columns[1:])
    timed = [each for each in order if tables.holds(each) and tables.seconds(each) >= 1]
    if not timed:
        console.print("no class that took a second or more has been solved, so there is no estimate of the time")
        return
    model = max(timed, key=tables.classes.rows)
    speed = rows_at_once(model) / tables.seconds(model)
    hours = sum(map(tables.classes.rows, rest)) / speed / 3600
    console.print(
        f"about {hours:,.0f} hours at {speed:,.0f} rows/s, the speed at which {model} was solved; classes differ by "
        "a factor of two or more, and placing has not been timed"
    )
