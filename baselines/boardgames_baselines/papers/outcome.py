"""The outcomes of trials: estimates over their runs, and their reports."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from boardgames_agents.arena.score import Score
from boardgames_agents.experiments.estimate import Estimate, difference, mean_of, share_of
from boardgames_agents.experiments.report import Points, Report
from boardgames_agents.experiments.runner import Runner
from boardgames_agents.experiments.table import Cell, Chart, Row, Table
from boardgames_baselines.papers.job import Key, repeated
from boardgames_baselines.papers.trial import Trial, TrialResult

_SCORE = ("wins", "draws", "losses")


@dataclass(frozen=True)
class Outcome:
    """The results of a trial."""

    trial: Trial
    runs: tuple[TrialResult, ...]

    def score(self, challenger: str) -> Score:
        """Return the score of all runs together against a challenger."""
        return sum((run.scores[challenger] for run in self.runs), Score())

    def power(self, challenger: str) -> Estimate:
        """Return the percentage of contests won against a challenger."""
        scores = [run.scores[challenger] for run in self.runs]
        return share_of([each.wins for each in scores], [each.contests for each in scores])

    def reliability(self, challenger: str) -> Estimate:
        """Return the percentage of contests not lost against a challenger."""
        scores = [run.scores[challenger] for run in self.runs]
        return share_of([each.wins + each.draws for each in scores], [each.contests for each in scores])

    def reliabilities(self, challenger: str) -> list[float]:
        """Return the percentage of contests not lost against a challenger in each run."""
        return [run.scores[challenger].reliability for run in self.runs]

    def cells(self, headings: Sequence[str]) -> Row:
        """Return the cells under headings: ``power`` or ``reliability`` and a challenger, or what is counted."""
        return tuple(map(self._cell, headings))

    def _cell(self, heading: str) -> Cell:
        measure, _, challenger = heading.partition(" ")
        if measure in ("power", "reliability"):
            return self.power(challenger) if measure == "power" else self.reliability(challenger)
        counted = {"contests": self.contests, "lessons": self.lessons}.get(heading) or self.measure(heading)
        return round(counted.value, 1)

    def seconds(self, challenger: str) -> float:
        """Return the learner's mean decision time in a contest against a challenger, in seconds."""
        score = self.score(challenger)
        return score.seconds / score.contests

    @property
    def contests(self) -> Estimate:
        """The mean number of contests of the learning phase."""
        return mean_of([run.contests for run in self.runs])

    @property
    def lessons(self) -> Estimate:
        """The mean number of those against a trainer other than the learner."""
        return mean_of([run.lessons for run in self.runs])

    @property
    def unmet(self) -> int:
        """The number of runs that did not meet the behavioral standard."""
        return sum(not run.met for run in self.runs)

    def measures(self, name: str) -> list[float]:
        """Return a measure of each run, 0 where a run has none."""
        return [run.measures.get(name, 0.0) for run in self.runs]

    def measure(self, name: str) -> Estimate:
        """Return the mean of a measure."""
        return mean_of(self.measures(name))

    def means(self, prefix: str) -> dict[str, float]:
        """Return the means of all measures with a prefix by the rest of their names, the greatest first."""
        names = sorted({name for run in self.runs for name in run.measures if name.startswith(prefix)})
        means = {name.removeprefix(prefix): fmean(self.measures(name)) for name in names}
        return dict(sorted(means.items(), key=lambda item: -item[1]))


def play_trials(runner: Runner, what: str, trials: Mapping[Key, Trial], runs: int) -> dict[Key, Outcome]:
    """Return the outcomes of trials, of ``runs`` runs each unless the runner's options set another number."""
    found = repeated(runner, what, {name: trial.job for name, trial in trials.items()}, runs)
    return {name: Outcome(trials[name], tuple(map(TrialResult.of, results))) for name, results in found.items()}


