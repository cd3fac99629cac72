"""`boardgames match`, `optima` and `ratings`: agents against agents."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from boardgames_cli.inspect_games import GameArgument
from boardgames_cli.printing import console, progress, table

if TYPE_CHECKING:
    from boardgames_agents.arena.tournament import Tournament
    from boardgames_baselines.papers import PrintedOptima
    from boardgames_env import Game

Seed = Annotated[int, typer.Option(help="Settles every chance; the same seed gives the same contests.")]
Jobs = Annotated[int, typer.Option(help="Processes to play in.")]
Contests = Annotated[int, typer.Option(help="How many contests; the seats alternate.")]


def match(
    game: GameArgument,
    a: Annotated[str, typer.Argument(help="An agent, such as perfect or 'fallible(e=0.1)'.", metavar="A")],
    b: Annotated[str, typer.Argument(help="The agent it meets.", metavar="B")],
    contests: Contests = 1000,
    seed: Seed = 0,
    jobs: Jobs = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print the score as JSON.")] = False,
    store: Annotated[Path | None, typer.Option(help="An SQLite match store to add the contests to.")] = None,
    save: Annotated[
        Path | None, typer.Option(help="A match file (.mat) to write the contests to, at backgammon.")
    ] = None,
) -> None:
    """Play a tournament between two agents and print A's power, reliability and points with 95 % intervals."""
    from boardgames_agents.arena.match_store import MatchStore
    from boardgames_agents.arena.tournament import tournament
    from boardgames_agents.registry import make_agent
    from boardgames_env import make_game
    from boardgames_env.games.backgammon.legality import demand_backgammon

    made = make_game(game)
    if save:
        demand_backgammon(made)
    for spec in (a, b):
        make_agent(spec, made)  # before anything is written
    matches = MatchStore(store) if store else None
    with progress(f"{a} v. {b}", contests, " contests") as bar:
        played = tournament(made, a, b, contests, seed, jobs=jobs, on_contest=bar.step, records=bool(store or save))
    if matches:
        matches.add(played)
    if save:
        _save(save, made, played)
    if as_json:
        print(json.dumps({"game": made.spec, "a": a, "b": b, "seed": seed, **played.score.as_dict()}, indent=2))
        return
    score = played.score
    rows = table(
        f"{made.spec}: {a} v. {b}, {contests:,} contests, seed {seed}",
        *("", "won", "drawn", "lost", "power %", "reliability %"),
        right=("won", "drawn", "lost", "power %", "reliability %"),
    )
    for name, each in ((a, score), (b, score.reversed())):
        rows.add_row(
            name,
            *(f"{count:,}" for count in (each.wins, each.draws, each.losses)),
            with_interval(each.power, each.power_interval),
            with_interval(each.reliability, each.reliability_interval),
        )
    console.print(rows)
    if score.has_multiple_points:
        console.print(f"points per contest of {a}: {score.points_text}", highlight=False)
    console.print(
        f"{score.plies / contests:.1f} plies a contest; {a} decides in {score.seconds_per_decision * 1e6:,.0f} µs",
        highlight=False,
    )


def _save(path: Path, game: "Game", played: "Tournament") -> None:
    """Write a tournament as a money session: A in the left column of every contest, whatever its seat was."""
    from boardgames_agents.arena.tournament import seat_of_a
    from boardgames_env.games.backgammon.match_file import Match, seats_exchanged, write_match

    contests = [
        record if seat_of_a(number) == 0 else seats_exchanged(record) for number, record in enumerate(played.records)
    ]
    write_match(path, Match(game, played.players, contests))


def with_interval(value: float, interval: tuple[float, float]) -> str:
    """A percentage and its 95 % interval."""
    low, high = interval
    return f"{value:.2f} ({low:.1f}–{high:.1f})"


def optima(
    game: GameArgument,
    contests: Annotated[int, typer.Option(help="Contests of each tournament, where the game can cycle.")] = 10_000,
    seed: Seed = 0,
    jobs: Jobs = 1,
) -> None:
    """Print maximal power, a perfect player's against players that err, beside the papers' figures."""
    from boardgames_baselines.papers.hoyle_tutorial.printed import TABLE_8_4
    from boardgames_baselines.papers.ideal_trainer.printed import TABLE_1
    from boardgames_env import make_game

    made = make_game(game)
    printed = [each for each in (TABLE_1, TABLE_8_4) if made.spec in each.power]
    for each in printed or [TABLE_1]:
        _print_optima(made, each, contests, seed, jobs)


def _print_optima(game: "Game", printed: "PrintedOptima", contests: int, seed: int, jobs: int) -> None:
    """One table: a row for each style of perfect play, and the paper's."""
    from boardgames_agents.arena.optima import optimum
    from boardgames_agents.arena.turing import Challenger
    from boardgames_env.solve import solve

    challengers = [Challenger(name, e) for name, e in printed.errors.items()]
    # going by values alone differs from the uniform style only where a won contest need not end
    styles = ("uniform", "wise") if solve(game).acyclic else ("uniform", "wise", "values")
    rows = table(
        f"Maximal power at {game.spec}: % of contests that a perfect player wins",
        "perfect player",
        *(headings := [f"{each.name}\ne = {each.e:.0%}" for each in challengers]),
        right=tuple(headings),
    )
    exact = True
    with progress("optima", len(styles) * len(challengers)) as bar:
        for style in styles:
            found = []
            for challenger in challengers:
                found.append(optimum(game, f"perfect(style={style!r})", challenger.spec(style), contests, seed, jobs))
                bar.step()
            exact = exact and not any(each.contests for each in found)
            rows.add_row(
                style,
                *(
                    with_interval(each.power.value, (each.power.low, each.power.high))
                    if each.contests
                    else f"{each.power.value:.2f}"
                    for each in found
                ),
            )
    if game.spec in printed.power:
        rows.add_row(f"paper ({printed.source})", *(f"{power:g}" for power in printed.power[game.spec]))
    console.print(rows)
    console.print(
        "exact, by dynamic programming"
        if exact
        else f"from tournaments of {contests:,} contests, seed {seed}, with 95 % intervals: the game can cycle"
    )


def ratings(
    store: Annotated[Path, typer.Argument(help="A match store that `match --store` has written.", metavar="STORE")],
    game: GameArgument,
) -> None:
    """Rate the agents whose contests a match store holds."""
    from boardgames_agents.arena.match_store import MatchStore
    from boardgames_agents.arena.ratings import rate
    from boardgames_env import BadInputError, make_game

    played = make_game(game).spec
    if not store.exists():
        raise BadInputError(f"{store} does not exist; it must be a match store that `boardgames match --store` wrote")
    rated = rate(MatchStore(store).standings(played))
    rows = table(
        f"Ratings at {played} (Bradley–Terry with Davidson's draws)", "agent", "rating", "±", right=("rating", "±")
    )
    for player in rated.players:
        rows.add_row(player.name, f"{player.rating:+.0f}", f"{player.standard_error:.0f}")
    console.print(rows)


COMMANDS = (match, optima, ratings)
