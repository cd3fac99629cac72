"""The laboratory: plays runs and matches that have not been played yet, whoever the workers are."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any, TypeVar

import boardgames_agents
import boardgames_env
from boardgames_agents.arena.score import Score
from boardgames_agents.experiments import match, trial
from boardgames_agents.experiments.estimate import Estimate, mean_of, share_of
from boardgames_agents.experiments.match import Match, MatchResult
from boardgames_agents.experiments.progress import Progress, untold
from boardgames_agents.experiments.store import Store, Work
from boardgames_agents.experiments.trial import Run, RunResult, Trial
from boardgames_agents.experiments.work import ALONE, Workers, done_together
from boardgames_env.errors import BadInputError, require
from boardgames_env.files import digest, sources_of

Key = TypeVar("Key")


@dataclass(frozen=True)
class Outcome:
    """What the runs of a trial came to.

    Attributes:
        trial: The trial.
        runs: Its runs, in order.
    """

    trial: Trial
    runs: tuple[RunResult, ...]

    def score(self, challenger: str) -> Score:
        """The score of all runs together against a challenger."""
        total = Score()
        for run in self.runs:
            total += run.scores[challenger]
        return total

    def power(self, challenger: str) -> Estimate:
        """The percentage of contests won."""
        scores = [run.scores[challenger] for run in self.runs]
        return share_of([each.wins for each in scores], [each.contests for each in scores])

    def reliability(self, challenger: str) -> Estimate:
        """The percentage of contests not lost."""
        scores = [run.scores[challenger] for run in self.runs]
        return share_of([each.wins + each.draws for each in scores], [each.contests for each in scores])

    def reliabilities(self, challenger: str) -> list[float]:
        """The same, run by run."""
        return [run.scores[challenger].reliability for run in self.runs]

    def seconds(self, challenger: str) -> float:
        """The mean of the learner's decision time in a contest against a challenger, in seconds."""
        score = self.score(challenger)
        return score.seconds / score.contests

    @property
    def contests(self) -> Estimate:
        """Contests of the learning phase."""
        return mean_of([run.contests for run in self.runs])

    @property
    def lessons(self) -> Estimate:
        """Those of them against a trainer outside the learner."""
        return mean_of([run.lessons for run in self.runs])

    @property
    def unmet(self) -> int:
        """How many runs did not meet the behavioral standard."""
        return sum(not run.met for run in self.runs)

    def measures(self, name: str) -> list[float]:
        """A measure of each run; 0 in those that do not have it."""
        return [run.measures.get(name, 0.0) for run in self.runs]

    def measure(self, name: str) -> Estimate:
        """The mean of a measure."""
        return mean_of(self.measures(name))

    def means(self, prefix: str) -> dict[str, float]:
        """The means of all measures whose names begin with a prefix, the greatest first, the prefix left out."""
        names = sorted({name for run in self.runs for name in run.measures if name.startswith(prefix)})
        means = {name.removeprefix(prefix): fmean(self.measures(name)) for name in names}
        return dict(sorted(means.items(), key=lambda item: -item[1]))


@dataclass(frozen=True)
class Settings:
    """How an experiment is carried out.

    Attributes:
        runs: Runs of each trial, if not as many as the paper's.
        seed: Settles every chance.
        workers: Who does it.
        scale: How much longer (or shorter, below 1) it learns, in experiments whose length is ours to choose.

    Raises:
        BadInputError: If a number is not allowed.
    """

    runs: int | None = None
    seed: int = 0
    workers: Workers = ALONE
    scale: float = 1.0

    def __post_init__(self) -> None:
        require(1, runs=1 if self.runs is None else self.runs)
        require(0, seed=self.seed)
        if not 0 < self.scale < float("inf"):
            raise BadInputError(f"scale={self.scale} is not allowed; it is a number greater than 0")


class Lab:
    """Plays what has not been played yet, and keeps it in a folder.

    Args:
        folder: The experiment's folder.
        settings: How it is carried out.
        progress: Makes a progress bar from what is being done and how many pieces of work there are.

    Raises:
        BadInputError: If the results in the folder are damaged.
    """

    def __init__(
        self,
        folder: Path,
        settings: Settings | None = None,
        progress: Progress = untold,
    ) -> None:
        self.folder = folder
        self.settings = settings or Settings()
        self._progress = progress
        self._store = Store(folder / "results.jsonl", program())

    def outcomes(self, what: str, trials: Mapping[Key, Trial], runs: int) -> dict[Key, Outcome]:
        """Play trials.

        Args:
            what: What to call them on the progress bar.
            trials: The trials by name.
            runs: Runs of each, unless the settings say another number.
        """
        numbers = range(self.settings.runs or runs)
        planned = {name: [Run(each, k, self.settings.seed) for k in numbers] for name, each in trials.items()}
        self._carry_out(what, [run for each in planned.values() for run in each])
        return {
            name: Outcome(trials[name], tuple(RunResult.from_dict(self._found(run)) for run in each))
            for name, each in planned.items()
        }

    def matches(
        self, game: str, pairs: Mapping[Key, tuple[str, str]], contests: int = 10_000
    ) -> dict[Key, MatchResult]:
        """Find power and reliability of agents that do not learn, of the first of each pair against the second."""
        planned = {name: Match(game, *pair, contests, self.settings.seed) for name, pair in pairs.items()}
        found = self.results(f"matches at {game}", planned)
        return {name: MatchResult.from_dict(result) for name, result in found.items()}

    def results(self, what: str, works: Mapping[Key, Work]) -> dict[Key, dict[str, Any]]:
        """Carry out pieces of work of any kind.

        Args:
            what: What to call them on the progress bar.
            works: The pieces of work by name.
        """
        self._carry_out(what, list(works.values()))
        return {name: self._found(work) for name, work in works.items()}

    def _found(self, work: Work) -> dict[str, Any]:
        result = self._store.find(work)
        assert result is not None
        return result

    def _carry_out(self, what: str, works: Sequence[Work]) -> None:
        missing = [work for work in dict.fromkeys(works) if self._store.find(work) is None]
        with self._progress(what, len(missing)) as bar:
            for done in done_together(missing, self.settings.workers):
                self._store.add_all([(missing[number], result) for number, result in done])
                for _ in done:
                    bar.step()


def program() -> str:
    """A digest of all the sources that results depend on."""
    roots = [Path(module.__file__ or "") for module in (boardgames_agents, boardgames_env)]
    own = tuple(Path(module.__file__ or "") for module in (match, trial))
    return digest((*(path for root in roots for path in sources_of(root)), *own))
