"""Informed trainers: players that search a few moves ahead with a flawed evaluation function."""

from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from boardgames_agents.policy import Distribution, uniform
from boardgames_agents.policy.batch_players import BY_NUMBER, ChoiceTable
from boardgames_agents.registry import agent
from boardgames_agents.search.alpha_beta import AlphaBeta
from boardgames_env.board import Board
from boardgames_env.chance import refuse_chance
from boardgames_env.game import Game, Heuristics
from boardgames_env.kernels import Kernel, State, evaluate, helper
from boardgames_env.position import Position

# (The paper does not print its evaluation functions; these weights are our choice.)
MAN = 20
LINE = 3
ROOM = 1

_MOST_NODES = 50_000
_SAMPLED_CONTESTS = 30
_MOST_PLIES = 200


@agent("informed", for_people="Short look-ahead: looks two moves ahead and counts men and lines")
class InformedPlayer(AlphaBeta):
    """A minimax player with an evaluation function that is accurate only at the end of a contest.

    It represents the informed trainers of Epstein 1994 (section 5), whose errors come from a lack of foresight or of
    knowledge rather than from chance. (Her evaluations, one for each game, were "deliberately reasonable but
    imperfect". The paper does not print them; we use one function for every game, derived from its board: see
    `evaluation`.) Earlier wins are better; equally good actions are equally likely. A decision visits at most 50,000
    positions, which is enough for depth 2 at any game.

    Args:
        depth: The number of plies searched.

    Raises:
        BadInputError: If the game is one of chance, or the depth is not from 1 to 64.
    """

    def __init__(self, game: Game, depth: int = 2) -> None:
        refuse_chance(game, "informed looks ahead over actions alone")
        super().__init__(_informed(game), nodes=_MOST_NODES, depth=depth)
        self._depth = depth

    def by_position(self, game: Game) -> ChoiceTable | None:
        """Return the policy as a table, if a search finds nothing in what earlier ones of the contest have left.

        So it is to depth 2: what is two plies ahead now was beyond them. Limits depend on the contest.
        """
        return None if game.limits.are_set or self._depth > 2 else ChoiceTable(game, self._best, BY_NUMBER)

    def _best(self, position: Position) -> Distribution:
        """Return the best actions by a search of its own, in the order in which it finds them."""
        self.begin(self.game, (0, 1), np.random.default_rng(0))
        values = self.values(position)
        most = max(values.values())
        return uniform(tuple(action for action, value in values.items() if value == most))


@lru_cache(maxsize=64)
def _informed(game: Game) -> Game:
    """Return the game with this evaluation in place of its own heuristics."""
    return replace(game, heuristics=Heuristics(evaluation(game.board, lines_decide(game))))


def evaluation(board: Board, sign: int) -> Kernel:
    """Return the kernel of the value of a position for the seat to move: its men's values less the other seat's.

    The value of a man is 20, plus 3 for each winning line through it without a man of the other seat, plus 1 for each
    empty adjacent location. Men in hand do not count. ``sign`` is +1 if lines are good for the seat that has them, -1
    if they are bad, 0 if neither.
    """
    lines = board.winning_slots if board.winning_lines else np.empty((0, 0), dtype=np.int64)
    beside = board.adjacency_array
    size = board.size

    @evaluate
    def men_lines_and_room(state: State) -> int:
        value = 0
        for row in range(lines.shape[0]):
            value += sign * LINE * _open_line(state, lines, row)
        for here in range(size):
            side = np.sign(state[1 + here])
            if side != 0:
                value += side * MAN
                for there in range(size):
                    if beside[here, there] and state[1 + there] == 0:
                        value += side * ROOM
        return -value if state[0] else value

    return men_lines_and_room


@helper
def _open_line(state: State, lines: NDArray[np.int64], row: int) -> int:
    """Return the number of men of seat 0 on a line, or minus that of seat 1; 0 if both seats have some."""
    first, second = 0, 0
    for place in range(lines.shape[1]):
        man = state[lines[row, place]]
        first += int(man > 0)
        second += int(man < 0)
    return first - second if first == 0 or second == 0 else 0


def lines_decide(game: Game) -> int:
    """Return whether the holder of a winning line won (+1) or lost (-1) more often in random contests."""
    if not game.board.winning_lines:
        return 0
    balance = 0
    for contest in range(_SAMPLED_CONTESTS):
        rng = np.random.default_rng([contest, 2])
        position, plies = game.initial, 0
        while not position.is_over and plies < _MOST_PLIES:
            legal = position.legal_actions
            position, plies = position.after(legal[int(rng.integers(len(legal)))]), plies + 1
        held = position.state[game.board.winning_slots]
        balance += (position.outcome or 0) * int((held > 0).all(axis=1).sum() - (held < 0).all(axis=1).sum())
    return int(np.sign(balance))
