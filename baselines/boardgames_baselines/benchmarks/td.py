"""TD(λ) at backgammon: training, and decisions of a trained network."""

import subprocess
import sys
from functools import cache, partial
from time import perf_counter

import numpy as np

from boardgames_agents.arena.score import Score
from boardgames_agents.arena.tournament import tournament
from boardgames_agents.registry import make_agent
from boardgames_agents.td.learner import TDLearner
from boardgames_baselines.benchmarks.benchmark import Benchmark, Peer, seconds_of
from boardgames_env import make_game
from boardgames_env.chance import streams_for

_DESIGN = "inputs='raw',hidden=40,outputs=4,units='sigmoid',error='squared',epsilon=0,alpha=0.1,decay=0,average=0"


@cache
def _warm(lam: float) -> TDLearner:
    """Return a learner as in Tesauro 1995, 198–40–4, trained until its contests have their usual length."""
    learner = make_agent(f"td({_DESIGN},lam={lam})", make_game("backgammon"))
    assert isinstance(learner, TDLearner)
    learner.self_play((0,), range(5000))
    return learner


def training(lam: float, contests: int = 3000) -> float:
    """Return contests per second of self-play on one core."""
    learner = _warm(lam)
    return contests / seconds_of(lambda: learner.self_play((1,), range(contests)))


def _by_autograd(lam: float, contests: int = 2) -> float:
    """Return contests per second with torch's automatic differentiation, position by position."""
    from boardgames_baselines.td_reference import Reference

    learner = _warm(lam)
    reference = Reference(learner.network.copy(), learner.options)
    streams = streams_for((1,), range(contests))
    start = perf_counter()
    for contest in range(contests):
        reference.learn(contest, np.array(streams), contest)
    return contests / (perf_counter() - start)


def _in_two_processes(lam: float) -> float:
    """Return contests per second of the slower of two processes that train at once."""
    code = f"from boardgames_baselines.benchmarks.td import training; training({lam}); print(training({lam}))"
    both = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(2)]
    return min(float(process.communicate()[0]) for process in both)


def _against_pubeval(a: str, contests: int) -> tuple[float, Score]:
    """Return the seconds of contests against pubeval, and their score."""
    game = make_game("backgammon")
    players = make_agent(a, game), make_agent("pubeval", game)
    start = perf_counter()
    score = tournament(game, *players, contests, seed=0).score
    return perf_counter() - start, score


def _decision(plies: int, contests: int) -> float:
    """Return the microseconds of a whole move of the shipped network of 40 units."""
    _, score = _against_pubeval(f"td_gammon_raw(plies={plies})", contests)
    return score.seconds / (score.plies / 2) * 1e6


BENCHMARKS = (
    *(
        Benchmark(
            f"TD(λ) self-play at backgammon, 198–40–4, λ = {lam}, one core",
            "contests/s",
            partial(training, lam),
            f"≥ {bar:,}, ≥ 50 ×",
            Peer("the same rule by autograd", partial(_by_autograd, lam), "torch"),
        )
        for lam, bar in ((0.7, 1500), (0.0, 2000))
    ),
    Benchmark(
        "the same in two processes at once, λ = 0.7, the slower",
        "contests/s",
        partial(_in_two_processes, 0.7),
        "as fast as one",
        Peer("one process", partial(training, 0.7)),
    ),
    Benchmark(
        "td_gammon_raw against pubeval, 1,000 contests",
        "s",
        lambda: _against_pubeval("td_gammon_raw", 1000)[0],
        "< 5 s",
    ),
    Benchmark("td_gammon_raw, a move, 1 ply", "µs", partial(_decision, 1, 200), "≤ 50 µs"),
    Benchmark("td_gammon_raw, a move, 2 plies", "µs", partial(_decision, 2, 5), "≤ 20,000 µs"),
)
