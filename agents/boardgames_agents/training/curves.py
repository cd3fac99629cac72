"""The curves of a run on TensorBoard: its settings, its contests, and the tests on the way."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from math import isfinite
from numbers import Number
from statistics import fmean
from typing import Any

import numpy as np

from boardgames_agents.arena.tournament import tournament
from boardgames_agents.arena.turing import challengers_at
from boardgames_agents.experiments.tensorboard_log import RunLog
from boardgames_agents.policy import Episodes, Learner, demand_kind, name_of
from boardgames_agents.registry import demand_agent, make_player
from boardgames_agents.training.config import RunConfig
from boardgames_agents.training.loop import Step
from boardgames_env.contest import with_last_moves
from boardgames_env.game import Game
from boardgames_env.spec import Spec

STATE = "state"
"""The group of tags of the numbers that a learner reports."""

TEST = "test"
"""The group of tags of the bounds of what tests have measured."""

LAST = 100
"""The number of contests in a moving average."""

CURVES = {
    "power/{challenger}": "100 · won / contests, over the contests of the test against the challenger",
    "power_in_points/{challenger}": "points / contests, over the same contests; only of games that can be won by more "
    "than one point",
    "reliability/{challenger}": "100 · (won + drawn) / contests, over the same contests; only of games that can be "
    "drawn: in others it is the power",
    f"{TEST}/{{curve}}/{{bound}}": "the bounds, `low` and `high`, of the 95 % interval of a curve above",
    f"{TEST}/contests": "the contests of training so far",
    f"{STATE}/{{name}}": "a number that the agent reports; see its own section",
    "training/points_of_{who}": "the points of the contest, 0 if a limit cut it short: for `learner` where it has one "
    "seat, for `seat_0` where it has both or watches; the mean since the last point",
    "training/mean_points_of_{who}": f"the mean of these points of the last {LAST} contests",
    "training/plies": "the number of plies of the contest; the mean since the last point; "
    "not logged by Stable-Baselines3's own loops",
    "training/streak": "the number of contests in a row, up to this one, that were up to the behavioral standard; only "
    "where contests are played one by one",
    "training/wins_of_two_points_and_more": "contests with |points| > 1 / contests, since the last point; only of "
    "contests played in a row",
}
"""The tags of the curves of a run, and the formula of each; the agents declare theirs where they are registered.

