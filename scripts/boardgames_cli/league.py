"""`boardgames league`: every agent against every other."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from boardgames_cli.dataclass_options import WORKERS, Given, takes
from boardgames_cli.printing import console, print_json, print_report, progress
from boardgames_cli.shared_options import AsJson, Save, demand_record_name, replay_command

if TYPE_CHECKING:
    from boardgames_agents.experiments.runner import Workers
    from boardgames_agents.league.round_robin import League
    from boardgames_agents.league.standings import Standings

_BRACKETS = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}


@takes("boardgames_agents.league.round_robin:League", WORKERS, without=("games", "entrants"))
def league(
    given: "Given[League]",
    workers: "Workers",
    games: Annotated[
        list[str] | None, typer.Argument(help="Games; by default those of the league file.", metavar="GAME...")
    ] = None,
    agents: Annotated[
        list[str] | None, typer.Option(help="Agents with commas between, such as 'random,fallible(e=0.1)'; repeatable.")
    ] = None,
    file: Annotated[
        Path | None, typer.Option(help="A league file (TOML or JSON): games, and agents with their trainings.")
    ] = None,
    folder: Annotated[Path | None, typer.Option(help="Folder of the league; by default one under runs/.")] = None,
    save: Save = None,
    publish: Annotated[Path | None, typer.Option(help="A documentation folder to write the tables to as well.")] = None,
    as_json: AsJson = False,
) -> None:
    """Let every agent play every other at every game; the same command again resumes a league that was stopped."""
    from boardgames_agents.arena.match_store import MatchStore
    from boardgames_agents.league.league_file import read_league
    from boardgames_agents.league.league_tables import console_report, publish_league, write_league
    from boardgames_agents.league.round_robin import League, ignored_stores, play, store_path
    from boardgames_agents.record import write_records

    demand_record_name(save)
    asked = _changed_league(read_league(file) if file else League((), ()), games, agents, given)
    name = file.stem if file else "league"
    place = folder or Path("runs") / "leagues" / name
    if ignored_stores(place) and not as_json:
        console.print(
            f"{place} also holds contests played by another version of the program, which are not counted",
            soft_wrap=True,
        )
    found = play(asked, place, workers, progress)
    write_league(asked, found, place)
    if save:
        write_records(save, MatchStore(store_path(place)).records())
    if publish:
        publish_league(asked, found, publish, name)
    if as_json:
        print_json(_rows_of_agents(found))
        return
    print_report(console_report(found))
    console.print(f"tables and curves are in {place}", soft_wrap=True)
    if save:
        console.print(f"the contests are in {save}; look at one:\n  {replay_command(save)}", soft_wrap=True)
    if publish:
        console.print(f"tables are in {publish / 'data' / name}, too", soft_wrap=True)


def _changed_league(
    league: "League", games: list[str] | None, agents: list[str] | None, given: "Given[League]"
) -> "League":
    """Return a league with these games, if any are given, with agents added, and with other numbers."""
    from boardgames_agents.league.entrants import Entrant
    from boardgames_env import make_game

    entrants = list(league.entrants)
    if games:
        asked, entrants = {make_game(game).spec for game in games}, []
        league = replace(league, games=tuple(games))
        for each in league.entrants:  # (those that enter at other games only are left out)
            kept = tuple(game for game in each.games if make_game(game).spec in asked)
            if kept or not each.games:
                entrants.append(replace(each, games=kept))
    entrants += [Entrant(spec) for text in agents or () for spec in specs_in(text)]
    return replace(league, entrants=tuple(entrants), **given)


def _rows_of_agents(found: "Sequence[Standings]") -> "Iterator[dict[str, Any]]":
    """Yield a row for each agent at each game, the best first."""
    for game in found:
        for rank, each in enumerate(game.standings, start=1):
            named = {"game": game.game, "rank": rank, "agent": each.name, "spec": each.spec}
            rated = {"rating": each.rating.rating, "rating_error": each.rating.standard_error}
            yield {**named, **rated, **each.score.as_dict(), "median_seconds_per_decision": each.seconds}


def specs_in(text: str) -> Iterator[str]:
    """Split a text at the commas outside brackets and quotes."""
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
