"""Leagues: every agent against every other at every game, kept in a folder from which a league can be taken up again.

A pair's contests are played in blocks, and every block draws its chances from [seed, a digest of the game and of both
players, number of the block]. So a block is the same whoever else is in the league, in one process or in many, and a
league with more games, agents or contests goes on from what a smaller one has left in the folder.

The folder holds the contests, in a match store whose name has a digest of the program that played them, and under
``runs/`` the learners that were trained. What another program has left there stays where it is, and does not count.
"""

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations
from pathlib import Path
from platform import node
from typing import Any

from boardgames_agents.arena.match_store import MatchStore
from boardgames_agents.arena.tournament import Tournament, tournament
from boardgames_agents.experiments.program import program
from boardgames_agents.experiments.runner import ONE_PROCESS, Progress, Workers, no_progress, run_batches
from boardgames_agents.league.entrants import Entrant, Field, fields_of
from boardgames_agents.policy import Policy, Snapshot
from boardgames_agents.record import Record
from boardgames_agents.registry import make_player
from boardgames_agents.training.run import RunConfig, load_run, make_learner
from boardgames_agents.training.sweep import Training, train_all
from boardgames_env import Game, make_game
from boardgames_env.errors import BadInputError, require

BLOCK = 50
"""Contests of a block: the most that is lost when a league is killed. Even, so that both players have both seats."""


@dataclass(frozen=True)
class League:
    """Everything that settles what a league comes to.

    Attributes:
        games: The games' specs.
        entrants: Who plays.
        contests: Contests of each pair at each game.
        seed: Settles every chance.

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
class Player:
    """An entrant at one game, ready to play.

    Attributes:
        name: What tables call it.
        spec: What the store knows it by; a trained one's has the way from the league's folder.
        maker: The spec that makes it; a trained one's is the learner's.
        origin: `Policy.origin`.
        learned: A trained one's skill: it travels with the block, and no file is read where that is played.
    """

    name: str
    spec: str
    maker: str
    origin: str = ""
    learned: Snapshot | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Block:
    """Contests of a pair at a game: a piece of work.

    Attributes:
        game: The game's spec.
        a: The player who has seat 0 in the first contest.
        b: The other.
        seed: The whole numbers that settle every chance.
        contests: How many.
    """

    game: str
    a: Player
    b: Player
    seed: tuple[int, ...]
    contests: int

    @property
    def key(self) -> tuple[str, str, str, tuple[int, ...]]:
        """What the store knows it by."""
        return self.game, self.a.spec, self.b.spec, self.seed

    def description(self) -> dict[str, Any]:
        """Return game, players, seed and number of contests."""
        players = [[player.maker, player.origin] for player in (self.a, self.b)]
        return {"kind": "contests", "game": self.game, "players": players, "seed": self.seed, "contests": self.contests}

    def run(self) -> Tournament:
        """Play it, with players made anew: what they work out about positions is timed once in every block."""
        game = make_game(self.game)
        players = (_made(game, self.a), _made(game, self.b))
        return tournament(game, *players, self.contests, self.seed, records=True)


def _made(game: Game, player: Player) -> Policy:
    if player.learned is not None:
        learner = make_learner(player.maker, game)
        learner.restore(player.learned)
        policy = learner.frozen()
        policy.origin = player.origin
    else:
        policy = make_player(player.maker, game)
        if policy.origin != player.origin:
            raise BadInputError(f"{player.spec} is made from another file on {node()} than where the league began")
    policy.spec = player.spec
    return policy


@dataclass(frozen=True)
class Played:
    """What has been played at a game.

    Attributes:
        field: Who was entered there.
        players: Those who could play.
        pairs: Every pair, with the records of its contests: the first of the pair has seat 0 in the contests 0, 2, …
    """

    field: Field
    players: tuple[Player, ...]
    pairs: tuple[tuple[Player, Player, tuple[Record, ...]], ...]


def play(
    league: League,
    folder: Path,
    workers: Workers = ONE_PROCESS,
    progress: Progress = no_progress,
) -> tuple[Played, ...]:
    """Train and play all that the folder does not hold yet.

    Args:
        league: The league.
        folder: Its folder; made if it is not there.
        workers: Who trains and plays.
        progress: Makes a progress bar.

    Returns:
        What has been played at each game; the same whoever the workers are, and however often the league was stopped
        and taken up again.

    Raises:
        BadInputError: If the league cannot be played (see `fields_of`), or the folder is damaged or cannot be
            written to.
    """
    fields = fields_of(league.games, league.entrants)
    store = MatchStore(store_path(folder))
    trainings = [
        training
        for field in fields
        for entrant in field.entered
        if (training := _training(folder, field, entrant)) is not None
    ]
    with progress("training", len(trainings)) as bar:
        train_all(trainings, workers, bar.step)
    rosters = [tuple(_player(folder, field, entrant) for entrant in field.entered) for field in fields]
    blocks = [list(_blocks(league, field, roster)) for field, roster in zip(fields, rosters, strict=True)]
    missing = [block for field, each in zip(fields, blocks, strict=True) for block in _missing(store, field, each)]
    with progress("contests", sum(block.contests for block in missing)) as bar:
        for done in run_batches(missing, workers):
            store.add_all([played for _, played in done])
            for _ in range(sum(len(played.records) for _, played in done)):
                bar.step()
    return tuple(
        Played(field, roster, _pairs(store, field, each))
        for field, roster, each in zip(fields, rosters, blocks, strict=True)
    )


def store_path(folder: Path) -> Path:
    """The league's match store: that of this program."""
    return folder / f"contests-{program().digest}.sqlite"


