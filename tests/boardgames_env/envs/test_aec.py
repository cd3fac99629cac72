"""The PettingZoo environment of every game."""

import warnings
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import count
from typing import Any

import numpy as np
import pettingzoo.env_registry.registration as pettingzoo_registry
import pytest
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from boardgames_env import BadInputError, Game, Limits, make_game, registered_games
from boardgames_env.envs.aec import AGENTS, BoardGameAECEnv
from boardgames_env.envs.registration import pettingzoo_id
from tests.boardgames_env.envs.conftest import (
    ACHI_ROUND,
    ACHI_WITHOUT_A_LINE,
    BY_SPEC,
    GAMES,
    KINDS_OF_COPY,
    only_warning,
)
from tests.clients import client
from tests.variants import over, sampled

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # it imports games of its own by names it has given up
    from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test, state_test

# PettingZoo spares only environments on a list of its own these two
UNAVOIDABLE = ("Observation is not a NumPy array", "Observation space for each agent probably should be")


every_game = over(GAMES)


def make(game: Game, **more: Any) -> BoardGameAECEnv:
    env = pettingzoo_registry.make("aec", pettingzoo_id(registered_games()[game.name]), **game.options, **more)
    assert isinstance(env, BoardGameAECEnv)
    return env


def play_at_random(env: BoardGameAECEnv, rng: np.random.Generator, plies: int = 1_000_000) -> list[Any]:
    """What happens in the rest of a contest."""
    told = []
    for agent in env.agent_iter(plies):
        observation, reward, terminated, truncated, info = env.last()
        assert observation is not None
        legal = np.flatnonzero(observation["action_mask"])
        action = None if terminated or truncated else int(rng.choice(legal))
        told.append((agent, observation["observation"].tolist(), legal.tolist(), reward, terminated, truncated, action))
        assert info["action_mask"].tolist() == observation["action_mask"].tolist()
        env.step(action)
    return told


@client("its api, parallel api, seed, state and render tests, all games", "pettingzoo")
@over(sampled(GAMES, one_in=3))
def test_pettingzoo_finds_nothing_wrong(game: Game) -> None:
    with only_warning(*UNAVOIDABLE):
        api_test(make(game), num_cycles=100)
    with only_warning():
        seed_test(lambda: make(game), num_cycles=50)
        parallel_api_test(turn_based_aec_to_parallel(make(game)), num_cycles=100)
        parallel_seed_test(lambda: turn_based_aec_to_parallel(make(game)), num_cycles=50)


@client("its api, parallel api, seed, state and render tests, all games", "pettingzoo")
@every_game
def test_pettingzoo_finds_nothing_wrong_with_the_state(game: Game) -> None:
    env = make(game)
    # the first of PettingZoo's actions must be legal: it complains when an empty board stays empty
    seed = next(seed for seed in count() if begins_legally(env, seed))
    if game.rules.has_chance:
        env.reset = partial(env.reset, seed=seed)  # type: ignore[method-assign]  # (which it calls without a seed)
    begins_legally(env, seed)
    with only_warning():
        state_test(env, turn_based_aec_to_parallel(make(game)))


def begins_legally(env: BoardGameAECEnv, seed: int) -> bool:
    """Whether the first action that is sampled for the agent to move is legal; its samples then begin anew."""
    env.reset(seed=seed)
    space = env.action_space(env.agent_selection)
    space.seed(seed)
    is_legal = bool(env.infos[env.agent_selection]["action_mask"][space.sample()])
    space.seed(seed)
    return is_legal


@client("its api, parallel api, seed, state and render tests, all games", "pettingzoo")
@over(sampled(GAMES, one_in=13))
def test_every_render_mode_draws(game: Game) -> None:
    is_text: Callable[[object], bool] = lambda drawn: isinstance(drawn, str) and bool(drawn)  # noqa: E731
    with only_warning():
        render_test(lambda **mode: make(game, **mode), custom_tests={"svg": is_text, "ansi": is_text})


@every_game
def test_a_seat_sees_its_own_features_and_legal_actions(game: Game) -> None:
    env = make(game)
    env.reset()
    position = env.game.position(env.state())
    rng = np.random.default_rng(2)
    while not any((*env.terminations.values(), *env.truncations.values())):
        for seat, agent in enumerate(AGENTS):
            seen = env.observe(agent)
            assert seen["observation"].tolist() == position.features(seat).tolist()
            legal = position.legal_actions if seat == position.seat else ()
            assert tuple(np.flatnonzero(seen["action_mask"])) == legal
        assert env.agent_selection == AGENTS[position.seat]
        assert env.state().tolist() == position.state.tolist()
        action = int(rng.choice(position.legal_actions))
        position = position.play(action)
        env.step(action)
        if position.awaits_chance:
            reached = {event.position.key: event.position for event in position.events()}
            position = reached[env.state().tobytes()]
    points = position.outcome or 0
    assert env.rewards == {"player_0": points, "player_1": -points}
    assert all(mask["action_mask"].all() for mask in env.infos.values())


