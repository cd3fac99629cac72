"""The question of Epstein 1994, asked of every learner: which trainer makes it reliable, and how fast?

This is the grid of the study: games, learners, trainers, and which of their combinations are cells.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from boardgames_agents.arena.turing import CHALLENGERS
from boardgames_agents.registry import make_learner
from boardgames_agents.training.trainers import make_trainer
from boardgames_baselines.papers.ideal_trainer_today.cells import GridCell, exactly
from boardgames_baselines.papers.training import Matches
from boardgames_env import Game, make_game
from boardgames_env.errors import BadInputError
from boardgames_env.spec import Spec

GAMES = {
    "tic-tac-toe": "tic_tac_toe",
    "lose tic-tac-toe": "lose_tic_tac_toe",
    "achi": "achi",
    "marelle": "marelle(first_man_centre=False)",
    "nine holes": "nine_holes",
    "tant fant": "tant_fant",
    "tsoro yematatu": "tsoro_yematatu",
    "shisima": "shisima",
    "mu torere": "mu_torere",
}
"""Draw games with fewer than 6,000 positions; the first man at marelle is free, or the second player would be lost."""

LARGER_GAME = "five_mens_morris"
"""A solved draw game with millions of positions, at which tests are sampled."""

SHARE_AT_LARGER_GAME = 0.3
"""The length of a training at the larger game, as a share of that at the others."""


@dataclass(frozen=True)
class LearnerPlan:
    """A learner and how long it is trained.

    Attributes:
        tested: The numbers of contests after which it is tested.
        runs: The number of trainings of each cell, which differ in their seeds.
        sampled: The number of contests with each challenger at the larger game.
    """

    spec: str
    tested: tuple[int, ...]
    runs: int
    sampled: int = 200


_SHORT, _LONG = (10, 30, 100), (10, 30, 100, 300, 1000)
_MANY, _FEW = 10, 3

LEARNERS = {
    "Hoyle 1994": LearnerPlan("hoyle(program='1994')", _SHORT, _MANY, 50),
    "Hoyle 2001": LearnerPlan("hoyle", _SHORT, _MANY, 50),
    "TD(λ)": LearnerPlan("td", _LONG, _MANY),
    "MENACE": LearnerPlan("menace", _LONG, _MANY),
    "Q-learning": LearnerPlan("q_learning", _LONG, _MANY),
    "Monte-Carlo control": LearnerPlan("mc_control", _LONG, _MANY),
    "MaskablePPO": LearnerPlan("maskable_ppo", _LONG, _FEW),
    "DQN": LearnerPlan("dqn", _LONG, _FEW),
    "AlphaZero": LearnerPlan("alpha_zero_learner(afresh=True)", _LONG, _MANY),
}
"""A contest of Hoyle takes several times as long as one of the other learners, so it is trained for fewer."""


NOISE = {"perfect": 0, "10 % noise": 10, "40 % noise": 40, "70 % noise": 70, "100 % noise": 100}
"""The trainers that differ in their noise alone, with its percentage."""

TRAINERS = {
    "self": "self",
    "pool of selves": "pool",
    "watching": "watch",
    "perfect": "perfect",
    "perfect (wise)": "perfect(style='wise')",
    **{name: str(Spec("fallible", {"e": percent / 100})) for name, percent in NOISE.items() if percent},
    "worst": "worst",
    "informed": "informed",
    "reasonable": "reasonable(x=0.5)",
    "1&1": "lessons(lessons=1, practice=1)",
    "2&7": "lessons(lessons=2, practice=7)",
    "7&2": "lessons(lessons=7, practice=2)",
    "2&20": "lessons(lessons=2, practice=20)",
    "14&1": "lessons(lessons=14, practice=1)",
    "growing practice": "lessons(lessons=2, practice=1, growth=1)",
    "variety": "variety",
    "key nodes": "key_nodes",
}


def longest(plan: LearnerPlan, scale: float) -> int:
    """Return the greatest number of contests of a training on a scale."""
    return max(plan.tested[0], round(plan.tested[-1] * scale))


def cells(scale: float) -> Iterator[tuple[tuple[str, str, str], GridCell]]:
    """Yield the cells by the names of game, learner and trainer.

    A learner or trainer that refuses a game has no cells there. ``scale`` is a factor on the lengths.
    """
    for game, spec in GAMES.items():
        for learner, trainer in _pairs(make_game(spec)):
            plan = LEARNERS[learner]
            last = longest(plan, scale)
            tested = (*(each for each in plan.tested if each < last), last)
            yield (game, learner, trainer), GridCell(spec, plan.spec, TRAINERS[trainer], tested, (exactly,))


def sampled_cells(scale: float) -> Iterator[tuple[tuple[str, str], GridCell]]:
    """Yield the cells at the larger game by the names of learner and trainer.

    Contests are longer there, so there are fewer: `SHARE_AT_LARGER_GAME` of the others.
    """
    challengers = tuple((each.name, str(each.spec())) for each in CHALLENGERS)
    for learner, trainer in _pairs(make_game(LARGER_GAME)):
        plan = LEARNERS[learner]
        length = max(plan.tested[0], round(longest(plan, scale) * SHARE_AT_LARGER_GAME))
        matches = Matches(challengers, max(10, round(plan.sampled * min(1.0, scale))))
        yield (learner, trainer), GridCell(LARGER_GAME, plan.spec, TRAINERS[trainer], (length,), (matches,))


def _pairs(game: Game) -> Iterator[tuple[str, str]]:
    """Yield the names of the learners and trainers that do not refuse a game."""
    trainers = [name for name, spec in TRAINERS.items() if _is_made(partial(make_trainer, spec, game))]
    for learner, plan in LEARNERS.items():
        if _is_made(partial(make_learner, plan.spec, game)):
            yield from ((learner, trainer) for trainer in trainers)


def _is_made(make: Callable[[], object]) -> bool:
    try:
        make()
    except BadInputError:
        return False
    return True
