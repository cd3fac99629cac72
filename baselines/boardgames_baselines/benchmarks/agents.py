"""Agents: TD(λ) at backgammon, the student of fives, Stable-Baselines3 on our environments, and leagues."""

import os
import subprocess
import sys
import tempfile
from dataclasses import replace
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
from numba import types

from boardgames_agents.arena.score import Score
from boardgames_agents.arena.tournament import tournament
from boardgames_agents.experiments.runner import Workers
from boardgames_agents.fives.exam import Exam
from boardgames_agents.fives.features import after_mark, put, read, recounted
from boardgames_agents.fives.grid_lines import LINES, Lines, lines_of
from boardgames_agents.fives.minimax import FivesSearch
from boardgames_agents.league.entrants import Entrant
from boardgames_agents.league.round_robin import League, play
from boardgames_agents.policy import Learner
from boardgames_agents.registry import make_agent
from boardgames_agents.td.learner import TDLearner
from boardgames_agents.training.starting_positions import load_starts
from boardgames_agents.training.trainers import make_trainer
from boardgames_baselines.benchmarks.benchmark import Benchmark, Peer, seconds_of
from boardgames_env import Game, make_game
from boardgames_env.envs.single import BoardGameEnv
from boardgames_env.kernels import Kernel, kernel
from boardgames_env.kernels.signatures import INT8_2D, INT32_2D, Int8s, Int32s

if TYPE_CHECKING:
    from stable_baselines3.common.vec_env import VecEnv

# --- TD(λ) at backgammon: training, and decisions of a trained network ---

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


def _in_two_processes(lam: float) -> float:
    """Return contests per second of the slower of two processes that train at once."""
    code = f"from boardgames_baselines.benchmarks.agents import training; training({lam}); print(training({lam}))"
    both = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, encoding="utf-8") for _ in range(2)]
    return min(float(process.communicate()[0]) for process in both)


def _against_pubeval(a: str, contests: int) -> tuple[float, Score]:
    """Return the seconds of contests against pubeval, and their score."""
    game = make_game("backgammon")
    players = make_agent(a, game), make_agent("pubeval", game)
    start = perf_counter()
    score = tournament(game, *players, contests, seed=0).score
    return perf_counter() - start, score


def _microseconds_per_move(plies: int, contests: int) -> float:
    """Return the microseconds of a whole move of the shipped network of 40 units."""
    _, score = _against_pubeval(f"td_gammon_raw(plies={plies})", contests)
    return score.seconds / (score.plies / 2) * 1e6


# --- the student of fives: features kept up to date, exams, and learning sessions ---

_CONTESTS = types.int64(LINES, INT32_2D, INT8_2D)


@kernel(_CONTESTS, compiled_first=True)
def _updating(lines: Lines, contests: Int32s, states: Int8s) -> int:
    """Play the marks of each contest, and keep both seats' features up to date; a sum of them all."""
    codes, total = lines.empty.copy(), 0
    for contest in range(len(contests)):
        codes[:] = lines.empty
        both = (0, 0)
        for ply in range(contests.shape[1]):
            both = after_mark(lines, codes, contests[contest, ply], ply % 2, both)
            put(lines, codes, contests[contest, ply], 1 + ply % 2)
            total ^= both[0] + 3 * both[1]
    return total


@kernel(_CONTESTS, compiled_first=True)
def _recounting(lines: Lines, contests: Int32s, states: Int8s) -> int:
    """Return marks per second if all lines are counted anew after each mark."""
    total = 0
    for contest in range(len(contests)):
        state = states[contest]
        for ply in range(contests.shape[1]):
            state[1 + contests[contest, ply]] = 1 - 2 * (ply % 2)
            both = recounted(lines, state)
            total ^= both[0] + 3 * both[1]
    return total


@kernel(_CONTESTS, compiled_first=True)
def _reading(lines: Lines, contests: Int32s, states: Int8s) -> int:
    """Return marks per second if the codes of all lines are looked up anew."""
    codes, total = lines.empty.copy(), 0
    for contest in range(len(contests)):
        state = states[contest]
        for ply in range(contests.shape[1]):
            state[1 + contests[contest, ply]] = 1 - 2 * (ply % 2)
            both = read(lines, state, codes)
            total ^= both[0] + 3 * both[1]
    return total


@cache
def _fives() -> Game:
    return make_game("fives").ready


