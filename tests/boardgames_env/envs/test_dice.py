"""Dice in every kind of environment: fair, drawn from the seed, and apart from the random opponent's chances."""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import gymnasium
import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import chisquare

from boardgames_env import Game
from boardgames_env.envs.aec import BoardGameAECEnv
from boardgames_env.envs.single import BoardGameEnv
from boardgames_env.envs.vector import BoardGameVectorEnv
from tests.contests import Witness
from tests.variants import WITH_CHANCE, fast_for, over

FAST = "hypergammon"
"""The game of the fast run, whose batches other tests compile, too; it has the dice of backgammon."""

ROLLS = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]


State = NDArray[np.int8]
Play = Iterator[tuple[State, bool]]


def draw_from(mask: NDArray[np.int8], rng: np.random.Generator) -> int:
    return int(rng.choice(np.flatnonzero(mask)))


def play_aec(seed: int, spec: str) -> Play:
    """The states in which a seat is to move, and whether a contest begins with it; contest after contest."""
    env, rng = BoardGameAECEnv(spec), np.random.default_rng(seed)
    env.reset(seed=seed)
    while True:
        yield env.state(), True
        while not env.terminations["player_0"]:
            env.step(draw_from(env.infos[env.agent_selection]["action_mask"], rng))
            if not env.terminations["player_0"]:
                yield env.state(), False
        env.reset()


def play_single(seed: int, spec: str) -> Play:
    env, rng = BoardGameEnv(spec, opponent=None), np.random.default_rng(seed)
    _, info = env.reset(seed=seed)
    while True:
        yield env._contest.position.state, True
        is_over = False
        while not is_over:
            _, _, is_over, _, info = env.step(draw_from(info["action_mask"], rng))
            if not is_over:
                yield env._contest.position.state, False
        _, info = env.reset()


def play_batch(seed: int, spec: str) -> Play:
    env, rng = BoardGameVectorEnv(spec, 1, None), np.random.default_rng(seed)
    _, info = env.reset(seed=[seed])
    begins = True
    while True:
        if not env._copies.over[0]:
            yield env._copies.states[0].copy(), begins
        begins = bool(env._copies.over[0])
        action = 0 if begins else draw_from(info["action_mask"][0], rng)
        *_, info = env.step(np.array([action]))


def dice_of(state: State) -> tuple[int, int] | None:
    """The roll of a turn that has just begun, the larger die first; ``None`` within a turn."""
    left = state[29:35]
    faces = [face for face in range(6, 0, -1) for _ in range(left[face - 1])]
    if len(faces) == 4:
        return faces[0], faces[0]
    return (faces[0], faces[1]) if len(faces) == 2 and faces[0] != faces[1] else None


@pytest.mark.slow
@pytest.mark.parametrize("spec", WITH_CHANCE)
def test_dice_are_fair(spec: str) -> None:
    """In a batch, that is, whose dice are those of all kinds of environments."""
    counts = dict.fromkeys(ROLLS, 0)
    for state, begins in islice(play_batch(1, spec), 12_000):
        roll = dice_of(state)
        if roll and not begins:
            counts[roll] += 1
    shares = np.array([(1 if high == low else 2) / 36 for high, low in ROLLS])
    found = list(counts.values())
    assert sum(found) > 5_000
    assert chisquare(found, shares * sum(found)).pvalue > 0.001


def openings_of(env: Any, contests: int, seed: int | None) -> Iterator[State]:
    """The positions in which contests begin; only the first is seeded."""
    for contest in range(contests):
        env.reset(seed=None if contest else seed)
        yield env.state() if isinstance(env, BoardGameAECEnv) else env._contest.position.state


@pytest.mark.parametrize("spec", fast_for([FAST], WITH_CHANCE))
def test_the_opening_roll_is_never_a_double_and_either_seat_begins(spec: str) -> None:
    batch = BoardGameVectorEnv(spec, 4_000, None)
    batch.reset(seed=1)
    rolls = {roll: [0, 0] for roll in ROLLS if roll[0] != roll[1]}
    for state in batch._copies.states:
        roll = dice_of(state)
        assert roll
        rolls[roll][state[0]] += 1
    for axis in (0, 1):
        assert chisquare(np.sum(list(rolls.values()), axis=axis)).pvalue > 0.001


@pytest.mark.parametrize("spec", fast_for([FAST], WITH_CHANCE))
def test_all_kinds_of_environment_have_the_same_dice(spec: str) -> None:
    aec, single, batch = (
        [(state.tobytes(), begins) for state, begins in islice(play(7, spec), 1_500)]
        for play in (play_aec, play_single, play_batch)
    )
    assert aec == single == batch
    assert aec != [(state.tobytes(), begins) for state, begins in islice(play_aec(8, spec), 1_500)]
    assert sum(begins for _, begins in aec) > 3


@pytest.mark.parametrize("make", [BoardGameAECEnv, BoardGameEnv])
def test_dice_without_a_seed_are_new_ones(make: Callable[[str], Any]) -> None:
    """A reset goes on with the dice there are; an environment that was never seeded has dice of its own."""
    env = make("backgammon")
    seeded = [[state.tobytes() for state in openings_of(env, 20, seed=1)] for _ in range(2)]
    assert seeded[0] == seeded[1]
    assert len(set(seeded[0])) > 5
    unseeded = [[state.tobytes() for state in openings_of(make("backgammon"), 20, seed=None)] for _ in range(2)]
    assert unseeded[0] != unseeded[1]


def test_the_opponents_chances_do_not_touch_the_dice() -> None:
    """The caller's first roll is the same whether the opponent that has moved before draws its actions or not."""
    rolls = []
    for opponent in ("random", Witness()):
        env = BoardGameEnv("hypergammon", opponent=opponent, seat=0)
        seen = []
        for seed in range(50):
            env.reset(seed=seed)
            seen.append(dice_of(env._contest.position.state))
        rolls.append(seen)
    assert rolls[0] == rolls[1]
    assert len(set(rolls[0])) > 10


@pytest.mark.parametrize("seat", [0, 1])
@over(WITH_CHANCE)
def test_the_opponent_moves_first_where_it_won_the_opening_roll(game: Game, seat: int) -> None:
    env = BoardGameEnv(game, seat=seat)  # type: ignore[arg-type]
    men = game.initial.state[1:29]
    opened = 0
    for contest in range(60):
        _, info = env.reset(seed=None if contest else 3)
        assert env._contest.position.seat == info["seat"] == seat
        opened += bool((env._contest.position.state[1:29] != men).any())
    assert 15 < opened < 45


@pytest.mark.parametrize("cube", fast_for([False], [False, True]))
def test_points_are_up_to_three_times_the_cube(cube: bool) -> None:
    env = gymnasium.make_vec("boardgames/Hypergammon-v0", 64, cube=cube)
    rng = np.random.default_rng(0)
    _, info = env.reset(seed=4)
    seen: set[float] = set()
    for _ in range(400):
        mask = info["action_mask"]
        _, reward, terminated, _, info = env.step((rng.random(mask.shape) * mask).argmax(axis=1))
        seen |= set(reward[terminated].tolist())
    allowed = {sign * points * 2**k for sign in (-1, 1) for points in (1, 2, 3) for k in range(7 if cube else 1)}
    assert seen <= allowed
    assert max(map(abs, seen)) > 3 if cube else seen == allowed
