"""Positions for tests: by men on a board, by actions, at random with dice that a seed settles, and all there are."""

from collections.abc import Collection, Iterator, Sequence
from functools import cache

import numpy as np

from boardgames_agents.policy import Policy
from boardgames_env import Game, Position, make_game
from boardgames_env.chance import ChanceStream


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


def after(spec: str, *actions: int | str) -> Position:
    """The position of a game after some actions from its beginning."""
    return play(make_game(spec).initial, *actions)


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


class Dice:
    """What chance decides in one contest after another.

    Args:
        game: The game, which need not leave anything to chance.
        seed: Settles the dice.
    """

    def __init__(self, game: Game, seed: int) -> None:
        self._chances = ChanceStream(game, np.random.default_rng([seed, 7]))

    def settled(self, position: Position) -> Position:
        """The position after chance has decided all it must before a seat can move."""
        state = position.state.copy()
        return Position.unchecked(position.game, state) if self._chances.settle(state) else position


def random_contest(game: Game, rng: np.random.Generator, dice: Dice | None = None) -> Iterator[Position]:
    """The positions of a contest at random in which a seat is to move."""
    settled = dice.settled if dice else lambda position: position
    position = settled(game.initial)
    while not position.is_over:
        yield position
        position = settled(position.after(int(rng.choice(position.legal_actions))))


def random_positions(game: Game, count: int, seed: int) -> list[Position]:
    """Return positions of random contests with a seat to move, from all their stages."""
    rng = np.random.default_rng(seed)
    dice = Dice(game, seed)
    found: list[Position] = []
    while len(found) < count:
        for position in random_contest(game, rng, dice):
            if rng.random() <= 0.02:
                break
            found.append(position)
    return [found[i] for i in rng.permutation(len(found))[:count]]