def _marks_per_second(counting: Kernel, contests: int) -> float:
    """Return marks per second, on one core, in random contests of 60 plies without an end."""
    game, rng = _fives(), np.random.default_rng(1)
    marks = np.array([rng.permutation(game.board.size)[:60] for _ in range(contests)], dtype=np.int32)
    lines, states = lines_of(game), np.zeros((contests, game.state_size), dtype=np.int8)
    counting.run(lines, marks[:1], states[:1].copy())
    return marks.size / seconds_of(lambda: counting.run(lines, marks, states))


def _exam(exams: int = 20) -> float:
    """Return the milliseconds of an exam of ten contests, both players with level and width 3."""
    exam, student = Exam(_fives(), load_starts("exam-1", _fives())), FivesSearch(_fives())
    return 1000 * seconds_of(lambda: [exam.score(student) for _ in range(exams)]) / exams


def _lesson(filters: bool) -> float:
    """Return the milliseconds of the longest of five sessions with a teacher of level 5, width 10."""
    spec = "fives(exam='')" if filters else "fives(exam='', experience=False, rules=False, self_test=False)"
    learner, trainer = make_agent(spec, _fives()), make_trainer("teacher(starts='lessons-1')", _fives())
    assert isinstance(learner, Learner)

    def session(contest: int) -> None:
        trainer.meeting(contest, learner).play(_fives(), learner, [1, contest])

    return 1000 * max(seconds_of(partial(session, contest)) for contest in range(5))


# --- Stable-Baselines3 on our environments: steps, and training beside PettingZoo's tutorial ---

_SB3_GAME = "tic_tac_toe"
_SB3_COPIES = 256
_ACTIONS = 2048
"""Actions that MaskablePPO learns from at once, its own default."""


def _batched(copies: int) -> "VecEnv":
    from boardgames_baselines.rl.vec_env import BatchVecEnv

    return BatchVecEnv(make_game(_SB3_GAME), copies)


def _one_by_one(copies: int) -> "VecEnv":
    from stable_baselines3.common.vec_env import DummyVecEnv

    return DummyVecEnv([partial(BoardGameEnv, _SB3_GAME)] * copies)


def _steps(make: Any, actions: int) -> float:
    """Return random legal actions per second, with the masks that MaskablePPO needs."""
    from sb3_contrib.common.maskable.utils import get_action_masks

    env = make(_SB3_COPIES)
    env.seed(0)
    env.reset()
    rng = np.random.default_rng(0)
    rounds = actions // _SB3_COPIES
    start = perf_counter()
    for _ in range(rounds):
        masks = get_action_masks(env)
        env.step((rng.random(masks.shape) * masks).argmax(axis=1))
    return rounds * _SB3_COPIES / (perf_counter() - start)


