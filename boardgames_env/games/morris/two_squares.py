"""Five, six and seven men's morris: two squares, sixteen points.

## Rules

Each seat begins with its men in hand, and black (seat 0) moves first. In the *placing stage* a turn puts a man on any
empty point. When all men are placed, in the *sliding stage*, a turn moves one of one's own men along a line to the
next point, if that is empty. Three men of one seat on a line are a *mill*. Whoever makes a mill, in either stage,
captures one man of the other seat, which leaves the game. A man in a mill is safe unless all are in mills. A mill
that is opened and closed again captures again; two mills closed at once capture one man. If the other seat has no
man on the board yet, there is no capture.

A seat that is left with two men, those in hand included, has lost; so has one that is to slide and cannot.

Options: `fly_at=k`, for a k above two, lets a seat with no man in hand and at most k on the board move to any empty
point; `any_capture=True` lets men in mills be captured like others; `capture_each_mill=True` captures as many men as
mills are closed at once.

## Board

```text
 0---------1---------2
 |         |         |
 |    3----4----5    |
 |    |         |    |
 6----7         8----9
 |    |         |    |
 |    10---11---12   |
 |         |         |
 13--------14--------15
```

The numbers are points. Black is seat 0. The eight lines of three points are the mills; the four short ones only join
the squares. The rules cannot tell the two squares apart: there are 16 automorphisms, 8 of them symmetries of the plane.

## Actions

72: action *i* below 16 places a man on point *i*. Actions 16 to 55 are the slides, written *from-to*, in the order of
the point they come from and then of the one they go to. Action 56 + *i* captures the man on point *i*, written *xi*: an
action of its own, by the seat that has made a mill. With flying there are 240 moves, from any point to any other, and
272 actions in all.

## Observation

36 features from 0 to 1: own men by point (0–15), the other seat's men by point (16–31), own men in hand (32) and the
other seat's (33) as parts of all its men, captures still to make as a part of the most there can be (34), and
whether the observer is to move (35).

## Rewards

+1 to the winner, −1 to the loser; 0 each for a draw.

## End of the contest

Two men left, or none that can move. A draw when a position comes up for the third time (options `recurrences`, 0 for
no limit, and `recurrence_key`: the `"position"` with whose turn it is, the `"board"` alone, or the position up to
`"symmetry"`), and after 80 plies (option `plies`, 0 for no limit). A capture belongs to the ply of the move that made
the mill.
"""

from dataclasses import dataclass

from boardgames_env.games.morris.morris_boards import morris_board
from boardgames_env.games.morris.morris_game import MorrisOptions

BOARD = morris_board(squares=2)


@dataclass(frozen=True, kw_only=True)
class TwoSquaresOptions(MorrisOptions):
    """The options of the games on two squares."""

    plies: int = 80
