r"""Three men each on nine points: the first to hold three in a row wins.

## Board

```text
 0---1---2
 | \ | / |
 3---4---5
 | / | \ |
 6---7---8
```

The numbers are points. Black is seat 0. All eight lines win.

## Actions

81: action *i* below 9 places a man on point *i*. Actions 9 to 80 are moves, written *from-to*, in the order of the
point they come from and then of the one they go to.

## Observation

19 features, 0 or 1: own men by point (0–8), the other seat's men by point (9–17), and whether the observer is to
move (18).

## Rewards

+1 to the seat that completes a line, −1 to the other; 0 each for a draw.

## End of the contest

A line, or a position that comes up for the third time, which is a draw (option `recurrences`). The seat to move can
always move: no position in which it is blocked can be reached.

## Version history

* v0: first version.
"""

from itertools import permutations
from typing import Literal

import numpy as np

from boardgames_env.actions import at_each, moves
from boardgames_env.board import Board, aligned, grid
from boardgames_env.game import Game, Rules
from boardgames_env.games import game
from boardgames_env.games.shared.place_and_move import drawn_at, empty_board, line_wins, place_and_move, start, steps_on
from boardgames_env.games.shared.single_men import line_owner, men_features
from boardgames_env.kernels import ONGOING, State, outcome

_NINE = grid(3, 3)
_EIGHT_LINES = aligned(3, 3, 3)
_SIX_LINES = aligned(3, 3, 3, diagonals=False)

BOARD = Board(points=_NINE, lines=_EIGHT_LINES, winning_lines=_EIGHT_LINES)
WITHOUT_DIAGONALS = Board(points=_NINE, lines=_SIX_LINES, winning_lines=_SIX_LINES)

_CENTRE = 4
_ANYWHERE = tuple(permutations(range(BOARD.size), 2))
# how men step at marelle, and what that makes of the game: its value with and without the centre as first point
_STEPS = {
    "lines": (steps_on(BOARD), 1, 0),
    "orthogonal": (steps_on(WITHOUT_DIAGONALS), 1, 0),
    "king": (steps_on(Board(points=_NINE, lines=aligned(3, 3, 2))), 0, 0),
}


@game(version=0, also_called=("tapatan", "three_mens_morris"))
def marelle(
    first_man_centre: bool = True, steps: Literal["lines", "orthogonal", "king"] = "lines", recurrences: int = 3
) -> Game:
    """Marelle, or three men's morris: three men each, placed and then moved along the lines; three in a row wins.

    ## Rules

    Each seat has three men, and black (seat 0) begins. In the *placing stage* a turn puts a man on any empty point.
    When all six are on the board, a turn moves one of one's own men along a line to the next point, if that is
    empty. The first to hold three points in a line, in either stage, wins.

    `first_man_centre=False` forbids the first man of the contest the centre, which takes the win from the first
    player. `steps` says how men move: along the drawn `"lines"`, only `"orthogonal"` (not along the diagonals), or
    like a chess `"king"` to any of the points around, whether a line leads there or not.

    ## Actions

    41: action *i* below 9 places a man on point *i*. Actions 9 to 40 are the steps, written *from-to*, in the order
    of the point they come from and then of the one they go to. (24 steps make 33 actions with `steps="orthogonal"`;
    40 make 49 with `steps="king"`.)

    ## Known value

    The first player wins in 9 plies, from the centre; a corner draws, and a side loses. 5,390 positions can be
    reached (744 up to symmetry). With `first_man_centre=False` it is a draw; 5,381 positions (741). Orthogonal steps
    change neither value; with a king's steps it is a draw either way.

    ## Sources

    H. J. R. Murray, *A History of Board-Games Other Than Chess* (1952), pages 40–41; Ludii's *Three Men's Morris* and
    *Tapatan*. S. L. Epstein, J. Gelfand, J. Lesniak and P. Abadie, *The Integration of Visual Cues into a
    Multiple-Advisor Game-Learning Program*, names marelle among the games on a 3×3 grid. Values and counts are
    computed.
    """
    pairs, value, value_without_centre = _STEPS[steps]
    return _placed(
        "Marelle",
        BOARD,
        pairs,
        recurrences,
        value=value if first_man_centre else value_without_centre,
        positions=5390 if first_man_centre else 5381,
        barred=None if first_man_centre else _CENTRE,
    )


