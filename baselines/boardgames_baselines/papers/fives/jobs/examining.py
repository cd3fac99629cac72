"""Given coefficients in exams, and the search for those that do best in them."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from boardgames_agents.fives.coefficients import INITIAL, Coefficients
from boardgames_agents.fives.exam import Exam
from boardgames_agents.fives.minimax import FivesSearch
from boardgames_baselines.papers.fives.jobs import SELECTION, game, reporting, starts
from boardgames_baselines.papers.jobs import PaperJob

Player = tuple[int, int, tuple[float, ...]]
"""A level, a width, and coefficients."""


@dataclass(frozen=True)
class ExamJob(PaperJob):
    """Players that do not learn, in the reported exam of a set.

    The result, for each player: its ``score``, and the points of its contests, those of a position and its dual in a
    row.
    """

    players: tuple[Player, ...]

    def run(self) -> dict[str, Any]:
        """Hold the exam with each."""
        exam = Exam(game(), starts("exam", reporting(self.seed, self.number)))
        found = []
        for level, width, values in self.players:
            sittings = exam.sit(FivesSearch(game(), Coefficients(values), level, width))
            score = float(np.mean([each.score for each in sittings]))
            found.append({"score": score, "points": [each.points for each in sittings]})
        return {"players": found}


@dataclass(frozen=True)
class ClimbJob(PaperJob):
    """A search for coefficients that do well in many exams at once, with starting positions for selection only.

    From the initial coefficients on, some of them, each as likely as not, are multiplied by numbers whose logarithms
    are normal; what scores higher is kept. The spread of those logarithms grows by 30 % when it does, and shrinks by
    3 % when not, between 0.05 and 0.6 (the rule of one success in ten or so).

    The result: the best ``coefficients``, and the ``score`` after each step.

    Attributes:
        steps: Coefficients that are tried.
        exams: Exams of five positions whose mean score is gone by.
    """

    steps: int
    exams: int

    def run(self) -> dict[str, Any]:
        """Climb."""
        rng = np.random.default_rng((self.seed, self.number))
        exams = [Exam(game(), starts("exam", seed)) for seed in SELECTION[: self.exams]]

        def score(values: list[float]) -> float:
            search = FivesSearch(game(), Coefficients(tuple(values)))
            return float(np.mean([exam.score(search) for exam in exams]))

        best = list(INITIAL.values)
        scores, spread = [score(best)], 0.4
        for _ in range(self.steps):
            factors = np.exp(rng.normal(0, spread, len(best)) * (rng.random(len(best)) < 0.5))
            tried = [round(value, 1) for value in (np.array(best) * factors).tolist()]
            found = score(tried)
            higher = found > scores[-1]
            best = tried if higher else best
            spread = min(0.6, 1.3 * spread) if higher else max(0.05, 0.97 * spread)
            scores.append(max(found, scores[-1]))
        return {"coefficients": best, "score": scores}
