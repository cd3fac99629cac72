"""States that a caller may make up: each is refused, or a contest goes on from it to its end within all arrays.

``NUMBA_BOUNDSCHECK=1 python -m tests.made_up_states NUMBER GAMES`` tries this number of states of each game, with
kernels that check every index, and prints how many were accepted. (Games in one process share what they compile.)
"""

import random
import sys

import numpy as np

from boardgames_env import BadInputError, Game, Position, make_game
from boardgames_env.chance import ChanceStream
from boardgames_env.contest import Contest
from boardgames_env.encoding import encoding_names, encoding_of
from boardgames_env.kernels import ONGOING
from boardgames_env.kernels.signatures import Int8s
from boardgames_env.moves import moves_of

MOST_ACTIONS = 400
"""Contests are left after this many actions."""

CHECKED_ACTIONS = 8
"""The positions after fewer actions than this are asserted to be accepted themselves, as if they were made up."""


def reachable_states(game: Game, rng: np.random.Generator, contests: int) -> list[Int8s]:
    """Return the states of random contests, those included in which chance is to decide."""
    states = []
    for _ in range(contests):
        contest = Contest(game)
        while not contest.is_over and len(contest.actions) < MOST_ACTIONS:
            states.append(contest.state.copy())
            events = contest.position.events()
            if events:
                contest.happen(int(rng.integers(len(events))))
            else:
                contest.play(int(rng.choice(contest.position.legal_actions)))
        states.append(contest.state.copy())
    return states


def made_up(game: Game, reachable: list[Int8s], rng: np.random.Generator) -> Int8s:
    """Return a state: of any numbers, of small ones, or a reachable one that was changed."""
    state = reachable[rng.integers(len(reachable))].copy()
    board, own = slice(1, 1 + game.board.size), slice(1 + game.board.size, None)
    way = rng.integers(8)
    if way == 0:
        state[1:] = rng.integers(-128, 128, size=game.state_size - 1)
    elif way == 1:
        state[board] = rng.integers(-1, 2, size=game.board.size)
        state[own] = rng.integers(-2, 8, size=game.state_size - 1 - game.board.size)
    elif way == 2:
        state[own] = reachable[rng.integers(len(reachable))][own]
    elif way <= 4:
        rng.shuffle(state[board])
    elif way == 5:
        first, second = rng.integers(1, game.state_size, size=2)
        state[first] -= 1
        state[second] += 1
    else:
        for slot in rng.integers(game.state_size, size=rng.integers(1, 4)):
            state[slot] = rng.integers(-2, 3)
    if rng.integers(2):
        state[0] = 1 - state[0]
    return state


def run_other_kernels(position: Position) -> None:
    """Run the kernels of a game that no contest needs: whole moves, heuristics and encodings."""
    game, state = position.game, position.state
    for encoding in (encoding_of(game, name) for name in encoding_names(game)):
        encoding.kernel.run(
            state, position.seat, np.empty(encoding.size, np.int32), np.empty(encoding.size, np.float32)
        )
    if not position.legal_actions:
        return
    if game.rules.moves is not None:
        moves_of(game, state)
    if (heuristics := game.heuristics) is not None:
        heuristics.evaluate.run(state)
        if heuristics.gain is not None:
            heuristics.gain.run(state, position.legal_actions[0])
        if heuristics.forcing is not None:
            heuristics.forcing.run(state, np.empty(game.num_actions, np.int32))


def play_to_the_end(position: Position, rng: np.random.Generator, choices: random.Random, all_kernels: bool) -> None:
    """Play at random, to the end: the game must accept the positions, and each must have a legal action.

    (Kernels are called from here: one that was passed to another as a pointer could not report a bad index.)
    """
    game, rules = position.game, position.game.rules
    contest = Contest(game, ChanceStream(game, rng), start=position)
    actions, features = np.empty(game.num_actions, np.int32), np.empty(game.num_features, np.float32)
    while True:
        state = contest.state
        if len(contest.actions) < CHECKED_ACTIONS:
            assert game.position(state) == contest.position
            if all_kernels:
                run_other_kernels(contest.position)
        for viewer in (0, 1):
            rules.encode.run(state, viewer, features)
        if contest.is_over or len(contest.actions) >= MOST_ACTIONS or rules.outcome.run(state) != ONGOING:
            return
        found = rules.legal.run(state, actions)
        assert found > 0, (position, contest.position)
        contest.advance(actions.item(int(choices.random() * found)))


def try_states(spec: str, number: int, all_kernels: bool = False) -> int:
    """Make up states of a game, and play on from those that are accepted. Return how many were."""
    game, rng = make_game(spec), np.random.default_rng(0)
    reachable = reachable_states(game, rng, 10)
    choices = random.Random(0)  # (NumPy takes ten times as long for one number)
    accepted = 0
    for _ in range(number):
        try:
            position = game.position(made_up(game, reachable, rng))
        except BadInputError:
            continue
        accepted += 1
        play_to_the_end(position, rng, choices, all_kernels)
    return accepted


if __name__ == "__main__":
    for name in sys.argv[2:]:
        print(name, end=" ", flush=True)
        print(try_states(name, int(sys.argv[1]), all_kernels=True), flush=True)