@game(version=0)
def les_pendus(recurrences: int = 3) -> Game:
    """Les pendus: three men each, placed and then moved to any empty point; three in a row wins.

    ## Rules

    Each seat has three men, and black (seat 0) begins. In the *placing stage* a turn puts a man on any empty point.
    When all six are on the board, a turn moves one of one's own men to any empty point, however far. The first to
    hold three points in a line, in either stage, wins.

    ## Known value

    A draw, from every opening; 5,390 positions can be reached (744 up to symmetry).

    ## Sources

    M. Kraitchik, *Mathematical Recreations* (1948), pages 290–291, whose pieces "may be moved from any square
    directly to any other. The game may still be drawn"; Ludii's *Les Pendus*. Named among Hoyle's games on a 3×3
    grid by S. L. Epstein, J. Gelfand, J. Lesniak and P. Abadie, *The Integration of Visual Cues into a
    Multiple-Advisor Game-Learning Program*. Values and counts are computed.
    """
    return _placed("Les pendus", BOARD, _ANYWHERE, recurrences, value=0, positions=5390)


@game(version=0)
def nine_holes(recurrences: int = 3) -> Game:
    """Nine holes: three men each, placed and then moved to any empty point; only rows and columns win.

    ## Rules

    As in les pendus, each seat places three men, black (seat 0) first, on any empty point, and then moves one of
    its own to any empty point, however far. But the board has no diagonals: the first to hold a whole row or
    column, in either stage, wins.

    ## Board

    ```text
     0---1---2
     |   |   |
     3---4---5
     |   |   |
     6---7---8
    ```

    The numbers are points. Black is seat 0. All six lines win.

    ## Known value

    A draw, from every opening; 5,470 positions can be reached (756 up to symmetry).

    ## Sources

    H. J. R. Murray, *A History of Board-Games Other Than Chess* (1952), page 40; Ludii's *Nine Holes* and *Akidada*.
    The value and the counts are computed.
    """
    return _placed("Nine holes", WITHOUT_DIAGONALS, _ANYWHERE, recurrences, value=0, positions=5470)


def _placed(
    title: str,
    board: Board,
    pairs: tuple[tuple[int, int], ...],
    recurrences: int,
    value: int,
    positions: int,
    barred: int | None = None,
) -> Game:
    """A game in which three men each are placed and then moved."""
    legal, play = place_and_move(board.size, 3, pairs, barred)
    return Game(
        title=title,
        board=board,
        rules=Rules(empty_board, legal, play, line_wins(board), men_features(board.size)),
        state_size=board.size + 2,
        num_features=2 * board.size + 1,
        actions=at_each(board) + moves(pairs),
        limits=drawn_at(recurrences),
        value=value,
        positions=positions,
    )


_WHITE_HOME, _BLACK_HOME = (0, 1, 2), (6, 7, 8)
_WITH_HOMES = Board(points=_NINE, lines=_EIGHT_LINES, winning_lines=_EIGHT_LINES, homes=(_BLACK_HOME, _WHITE_HOME))
_NOBODYS = np.array([line for line in _EIGHT_LINES if line not in _WITH_HOMES.homes]) + 1
_WHITES = np.array([_WHITE_HOME]) + 1
_BLACKS = np.array([_BLACK_HOME]) + 1


@outcome
def line_away_from_home_wins(state: State) -> int:
    """A line that is not its owner's home row wins."""
    owner = line_owner(state, _NOBODYS) + max(line_owner(state, _WHITES), 0) + min(line_owner(state, _BLACKS), 0)
    return ONGOING if owner == 0 else owner


@game(version=0)
def tant_fant(recurrences: int = 3) -> Game:
    """Tant fant: three men each begin on their home rows and move along the lines; three in a row elsewhere wins.

    ## Rules

    Each seat's three men stand on its home row: black's (seat 0) on 6, 7 and 8, white's on 0, 1 and 2. Black begins.
    A turn moves one of one's own men along a line to the next point, if that is empty. The first to hold three
    points in a line, whichever but one's own home row, wins.

    ## Actions

    32: the steps, written *from-to*, in the order of the point they come from and then of the one they go to.

    ## Known value

    A draw; black must not begin with a corner man to the centre, which loses. 3,080 positions can be reached (1,568 up
    to the one symmetry that keeps the home rows).

    ## Sources

    J. Datta, *A Few Types of Sedentary Games of Lower Bengal*, Journal and Proceedings of the Asiatic Society of
    Bengal 29 (1933), page 167; Ludii's *Tant Fant*. The value and the counts are computed.
    """
    pairs = steps_on(_WITH_HOMES)
    legal, play = place_and_move(_WITH_HOMES.size, 0, pairs)
    initial = start(_WITH_HOMES, _BLACK_HOME, _WHITE_HOME)
    return Game(
        title="Tant fant",
        board=_WITH_HOMES,
        rules=Rules(initial, legal, play, line_away_from_home_wins, men_features(_WITH_HOMES.size)),
        state_size=_WITH_HOMES.size + 1,
        num_features=2 * _WITH_HOMES.size + 1,
        actions=moves(pairs),
        limits=drawn_at(recurrences),
        value=0,
        positions=3080,
    )
