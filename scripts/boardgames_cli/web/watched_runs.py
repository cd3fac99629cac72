"""What the pages of runs and leagues share: the folders, and what was read in them."""

from dataclasses import dataclass
from pathlib import Path

from boardgames_agents.arena.contest import play_contest
from boardgames_agents.league.league_folder import LeagueResults, read_results, state_of
from boardgames_agents.training.run import load_run
from boardgames_cli.web.folders import Folders
from boardgames_cli.web.kept import Kept
from boardgames_cli.web.run_curves import RunCurves
from boardgames_env.contest import with_last_moves
from boardgames_env.game import Game
from boardgames_env.position import Position

_MOST_KEPT = 16
"""The number of runs whose contests, and of leagues whose results, are kept in memory."""


@dataclass(frozen=True)
class ShownContest:
    """A contest that the learner of a run plays against itself, to be looked at while it is trained.

    Attributes:
        trained: The number of contests that it had been trained with.
        positions: The positions of the contest, the last one included, each with the one before its last turn.
    """

    game: Game
    trained: int
    positions: tuple[tuple[Position, Position | None], ...]


class WatchedRuns:
    """The runs and leagues below a folder.

    Attributes:
        folders: The folders.
        curves: The curves of runs.
    """

    def __init__(self, root: Path) -> None:
        self.folders = Folders(root)
        self.curves = RunCurves()
        self._shown = Kept[Path, ShownContest](_MOST_KEPT)
        self._leagues = Kept[tuple[Path, object], LeagueResults](_MOST_KEPT)

    def league(self, folder: Path) -> LeagueResults:
        """Return the results of a league, read again if its files have changed.

        Raises:
            BadInputError: If a file is damaged, or there is no league.
        """
        return self._leagues.get_or_make((folder, state_of(folder)), lambda: read_results(folder))

    def shown(self, folder: Path, trained: int) -> ShownContest | None:
        """Return the contest that is shown of a run, if it is of a learner after some contests of training."""
        found = self._shown.get(folder)
        return found if found and found.trained == trained else None

    def show(self, folder: Path) -> ShownContest:
        """Let the learner of a run play itself, as its last checkpoint has it.

        Raises:
            BadInputError: If the folder holds no run, or something in it is damaged.
        """
        run = load_run(folder)
        player = run.learner.frozen()
        player.spec = run.config.learner
        record = play_contest(run.game, (player, player), (run.config.seed, run.contests))
        positions = tuple(with_last_moves(record.positions(run.game)))
        found = ShownContest(run.game, run.contests, positions)
        self._shown.put(folder, found)
        return found
