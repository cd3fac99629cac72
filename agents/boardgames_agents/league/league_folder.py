"""The folder of a league: the contests of every pair, and the results of those that have been played.

``league.json`` is written when a league begins; the contests are in a match store, whose name has a digest of the
program that plays them. Whoever shows a league reads both, while it is played, too.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

from boardgames_agents.arena.match_store import MatchStore
from boardgames_agents.arena.tournament import Tournament, tournament
from boardgames_agents.experiments.job import Job
from boardgames_agents.league.entrants import LeaguePlayer, Roster
from boardgames_agents.league.standings import BLOCK, Pair, Standings, standings_of
from boardgames_agents.record import Record
from boardgames_env import make_game
from boardgames_env.errors import BadInputError
from boardgames_env.files import FileKind, checksum
from boardgames_env.json_file import read_json, write_json

_SCHEDULE = "league.json"
_SCHEDULE_KIND = FileKind("a league", "run the league again")


@dataclass(frozen=True)
class BlockJob:
    """A block of contests of a pair, of whom a has seat 0 first; see `boardgames_agents.experiments.job.Job`."""

    game: str
    a: LeaguePlayer
    b: LeaguePlayer
    seed: tuple[int, ...]
    contests: int

    def description(self) -> dict[str, Any]:
        """Return game, players, seed and number of contests."""
        players = [[player.maker, player.origin] for player in (self.a, self.b)]
        return {"kind": "block", "game": self.game, "players": players, "seed": self.seed, "contests": self.contests}

    def run(self) -> Tournament:
        """Play the contests with new players, so that times do not depend on earlier blocks."""
        game = make_game(self.game)
        return tournament(game, self.a.make(game), self.b.make(game), self.contests, self.seed, records=True)


class BlockStore:
    """The match store of a league as a store of blocks.

    The beginning of a stored block is the result of a shorter one.

    Raises:
        BadInputError: If the file is not a match store or is damaged.
    """

    def __init__(self, path: Path, games: Sequence[str]) -> None:
        self._store = MatchStore(path)
        self._longest: dict[tuple[object, ...], Tournament] = {}
        for each in self._store.tournaments():
            if each.game in games:
                self._keep(each)

    def find(self, job: BlockJob) -> Tournament | None:
        """Return a stored tournament that begins with the contests of a block."""
        found = self._longest.get((job.game, job.a.spec, job.b.spec, job.seed))
        return found if found and len(found.records) >= job.contests else None

    def add_all(self, done: Sequence[tuple[BlockJob, Tournament]]) -> None:
        """Store the tournaments of blocks."""
        self._store.add(*(played for _, played in done))
        for _, played in done:
            self._keep(played)

    def _keep(self, played: Tournament) -> None:
        key = (played.game, *played.players, played.seed)
        if key not in self._longest or len(self._longest[key].records) < len(played.records):
            self._longest[key] = played


@dataclass(frozen=True)
class Schedule:
    """All contests of a league.

    Attributes:
        program: Digest of the program that plays them.
        contests: Number of contests of each pair at each game.
        seed: Base seed.
        rosters: Who plays, a roster for each game.
    """

    program: str
    contests: int
    seed: int
    rosters: tuple[Roster[LeaguePlayer], ...]

    def roster(self, game: str) -> Roster[LeaguePlayer]:
        """Return the players of a game; raise `BadInputError` if the league does not play it."""
        for each in self.rosters:
            if each.game == game:
                return each
        raise BadInputError(f"this league does not play {game}")

    def blocks(self, roster: Roster[LeaguePlayer]) -> Iterator[BlockJob]:
        """Yield all blocks at a game, independent of the order of the agents and of where they were trained."""
        for a, b in combinations(sorted(roster.players, key=lambda player: (player.maker, player.origin)), 2):
            settled = [roster.game, a.maker, a.origin, b.maker, b.origin]
            pair = int(hashlib.sha256(json.dumps(settled).encode()).hexdigest()[:8], 16)
            for number, first in enumerate(range(0, self.contests, BLOCK)):
                contests = min(BLOCK, self.contests - first)
                yield BlockJob(roster.game, a, b, (self.seed, pair, number), contests)

    def standings(self, roster: Roster[LeaguePlayer], played: Mapping[Job[Tournament], Tournament]) -> Standings:
        """Return the standings at a game from the blocks that have been played; others are left out.

        Raises:
            BadInputError: If they do not link all players.
        """
        pairs: dict[tuple[LeaguePlayer, LeaguePlayer], list[Record]] = {}
        for block in self.blocks(roster):
            if block in played:
                pairs.setdefault((block.a, block.b), []).extend(played[block].records[: block.contests])
        return standings_of(roster, [Pair(*players, tuple(records)) for players, records in pairs.items()])


@dataclass(frozen=True)
class LeagueResults:
    """The results of the contests of a league that have been played.

    Attributes:
        standings: The standings at each game that has contests enough to rate players by.
        is_finished: Whether all contests have been played.
    """

    standings: tuple[Standings, ...]
    is_finished: bool


def store_of(folder: Path, program: str) -> Path:
    """Return the match store in a league's folder of the program with a digest."""
    return folder / f"contests-{program}.sqlite"


