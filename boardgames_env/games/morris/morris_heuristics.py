"""What guides a search in the morris games: an evaluation, and the actions a search must not stop before."""

from functools import cache

from boardgames_env.board import Board
from boardgames_env.game import Heuristics
from boardgames_env.games.morris.bitboards import Frame, count, make_frame, men_on, mills_closed
from boardgames_env.games.morris.morris_kernels import write_legal
from boardgames_env.games.morris.morris_rules import MorrisRules
from boardgames_env.kernels import Actions, Kernel, State, evaluate, forcing, helper

# Our choice: a man is worth more than all that its place can be.
MAN = 300
MILL = 12
ALMOST_MILL = 10
FREE_POINT = 2
BLOCKED_MAN = -6


@helper
def standing(frame: Frame, men: int, empty: int) -> int:
    """What the places of a seat's men are worth: its mills, mills that lack one man, and room to move."""
    mills = 0
    almost = 0
    for mill in range(len(frame.mills)):
        missing = frame.mills[mill] & ~men
        mills += int(missing == 0)
        almost += int((missing & empty != 0) & (missing & (missing - 1) == 0))
    free = 0
    blocked = 0
    for point in range(frame.size):
        beside = count(frame.neighbours[point] & empty)
        stands = (men >> point) & 1
        free += beside * stands
        blocked += int(beside == 0) & stands
    return MILL * mills + ALMOST_MILL * almost + FREE_POINT * free + BLOCKED_MAN * blocked


def heuristics_of(rules: MorrisRules) -> Heuristics:
    """The heuristics of a game."""
    flying = rules.fly_at > 0
    return Heuristics(
        evaluate=_evaluate(rules.board, flying),
        forcing=_forcing(rules.board, rules.fly_at, rules.any_capture, rules.may_pass),
    )


@cache
def _evaluate(board: Board, flying: bool) -> Kernel:
    frame = make_frame(board, flying)
    size = board.size

    @evaluate
    def men_and_standing(state: State) -> int:
        own, other = men_on(state)
        empty = (own | other) ^ ((1 << size) - 1)
        hands = int(state[1 + size + state[0]]) - int(state[2 + size - state[0]])
        men = count(own) - count(other) + hands + max(0, int(state[3 + size]))
        return MAN * men + standing(frame, own, empty) - standing(frame, other, empty)

    return men_and_standing


@cache
def _forcing(board: Board, fly_at: int, any_capture: bool, may_pass: bool) -> Kernel:
    frame = make_frame(board, fly_at > 0)
    size = board.size

    @forcing
    def captures_and_mills(state: State, actions: Actions) -> int:
        legal = write_legal(frame, fly_at, any_capture, may_pass, state, actions)
        if actions[0] >= size + len(frame.pairs):
            return legal  # captures, or a pass: there is nothing else
        own, _ = men_on(state)
        number = 0
        for which in range(legal):
            action = actions[which]
            men, target = own, action
            if action >= size:
                men ^= 1 << frame.pairs[action - size, 0]
                target = frame.pairs[action - size, 1]
            actions[number] = action
            number += int(mills_closed(frame, men, target) > 0)
        return number

    return captures_and_mills