@pytest.mark.parametrize(
    ("game", "twin", "drawn"),
    [
        *sampled(GAMES[1::8], KINDS_OF_COPY, [None, 8]),
        *sampled([game for game in GAMES if game not in GAMES[1::8]], KINDS_OF_COPY, [None, 8], one_in=0),
    ],
    **BY_SPEC,
)
def test_a_copy_goes_on_identically(game: Game, twin: Callable[[Any], Any], drawn: int | None) -> None:
    """Undrawn to the end of the contest, and drawn for some plies."""
    env = make(game, render_mode="human" if drawn else None)
    env.reset()
    play_at_random(env, np.random.default_rng(3), plies=1)  # (hexapawn is soon over)
    for agent in AGENTS:
        env.action_space(agent).seed(5)
    other = twin(env)
    for each in AGENTS:
        assert env.action_space(each).sample() == other.action_space(each).sample()
    ends = [play_at_random(each, np.random.default_rng(4), drawn or 1_000_000) for each in (env, other)]
    assert ends[0] == ends[1]
    assert len(ends[0]) > 2
    for each in (env, other):
        each.reset()
        each.close()
    assert env.state().tolist() == other.state().tolist()


@every_game
def test_nothing_given_out_can_change_the_contest(game: Game) -> None:
    env, other = make(game), make(game)
    for each in (env, other):
        play_one(each)
    for array in (env.state(), *env.observe(AGENTS[1]).values(), *(info["action_mask"] for info in env.infos.values())):
        array[...] = 1
    for agent in AGENTS:
        for ours, theirs in zip(env.observe(agent).values(), other.observe(agent).values(), strict=True):
            assert ours.tolist() == theirs.tolist()
    assert env.state().tolist() == other.state().tolist()


@every_game
def test_an_illegal_action_loses(game: Game) -> None:
    env = make(game)
    play_one(env)
    legal = env.infos[env.agent_selection]["action_mask"]
    for illegal in (-1, env.game.num_actions, *np.flatnonzero(1 - legal)):
        play_one(env)
        offender = env.agent_selection
        (other,) = set(AGENTS) - {offender}
        before = env.state().tolist()
        env.step(illegal)
        assert env.rewards == {offender: -1, other: 0}
        assert env.terminations == dict.fromkeys(AGENTS, True)
        assert env.truncations == dict.fromkeys(AGENTS, False)
        assert env.state().tolist() == before
        left = play_at_random(env, np.random.default_rng(0))
        assert {agent: reward for agent, *_, reward, _, _, _ in left} == {offender: -1, other: 0}
        assert env.agents == []


def play_one(env: BoardGameAECEnv) -> None:
    env.reset(seed=1)
    env.step(np.flatnonzero(env.infos[env.agent_selection]["action_mask"])[0])


@pytest.mark.parametrize(
    ("spec", "limits", "actions", "draws"),
    [
        ("tic_tac_toe", {"limits": Limits(plies=3, plies_draw=False)}, (0, 1, 2), False),
        ("achi", {}, (*ACHI_WITHOUT_A_LINE, *ACHI_ROUND * 3), True),
    ],
)
def test_a_limit_draws_a_contest_or_truncates_it(
    spec: str, limits: dict[str, Any], actions: tuple[int, ...], draws: bool
) -> None:
    env = BoardGameAECEnv(replace(make_game(spec), **limits))
    env.reset()
    for action in actions:
        assert env.terminations == env.truncations == dict.fromkeys(AGENTS, False)
        env.step(action)
    assert env.terminations == dict.fromkeys(AGENTS, draws)
    assert env.truncations == dict.fromkeys(AGENTS, not draws)
    assert env.rewards == dict.fromkeys(AGENTS, 0)


def test_before_the_first_reset_it_says_so() -> None:
    env = BoardGameAECEnv("tic_tac_toe")
    too_early: list[Callable[[], object]] = [
        lambda: env.step(0),
        lambda: env.observe(AGENTS[0]),
        lambda: list(env.agent_iter()),
        env.last,
        env.render,
        env.state,
    ]
    for use in too_early:
        with pytest.raises(AttributeError, match=r"reset\(\)") as raised:
            use()
        assert "'_" not in str(raised.value)  # (nobody outside knows the names of private attributes)


def test_after_the_end_it_says_so() -> None:
    env = BoardGameAECEnv("tic_tac_toe")
    env.reset()
    play_at_random(env, np.random.default_rng(0))
    with pytest.raises(BadInputError, match="reset"):
        env.step(None)
    for observe in (True, False):
        with pytest.raises(BadInputError, match=r"is over and both agents have left; call reset\(\)"):
            env.last(observe)


def test_what_is_no_action_at_all_is_refused_and_changes_nothing() -> None:
    env = BoardGameAECEnv("tic_tac_toe")
    env.reset()
    for wrong in (None, 1.0, "1", np.array([1, 2])):
        with pytest.raises(BadInputError, match="whole number"):
            env.step(wrong)  # type: ignore[arg-type]
    assert env.state().tolist() == make_game("tic_tac_toe").initial.state.tolist()


def test_rendering_without_a_mode_warns() -> None:
    env = BoardGameAECEnv("achi")
    env.reset()
    with pytest.warns(UserWarning, match="render_mode"):
        assert env.render() is None
    with pytest.raises(BadInputError, match="rgb_array"):
        BoardGameAECEnv("achi", render_mode="pixels")
