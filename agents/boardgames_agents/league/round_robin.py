"""Leagues: every agent against every other at every game, resumed from a folder.

The contests of a pair are played in blocks. A block is seeded with [seed, digest of the game and of both players,
number of the block], so it is the same whoever else is in the league and in however many processes it is played, and a
league with more games, agents or contests goes on from the results of a smaller one.

The folder holds what `boardgames_agents.league.league_folder` says, and under ``runs/`` the trained learners. Contests
and runs of another program stay there and are not counted.
"""

import hashlib
import json
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from boardgames_agents.experiments.program import program
from boardgames_agents.experiments.runner import ONE_PROCESS, Progress, Workers, no_progress, run_missing
from boardgames_agents.league.entrants import Entrant, LeaguePlayer, Roster, entrants_by_game
from boardgames_agents.league.league_folder import BlockStore, Schedule, store_of, write_schedule
from boardgames_agents.league.standings import Standings
from boardgames_agents.registry import make_player
from boardgames_agents.training.config import CONFIG
from boardgames_agents.training.run import RunConfig, load_run
from boardgames_agents.training.sweep import TrainingJob, train_all
from boardgames_env import make_game
from boardgames_env.errors import BadInputError, require
from boardgames_env.files import demand_folder


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
    demand_folder(folder)
    if (folder / CONFIG).exists():
        raise BadInputError(f"{folder} holds a run or an improvement, and no league; give another folder")
    store = BlockStore(store_path(folder), [each.game for each in entered])
    trainings = [
        TrainingJob(folder.resolve() / _run_folder(config), config)
        for each in entered
        for entrant in each.players
        if (config := entrant.config(each.game)) is not None
    ]
    with progress("training", len(trainings)) as bar:
        train_all(trainings, workers, bar.step)
    rosters = tuple(
        Roster(
            each.game,
            tuple(_league_player(folder, each.game, one) for one in each.players),
            each.left_out,
            each.untrained,
        )
        for each in entered
    )
    schedule = Schedule(program().digest, league.contests, league.seed, rosters)
    write_schedule(schedule, folder)
    played = run_missing(
        [job for roster in rosters for job in schedule.blocks(roster)],
        store,
        workers,
        partial(progress, "contests"),
        steps=lambda job: job.contests,
    )
    return tuple(schedule.standings(each, played) for each in rosters)


def store_path(folder: Path) -> Path:
    """Return the match store of a league's folder for this program."""
    return store_of(folder, program().digest)


def ignored_stores(folder: Path) -> list[Path]:
    """Return the match stores that other versions of the program have left in a league's folder."""
    return sorted({*folder.glob("contests-*.sqlite")} - {store_path(folder)})


def _run_folder(config: RunConfig) -> str:
    """Return the path of a run from the league's folder, another one for another training or program."""
    settled = [program().digest, asdict(config)]
    digest = hashlib.sha256(json.dumps(settled, sort_keys=True).encode()).hexdigest()[:12]
    name = "".join(letter if letter.isalnum() else "_" for letter in f"{config.game}-{config.learner}")
    return f"runs/{name[:60]}-{digest}"


def _league_player(folder: Path, game: str, entrant: Entrant) -> LeaguePlayer:
    config = entrant.config(game)
    if config is None:
        policy = make_player(entrant.agent, make_game(game))
        return LeaguePlayer(entrant.name, policy.spec, policy.spec, policy.origin)
    place = _run_folder(config)
    learner = load_run(folder / place).learner
    origin = learner.snapshot().digest
    return LeaguePlayer(entrant.name, f"trained(run={place!r})", config.learner, origin, learner.skill())
