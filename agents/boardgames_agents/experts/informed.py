"""Informed trainers: players that look a few moves ahead and judge what they see by a flawed evaluation."""

from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from boardgames_agents.registry import agent
from boardgames_agents.search.alpha_beta import AlphaBeta
from boardgames_env.board import Board
from boardgames_env.chance import refuse_chance
from boardgames_env.game import Game, Heuristics
from boardgames_env.kernels import Kernel, State, evaluate, helper
from boardgames_env.position import Position

# Our choice; nobody could find out the paper's.
MAN = 20
LINE = 3
ROOM = 1

_MOST_NODES = 50_000
_CONTESTS = 30
_LONGEST = 200


@agent("informed")
class InformedPlayer(AlphaBeta):
    """Looks some moves ahead, and minimaxes an evaluation that is only accurate at the end of a contest.

    The informed trainers of Epstein 1994 (section 5), whose errors come from a lack of foresight or of knowledge rather
    than from chance. Her evaluations, one for each game, were "deliberately reasonable but imperfect"; she does not
    print them, so this is one for every game, made from its board: see `evaluation`. Wins that come sooner are better;
    equally good actions are equally likely. It plays to 50,000 positions for a decision at most, which does for
    depth 2 at any game.

    Raises:
        BadInputError: If the game is one of chance, or the depth is not from 1 to 64.
    """

    def __init__(self, game: Game, depth: int = 2) -> None:
        refuse_chance(game, "informed looks ahead over actions alone")
        super().__init__(_informed(game), nodes=_MOST_NODES, depth=depth)


@lru_cache(maxsize=64)
def _informed(game: Game) -> Game:
    """The game, with the evaluation in place of what it knows itself."""
    return replace(game, heuristics=Heuristics(evaluation(game.board, lines_decide(game))))


def evaluation(board: Board, sign: int) -> Kernel:
    """The worth of a position to the seat to move: what its men are worth, less what the other seat's are.

    A man is worth 20, another 3 for each winning line through it that the other seat has no man on, and 1 for each
    empty location next to it on a predrawn line. Men in hand are overlooked.

    Args:
        board: The board.
        sign: Whether lines are good (+1) or bad (-1) for the seat that has them, or neither (0).
    """
    lines = board.winning_slots if board.winning_lines else np.empty((0, 0), dtype=np.int64)
    beside = board.adjacency_array
    size = board.size

    @evaluate
    def men_lines_and_room(state: State) -> int:
        worth = 0
        for row in range(lines.shape[0]):
            worth += sign * LINE * _open_line(state, lines, row)
        for here in range(size):
            side = np.sign(state[1 + here])
            if side != 0:
                worth += side * MAN
                for there in range(size):
                    if beside[here, there] and state[1 + there] == 0:
                        worth += side * ROOM
        return -worth if state[0] else worth

    return men_lines_and_room


@helper
def _open_line(state: State, lines: NDArray[np.int64], row: int) -> int:
    """How many men of seat 0 are on a line, or less how many of seat 1; none if both seats have some."""
    first, second = 0, 0
    for place in range(lines.shape[1]):
        man = state[lines[row, place]]
        first += int(man > 0)
        second += int(man < 0)
    return first - second if first == 0 or second == 0 else 0


def lines_decide(game: Game) -> int:
    """Whether whoever holds a winning line at the end of random contests has more often won (+1) or lost (-1)."""
    balance = 0
    for contest in range(_CONTESTS):
        rng = np.random.default_rng([contest, 2])
        position, plies = game.initial, 0
        while not position.is_over and plies < _LONGEST:
            legal = position.legal_actions
            position, plies = position.after(legal[int(rng.integers(len(legal)))]), plies + 1
        balance += (position.outcome or 0) * _lines_held(position)
    return int(np.sign(balance))


def _lines_held(position: Position) -> int:
    """How many winning lines seat 0 holds, less how many seat 1 does."""
    men = position.state[1:]
    return sum(
        int(all(men[point] > 0 for point in line)) - int(all(men[point] < 0 for point in line))
        for line in position.game.board.winning_lines
    )
