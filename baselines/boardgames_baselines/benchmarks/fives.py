"""The student of fives: features kept up to date, exams, and learning sessions."""

from functools import cache, partial

import numpy as np
from numba import types

from boardgames_agents.fives.exam import Exam
from boardgames_agents.fives.features import after_mark, put, read, recounted
from boardgames_agents.fives.grid_lines import LINES, Lines, lines_of
from boardgames_agents.fives.minimax import FivesSearch
from boardgames_agents.policy import Learner
from boardgames_agents.registry import make_agent
from boardgames_agents.training.starting_positions import load_starts
from boardgames_agents.training.trainers import make_trainer
from boardgames_baselines.benchmarks.benchmark import Benchmark, Peer, seconds_of
from boardgames_env import Game, make_game
from boardgames_env.kernels import Kernel, kernel
from boardgames_env.kernels.signatures import INT8_2D, INT32_2D, Int8s, Int32s

_CONTESTS = types.int64(LINES, INT32_2D, INT8_2D)


@kernel(_CONTESTS)
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


@kernel(_CONTESTS)
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


@kernel(_CONTESTS)
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
def _game() -> Game:
    return make_game("fives").ready


def _marks(counting: Kernel, contests: int) -> float:
    """Return marks per second, on one core, in random contests of 60 plies without an end."""
    game, rng = _game(), np.random.default_rng(1)
    marks = np.array([rng.permutation(game.board.size)[:60] for _ in range(contests)], dtype=np.int32)
    lines, states = lines_of(game), np.zeros((contests, game.state_size), dtype=np.int8)
    counting.run(lines, marks[:1], states[:1].copy())
    return marks.size / seconds_of(lambda: counting.run(lines, marks, states))


def _exam(exams: int = 20) -> float:
    """Return the milliseconds of an exam of ten contests, both players with level and width 3."""
    exam, student = Exam(_game(), load_starts("exam-1", _game())), FivesSearch(_game())
    return 1000 * seconds_of(lambda: [exam.score(student) for _ in range(exams)]) / exams


def _lesson(filters: bool) -> float:
    """Return the milliseconds of the longest of five sessions with a teacher of level 5, width 10."""
    spec = "fives(exam='')" if filters else "fives(exam='', experience=False, rules=False, self_test=False)"
    learner, trainer = make_agent(spec, _game()), make_trainer("teacher(starts='lessons-1')", _game())
    assert isinstance(learner, Learner)

    def session(contest: int) -> None:
        trainer.meeting(contest, learner).play(_game(), learner, [1, contest])

    return 1000 * max(seconds_of(partial(session, contest)) for contest in range(5))


BENCHMARKS = (
    *(
        Benchmark(
            "features at fives, kept up to date mark by mark",
            "marks/s",
            partial(_marks, _updating, 20_000),
            bar,
            Peer(peer, partial(_marks, counting, 1000)),
        )
        for peer, counting, bar in (
            ("counting the board anew, cell by cell", _recounting, "≥ 20 ×"),
            ("the same by the table of lines", _reading, ""),
        )
    ),
    Benchmark("an exam at fives: ten contests, level 3, width 3", "ms", _exam, "≤ 500 ms"),
    Benchmark("a session of fives with a teacher of level 5, width 10", "ms", partial(_lesson, False), "≤ 20,000 ms"),
    Benchmark("a session of fives with all filters", "ms", partial(_lesson, True), "≤ 20,000 ms"),
)