def _run_folder(config: RunConfig) -> str:
    """Where a run is, from the league's folder: another recipe has another, and so has another program."""
    settled = [program().digest, asdict(config)]
    recipe = hashlib.sha256(json.dumps(settled, sort_keys=True).encode()).hexdigest()[:12]
    name = "".join(letter if letter.isalnum() else "_" for letter in f"{config.game}-{config.learner}")
    return f"runs/{name[:60]}-{recipe}"


def _training(folder: Path, field: Field, entrant: Entrant) -> Training | None:
    config = entrant.config(field.game)
    return None if config is None else Training(folder.resolve() / _run_folder(config), config)


def _player(folder: Path, field: Field, entrant: Entrant) -> Player:
    game = make_game(field.game)
    config = entrant.config(field.game)
    if config is None:
        policy = make_player(entrant.agent, game)
        return Player(entrant.name, policy.spec, policy.spec, policy.origin)
    place = _run_folder(config)
    learner = load_run(folder / place).learner
    return Player(entrant.name, f"trained(run={place!r})", config.learner, learner.snapshot().digest, learner.skill())


def _blocks(league: League, field: Field, roster: Sequence[Player]) -> Iterator[Block]:
    """All blocks at a game. In which order agents were named, and where they were trained, does not matter."""
    for a, b in combinations(sorted(roster, key=lambda player: (player.maker, player.origin)), 2):
        settled = [field.game, a.maker, a.origin, b.maker, b.origin]
        pair = int(hashlib.sha256(json.dumps(settled).encode()).hexdigest()[:8], 16)
        for number, first in enumerate(range(0, league.contests, BLOCK)):
            contests = min(BLOCK, league.contests - first)
            yield Block(field.game, a, b, (league.seed, pair, number), contests)


def _stored(store: MatchStore, field: Field) -> dict[tuple[str, str, str, tuple[int, ...]], Tournament]:
    """The longest tournament that the store has of each block: a shorter one is the beginning of it."""
    found: dict[tuple[str, str, str, tuple[int, ...]], Tournament] = {}
    for each in store.tournaments(field.game):
        key = (each.game, *each.players, each.seed)
        if key not in found or len(found[key].records) < len(each.records):
            found[key] = each
    return found


def _missing(store: MatchStore, field: Field, blocks: Sequence[Block]) -> Iterator[Block]:
    stored = _stored(store, field)
    for block in blocks:
        if block.key not in stored or len(stored[block.key].records) < block.contests:
            yield block


def _pairs(
    store: MatchStore, field: Field, blocks: Sequence[Block]
) -> tuple[tuple[Player, Player, tuple[Record, ...]], ...]:
    stored = _stored(store, field)
    pairs: dict[tuple[Player, Player], list[Record]] = {}
    for block in blocks:
        pairs.setdefault((block.a, block.b), []).extend(stored[block.key].records[: block.contests])
    return tuple((*pair, tuple(records)) for pair, records in pairs.items())
