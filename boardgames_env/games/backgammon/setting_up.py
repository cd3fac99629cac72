"""What people choose when they set up a position, beside the men: the dice, the cube and the score."""

from collections.abc import Mapping

from boardgames_env.game import Setting
from boardgames_env.games.backgammon.rules import backgammon_board as board
from boardgames_env.games.backgammon.rules.legality import SEATS, men_of
from boardgames_env.kernels import State

_NO_DICE = {board.DICE + die: 0 for die in range(1, 7)}


def settings(family: board.BackgammonRules) -> tuple[Setting, ...]:
    """Return the choices of a game on this board: the dice, the cube if there is one, and the score of a match."""
    has_cube = family.cube and family.match_length != 1  # (nobody ever turns one in a match to 1 point)
    found = [Setting("dice", _dice(family, has_cube))]
    if has_cube:
        found.append(Setting("cube", _cube()))
    if family.match_length:
        found += [
            Setting(f"score of {name}", {str(n): {slot: family.match_length - n} for n in range(family.match_length)})
            for slot, name in enumerate(SEATS, start=board.AWAY)
        ]
        if family.match_length > 1:
            crawford = {"no": {board.CRAWFORD: 0}, "yes, there is no cube": {board.CRAWFORD: 1}}
            found.append(Setting("Crawford game, the first in which one point is needed", crawford))
    return tuple(found)


def _dice(family: board.BackgammonRules, has_cube: bool) -> Mapping[str, Mapping[int, int]]:
    waiting = {"to be rolled": board.ROLLING}
    if has_cube:
        waiting |= {"to be rolled, or a double": board.DOUBLING, "a double is to be answered": board.DOUBLED}
    if has_cube and family.beavers:
        waiting |= {"a beaver is to be answered": board.BEAVERED}
    choices = {text: {**_NO_DICE, board.STAGE: stage} for text, stage in waiting.items()}
    for larger in range(1, 7):
        for smaller in range(1, larger + 1):
            dice = {board.DICE + larger: 4} if larger == smaller else {board.DICE + larger: 1, board.DICE + smaller: 1}
            choices[f"{larger}-{smaller}"] = {**_NO_DICE, **dice, board.STAGE: board.MOVING}
    return choices


def _cube() -> Mapping[str, Mapping[int, int]]:
    choices = {"in the middle": {board.CUBE: 0, board.OWNER: 0}}
    for seat, name in enumerate(SEATS):
        for turned in range(1, board.MOST_TURNS_OF_THE_CUBE + 1):
            choices[f"{2**turned}, {name} has it"] = {board.CUBE: turned, board.OWNER: 1 - 2 * seat}
    return choices


def complete(family: board.BackgammonRules, state: State) -> None:
    """Write what follows: men that are missing are off, the opening roll has been made, and no double is at its end.

    There is no Crawford game unless a seat needs one point, and no cube in it. A seat without men has not won: more of
    them may be put on the board.
    """
    for seat in (0, 1):
        on_board = sum(men_of(state, seat)[1:])
        state[board.TRAYS + seat] = (1 - 2 * seat) * max(0, family.men - on_board)
    if family.match_length:
        state[board.CRAWFORD] &= state[board.AWAY : board.AWAY + 2].min() == 1
        if state[board.CRAWFORD]:
            state[board.CUBE] = state[board.OWNER] = 0
    is_crawford = family.match_length and state[board.CRAWFORD]
    is_doubling = board.DOUBLING <= state[board.STAGE] <= board.BEAVERED
    if state[board.STAGE] in (board.OPENING, board.DROPPED, board.OVER) or (is_crawford and is_doubling):
        wait(state, family.cube)
    if state[board.STAGE] != board.MOVING:
        state[board.DICE + 1 : board.DICE + 7] = 0


def wait(state: State, cube: bool) -> None:
    """Write that the seat to move rolls, or doubles if it may; ``cube`` is whether one is played with."""
    owner, own = int(state[board.OWNER]), 1 - 2 * int(state[0])
    may_double = cube and owner != -own and state[board.CUBE] < board.MOST_TURNS_OF_THE_CUBE
    if len(state) > board.STATE_SIZE and state[board.CRAWFORD]:
        may_double = False
    state[board.STAGE] = board.DOUBLING if may_double else board.ROLLING
