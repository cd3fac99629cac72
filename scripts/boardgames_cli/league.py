"""`boardgames league`: every agent against every other."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from boardgames_cli.matches import Jobs
from boardgames_cli.printing import console, print_wide, progress, table
from boardgames_cli.sweeps import Address, Backend, workers_of

if TYPE_CHECKING:
    from boardgames_agents.league.entrants import Entrant
    from boardgames_agents.league.league import League
    from boardgames_agents.league.tables import Table

_BRACKETS = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}


def league(
    games: Annotated[
        list[str] | None, typer.Argument(help="Games; by default those of the league file.", metavar="GAME...")
    ] = None,
    agents: Annotated[
        list[str] | None, typer.Option(help="Agents with commas between, such as 'random,fallible(e=0.1)'; repeatable.")
    ] = None,
    file: Annotated[
        Path | None, typer.Option(help="A league file (TOML or JSON): games, and agents with how to train them.")
    ] = None,
    contests: Annotated[int | None, typer.Option(help="Contests of each pair at each game; by default 100.")] = None,
    seed: Annotated[int | None, typer.Option(help="Settles every chance; by default 0.")] = None,
    jobs: Jobs = 1,
    backend: Backend = "joblib",
    address: Address = "",
    folder: Annotated[Path | None, typer.Option(help="The league's folder; by default one under runs/.")] = None,
    publish: Annotated[Path | None, typer.Option(help="A documentation folder to write the tables to as well.")] = None,
) -> None:
    """Let every agent play every other at every game; the same command again goes on where the last one was stopped."""
    from boardgames_agents.league.league import play
    from boardgames_agents.league.report import publish as write_documentation
    from boardgames_agents.league.report import write
    from boardgames_agents.league.standings import standings_of
    from boardgames_agents.league.tables import cross_table, notes_of, standings_table, winners_table

    asked = _asked(games or [], agents or [], file, contests, seed)
    name = file.stem if file else "league"
    place = folder or Path("runs") / "leagues" / name
    found = [standings_of(each) for each in play(asked, place, workers_of(jobs, backend, address), progress)]
    write(asked, found, place)
    if publish:
        write_documentation(asked, found, publish, name)
    for each in found:
        _print(standings_table(each))
        _print(cross_table(each))
    _print(winners_table(found))
    for note in notes_of(found):
        console.print(note, highlight=False)
    console.print(f"tables, page and curves are in {place}", soft_wrap=True, highlight=False)
    if publish:
        console.print(f"tables and picture are in {publish / 'data' / name}, too", soft_wrap=True, highlight=False)


def _asked(games: list[str], agents: list[str], file: Path | None, contests: int | None, seed: int | None) -> "League":
    """The league of the file, if there is one, changed by what else was said."""
    from dataclasses import replace

    from boardgames_agents.league.entrants import Entrant
    from boardgames_agents.league.file import read_league
    from boardgames_agents.league.league import League

    asked = read_league(file) if file else League((), ())
    if games:
        found = (_entrant_at(each, games) for each in asked.entrants)
        asked = replace(asked, games=tuple(games), entrants=tuple(each for each in found if each))
    entrants = tuple(Entrant(spec) for text in agents for spec in specs_in(text))
    return replace(
        asked,
        entrants=(*asked.entrants, *entrants),
        contests=asked.contests if contests is None else contests,
        seed=asked.seed if seed is None else seed,
    )


def _entrant_at(entrant: "Entrant", games: list[str]) -> "Entrant | None":
    """An entrant of the file where only these games are played; nobody, if it enters at others."""
    from dataclasses import replace

    from boardgames_env import make_game

    asked = {make_game(game).spec for game in games}
    kept = tuple(game for game in entrant.games if make_game(game).spec in asked)
    return replace(entrant, games=kept) if kept or not entrant.games else None


def specs_in(text: str) -> Iterator[str]:
    """Split at the commas that stand outside brackets and quotes."""
    spec, depth, quote = "", 0, ""
    for letter in text:
        if letter == "," and not depth and not quote:
            yield spec.strip()
            spec = ""
            continue
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        else:
            depth += _BRACKETS.get(letter, 0)
        spec += letter
    yield spec.strip()


def _print(shown: "Table") -> None:
    rows = table(shown.title, *shown.headings, right=shown.headings[shown.names :])
    for row in shown.rows:
        rows.add_row(*row)
    print_wide(rows)


COMMANDS = (league,)