def _sb3_training(env: Any, copies: int) -> float:
    """Return actions per second of MaskablePPO with its defaults, learning included."""
    from sb3_contrib import MaskablePPO

    from boardgames_baselines.rl.networks import seeded

    with seeded((0,)):
        model = MaskablePPO("MlpPolicy", env, n_steps=_ACTIONS // copies, seed=0, device="cpu")
        return 2 * _ACTIONS / seconds_of(lambda: model.learn(2 * _ACTIONS))


def _tutorial_env() -> Any:
    """Return PettingZoo's game for Stable-Baselines3, as in its tutorial on action masks.

    Both seats are one decision process there.
    """
    from pettingzoo.classic import tictactoe_v3
    from pettingzoo.utils import BaseWrapper
    from sb3_contrib.common.wrappers import ActionMasker

    bases: Any = (BaseWrapper, gymnasium.Env)

    class Wrapper(*bases):  # type: ignore[misc]
        """An environment whose agent is the seat to move."""

        def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
            super().reset(seed, options)
            first = self.possible_agents[0]
            self.observation_space = super().observation_space(first)["observation"]
            self.action_space = super().action_space(first)
            return self.observe(self.agent_selection), {}

        def step(self, action: int) -> Any:
            super().step(action)
            return super().last()

        def observe(self, agent: str) -> Any:
            return super().observe(agent)["observation"]

        def action_mask(self) -> Any:
            return super().observe(self.agent_selection)["action_mask"]

    env: Any = Wrapper(tictactoe_v3.env())
    env.reset(seed=0)
    return ActionMasker(env, lambda wrapped: env.action_mask())


# --- leagues, on joblib and on Ray with the same processors of this machine ---

CORES = os.cpu_count() or 1

LEAGUE = League(
    ("tic_tac_toe", "achi"),
    (
        Entrant.trained("menace", contests=1000),
        *map(Entrant, ("random", "fallible(e=0.1)", "perfect", "mcts(playouts=50)", "mcts(playouts=200)")),
    ),
    contests=100,
)
"""Two trainings, then 60 blocks of 50 contests, some of milliseconds and some of seconds."""


TEN = League(
    ("tic_tac_toe",),
    (
        *map(Entrant, ("random", "reasonable", "fallible(e=0.1)", "perfect")),
        *map(Entrant, ("alpha_beta(nodes=2000)", "mcts(playouts=200)")),
        Entrant.trained("menace", trainer="fallible(e=0.3)", contests=2000),
        Entrant.trained("q_learning", trainer="fallible(e=0.7)", contests=2000),
        Entrant.trained("td", trainer="self", contests=10_000),
        Entrant.trained("hoyle", trainer="2&7", contests=20),
    ),
)
"""Ten types of agents, 100 contests of each pair."""


def _ten(workers: Workers) -> float:
    """Return the seconds of a league whose learners are trained already."""
    with tempfile.TemporaryDirectory() as folder:
        play(replace(TEN, contests=2), Path(folder), workers)
        return seconds_of(lambda: play(TEN, Path(folder), workers))


def _league(workers: Workers) -> float:
    """Return the seconds of a league, trainings included."""
    with tempfile.TemporaryDirectory() as folder:
        return seconds_of(lambda: play(LEAGUE, Path(folder), workers))


BENCHMARKS = (
    *(
        Benchmark(
            f"TD(λ) self-play at backgammon, 198–40–4, λ = {lam}, one core",
            "contests/s",
            partial(training, lam),
            f"≥ {bar:,}",
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
    Benchmark("td_gammon_raw, a move, 1 ply", "µs", partial(_microseconds_per_move, 1, 200), "≤ 50 µs"),
    Benchmark("td_gammon_raw, a move, 2 plies", "µs", partial(_microseconds_per_move, 2, 5), "≤ 20,000 µs"),
    *(
        Benchmark(
            "features at fives, kept up to date mark by mark",
            "marks/s",
            partial(_marks_per_second, _updating, 20_000),
            bar,
            Peer(peer, partial(_marks_per_second, counting, 1000)),
        )
        for peer, counting, bar in (
            ("counting the board anew, cell by cell", _recounting, "≥ 20 ×"),
            ("the same by the table of lines", _reading, ""),
        )
    ),
    Benchmark("an exam at fives: ten contests, level 3, width 3", "ms", _exam, "≤ 500 ms"),
    Benchmark("a session of fives with a teacher of level 5, width 10", "ms", partial(_lesson, False), "≤ 20,000 ms"),
    Benchmark("a session of fives with all filters", "ms", partial(_lesson, True), "≤ 20,000 ms"),
    *(
        (
            Benchmark(
                f"Stable-Baselines3 fed by a batch, {_SB3_COPIES} copies",
                "actions/s",
                partial(_steps, _batched, 256 * _SB3_COPIES),
                "≥ 5 ×",
                Peer("its DummyVecEnv of the same environment", partial(_steps, _one_by_one, 16 * _SB3_COPIES)),
            ),
            Benchmark(
                "MaskablePPO, learning included",
                "actions/s",
                lambda: _sb3_training(_batched(64), 64),
                "≥ 2 ×",
                Peer("PettingZoo's tutorial on classic/tictactoe", lambda: _sb3_training(_tutorial_env(), 1), "pygame"),
            ),
        )
        if find_spec("sb3_contrib")
        else ()
    ),
    Benchmark(
        f"a league of ten agents at tic-tac-toe, 100 contests a pair, after training, {CORES} processes",
        "s",
        lambda: _ten(Workers(CORES)),
        "≤ 60 s",
    ),
    Benchmark(
        f"a league of six agents at two games, joblib, {CORES} processes",
        "s",
        lambda: _league(Workers(CORES)),
        "≥ 0.9 ×",
        Peer(f"Ray, {CORES} workers", lambda: _league(Workers(backend="ray", address="local")), "ray"),
    ),
)
