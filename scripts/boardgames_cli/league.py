"""`boardgames league`: every agent against every other."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from boardgames_cli.printing import console, print_json, print_report, progress
from boardgames_cli.shared_options import Address, AsJson, Backend, Jobs, Save, demand_record_name, takes

if TYPE_CHECKING:
    from boardgames_agents.league.entrants import Entrant
    from boardgames_agents.league.round_robin import League
    from boardgames_agents.league.standings import Standings

_BRACKETS = {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}


@dataclass(frozen=True)
class LeagueOptions:
    """The options of the command."""

    games: Annotated[
        list[str] | None, typer.Argument(help="Games; by default those of the league file.", metavar="GAME...")
    ] = None
    agents: Annotated[
        list[str] | None, typer.Option(help="Agents with commas between, such as 'random,fallible(e=0.1)'; repeatable.")
    ] = None
    file: Annotated[
        Path | None, typer.Option(help="A league file (TOML or JSON): games, and agents with their trainings.")
    ] = None
    contests: Annotated[int | None, typer.Option(help="Contests of each pair at each game; by default 100.")] = None
    seed: Annotated[int | None, typer.Option(help="Random seed; by default 0.")] = None
    jobs: Jobs = 1
    backend: Backend = "joblib"
    address: Address = ""
    folder: Annotated[Path | None, typer.Option(help="Folder of the league; by default one under runs/.")] = None
    save: Save = None
    publish: Annotated[Path | None, typer.Option(help="A documentation folder to write the tables to as well.")] = None
    as_json: AsJson = False

    @property
    def league(self) -> "League":
        """The league of the file, if there is one, changed by the other options."""
        from boardgames_agents.league.entrants import Entrant
        from boardgames_agents.league.league_file import read_league
        from boardgames_agents.league.round_robin import League

        asked = read_league(self.file) if self.file else League((), ())
        if self.games:
            found = (_entrant_at(each, self.games) for each in asked.entrants)
            asked = replace(asked, games=tuple(self.games), entrants=tuple(each for each in found if each))
        entrants = tuple(Entrant(spec) for text in self.agents or () for spec in specs_in(text))
        return replace(
            asked,
            entrants=(*asked.entrants, *entrants),
            contests=asked.contests if self.contests is None else self.contests,
            seed=asked.seed if self.seed is None else self.seed,
        )


@takes(LeagueOptions)
def league(options: LeagueOptions) -> None:
    """Let every agent play every other at every game; the same command again resumes a league that was stopped."""
    from boardgames_agents.arena.match_store import MatchStore
    from boardgames_agents.experiments.runner import Workers
    from boardgames_agents.league.league_tables import console_report
    from boardgames_agents.league.publish import publish_league, write_league
    from boardgames_agents.league.round_robin import ignored_stores, play, store_path
    from boardgames_agents.record import write_records

    demand_record_name(options.save)
    asked = options.league
    name = options.file.stem if options.file else "league"
    place = options.folder or Path("runs") / "leagues" / name
    workers = Workers(options.jobs, options.backend, options.address)
    if ignored_stores(place) and not options.as_json:
        console.print(
            f"{place} also holds contests played by another version of the program, which are not counted",
            soft_wrap=True,
        )
    found = play(asked, place, workers, progress)
    write_league(asked, found, place)
    if options.save:
        write_records(options.save, MatchStore(store_path(place)).records())
    if options.publish:
        publish_league(asked, found, options.publish, name)
    if options.as_json:
        print_json(_rows(found))
        return
    print_report(console_report(found))
    console.print(f"tables and curves are in {place}", soft_wrap=True)
    if options.publish:
        console.print(f"tables are in {options.publish / 'data' / name}, too", soft_wrap=True)


def _rows(found: "Sequence[Standings]") -> "Iterator[dict[str, Any]]":
    """Yield a row for each agent at each game, the best first."""
    for game in found:
        for rank, each in enumerate(game.standings, start=1):
            named = {"game": game.game, "rank": rank, "agent": each.name, "spec": each.spec}
            rated = {"rating": each.rating.rating, "rating_error": each.rating.standard_error}
            yield {**named, **rated, **each.score.as_dict(), "median_seconds_per_decision": each.seconds}


def _entrant_at(entrant: "Entrant", games: list[str]) -> "Entrant | None":
    """Return an entrant where only these games are played, ``None`` if it enters at others only."""
    from boardgames_env import make_game

    asked = {make_game(game).spec for game in games}
    kept = tuple(game for game in entrant.games if make_game(game).spec in asked)
    return replace(entrant, games=kept) if kept or not entrant.games else None


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
