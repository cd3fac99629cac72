"""The trainer that the study supports for a learner at a game, from its published results."""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from boardgames_agents.experiments.estimate import Sample
from boardgames_baselines.papers.ideal_trainer_today import GAMES, LEARNERS, TRAINERS
from boardgames_baselines.papers.ideal_trainer_today.grid import tied_with_best
from boardgames_env.errors import BadInputError, one_of
from boardgames_env.spec import Spec


@dataclass(frozen=True)
class Evidence:
    """A line of the published results.

    Attributes:
        trainer: The trainer's spec.
        contests: The number of contests of each training.
        reliability: The percentage of contests not lost to the four challengers, in the mean.
        exploitability: Points a contest given away to the worst opponent.
        errors: The number of positions in which the learner errs.
        to_95: The median number of contests to a reliability of 95 %, or a dash.
        curve: The mean reliability by the number of contests.
    """

    trainer: str
    contests: int
    reliability: Sample
    exploitability: float
    errors: float
    to_95: str
    curve: Mapping[int, float]


@dataclass(frozen=True)
class Recommendation:
    """The study's results for a learner at a game.

    Attributes:
        names: The names of the game and the learner in the study.
        game: The game's spec.
        learner: The learner's spec.
        best: The name of the most reliable trainer.
        tied: The names of those that are tied with it, the better first.
        evidence: The results of every trainer, by its name.
    """

    names: tuple[str, str]
    game: str
    learner: str
    best: str
    tied: tuple[str, ...]
    evidence: Mapping[str, Evidence]


def recommend(game: str | Spec, learner: str | Spec) -> Recommendation:
    """Return the study's results for a learner at a game, each given by its spec or by its name in the study.

    Raises:
        BadInputError: If they are not in the study.
    """
    learners = {name: plan.spec for name, plan in LEARNERS.items()}
    names = _named("game", str(game), GAMES), _named("learner", str(learner), learners)
    found = {trainer: each for (*cell, trainer), each in published().items() if tuple(cell) == names}
    if not found:
        raise BadInputError(f"the study has no runs of {names[1]} at {names[0]} yet")
    best, tied = tied_with_best({name: each.reliability for name, each in found.items()})
    return Recommendation(names, GAMES[names[0]], learners[names[1]], best, tuple(tied), found)


def _named(what: str, given: str, specs: Mapping[str, str]) -> str:
    """Return the study's name of a spec or name."""
    wanted = _plain_name(given)
    for name, spec in specs.items():
        if wanted in (_plain_name(name), _plain_name(spec)):
            return name
    for name, spec in specs.items():
        if wanted == Spec.parse(spec).name:
            return name
    raise BadInputError(f"the study has no {what} {given!r}; it has: {one_of(specs.values())}")


def _plain_name(text: str) -> str:
    return text.lower().replace("-", "_").replace(" ", "_").replace('"', "'")


_CURVE = "reliability after "
"""The beginning of the names of the columns with a cell's curve."""


@cache
def published() -> dict[tuple[str, str, str], Evidence]:
    """Return the published results by the names of game, learner and trainer."""
    with results_file().open(newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if int(row["runs"])]
    return {
        (row["game"], row["learner"], row["trainer"]): Evidence(
            TRAINERS[row["trainer"]],
            int(row["contests"]),
            Sample(float(row["reliability"]), float(row["standard deviation"] or 0) ** 2, int(row["runs"])),
            float(row["exploitability"]),
            float(row["errors"]),
            row["median contests to 95 %"],
            {
                int(name.removeprefix(_CURVE)): float(each)
                for name, each in row.items()
                if name.startswith(_CURVE) and each
            },
        )
        for row in rows
    }


def results_file() -> Path:
    """Return the file of the published results: in an installed package beside this module, else in the checkout."""
    installed = Path(__file__).with_name("cells.csv")
    checkout = Path(__file__).parents[4] / "docs" / "data" / "papers" / "ideal_trainer_today-trainers.csv"
    return installed if installed.exists() else checkout
