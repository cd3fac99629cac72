"""The Gymnasium environment of every game."""

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

from boardgames_env import BadInputError, Game, IllegalActionError, Limits, make_game, registered_games
from boardgames_env.envs.registration import gymnasium_id
from boardgames_env.envs.single import BoardGameEnv
from tests.boardgames_env.envs.conftest import BY_SPEC, GAMES, KINDS_OF_COPY, only_warning
from tests.clients import client
from tests.contests import Witness
from tests.variants import over, sampled

every_game = over(GAMES)
every_game_and_opponent = pytest.mark.parametrize(("game", "opponent"), sampled(GAMES, ["random", None]), **BY_SPEC)


def make(game: Game, **more: Any) -> BoardGameEnv:
    env = gymnasium.make(gymnasium_id(registered_games()[game.name]), **game.options, **more).unwrapped
    assert isinstance(env, BoardGameEnv)
    return env


def contest(env: BoardGameEnv, rng: np.random.Generator) -> list[Any]:
    """Everything that happens from here to the end of a contest, by random play."""
    told: list[Any] = []
    is_over = False
    while not is_over:
        action = int(rng.choice(np.flatnonzero(env.action_masks())))
        observation, reward, terminated, truncated, info = env.step(action)
        told.append((observation.tolist(), reward, terminated, truncated, info["action_mask"].tolist(), info["seat"]))
        is_over = terminated or truncated
    return told


@client("its and Stable-Baselines3's `check_env`, all games", "gymnasium")
@pytest.mark.parametrize(("game", "opponent"), sampled(GAMES, ["random", None], one_in=3), **BY_SPEC)
def test_gymnasium_and_stable_baselines_find_nothing_wrong(game: Game, opponent: str | None) -> None:
    from stable_baselines3.common.env_checker import check_env as sb3_check_env

    with only_warning():
        check_env(make(game, opponent=opponent))
        sb3_check_env(make(game, opponent=opponent, render_mode="rgb_array"), skip_render_check=False)


@every_game_and_opponent
def test_info_tells_the_seat_and_its_legal_actions(game: Game, opponent: str | None) -> None:
    env = make(game, opponent=opponent)
    rng = np.random.default_rng(1)
    for _ in range(4):
        observation, info = env.reset()
        is_over = False
        while not is_over:
            position = env._contest.position
            assert info["seat"] == env.seat == position.seat
            # any action, if the opponent's first move has ended the contest
            legal = position.legal_actions or tuple(range(game.num_actions))
            assert tuple(np.flatnonzero(info["action_mask"])) == legal
            assert env.action_masks().tolist() == info["action_mask"].astype(bool).tolist()
            assert observation.tolist() == position.features(env.seat).tolist()
            observation, reward, terminated, truncated, info = env.step(int(rng.choice(legal)))
            is_over = terminated or truncated
            mover = position.seat
            assert is_over or reward == 0
        assert reward == (env._contest.position.points_for(mover) or 0)
        assert info["action_mask"].all()


@pytest.mark.parametrize("action", [0, 8, 99])
def test_the_first_step_tells_of_a_contest_that_the_opponents_first_move_has_ended(action: int) -> None:
    env = make(make_game("mu_torere", restricted="never"), opponent="perfect", seat=1)
    for _ in range(2):
        before, info = env.reset()
        assert info["action_mask"].all()
        after, reward, terminated, truncated, _ = env.step(action)
        assert (reward, terminated, truncated) == (-1, True, False)
        assert (after == before).all()
        with pytest.raises(ResetNeeded):
            env.step(action)


@every_game
def test_an_illegal_action_loses(game: Game) -> None:
    for opponent in ("random", None):
        env = make(game, opponent=opponent)
        for illegal in (-1, game.num_actions):
            before, _ = env.reset(seed=1)
            after, reward, terminated, truncated, _ = env.step(illegal)
            assert (reward, terminated, truncated) == (-1, True, False)
            assert before.tolist() == after.tolist()
            with pytest.raises(ResetNeeded):
                env.step(0)


