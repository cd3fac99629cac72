"""Hexapawn: three pawns each; the first to reach the far side, or to leave the other without a move, wins.

## Rules

Each seat has a row of pawns on its side of the board, white (seat 0) below and black above. White begins. A turn
moves one of one's own pawns one square: straight ahead, if that square is empty, or diagonally forward onto a pawn of
the other seat, which is captured and leaves the board. The first to reach the far row wins, and a seat that cannot
move loses.

`columns` and `rows`, both 3, are the size of the board.

## Board

Squares are named as in chess, `a1` at the bottom left. The seats move in opposite directions, so that the mirror image
is the only symmetry; the board turned round, with the seats exchanged, is the same game.

## Actions

28: one for each step forward of either seat, by origin and target, written `b1-b2` straight ahead and `b1-c2` for a
capture.

## Observation

20 features, 0 or 1: own pawns by square, row by row from the top left (0–8), the other seat's pawns by square (9–17),
whether the observer is to move (18), and whether the observer is seat 0 (19).

## End of the contest

A pawn on the far row, or a seat that cannot move. No contest is drawn.

## Known value

The second player wins.

| columns × rows | won by | positions |
|---|---|---|
| 3 × 3 | the second player | 135 |
| 4 × 3 | the first player | 1,128 |
| 5 × 3 | the first player | 8,698 |
| 3 × 4 | the second player | 987 |
| 4 × 4 | the first player | 20,286 |
| 5 × 4 | the second player | 359,894 |
| 3 × 5 | the first player | 3,708 |
| 4 × 5 | the second player | 118,133 |

## Sources

M. Gardner, *How to build a game-learning machine and then teach it to play and to win*, Scientific American 206 (March
1962), who invented it so that twenty-four matchboxes could learn it, after Michie's for tic-tac-toe. Values and counts
are computed.
"""

from typing import Annotated

from boardgames_env.game import Game
from boardgames_env.games import game
from boardgames_env.games.shared.pawns import Known, pawn_game
from boardgames_env.spec import Label

_KNOWN: Known = {
    (3, 3): (-1, 135),
    (4, 3): (1, 1_128),
    (5, 3): (1, 8_698),
    (3, 4): (-1, 987),
    (4, 4): (1, 20_286),
    (5, 4): (-1, 359_894),
    (3, 5): (1, 3_708),
    (4, 5): (-1, 118_133),
}


@game(version=0)
def hexapawn(columns: Annotated[int, Label("Columns")] = 3, rows: Annotated[int, Label("Rows")] = 3) -> Game:
    """Three pawns each; the first to reach the far side, or to leave the other without a move, wins.

    Args:
        columns: How many columns the board has, 2 to 10.
        rows: How many rows the board has, 3 to 10.
    """
    return pawn_game("Hexapawn", columns, rows, 1, slants=False, known=_KNOWN)
