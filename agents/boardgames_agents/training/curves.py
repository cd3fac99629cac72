"""The curves of a run on TensorBoard: its settings, its contests, and the tests on the way."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from boardgames_agents.arena.tournament import tournament
from boardgames_agents.arena.turing import challengers_at
from boardgames_agents.experiments.run_log import RunLog
from boardgames_agents.policy import Episodes, Learner
from boardgames_agents.registry import make_player, registered_agents
from boardgames_agents.training.loop import Step
from boardgames_env.contest import with_last_moves
from boardgames_env.game import Game
from boardgames_env.spec import Spec

if TYPE_CHECKING:
    from boardgames_agents.training.run import RunConfig

_TESTING = 1
"""Sets the random numbers of tests apart from those of the contests of training."""


def log_settings(log: RunLog, config: "RunConfig", learner: Spec, contests: int) -> None:
    """Log what the run was started with, or goes on with after contests, and every option of the learner."""
    settings: dict[str, Any] = asdict(config)
    shown = {name: str(value).replace("|", "\\|") for name, value in settings.items()}
    rows = "\n".join(f"| {name} | `{value}` |" for name, value in shown.items())
    log.text("run", f"| setting | value |\n|---|---|\n{rows}\n", contests)
    if contests:
        return  # (TensorBoard's table of hyperparameters takes them once)
    options = registered_agents()[learner.name].options
    chosen = {name: learner.options.get(name, option.default) for name, option in options.items()}
    log.hyperparameters({**settings, **{f"learner.{name}": value for name, value in chosen.items()}})


def log_step(log: RunLog, step: Step, alone: bool) -> None:
    """Log the contests of a step."""
    if isinstance(step.played, Episodes):
        points, plies = step.played.points, step.played.plies
        values = {
            f"contest/points of {'seat 0' if alone else 'learner'}": float(np.nan_to_num(points).mean()),
            "contest/wins of two points and more": float((np.abs(points) > 1).mean()),
        }
        if plies.any():
            values["contest/plies"] = float(plies.mean())
    else:
        meeting, record = step.played
        seats = meeting.seats
        of = "learner" if len(seats) == 1 else "seat 0"
        result = record.points_for(seats[0]) if seats else record.outcome
        values = {f"contest/points of {of}": result, "contest/plies": record.plies, "contest/streak": step.streak}
    log.scalars(values, step.contests)


class Tester:
    """The tests on the way: contests of the learner against a game's challengers.

    Args:
        seed: The seed of the run. The test after contest k against challenger c is seeded with ``[seed, 1, k, c]``.
    """

    def __init__(self, game: Game, contests: int, seed: int) -> None:
        self._game, self._contests, self._seed = game, contests, seed
        self._challengers = {name: make_player(spec, game) for name, spec in challengers_at(game).items()}

    def test(self, log: RunLog, learner: Learner, contests: int) -> None:
        """Log power and reliability, what is known, and a picture of how the last contest ended."""
        from boardgames_env.render.pixels import draw_pixels

        player = learner.frozen()
        values: dict[str, float] = {f"knowledge/{name}": number for name, number in learner.knowledge().items()}
        for number, (name, challenger) in enumerate(self._challengers.items()):
            seed = (self._seed, _TESTING, contests, number)
            played = tournament(self._game, player, challenger, self._contests, seed, records=True)
            values[f"power/{name}"] = played.score.power
            values[f"reliability/{name}"] = played.score.reliability
        log.scalars(values, contests)
        *_, (last, before) = with_last_moves(played.records[-1].positions(self._game))
        log.image("last position", draw_pixels(last, before=before), contests)
        log.flush()