def holds_league(folder: Path) -> bool:
    """Return whether there is a league in a folder, finished or not."""
    return (folder / _SCHEDULE).is_file()


def write_schedule(schedule: Schedule, folder: Path) -> None:
    """Write ``league.json``."""
    write_json(folder / _SCHEDULE, _data_of(schedule), indent=1)


def _data_of(schedule: Schedule) -> dict[str, Any]:
    return {
        "program": schedule.program,
        "contests": schedule.contests,
        "seed": schedule.seed,
        "games": [
            {
                "game": each.game,
                "players": [[player.name, player.spec, player.maker, player.origin] for player in each.players],
                "left_out": dict(each.left_out),
                "untrained": list(each.untrained),
            }
            for each in schedule.rosters
        ],
    }


def read_schedule(folder: Path) -> Schedule:
    """Return what a league's folder has in ``league.json``.

    Raises:
        BadInputError: If it is damaged, or there is none.
    """
    path = folder / _SCHEDULE
    if not path.exists():
        raise BadInputError(f"{folder} holds no league")
    data = read_json(path, _SCHEDULE_KIND)
    with _SCHEDULE_KIND.reading(path):
        rosters = tuple(
            Roster(
                each["game"],
                tuple(LeaguePlayer(*player) for player in each["players"]),
                each["left_out"],
                tuple(each["untrained"]),
            )
            for each in data["games"]
        )
        if not data["program"].isalnum():
            raise ValueError(f"program={data['program']!r}")
        return Schedule(data["program"], data["contests"], data["seed"], rosters)


def state_of(folder: Path) -> object:
    """Return something that changes whenever the results in a league's folder do.

    Raises:
        BadInputError: If ``league.json`` is damaged, or there is none.
    """
    schedule = read_schedule(folder)
    path = store_of(folder, schedule.program)
    return checksum(_data_of(schedule)), path.stat().st_mtime_ns if path.is_file() else 0


def read_results(folder: Path) -> LeagueResults:
    """Return the results of the contests in a league's folder.

    Raises:
        BadInputError: If a file is damaged, or there is no league.
    """
    schedule = read_schedule(folder)
    path = store_of(folder, schedule.program)
    if not path.is_file():
        return LeagueResults((), is_finished=False)
    store = BlockStore(path, [each.game for each in schedule.rosters])
    jobs = [job for roster in schedule.rosters for job in schedule.blocks(roster)]
    played: dict[Job[Tournament], Tournament] = {job: found for job in jobs if (found := store.find(job))}
    begun = {job.game for job in jobs if job in played}
    standings = tuple(schedule.standings(each, played) for each in schedule.rosters if each.game in begun)
    return LeagueResults(standings, is_finished=len(played) == len(jobs))


def contests_between(folder: Path, game: str, a: str, b: str) -> list[Record]:
    """Return the contests of a league between two players, by their names, as far as they have been played.

    Raises:
        BadInputError: If a file is damaged, or the league has no such game or player.
    """
    schedule = read_schedule(folder)
    roster = schedule.roster(game)
    pair = {roster.player(a), roster.player(b)}
    counted = {
        (*block.seed, number): None
        for block in schedule.blocks(roster)
        if {block.a, block.b} == pair
        for number in range(block.contests)
    }
    path = store_of(folder, schedule.program)
    specs = [player.spec for player in pair]
    stored = MatchStore(path).records_between(game, specs[0], specs[-1]) if path.is_file() else []
    found = {record.seed: record for record in stored}
    return [found[seed] for seed in counted if seed in found]
