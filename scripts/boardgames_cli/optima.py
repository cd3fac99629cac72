"""`boardgames optima`: how often a perfect player wins against players that err."""

from typing import TYPE_CHECKING, Annotated

import typer

from boardgames_cli.printing import console, power_text, print_table, progress, table
from boardgames_cli.shared_options import GameArgument, Jobs, Seed

if TYPE_CHECKING:
    from boardgames_baselines.papers import PrintedOptima
    from boardgames_env import Game


def optima(
    game: GameArgument,
    contests: Annotated[int, typer.Option(help="Contests of each tournament, at games that can cycle.")] = 10_000,
    seed: Seed = 0,
    jobs: Jobs = 1,
) -> None:
    """Print how often a perfect player wins against players that err, beside the papers' figures."""
    from boardgames_baselines.papers import TABLE_1, TABLE_8_4
    from boardgames_env import make_game

    made = make_game(game)
    printed = [each for each in (TABLE_1, TABLE_8_4) if made.spec in each.power]
    for each in printed or [TABLE_1]:
        _print_optima(made, each, contests, seed, jobs)


def _print_optima(game: "Game", printed: "PrintedOptima", contests: int, seed: int, jobs: int) -> None:
    """Print one table: a row for each style of perfect play, and the paper's."""
    from boardgames_agents.arena.optima import optimum
    from boardgames_agents.arena.turing import Challenger
    from boardgames_env.solve import solve

    challengers = {f"{name}\ne = {e:.0%}": Challenger(name, e) for name, e in printed.errors.items()}
    # going by values alone differs from the uniform style only where a won contest need not end
    styles = ("uniform", "wise") if solve(game).acyclic else ("uniform", "wise", "values")
    rows, exact = [], True
    with progress("optima", len(styles) * len(challengers)) as bar:
        for style in styles:
            found = []
            for challenger in challengers.values():
                found.append(optimum(game, f"perfect(style={style!r})", challenger.spec(style), contests, seed, jobs))
                bar.step()
            exact = exact and not any(each.contests for each in found)
            rows.append((style, *map(power_text, found)))
    if game.spec in printed.power:
        rows.append((f"paper ({printed.source})", *(f"{power:g}" for power in printed.power[game.spec])))
    title = f"Maximal power at {game.spec}: % of contests that a perfect player wins"
    print_table(table(title, ("perfect player", *challengers), rows, right=[*challengers]))
    console.print(
        "exact, by dynamic programming"
        if exact
        else f"from tournaments of {contests:,} contests, seed {seed}, with 95 % intervals: the game can cycle"
    )
