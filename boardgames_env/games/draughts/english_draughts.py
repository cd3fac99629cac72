"""English draughts, or checkers: men and kings jump over others to take them; who cannot move loses.

## Rules

Each seat has twelve men on the dark squares of the three rows on its side, black (seat 0) above and white below. Black
begins. A turn moves one of one's own men one square diagonally forward, to an empty square, or jumps over a man of the
other seat next to it to the empty square behind, and takes that man. Whoever can jump must, with any man that can; and
the man that has jumped must jump on if it can. A man that reaches the far row is crowned, which ends the turn: a king
goes and jumps backward, too. A seat that cannot move loses.

The contest is a draw when a position comes up for the third time, or when both seats have made 40 moves in a row
without progress: neither has taken a man or moved one that is no king. How often and how many are the options
`recurrences` (0: never) and `quiet_moves`; with `progress="capture"` a man's move is no progress. Players claim these
draws; here they come by themselves.

## Board

The 32 dark squares, numbered 1 to 32 as in books, row by row from black's side: 1 to 12 are black's and 21 to 32
white's. The seats move in opposite directions, so that the board has no symmetry for one seat; turned round, with the
seats exchanged, it is the same game.

## Actions

170: a step of either seat from each square to each next one, written `11-15` (0–97), and then the jumps, written
`15x22` (98–169). The jumps of a turn are actions of their own, in a list of moves `15x22x31`.

## Observation

194 features, 0 or 1: of each square, whether there is an own man, an own king, and one of them that must jump on
(0–95); the same of the other seat (96–191); whether the observer is to move (192), and whether it is seat 0 (193). As
planes of 8 × 8 these are own men, own kings, those that must jump on, the same of the other seat, the last two
features, and the dark squares.

## End of the contest

A seat that cannot move, most often because it has no man left; the third recurrence of a position; 80 plies without
progress.

## Known value

A draw (Schaeffer and others, 2007). There are 500,995,484,682,338,672,639 ways to put up to twelve men of each seat on
the board. From the start there are 7, 49, 302, 1,469, 7,361, 36,768 and 179,740 ways to play 1 to 7 turns.

## Sources

World Checkers/Draughts Federation, *Rules of Draughts*. J. Schaeffer and others, *Checkers Is Solved*, Science 317
(2007), for the value and the number of positions. OEIS A133046, for the ways to play. A. L. Samuel, *Some Studies in
Machine Learning Using the Game of Checkers*, IBM Journal 3 (1959), whose program learned an evaluation of this game
from contests with itself. Agrees with OpenSpiel's `checkers`, action for action, which is
`english_draughts(progress="capture", quiet_moves=20, recurrences=0)`: there a contest is drawn after 40 plies
without a capture, and no position draws by coming up again.
"""

from dataclasses import replace
from typing import Annotated

from boardgames_env.board import BLACK, WHITE, Man
from boardgames_env.ending import full_few_or_stuck
from boardgames_env.errors import require_whole
from boardgames_env.game import Game, Heuristics, Rules
from boardgames_env.games import game
from boardgames_env.games.draughts.draughts_kernels import (
    ACTIONS,
    BOARD,
    JUMPER,
    MEN_FEATURES,
    NUM_FEATURES,
    can_jump,
    gained,
    go,
    jumps_and_crownings,
    jumps_or_steps,
    men_and_kings,
    men_kings_and_rows,
    who_is_stuck,
)
from boardgames_env.games.shared.place_and_move import start
from boardgames_env.games.shared.single_men import all_of, count_men, men_left
from boardgames_env.history import Limits, Progress
from boardgames_env.kernels import State
from boardgames_env.spec import Label

_MEN = 12

_KINGS = Man("black king", "B", "king", BLACK.colour), Man("white king", "W", "king", WHITE.colour)

_POSITIONS = 500_995_484_682_338_672_639


@game(version=0, also_called=("checkers",), is_well_known=True)
def english_draughts(
    quiet_moves: Annotated[int, Label("Moves of both players without progress until a draw")] = 40,
    progress: Progress = "man",
    recurrences: int = 3,
) -> Game:
    """Men and kings jump over others to take them; who cannot move loses.

    Args:
        quiet_moves: The contest is drawn when both seats have made this many moves in a row without progress, 1 to 500.
        progress: What is progress: the move of a man or a capture, or a capture alone.
        recurrences: The contest is drawn when a position comes up for this many times; 0 for never.
    """
    require_whole(1, 500, quiet_moves=quiet_moves)
    return Game(
        title="English draughts",
        board=BOARD,
        rules=Rules(start(BOARD, range(_MEN), range(32 - _MEN, 32)), jumps_or_steps, go, who_is_stuck, men_and_kings),
        state_size=1 + JUMPER,
        num_features=NUM_FEATURES,
        men_features=MEN_FEATURES,
        actions=ACTIONS,
        limits=Limits(recurrences=recurrences, quiet_plies=2 * quiet_moves, progress=progress),
        men=(replace(BLACK, letter="b"), replace(WHITE, letter="w")),
        kinds=(_KINGS,),
        value=0,
        positions=2 * (1 + _MEN) * _POSITIONS,  # with either seat to move, any man of which may have to jump on
        note=_note,
        complete=_no_jumper,
        check=all_of(men_left(BOARD, _MEN), _why_not_crowned, _why_not_jumping),
        heuristics=Heuristics(men_kings_and_rows, gained, jumps_and_crownings),
        board_end=full_few_or_stuck(BOARD.size),
    )


def _no_jumper(state: State) -> None:
    """Write that no man must jump on: a position is set up at the beginning of a turn."""
    state[JUMPER] = 0


def _note(state: State) -> str:
    """Return in words which man must jump on; empty if none must."""
    return f"the man on {state[JUMPER]} jumps on" if state[JUMPER] else ""


def _why_not_crowned(state: State) -> str | None:
    """Return why men on the far row cannot occur: they are kings."""
    for seat, home in enumerate(reversed(BOARD.homes)):
        if any(state[1 + square] == 1 - 2 * seat for square in home):
            return f"seat {seat} has a man on its far row, who is a king there"
    return None


def _why_not_jumping(state: State) -> str | None:
    """Return why a man cannot have to jump on."""
    seat, slot = int(state[0]), int(state[JUMPER])
    if not 0 <= slot < JUMPER:
        return f"the last slot, the square whose man must jump on, is {slot}; it is 0 (none) to {JUMPER - 1}"
    own = 1 - 2 * seat
    if slot and (own * state[slot] <= 0 or not can_jump(state, own, slot)):
        return f"seat {seat} must jump on from square {slot}, but has no man there that can"
    if slot and count_men(state, BOARD)[1 - seat] == _MEN:
        return f"seat {seat} must jump on, but seat {1 - seat} has all of its men"
    return None
