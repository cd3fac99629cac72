"""Lose tic-tac-toe: three of one's own in a row loses.

## Rules

As in tic-tac-toe, two seats place one of their marks in turn, X first, in any empty cell of a 3×3 grid; but the
first to hold three cells in a row, across, down or along a diagonal, *loses*. A full grid without such a row is
a draw.

## Known value

A draw, and only the centre opening holds it: the eight others lose. The positions and contests are those of
tic-tac-toe, with the winners exchanged.

## Sources

S. L. Epstein, *Toward an Ideal Trainer*, Machine Learning 15 (1994), section 2.4; D. I. A. Cohen, *The Solution of
a Simple Game*, Mathematics Magazine 45 (1972). Agrees with OpenSpiel's `gomoku(size=3,connect=3,anti=true)`.
"""

from dataclasses import replace

from boardgames_env.game import Game
from boardgames_env.games import game, tic_tac_toe
from boardgames_env.games.shared.single_men import is_full
from boardgames_env.kernels import ONGOING, State, outcome


@outcome
def line_loses(state: State) -> int:
    """Return a loss for the owner of a line; a full grid is a draw."""
    owner = tic_tac_toe.line_owner(state)
    return -owner if (owner != 0) | is_full(state, 9) else ONGOING


@game(version=0, family=tic_tac_toe)
def lose_tic_tac_toe() -> Game:
    """Three of one's own in a row loses."""
    made = tic_tac_toe.tic_tac_toe()
    rules = replace(made.rules, outcome=line_loses)
    return replace(made, title="Lose tic-tac-toe", rules=rules, openings={}, heuristics=None)
