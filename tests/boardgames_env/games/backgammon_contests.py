"""Contests and positions of backgammon for tests."""

import numpy as np

from boardgames_env import make_game
from boardgames_env.chance import ChanceStream
from boardgames_env.games.backgammon.backgammon_board import CUBE, DICE, MOVING, OWNER, PHASE
from boardgames_env.games.backgammon.match_file import Contest
from boardgames_env.position import Position


def random_contest(spec, seed, drops=0.1, most=4000):
    """A contest between random players, who seldom drop a double, and all its positions."""
    rng = np.random.default_rng(seed)
    position = make_game(spec).initial
    dice = ChanceStream(position.game, rng)
    positions, events, actions = [position], [], []
    while len(actions) < most:
        state = position.state.copy()
        if happened := dice.settle(state):
            events += happened
            position = Position(position.game, state)
            positions.append(position)
        if position.is_over:
            break
        legal = position.legal_actions
        action = int(rng.choice(legal))
        if position.game.action_text(action) in ("drop", "double") and rng.random() > drops:
            action = legal[0]
        actions.append(action)
        position = position.play(action)
        positions.append(position)
    return Contest(tuple(events), tuple(actions), position.outcome or 0), positions


def position_of(spec, own, other, dice=(), seat=0, phase=MOVING, cube=0, owner=0):
    """A position from the two seats' men by their own points (25 the bar, 0 off); ``own`` is seat 0's."""
    game = make_game(spec)
    state = np.zeros(game.state_size, dtype=np.int8)
    state[0] = seat
    for point, men in own.items():
        state[{25: 25, 0: 27}.get(point, point)] += men
    for point, men in other.items():
        state[{25: 26, 0: 28}.get(point, 25 - point)] -= men
    for die in dice:
        state[DICE + die] += 1
    state[PHASE], state[CUBE], state[OWNER] = phase, cube, owner
    return game.position(state)
