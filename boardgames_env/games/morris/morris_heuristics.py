"""Heuristics of the morris games: an evaluation and the forcing actions."""

from functools import cache

from boardgames_env.board import Board
from boardgames_env.game import Heuristics
from boardgames_env.games.morris.mills import Bitboard, count, make_bitboard, men_on, mills_closed
from boardgames_env.games.morris.morris_kernels import write_legal
from boardgames_env.games.morris.morris_rules import MorrisRules
from boardgames_env.kernels import Actions, Kernel, State, evaluate, forcing, helper

# (Our choice: a man outweighs everything that its place can add.)
MAN = 300
MILL = 12
ALMOST_MILL = 10
FREE_POINT = 2
BLOCKED_MAN = -6


@helper
def standing(bitboard: Bitboard, men: int, empty: int) -> int:
    """Return the value of the places of a seat's men: mills, mills that lack one man, and room to move."""
    mills = 0
    almost = 0
    for mill in range(len(bitboard.mills)):
        missing = bitboard.mills[mill] & ~men
        mills += int(missing == 0)
        almost += int((missing & empty != 0) & (missing & (missing - 1) == 0))
    free = 0
    blocked = 0
    for point in range(bitboard.size):
        beside = count(bitboard.neighbours[point] & empty)
        stands = (men >> point) & 1
        free += beside * stands
        blocked += int(beside == 0) & stands
    return MILL * mills + ALMOST_MILL * almost + FREE_POINT * free + BLOCKED_MAN * blocked


def heuristics_of(rules: MorrisRules) -> Heuristics:
    """Return the heuristics of a game."""
    flying = rules.fly_at > 0
    return Heuristics(
        evaluate=_evaluate(rules.board, flying),
        forcing=_forcing(rules.board, rules.fly_at, rules.any_capture, rules.may_pass),
    )


@cache
def _evaluate(board: Board, flying: bool) -> Kernel:
    bitboard = make_bitboard(board, flying)
    size = board.size

    @evaluate
    def men_and_standing(state: State) -> int:
        own, other = men_on(state)
        empty = (own | other) ^ ((1 << size) - 1)
        hands = int(state[1 + size + state[0]]) - int(state[2 + size - state[0]])
        men = count(own) - count(other) + hands + max(0, int(state[3 + size]))
        return MAN * men + standing(bitboard, own, empty) - standing(bitboard, other, empty)

    return men_and_standing


@cache
def _forcing(board: Board, fly_at: int, any_capture: bool, may_pass: bool) -> Kernel:
    bitboard = make_bitboard(board, fly_at > 0)
    size = board.size

    @forcing
    def captures_and_mills(state: State, actions: Actions) -> int:
        legal = write_legal(bitboard, fly_at, any_capture, may_pass, state, actions)
        if actions[0] >= size + len(bitboard.pairs):
            return legal  # only captures, or a pass
        own, _ = men_on(state)
        number = 0
        for which in range(legal):
            action = actions[which]
            men, target = own, action
            if action >= size:
                men ^= 1 << bitboard.pairs[action - size, 0]
                target = bitboard.pairs[action - size, 1]
            actions[number] = action
            number += int(mills_closed(bitboard, men, target) > 0)
        return number

    return captures_and_mills
