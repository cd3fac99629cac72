"""Plain Python and machine code compute the same: in contests of every agent, in training, in tables of values."""

import gc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from boardgames_agents.arena.tournament import tournament
from boardgames_env import Game
from boardgames_env.kernels import Kernel
from tests.golden_records import path_of, play_out
from tests.processes import printed
from tests.test_every_agent import own_agents, pairs
from tests.variants import EACH_GAME, EACH_SMALL_GAME, over, sampled

Differences = list[str]


@pytest.fixture
def differences(monkeypatch: pytest.MonkeyPatch) -> Differences:
    """Let every kernel that Python calls run in both tiers; return the names of those that differ."""
    found: Differences = []

    class InBothTiers:
        """Stands in place of `Kernel.run`."""

        def __get__(self, kernel: Kernel, owner: type) -> Callable[..., Any]:
            return both_of(kernel, found)

    for kernel in [each for each in gc.get_objects() if type(each) is Kernel and "run" in vars(each)]:
        monkeypatch.delitem(vars(kernel), "run")
    monkeypatch.setattr(Kernel, "run", InBothTiers())
    return found


def both_of(kernel: Kernel, found: Differences) -> Callable[..., Any]:
    """Return a function that runs a kernel in both tiers, on copies of its arguments."""
    machine_code = kernel._machine_code()
    if kernel.compiled_first:
        return machine_code

    def run(*args: Any) -> Any:
        copies = copied(args)
        as_python, result = kernel.as_python(*copies), machine_code(*args)
        if not is_same((as_python, copies), (result, args)):
            found.append(repr(kernel))
        return result

    return run


def copied(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, tuple):
        parts = map(copied, value)
        return value._make(parts) if hasattr(value, "_make") else tuple(parts)
    return value


def is_same(one: Any, other: Any) -> bool:
    """Return whether two values are of one type and the same to the last bit."""
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and one.tobytes() == other.tobytes()
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(is_same, one, other))
    return type(one) is type(other) and repr(one) == repr(other)


@over(sampled(EACH_GAME, one_in=4))
def test_golden_records_are_played(game: Game, differences: Differences) -> None:
    assert play_out(game) == path_of(game.spec).read_text(encoding="utf-8")
    assert not differences


@pytest.mark.parametrize(("name", "game"), pairs(own_agents(), EACH_SMALL_GAME, turn=2), indirect=["game"])
def test_every_agent_plays_a_contest(name: str, game: Game, differences: Differences) -> None:
    tournament(game, name, "random", 1, (7,))
    assert not differences


@pytest.mark.slow
def test_backgammon_is_played(differences: Differences) -> None:
    for name in ("td_gammon", "pubeval", "td_gammon_1995"):
        tournament("backgammon", name, "random", 1, (7,))
    assert not differences


LEARNS = """
from boardgames_agents.registry import make_learner
from boardgames_env import make_game
for name, options in (("tic_tac_toe", "hidden=8"), ("hypergammon", "hidden=8, lam=0.7")):
    learner = make_learner(f"td({options})", make_game(name))
    learner.self_play((3,), range(200))
    print(learner.snapshot().digest)
"""

SOLVES = """
from boardgames_env import make_game
from boardgames_env.solve import solve
for name in ("tic_tac_toe", "pong_hau_ki", "three_mens_morris"):
    game = make_game(name)
    table, start = solve(game), game.initial
    print(name, table.value(start), [table.value(start.play(action)) for action in start.legal_actions])
"""


@pytest.mark.slow
@pytest.mark.parametrize("code", [LEARNS, SOLVES])
def test_what_is_compiled_first_computes_the_same_as_plain_python(code: str) -> None:
    assert printed(code, NUMBA_DISABLE_JIT="1") == printed(code)


@pytest.mark.parametrize(
    "words",
    [
        ["match", "fives", "fives", "random", "--contests", 2, "--json"],
        pytest.param(
            ["match", "backgammon", "td_gammon", "pubeval", "--contests", 1, "--json"], marks=pytest.mark.slow
        ),
    ],
    ids=lambda words: words[1],
)
def test_commands_print_the_same_without_a_compiler(words: list[object]) -> None:
    code = "import sys\nfrom boardgames_cli.main import main\nsys.argv[0] = 'boardgames'\nmain()"
    plain, compiled = (printed(code, *words, NUMBA_DISABLE_JIT=disabled) for disabled in ("1", "0"))
    assert without_times(plain) == without_times(compiled)


def without_times(text: str) -> list[str]:
    return [line for line in text.splitlines() if "seconds" not in line]
