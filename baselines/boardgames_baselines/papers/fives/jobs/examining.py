"""Exams of players that do not learn, and a search for coefficients."""

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

    The result, for each player: its ``score``, and the ``points`` of its contests, a position's followed by its dual's.
    """

    players: tuple[Player, ...]

    def run(self) -> dict[str, Any]:
        """Let each player take the exam."""
        exam = Exam(game(), starts("exam", reporting(self.seed, self.number)))
        found = []
        for level, width, values in self.players:
            sittings = exam.sit(FivesSearch(game(), Coefficients(values), level, width))
            score = float(np.mean([each.score for each in sittings]))
            found.append({"score": score, "points": [each.points for each in sittings]})
        return {"players": found}


@dataclass(frozen=True)
class ClimbJob(PaperJob):
    """A hill climb of coefficients by the mean score in many exams, with starting positions for selection only.

    From the initial coefficients on, each is multiplied with probability 1/2 by a log-normal number, and higher scores
    are kept. The spread grows by 30 % after a success and shrinks by 3 % otherwise, between 0.05 and 0.6.

    The result: the best ``coefficients``, and the ``score`` after each step.

    Attributes:
        exams: The number of exams, of five positions each.
    """

    steps: int
    exams: int

    def run(self) -> dict[str, Any]:
        """Search for coefficients."""
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
