"""Nerenchi: twelve men each on three squares with diagonals; three in a row give another turn.

## Rules

Each seat begins with twelve men in hand, and black (seat 0) moves first. In the *placing stage* a turn puts a man
on any empty point. It ends when only two points are empty; men still in hand are put away. Then, in the *sliding
stage*, a turn moves one of one's own men along a line to the next point, if that is empty. Three men of one seat
on a line are a *mill*.

A mill gives another turn, in either stage: the other seat must pass. In the placing stage it captures nothing; in
the sliding stage it also captures one man of the other seat, before that turn. A man in a mill is safe unless all
are in mills. A seat that has no man in hand, having placed more often, passes until placing is over. A pass is a
ply: it counts for the limit of plies.

A seat that is left with two men has lost; so has one that is to slide and cannot. Options: `lose_at` is the number
of men with which a seat has lost; `fly_at=k` lets a seat with at most k men move to any empty point;
`any_capture=True` lets men in mills be captured like others; `capture_each_mill=True` captures as many men as mills
are closed at once; `diagonal_mills=False` lets men move along the diagonals but make no mills.

## Actions

129: action *i* below 24 places a man on point *i*; 24 to 103 are the slides, written *from-to*, in the order of the
point they come from and then of the one they go to; 104 + *i* captures the man on point *i*, written *xi*; 128 is to
pass. With flying there are 552 moves and 601 actions.

## Observation

53 features from 0 to 1: own men by point (0–23), the other seat's men by point (24–47), own men in hand (48) and
the other seat's (49) as parts of all its men, captures still to make as a part of the most there can be (50),
whether the observer is to move (51), and whether the seat to move misses this turn (52).

## Sources

H. Parker, *Ancient Ceylon* (1909), pages 577–580, has an extra placement for a row, moving from when "only two
places remain unfilled", and for a row then a capture and another move; it ends when one side has lost all its men
(`lose_at=0`), and mentions no diagonals. Ludii's *Nerenchi Keliya* has nine men each and ends at two; its
*Niranchy*, after Ludovisi (1873), has diagonals and twelve men. S. L. Epstein, J. Gelfand, J. Lesniak and
P. Abadie, *The Integration of Visual Cues into a Multiple-Advisor Game-Learning Program*, names the game.
"""

from dataclasses import dataclass
from typing import Annotated

from boardgames_env.game import Game
from boardgames_env.games import game
from boardgames_env.games.morris import three_squares
from boardgames_env.games.morris.morris_game import morris_game
from boardgames_env.spec import Label


@dataclass(frozen=True, kw_only=True)
class NerenchiOptions(three_squares.DiagonalOptions):
    """The options of nerenchi.

    Attributes:
        lose_at: A seat with this few men has lost.
    """

    lose_at: Annotated[int, Label("Men with which a player has lost")] = 2


@game(version=0, family=three_squares, options=NerenchiOptions)
def nerenchi(options: NerenchiOptions) -> Game:
    """Twelve men each on three squares with diagonals; three in a row give another turn."""
    rules = options.rules(
        options.board, 12, placing_captures=False, extra_turn=True, lose_at=options.lose_at, placing_ends=2
    )
    return morris_game("Nerenchi", rules, options)
