"""Achi: four men each on nine points, placed and then moved to the empty one; three in a row wins.

## Rules

The board has nine points, three by three, on lines that run across, upright and along both diagonals. Each seat has
four men, and black (seat 0) begins. First, in the *placing stage*, a turn puts a man on any empty point. When all
eight men are on the board, one point is empty, and in the *sliding stage* a turn moves one of one's own men there.
The first to have three men in a line wins, while placing as well as while sliding.

**Any** own man may go to the empty point, however far away it is: Epstein's "a turn is moving a marker to the single
empty position", with "its constant branch factor in the second stage". `achi(adjacent=True)` is the traditional game,
in which a man slides along a drawn line to the point next to it; a seat whose men are all blocked passes.

The contest is a draw when the same position has come up four times. What counts as the same position is the option
`recurrence_key`: `"position"` (the board and whose turn it is), `"board"` alone, or the position up to
`"symmetry"`; how often is the option `recurrences`. The paper does not say; its Table 1 fits `"symmetry"` and its
average of 68 plies fits the exact keys.

## Actions

9: while placing, action *i* puts a man on point *i*; while sliding, it moves the man on point *i* to the empty
point. `adjacent=True` has a tenth action, 9: pass.

## End of the contest

A line, or the fourth recurrence of a position.

## Known value

A draw; 5,768 positions can be reached (801 up to symmetry). The traditional game is won by the first player, in 11
plies, from the centre only; there 5,724 positions can be reached.

## Sources

S. L. Epstein, *Toward an Ideal Trainer*, Machine Learning 15 (1994), section 2.4 and Figure 2. The traditional
rules as told by the CSIRO's *Play Achi* page (a blocked player passes). Values and counts are computed.
"""

from typing import Annotated

import numpy as np

from boardgames_env.actions import Action, at_each
from boardgames_env.game import Game
from boardgames_env.games import game
from boardgames_env.games.shared import three_in_a_row
from boardgames_env.games.shared.place_and_move import drawn_at, line_wins, men_game, place_and_fill
from boardgames_env.games.shared.three_in_a_row import BOARD
from boardgames_env.history import RecurrenceKey
from boardgames_env.spec import Label


@game(version=0, family=three_in_a_row)
def achi(
    adjacent: Annotated[
        bool, Label("Men slide along lines only, and who is blocked passes: the traditional game")
    ] = False,
    recurrences: int = 4,
    recurrence_key: RecurrenceKey = "position",
) -> Game:
    """Four men each on nine points, placed and then moved to the empty one; three in a row wins.

    Args:
        adjacent: Whether men slide along lines only, and a blocked seat passes: the traditional game.
        recurrences: The contest is drawn when a position comes up for this many times.
        recurrence_key: What counts as the same: the position, the board alone, or the position up to symmetry.
    """
    joined = BOARD.adjacency_array if adjacent else np.ones((BOARD.size, BOARD.size), dtype=np.bool_)
    return men_game(
        "Achi, traditional" if adjacent else "Achi",
        BOARD,
        4,
        place_and_fill(joined, men=4, may_pass=adjacent),
        line_wins(BOARD),
        drawn_at(recurrences, recurrence_key),
        value=1 if adjacent else 0,
        positions=5724 if adjacent else 5768,
        actions=at_each(BOARD) + ((Action("pass", told="passes"),) if adjacent else ()),
    )