def trial_report(
    outcomes: Mapping[str, Outcome],
    tables: tuple[Table, ...],
    notes: tuple[str, ...],
    charts: tuple[Chart, ...] = (),
    drawings: Mapping[str, str] | None = None,
) -> Report:
    """Return a report on trials, whose runs are its data and its curves."""
    curves = {name: _curves(outcome) for name, outcome in outcomes.items()}
    return Report(tables, charts, notes, drawings or {}, runs_table(outcomes), curves)


def gains_table(
    title: str, found: Mapping[str, Outcome], rows: Mapping[str, tuple[str, str]], challengers: Sequence[str]
) -> Table:
    """Return the gain in reliability of one trial over another in each row, with Welch's interval over runs."""
    gains: list[Row] = [
        (row, *(difference(found[one].reliabilities(who), found[other].reliabilities(who)) for who in challengers))
        for row, (one, other) in rows.items()
    ]
    return Table(title, ("", *challengers), gains)


def prowess(reliable: Sequence[str], powerful: Sequence[str]) -> tuple[str, ...]:
    """Return headings for `Outcome.cells`: reliability against some challengers, then power against some."""
    return *(f"reliability {who}" for who in reliable), *(f"power {who}" for who in powerful)


def trials_table(title: str, found: Mapping[str, Outcome], headings: Sequence[str], corner: str = "") -> Table:
    """Return a table with a row for each trial, and its `Outcome.cells`."""
    rows = [(name, *outcome.cells(headings)) for name, outcome in found.items()]
    return Table(title, (corner, *headings), rows)


def beside_printed(
    printed: Mapping[str, Row], cells: Callable[[Outcome], Row], found: Mapping[str, Outcome]
) -> list[Row]:
    """Return two rows for each trial: the figures that the paper prints, and the cells of our outcome."""
    rows: list[Row] = []
    for name, line in printed.items():
        rows += [(f"{name} (paper)", *line), (name, *cells(found[name]))]
    return rows


def runs_table(outcomes: Mapping[str, Outcome]) -> Table:
    """Return a table with a row for each run: trial, learning phase, and score against each challenger."""
    challengers = list(dict.fromkeys(name for each in outcomes.values() for name, _ in each.trial.challengers))
    headings = ["trial", "game", "learner", "trainer", "run", "contests", "lessons", "met", "space", "unseen"]
    headings += [f"{challenger} {part}" for challenger in challengers for part in _SCORE]
    rows: list[Row] = []
    for name, outcome in outcomes.items():
        trial = outcome.trial
        for number, run in enumerate(outcome.runs):
            scores = [run.scores.get(challenger) for challenger in challengers]
            row = (name, trial.game, trial.learner, trial.trainer, number, run.contests, run.lessons, int(run.met))
            space, unseen = run.measures.get("space"), run.measures.get("unseen")
            rows.append(
                (*row, space, unseen, *(getattr(score, part) if score else None for score in scores for part in _SCORE))
            )
    return Table("", tuple(headings), rows)


def _curves(outcome: Outcome) -> Points:
    """Return the results of each run, then the share of runs up to the standard in each contest of learning."""
    points: list[tuple[int, dict[str, float]]] = []
    for number, run in enumerate(outcome.runs):
        values: dict[str, float] = {"run/contests": run.contests}
        if "space" in run.measures:
            values["run/space"] = run.measures["space"]
        for challenger, score in run.scores.items():
            values[f"power/{challenger}"] = score.power
            values[f"reliability/{challenger}"] = score.reliability
        points.append((number, values))
    for contest in range(max(run.contests for run in outcome.runs)):
        letters = [run.course[contest] for run in outcome.runs if contest < run.contests]
        if played := [letter in "WDd" for letter in letters if letter != "-"]:
            points.append((contest + 1, {"training/up_to_the_standard_in_%": 100 * fmean(played)}))
    return points


def sample_note(outcome: Outcome) -> str:
    """Return a note on the sample sizes of trials like this one."""
    runs = len(outcome.runs)
    return (
        f"{runs} runs of each trial, {runs * outcome.trial.testing} contests against each challenger. "
        "Intervals of 95 %: the wider of Wilson's over contests and Student's over runs."
    )
