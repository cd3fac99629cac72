"""`boardgames optima`: how often a perfect player wins against players that err."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from boardgames_cli.printing import console, power_text, print_json, print_table, progress
from boardgames_cli.shared_options import AsJson, GameArgument, Jobs, Seed

if TYPE_CHECKING:
    from boardgames_agents.arena.exact_outcomes import Optimum
    from boardgames_baselines.papers import PrintedOptima
    from boardgames_env import Game

    Optima = dict[str, list[Optimum]]


def optima(
    game: GameArgument,
    contests: Annotated[int, typer.Option(help="Contests of each tournament, at games that can cycle.")] = 10_000,
    seed: Seed = 0,
    jobs: Jobs = 1,
    as_json: AsJson = False,
) -> None:
    """Print how often a perfect player wins against players that err, beside the papers' figures."""
    from boardgames_baselines.papers import TABLE_1, TABLE_8_4
    from boardgames_env import make_game

    made = make_game(game)
    rows: list[dict[str, Any]] = []
    for each in [printed for printed in (TABLE_1, TABLE_8_4) if made.spec in printed.power] or [TABLE_1]:
        found = _optima_by_style(made, each, contests, seed, jobs)
        if as_json:
            rows.extend(_rows_of_challengers(made, each, found))
            continue
        _print_optima(made, each, found)
        console.print(
            f"from tournaments of {contests:,} contests, seed {seed}, with 95 % intervals: the game can cycle"
            if any(optimum.contests for some in found.values() for optimum in some)
            else "exact, by dynamic programming"
        )
    if as_json:
        print_json(rows)


def _optima_by_style(game: "Game", printed: "PrintedOptima", contests: int, seed: int, jobs: int) -> "Optima":
    """Return the results of each style of perfect play against the challengers of a printed table."""
    from boardgames_agents.arena.exact_outcomes import optimum
    from boardgames_agents.arena.turing import Challenger
    from boardgames_env.solve import solve

    challengers = [Challenger(name, e) for name, e in printed.errors.items()]
    # going by values alone differs from the uniform style only where a won contest need not end
    styles = ("uniform", "wise") if solve(game).acyclic else ("uniform", "wise", "values")
    found: Optima = {style: [] for style in styles}
    with progress("optima", len(styles) * len(challengers)) as bar:
        for style, optima in found.items():
            for each in challengers:
                optima.append(optimum(game, f"perfect(style={style!r})", each.spec(style), contests, seed, jobs))
                bar.step()
    return found


def _rows_of_challengers(game: "Game", printed: "PrintedOptima", found: "Optima") -> Iterator[dict[str, Any]]:
    """Yield a row for each style and challenger, and one for each printed figure."""
    for style, optima in found.items():
        for (name, e), each in zip(printed.errors.items(), optima, strict=True):
            interval = [each.power.low, each.power.high] if each.contests else None
            row = {"player": style, "challenger": name, "e": e, "power": each.power.value}
            yield {**row, "power_interval": interval, "contests": each.contests}
    for (name, e), power in zip(printed.errors.items(), printed.power.get(game.spec, ()), strict=False):
        yield {"player": printed.source, "challenger": name, "e": e, "power": power}


def _print_optima(game: "Game", printed: "PrintedOptima", found: "Optima") -> None:
    """Print one table: a row for each style of perfect play, and the paper's."""
    challengers = [f"{name}\ne = {e:.0%}" for name, e in printed.errors.items()]
    rows = [(style, *map(power_text, optima)) for style, optima in found.items()]
    if game.spec in printed.power:
        rows.append((f"paper ({printed.source})", *(f"{power:g}" for power in printed.power[game.spec])))
    title = f"Power at {game.spec}: % of contests that a perfect player wins"
    print_table(title, ("perfect player", *challengers), rows, figures=challengers)
