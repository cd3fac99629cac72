r"""Murabaraba: twelve men each on three squares and a centre; three in a row capture.

## Rules

Each seat begins with twelve men in hand, and black (seat 0) moves first. In the *placing stage* a turn puts a man on
any empty point. When all men are placed, in the *sliding stage*, a turn moves one of one's own men along a line to the
next point, if that is empty. Three men of one seat on points next to each other on a line are a *mill*, unless one of
them stands in the centre. Whoever makes a mill, in either stage, captures one man of the other seat, which leaves the
game. A man in a mill is safe unless all are in mills. A mill that is opened and closed again captures again; two mills
closed at once capture one man. If the other seat has no man on the board yet, there is no capture.

A seat that is left with two men, those in hand included, has lost; so has one that is to slide and cannot.

Options: `centre_mills=True` makes mills of three in a row with the centre, too, so that four or five in a row are
several mills; `capture_each_mill=True` captures as many men as mills are closed at once; `fly_at=k`, for a k above
two, lets a seat with no man in hand and at most k on the board move to any empty point; `any_capture=True` lets men
in mills be captured like others.

## Board

```text
 0--------------1--------------2
 |  \           |           /  |
 |    3---------4---------5    |
 |    |         |         |    |
 |    |    6----7----8    |    |
 |    |    |    |    |    |    |
 9----10---11---12---13---14---15
 |    |    |    |    |    |    |
 |    |    16---17---18   |    |
 |    |         |         |    |
 |    19--------20--------21   |
 |  /           |           \  |
 22-------------23-------------24
```

The numbers are points. Black is seat 0. There are 16 mills, and 6 more with the centre. The corners of the two outer
squares are joined, for moving only.

## Actions

130: action *i* below 25 places a man on point *i*. Actions 25 to 104 are the slides, written *from-to*, in the order
of the point they come from and then of the one they go to. Action 105 + *i* captures the man on point *i*, written
*xi*: an action of its own, by the seat that has made a mill. With flying there are 600 moves, from any point to any
other, and 650 actions in all.

## Observation

54 features from 0 to 1: own men by point (0–24), the other seat's men by point (25–49), own men in hand (50) and the
other seat's (51) as parts of all its men, captures still to make as a part of the most there can be (52), and
whether the observer is to move (53).

## Rewards

+1 to the winner, −1 to the loser; 0 each for a draw.

## End of the contest

Two men left, or none that can move. A draw when a position comes up for the third time (options `recurrences`, 0 for
no limit, and `recurrence_key`: the `"position"` with whose turn it is, the `"board"` alone, or the position up to
`"symmetry"`). After 200 plies the contest is cut short, which no rule asks for (option `plies`, 0 for no limit). A
capture belongs to the ply of the move that made the mill.

## Known value

Nobody has published one. (The morabaraba that has been solved is played on the 24 points of twelve men's morris.)

## Sources

S. L. Epstein, J. Gelfand, J. Lesniak and P. Abadie, *The Integration of Visual Cues into a Multiple-Advisor
Game-Learning Program*, names the game, and search spaces of up to 776 billion states; 776,940,475,741 is the number
of ways to have at most twelve men each on 25 points. The rules here are those it gives for all morris games. The
board is that of Ludii's *Morabaraba*, after Coertze, in Lesotho. The *Board and Pieces* page on murabaraba captures
twice for two rows, and has no rows that end in the centre; that rows through the centre do not count either is our
reading, and its fine of two men for a row that is missed while placing is left out. Others forbid to close a broken
mill again, or fly at three.
"""

from dataclasses import dataclass

from boardgames_env.game import Game
from boardgames_env.games import game
from boardgames_env.games.morris.morris_boards import morris_board
from boardgames_env.games.morris.morris_game import MorrisOptions, morris_game


@dataclass(frozen=True, kw_only=True)
class MurabarabaOptions(MorrisOptions):
    """The options of murabaraba.

    Attributes:
        centre_mills: Whether three in a row with the centre are a mill, too.
    """

    centre_mills: bool = False


@game(version=0, options=MurabarabaOptions)
def murabaraba(options: MurabarabaOptions) -> Game:
    """Twelve men each on three squares and a centre; three in a row capture."""
    board = morris_board(squares=3, corners=2, centre=True, centre_mills=options.centre_mills)
    return morris_game("Murabaraba", options.rules(board, 12), options)
