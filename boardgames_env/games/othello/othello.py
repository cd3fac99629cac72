"""Othello: a disc turns the other seat's discs between it and another of one's own; more discs win.

## Rules

Black (seat 0) and white have two discs each on the four squares in the middle, and black begins. A turn places a disc
of one's own on an empty square so that it encloses discs of the other seat: an unbroken row of these, across, upright
or along a diagonal, between the new disc and another of one's own. All rows that it encloses are turned, and become
one's own. A seat that can enclose nothing passes; one that can must. The contest ends when neither seat can. Whoever
has more discs wins; equal numbers are a draw.

`size`, 8, is the side of the board; 6 and 4 are smaller boards. With `points='discs'` a contest is won by the
difference of discs, in place of one point. Empty squares count for nobody.

## Board

Squares are named as Othello players name them, `a1` at the top left. The first discs are on the diagonals, so that the
symmetries are the reflections in both and the half turn; a quarter turn exchanges the seats.

## Actions

65: action *i* places a disc on square *i*, written `d3`, row by row from the top left; action 64 passes.

## Observation

129 features, 0 or 1: own discs by square (0–63), the other seat's discs by square (64–127), and whether the observer is
to move (128).

## Rewards

+1 to the winner, −1 to the loser; 0 each for a draw. With `points='discs'`, the difference of discs.

## End of the contest

Neither seat can enclose a disc: on a full board, or because one seat has no disc left, or before.

## Known value

A draw (Takizawa 2023, who searched some 10^18 positions). On 6 × 6 the second player wins, by four discs (Feinstein
1993). On 4 × 4 it wins by eight, and 62,789 positions can be reached; that is solved here, too. There are 4, 12, 56,
244, 1,396, 8,200, 55,092 and 390,216 ways to play the first 1 to 8 plies (Bik).

## Sources

*Reversi*, in which the players place the first four discs themselves, was sold in London in the 1880s; L. Waterman and
J. W. Mollett both claimed it. G. Hasegawa's *Othello* has been sold since 1973, at first by Tsukuda Original. J.
Feinstein, *Amenor wins World 6x6 Championships!*, newsletter of the British Othello Federation (July 1993); A. Bik,
*Perft for Reversi* (2009); H. Takizawa, *Othello is Solved*, arXiv:2310.19387 (2023). Agrees with OpenSpiel's
`othello`, action for action, and with pgx's, in which both seats pass before a contest ends early.
"""

from functools import partial
from typing import Annotated, Literal

from boardgames_env.actions import Action, at_each
from boardgames_env.board import BLACK, WHITE, Board, aligned, grid, squares
from boardgames_env.ending import full_few_or_stuck
from boardgames_env.game import Game, Rules
from boardgames_env.games import game
from boardgames_env.games.othello.othello_kernels import enclosing, heuristics
from boardgames_env.games.shared.place_and_move import start
from boardgames_env.games.shared.single_men import Check, all_of, count_men, men_features, single_men
from boardgames_env.kernels import State
from boardgames_env.spec import Label


def _middle_is_full(board: Board, middle: tuple[int, ...]) -> Check:
    """Return the check of a state: no disc ever leaves the squares in the middle."""

    def why_not(state: State) -> str | None:
        empty = next((square for square in middle if state[1 + square] == 0), None)
        return None if empty is None else f"{board.labels[empty]} is empty; a disc is there from the beginning"

    return why_not


def _discs(board: Board, state: State) -> str:
    """Return the number of discs of both seats in words."""
    black, white = count_men(state, board)
    return f"discs: black {black}, white {white}"


_VALUES = {4: -1, 6: -1, 8: 0}
"""The value by the side of the board."""


@game(version=0, also_called=("reversi",), is_well_known=True)
def othello(
    size: Annotated[Literal[4, 6, 8], Label("Squares on a side")] = 8,
    points: Annotated[Literal["win", "discs"], Label("A win counts", ("one point", "the difference of discs"))] = "win",
) -> Game:
    """A disc turns the other seat's discs between it and another of one's own; more discs win.

    Args:
        size: The side of the board.
        points: What a contest is won by: one point for the win, or as many as the difference of discs.
    """
    middle = size * (size // 2) + size // 2  # (the lower right of the squares in the middle)
    black, white = (middle - size, middle - 1), (middle - size - 1, middle)
    board = Board(
        points=grid(size, size),
        lines=aligned(size, size, 2),
        cells=True,
        labels=squares(size, size, from_top=True),
        homes=(black, white),
    )
    return Game(
        title="Othello",
        board=board,
        rules=Rules(start(board, black, white), *enclosing(size, by_discs=points == "discs"), men_features(board.size)),
        state_size=1 + board.size,
        num_features=2 * board.size + 1,
        actions=(*at_each(board), Action("pass", told="passes")),
        men=(BLACK, WHITE),
        check=all_of(single_men(board), _middle_is_full(board, black + white)),
        note=partial(_discs, board),
        value=_VALUES[size],
        positions=62_789 if size == 4 else 2 * 2**4 * 3 ** (board.size - 4),
        heuristics=heuristics(size),
        most_points=board.size if points == "discs" else 1,
        board_end=full_few_or_stuck(board.size),
    )
