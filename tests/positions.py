"""Positions for tests: by men on a board, by the actions that lead there, and all that can be reached."""

from collections.abc import Collection, Sequence
from functools import cache

import numpy as np

from boardgames_agents.policy import Policy
from boardgames_env import Game, Position, make_game


def men_at(
    game: Game | str, first: Collection[int], second: Collection[int], seat: int = 0, rest: Sequence[int] = ()
) -> Position:
    """The position with men of seat 0 and of seat 1 at these locations, which contests need not reach.

    ``rest`` are the game's own slots at the end of the state, such as men in hand; all are 0 by default.
    """
    game = make_game(game) if isinstance(game, str) else game
    state = np.zeros(game.state_size, dtype=np.int8)
    state[0] = seat
    state[[1 + location for location in first]] = 1
    state[[1 + location for location in second]] = -1
    state[len(state) - len(rest) :] = rest
    return Position.unchecked(game, state)


def play(position: Position, *actions: int | str) -> Position:
    """The position after some actions, by number or by text."""
    for action in actions:
        position = position.play(position.game.parse_action(action) if isinstance(action, str) else action)
    return position


def turn_of(player: Policy, position: Position) -> tuple[list[str], Position]:
    """The texts of what a player does in its turn, and the position that it leads to."""
    player.begin(position.game, (position.seat,), np.random.default_rng(0))
    texts = []
    seat = position.seat
    while position.seat == seat and position.legal_actions:
        action = player.choose(position)
        texts.append(position.game.action_text(action))
        position = position.play(action)
    return texts, position


@cache
def reachable(spec: str) -> dict[bytes, tuple[Position, int]]:
    """Every position of a game with the fewest plies to it, found through `Position` alone."""
    frontier = [make_game(spec).initial]
    found = {frontier[0].key: (frontier[0], 0)}
    ply = 0
    while frontier:
        ply += 1
        reached = {after.key: after for each in frontier for after in map(each.play, each.legal_actions)}
        frontier = [after for key, after in reached.items() if key not in found]
        found |= {after.key: (after, ply) for after in frontier}
    return found
