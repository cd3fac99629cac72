"""What environments draw."""

from collections.abc import Callable
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pytest

from boardgames_env import BadInputError, Contest, make_game
from boardgames_env.chance import ChanceStream
from boardgames_env.envs.aec import BoardGameAECEnv
from boardgames_env.envs.single import BoardGameEnv
from boardgames_env.envs.vector import BoardGameVectorEnv, make_vector_env
from boardgames_env.render.svg import draw_svg
from boardgames_env.render.text import draw_text

OTHERS = (BoardGameEnv, partial(BoardGameVectorEnv, num_envs=2))
ENVIRONMENTS = (BoardGameAECEnv, *(pytest.param(make, marks=pytest.mark.slow) for make in OTHERS))


@pytest.mark.parametrize("make", ENVIRONMENTS)
def test_pictures_have_the_size_asked_for(make: Callable[..., Any]) -> None:
    env = make("achi", render_mode="rgb_array", render_size=50)
    env.reset(seed=1)
    assert np.asarray(env.render()).shape[-3:] == (50, 50, 3)
    for size in (0, 5000, 2.5, "big"):
        with pytest.raises(BadInputError, match=f"render_size={size!r} is not allowed"):
            make("achi", render_size=size)


def test_the_last_move_is_marked() -> None:
    env = BoardGameAECEnv("tic_tac_toe", render_mode="svg", render_size=99, render_labels=False)
    env.reset()
    before = env.game.initial
    assert env.render() == draw_svg(before, 99, labels=False)
    for action in (4, 0):
        env.step(action)
        position = before.play(action)
        assert env.render() == draw_svg(position, 99, labels=False, before=before) != draw_svg(position, 99, False)
        before = position


@pytest.mark.slow
def test_a_batch_marks_what_the_last_step_has_changed() -> None:
    env = make_vector_env("tic_tac_toe", 2, opponent=None, render_mode="svg", autoreset_mode="SameStep")
    env.reset(seed=1)
    position = make_game("tic_tac_toe").initial
    for action in (4, 0, 2, 1):
        env.step(np.array([action, action]))
        before, position = position, position.play(action)
        assert env.render() == (draw_svg(position, before=before),) * 2
    env.step(np.array([6, 5]))  # the first contest is over, and another has begun
    assert env.render() == (draw_svg(position.game.initial), draw_svg(position.play(5), before=position))


def test_text_has_no_labels_on_request() -> None:
    env = gymnasium.make("boardgames/Achi-v0", opponent=None, render_mode="ansi", render_labels=False)
    env.reset(seed=1)
    drawn = env.render()
    assert drawn == draw_text(make_game("achi").initial, labels=False)
    assert str(drawn).startswith(" .---.---.")


def test_a_last_move_is_all_of_a_turn() -> None:
    game = make_game("nine_mens_morris")
    contest = Contest(game)
    assert contest.before_last_move() is None
    line = game.board.winning_lines[0]
    for mine, theirs in zip(line[:2], (8, 20), strict=True):
        contest.play(mine)
        before = contest.position
        contest.play(theirs)
        assert contest.before_last_move() == before
    before = contest.position
    contest.play(line[2])
    assert contest.seat == 0, "a mill: a man is captured"
    assert contest.before_last_move() == before
    contest.play(contest.position.legal_actions[0])
    assert contest.before_last_move() == before
    assert contest._repr_svg_() == draw_svg(contest.position, before=before) != contest.position.svg


@pytest.mark.slow
def test_a_contest_with_dice_is_played_again() -> None:
    game = make_game("hypergammon")
    contest = Contest(game, ChanceStream(game, np.random.default_rng(1)))
    turns = [contest.position]
    while not contest.is_over:
        if contest.position.seat != turns[-1].seat:
            turns.append(contest.position)
        contest.play(contest.position.legal_actions[0])
    assert contest.before_last_move() == turns[-1]
