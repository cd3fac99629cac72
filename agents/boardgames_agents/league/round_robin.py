"""Leagues: every agent against every other at every game, resumed from a folder.

The contests of a pair are played in blocks. A block is seeded with [seed, digest of the game and of both players,
number of the block], so it is the same whoever else is in the league and in however many processes it is played, and a
league with more games, agents or contests goes on from the results of a smaller one.

The folder holds the contests, in a match store whose name has a digest of the program that played them, and under
``runs/`` the trained learners. Contests and runs of another program stay there and are not counted.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from itertools import combinations
from pathlib import Path
from typing import Any

from boardgames_agents.arena.match_store import MatchStore
from boardgames_agents.arena.tournament import Tournament, tournament
from boardgames_agents.experiments.job import Job
from boardgames_agents.experiments.program import program
from boardgames_agents.experiments.runner import ONE_PROCESS, Progress, Workers, no_progress, run_missing
from boardgames_agents.league.entrants import Entrant, GameEntrants, LeaguePlayer, entrants_by_game
from boardgames_agents.league.standings import BLOCK, Pair, Standings, standings_of
from boardgames_agents.record import Record
from boardgames_agents.registry import make_player
from boardgames_agents.training.run import RunConfig, load_run
from boardgames_agents.training.sweep import TrainingJob, train_all
from boardgames_env import make_game
from boardgames_env.errors import require


@dataclass(frozen=True)
class League:
    """Everything that determines the results of a league.

    Attributes:
        games: The specs of the games.
        entrants: Who plays.
        contests: Contests of each pair at each game.
        seed: Random seed; the same seed gives the same contests.

    Raises:
        BadInputError: If a number is not allowed.
    """

    games: tuple[str, ...]
    entrants: tuple[Entrant, ...]
    contests: int = 100
    seed: int = 0

    def __post_init__(self) -> None:
        require(1, contests=self.contests)
        require(0, seed=self.seed)


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


def play(
    league: League, folder: Path, workers: Workers = ONE_PROCESS, progress: Progress = no_progress
) -> tuple[Standings, ...]:
    """Train the learners and play the contests that are not in the folder yet, which is made if need be.

    Returns:
        The standings at each game: but for times the same for any workers, and however often the league was stopped.

    Raises:
        BadInputError: If the league cannot be played (see `entrants_by_game`), or the folder is damaged or cannot be
            written to.
    """
    entered = entrants_by_game(league.games, league.entrants)
    store = BlockStore(store_path(folder), [each.game for each in entered])
    trainings = [
        TrainingJob(folder.resolve() / _run_folder(config), config)
        for each in entered
        for entrant in each.entered
        if (config := entrant.config(each.game)) is not None
    ]
    with progress("training", len(trainings)) as bar:
        train_all(trainings, workers, bar.step)
    blocks = [list(_blocks(league, folder, each)) for each in entered]
    played = run_missing(
        [job for jobs in blocks for job in jobs],
        store,
        workers,
        partial(progress, "contests"),
        steps=lambda job: job.contests,
    )
    return tuple(standings_of(each, _pairs(played, jobs)) for each, jobs in zip(entered, blocks, strict=True))


def store_path(folder: Path) -> Path:
    """Return the match store of a league's folder for this program."""
    return folder / f"contests-{program().digest}.sqlite"


def ignored_stores(folder: Path) -> list[Path]:
    """Return the match stores that other versions of the program have left in a league's folder."""
    return sorted({*folder.glob("contests-*.sqlite")} - {store_path(folder)})


def _run_folder(config: RunConfig) -> str:
    """Return the path of a run from the league's folder, another one for another training or program."""
    settled = [program().digest, asdict(config)]
    digest = hashlib.sha256(json.dumps(settled, sort_keys=True).encode()).hexdigest()[:12]
    name = "".join(letter if letter.isalnum() else "_" for letter in f"{config.game}-{config.learner}")
    return f"runs/{name[:60]}-{digest}"


def _player(folder: Path, game: str, entrant: Entrant) -> LeaguePlayer:
    config = entrant.config(game)
    if config is None:
        policy = make_player(entrant.agent, make_game(game))
        return LeaguePlayer(entrant.name, policy.spec, policy.spec, policy.origin)
    place = _run_folder(config)
    learner = load_run(folder / place).learner
    origin = learner.snapshot().digest
    return LeaguePlayer(entrant.name, f"trained(run={place!r})", config.learner, origin, learner.skill())


def _blocks(league: League, folder: Path, entrants: GameEntrants) -> Iterator[BlockJob]:
    """Yield all blocks at a game, independent of the order of the agents and of where they were trained."""
    roster = [_player(folder, entrants.game, each) for each in entrants.entered]
    for a, b in combinations(sorted(roster, key=lambda player: (player.maker, player.origin)), 2):
        settled = [entrants.game, a.maker, a.origin, b.maker, b.origin]
        pair = int(hashlib.sha256(json.dumps(settled).encode()).hexdigest()[:8], 16)
        for number, first in enumerate(range(0, league.contests, BLOCK)):
            contests = min(BLOCK, league.contests - first)
            yield BlockJob(entrants.game, a, b, (league.seed, pair, number), contests)


def _pairs(played: Mapping[Job[Tournament], Tournament], blocks: Sequence[BlockJob]) -> list[Pair]:
    pairs: dict[tuple[LeaguePlayer, LeaguePlayer], list[Record]] = {}
    for block in blocks:
        pairs.setdefault((block.a, block.b), []).extend(played[block].records[: block.contests])
    return [(*pair, tuple(records)) for pair, records in pairs.items()]