They are named so that TensorBoard shows power and reliability first, and open.
"""

_TESTING_STREAM = 1
"""Sets the random numbers of tests apart from those of the contests of training."""


def learner_options(learner: Learner, spec: Spec) -> dict[str, Any]:
    """Return every option of a learner as it is in force."""
    given = demand_agent(spec.name).in_force(spec.options)
    return {**given, **{name: value for name, value in learner.settled_options().items() if name in given}}


def log_settings(log: RunLog, config: RunConfig, learner: Learner, spec: Spec, contests: int) -> None:
    """Log what the run was started with, or goes on with after contests, and every option of the learner."""
    settings: dict[str, Any] = asdict(config)
    rows = ["| {} | `{}` |\n".format(name, str(value).replace("|", "\\|")) for name, value in settings.items()]
    log.text("run", "| setting | value |\n|---|---|\n" + "".join(rows), contests)
    if contests:
        return  # (TensorBoard's table of hyperparameters takes them once)
    options = {f"learner.{name}": value for name, value in learner_options(learner, spec).items()}
    settings["learner"] = config.label
    log.hyperparameters({"run": log.folder.resolve().name, **settings, **options})


RecentPoints = dict[str, list[float]]
"""The points of the last contests, by whose they are, for their moving averages; by tag, the values not logged yet."""


def contests_of_point(contests: int) -> int:
    """Return over how many contests, played one by one, the point after a contest is the mean.

    It is a power of 2, about a thousandth of the contests so far: a curve has 11,000 points after a million contests,
    and a run that is resumed or goes on beyond its end has the points of one that was longer from the start.
    """
    return 1 << max(0, (contests // 1024).bit_length() - 1)


def mean_with(recent: RecentPoints, who: str, points: Sequence[float]) -> float:
    """Add points, and return the mean of the last ones."""
    recent[who] = [*recent.get(who, []), *points][-LAST:]
    return sum(recent[who]) / len(recent[who])


def log_step(log: RunLog, step: Step, alone: bool, recent: RecentPoints) -> None:
    """Log the contests of a step, or keep their values for a later point, and add their points to the recent ones."""
    if isinstance(step.played, Episodes):
        points, plies = np.nan_to_num(step.played.points), step.played.plies
        who, mean = "seat_0" if alone else "learner", float(points.mean())
        last = points[-LAST:].tolist()
        values = {"training/wins_of_two_points_and_more": float((np.abs(points) > 1).mean())}
        if plies.any():
            values["training/plies"] = float(plies.mean())
    else:
        meeting, record = step.played
        seats = meeting.seats
        who = "learner" if len(seats) == 1 else "seat_0"
        mean = record.points_for(seats[0]) if seats else record.outcome
        last = [mean]
        values = {"training/plies": record.plies, "training/streak": step.streak}
    values |= {f"training/points_of_{who}": mean, f"training/mean_points_of_{who}": mean_with(recent, who, last)}
    if not isinstance(step.played, Episodes):
        for tag, value in values.items():
            recent.setdefault(tag, []).append(value)
        if step.contests % contests_of_point(step.contests):
            return
        values = {tag: fmean(recent.pop(tag)) for tag in values}
    log.scalars(values, step.contests)


def bounds_of(tag: str) -> tuple[str, str]:
    """Return the tags of the lower and the upper bounds of a curve of tests."""
    return f"{TEST}/{tag}/low", f"{TEST}/{tag}/high"


def usual_tests(game: Game, contests: int) -> tuple[int, int]:
    """Return how often a training of many contests is tested by default, and in how many contests each time.

    Where dice decide, 100 contests tell points to a quarter only. There are 20 tests then, ten times as long as
    elsewhere or longer, which together play as many contests.
    """
    if not game.rules.has_chance:
        return 1000, 100
    every = max(1000, contests // 20)
    return every, min(max(100, every // 10), 2000)


class Tester:
    """The tests on the way: contests of the learner against a game's challengers.

    Args:
        seed: The seed of the run. The test after contest k against challenger c is seeded with ``[seed, 1, k, c]``.
    """

    def __init__(self, game: Game, contests: int, seed: int) -> None:
        self._game, self._contests, self._seed = game, contests, seed
        self._challengers = {name: make_player(spec, game) for name, spec in challengers_at(game).items()}
        self._kinds = ["power", *["power_in_points"] * (game.most_points > 1), *["reliability"] * game.can_draw]

    def log_layout(self, log: RunLog) -> None:
        """Log which curves are drawn together: those of each challenger, in per cent and in points."""
        charts: dict[str, list[tuple[str, str, str]]] = {}
        percentages = " and ".join(kind for kind in self._kinds if kind != "power_in_points")
        for kind in self._kinds:
            for name in self._challengers:
                unit = "points per contest" if kind == "power_in_points" else percentages
                tag = f"{kind}/{name}"
                charts.setdefault(f"{unit} against {name}", []).append((tag, *bounds_of(tag)))
        log.layout(charts)

    def test(self, log: RunLog, learner: Learner, contests: int) -> None:
        """Log power and reliability, what is known, and a picture of how the last contest ended."""
        from boardgames_env.render.pixels import draw_pixels

        player, known = make_player(learner, self._game), learner.knowledge()
        demand_kind(name_of(learner), "knowledge", known, Mapping)
        for number in known.values():
            demand_kind(name_of(learner), "knowledge", number, Number)
        values: dict[str, float] = {f"{STATE}/{name}": number for name, number in known.items()}
        for number, (name, challenger) in enumerate(self._challengers.items()):
            seed = (self._seed, _TESTING_STREAM, contests, number)
            played = tournament(self._game, player, challenger, self._contests, seed, records=True)
            score = played.score
            measured = {
                "power": (score.power, score.power_interval),
                "power_in_points": (score.points_per_contest, score.points_interval),
                "reliability": (score.reliability, score.reliability_interval),
            }
            for kind in self._kinds:
                tag, (value, (low, high)) = f"{kind}/{name}", measured[kind]
                values |= {tag: value, **dict(zip(bounds_of(tag), (low, high), strict=True))}
        values[f"{TEST}/contests"] = contests
        values = {tag: value for tag, value in values.items() if isfinite(value)}
        log.scalars(values, contests)
        *_, (last, before) = with_last_moves(played.records[-1].positions(self._game))
        log.image("test/last_position", draw_pixels(last, before=before), contests)
        log.flush()
