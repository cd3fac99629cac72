"""Breakthrough: men step forward and capture diagonally; the first to reach the far side wins.

## Rules

Each seat has the two rows on its side of the board full of men, white (seat 0) below and black above; on a board of
fewer than six rows it has one. White begins. A turn moves one of one's own men one square forward, straight or
diagonally, to an empty square, or diagonally onto a man of the other seat, which is captured. No man captures
straight ahead, and no man has to capture. The first to reach the far row wins, and so does a seat that captures all
men of the other.

`columns` and `rows`, both 8, are the size of the board.

## Board

Squares are named as in chess, `a1` at the bottom left. The seats move in opposite directions, so that the mirror image
is the only symmetry; the board turned round, with the seats exchanged, is the same game.

## Actions

308: one for each step forward of either seat, by origin and target, written `c4-d5`. A diagonal step captures if there
is a man to capture.

## Observation

130 features, 0 or 1: own men by square, row by row from the top left (0–63), the other seat's men by square (64–127),
whether the observer is to move (128), and whether the observer is seat 0 (129).

## End of the contest

A man on the far row, or the last man of a seat captured. A seat is never stuck, and no contest is drawn.

## Known value

Not known for 8 × 8. Smaller boards are solved here, with one row of men each:

| columns × rows | won by | positions |
|---|---|---|
| 3 × 3 | the first player | 723 |
| 4 × 3 | the first player | 9,073 |
| 3 × 4 | the first player | 10,689 |
| 4 × 4 | the first player | 387,693 |
| 4 × 5 | the first player | 3,574,384 |
| 5 × 4 | the first player | 12,692,806 |

## Sources

W. D. Troyka invented the game in 2000, for 7 × 7 squares; in 2001 it won the *8x8 Game Design Competition* of Abstract
Games Magazine, About Board Games and the Strategy Gaming Society. A. Saffidine, N. Jouandeau and T. Cazenave, *Solving
Breakthrough with Race Patterns and Job-Level Proof Number Search* (2011). Agrees with OpenSpiel's `breakthrough`,
action for action. Values are computed.
"""

from typing import Annotated

from boardgames_env.game import Game
from boardgames_env.games import game
from boardgames_env.games.shared.pawns import Known, pawn_game
from boardgames_env.spec import Label

_KNOWN: Known = {
    (3, 3): (1, 723),
    (4, 3): (1, 9_073),
    (3, 4): (1, 10_689),
    (4, 4): (1, 387_693),
    (4, 5): (1, 3_574_384),
    (5, 4): (1, 12_692_806),
}


@game(version=0)
def breakthrough(columns: Annotated[int, Label("Columns")] = 8, rows: Annotated[int, Label("Rows")] = 8) -> Game:
    """Men step forward and capture diagonally; the first to reach the far side wins.

    Args:
        columns: How many columns the board has, 2 to 10.
        rows: How many rows the board has, 3 to 10; with six or more, each seat begins with two rows of men.
    """
    return pawn_game("Breakthrough", columns, rows, 2 if rows >= 6 else 1, slants=True, known=_KNOWN)