@pytest.mark.parametrize(
    ("game", "twin", "opponent"), sampled(GAMES, KINDS_OF_COPY, ["random", None, Witness]), **BY_SPEC
)
def test_a_copy_goes_on_identically(game: Game, twin: Callable[[Any], Any], opponent: Any) -> None:
    env = make(game, opponent=Witness() if opponent is Witness else opponent)
    env.reset(seed=3)
    env.step(int(np.flatnonzero(env.action_masks())[0]))
    other = twin(env)
    ends = []
    for each in (env, other):
        rng = np.random.default_rng(4)
        told = [contest(each, rng)]
        each.reset()
        ends.append([*told, contest(each, rng)])
    assert ends[0] == ends[1]


def test_seats_alternate_and_a_seed_starts_again() -> None:
    env = make(make_game("tic_tac_toe"))
    assert [env.reset()[1]["seat"] for _ in range(3)] == [0, 1, 0]
    assert [env.reset(seed=seed)[1]["seat"] for seed in (5, None, 5, 5, None)] == [0, 1, 0, 0, 1]
    fixed = make(make_game("tic_tac_toe"), seat=1)
    for _ in range(3):
        observation, info = fixed.reset()
        assert info["seat"] == 1
        assert observation[9:18].sum() == 1  # the opponent has opened


def test_the_random_opponent_plays_every_opening_equally_often() -> None:
    env = make(make_game("tic_tac_toe"), seat=1)
    env.reset(seed=0)
    openings = np.zeros(9)
    for _ in range(4500):
        observation, _ = env.reset()
        openings += observation[9:18]
    # chi-squared with 8 degrees of freedom: 26.1 is exceeded once in a thousand
    assert ((openings - 500) ** 2 / 500).sum() < 26.1


def test_an_opponent_is_told_everything() -> None:
    opponent = Witness()
    env = BoardGameEnv("tic_tac_toe", opponent=opponent, seat=1)
    env.reset()
    env.step(8)
    game = make_game("tic_tac_toe")
    first = game.initial.play(0)
    assert opponent.seats == [(0,)]
    assert opponent.told == [(game.initial, 0), (first, 8), (first.play(8), 1)]


def test_a_contest_that_a_limit_cuts_short_is_truncated() -> None:
    game = replace(make_game("tic_tac_toe"), limits=Limits(plies=3, plies_draw=False))
    env = BoardGameEnv(game, opponent=Witness(), seat=0)
    env.reset()
    assert env.step(8)[1:4] == (0.0, False, False)
    assert env.step(7)[1:4] == (0.0, False, True)


def test_an_opponent_by_spec() -> None:
    env = BoardGameEnv("tic_tac_toe", opponent="fallible(e=0.5)")
    env.reset(seed=1)
    one = contest(env, np.random.default_rng(1))
    env.reset(seed=1)
    assert contest(env, np.random.default_rng(1)) == one
    with pytest.raises(BadInputError, match="fallible"):
        BoardGameEnv("tic_tac_toe", opponent="falible")


def test_bad_input_is_refused() -> None:
    for options, complaint in [
        ({"seat": 2}, "seat=2"),
        ({"seat": True}, "seat=True"),
        ({"seat": 1, "opponent": None}, "needs an opponent"),
        ({"opponent": 3}, "opponent=3"),
        ({"render_mode": "pixels"}, "render_mode"),
        ({"size": 3}, "no option 'size'"),
    ]:
        with pytest.raises(BadInputError, match=complaint):
            BoardGameEnv("achi", **options)  # type: ignore[arg-type]
    env = BoardGameEnv("achi")
    with pytest.raises(ResetNeeded, match="reset"):
        env.step(0)
    env.reset()
    with pytest.raises(BadInputError, match="whole number"):
        env.step(0.5)  # type: ignore[arg-type]


def test_an_opponent_that_breaks_the_rules_is_named_at_once() -> None:
    cheat = SimpleNamespace(begin=lambda *told: None, choose=lambda position: 4, saw=lambda *told: None)
    env = BoardGameEnv("tic_tac_toe", opponent=cheat, seat=0)
    env.reset()
    with pytest.raises(IllegalActionError, match="action 4"):
        env.step(4)
