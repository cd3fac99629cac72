r"""The morris games on three squares: nine, eleven and twelve men's morris, trique and nerenchi.

## Rules

Each seat begins with its men in hand, and black (seat 0) moves first. In the *placing stage* a turn puts a man on any
empty point. When all men are placed, in the *sliding stage*, a turn moves one of one's own men along a line to the
next point, if that is empty. Three men of one seat on a line are a *mill*. Whoever makes a mill, in either stage,
captures one man of the other seat, which leaves the game. A man in a mill is safe unless all are in mills. A mill
that is opened and closed again captures again; two mills closed at once capture one man. If the other seat has no
man on the board yet, there is no capture.

A seat that is left with two men, those in hand included, has lost; so has one that is to slide and cannot. Where all
points are taken when placing ends, as can be with twelve men each, nobody can ever move, and the contest is a draw.

Options: `fly_at=k`, for a k above two, lets a seat with no man in hand and at most k on the board move to any empty
point; `any_capture=True` lets men in mills be captured like others; `capture_each_mill=True` captures as many men as
mills are closed at once; `diagonal_mills=False`, of the games with diagonals, lets men move along them but make no
mills.

## Board

```text
 0--------------1--------------2
 |  \           |           /  |
 |    3---------4---------5    |
 |    | \       |       / |    |
 |    |    6----7----8    |    |
 |    |    |         |    |    |
 9----10---11        12---13---14
 |    |    |         |    |    |
 |    |    15---16---17   |    |
 |    | /       |       \ |    |
 |    18--------19--------20   |
 |  /           |           \  |
 21-------------22-------------23
```

The numbers are points. Black is seat 0. Each of the twenty lines has three points, and is a mill. The rules cannot
tell the innermost square from the outermost: there are 16 automorphisms, 8 of them symmetries of the plane.

## Actions

128: action *i* below 24 places a man on point *i*. Actions 24 to 103 are the slides, written *from-to*, in the order
of the point they come from and then of the one they go to. Action 104 + *i* captures the man on point *i*, written
*xi*: an action of its own, by the seat that has made a mill. With flying there are 552 moves, from any point to any
other, and 600 actions in all.

## Observation

52 features from 0 to 1: own men by point (0–23), the other seat's men by point (24–47), own men in hand (48) and the
other seat's (49) as parts of all its men, captures still to make as a part of the most there can be (50), and
whether the observer is to move (51).

## Rewards

+1 to the winner, −1 to the loser; 0 each for a draw.

## End of the contest

Two men left, or none that can move. A draw when a position comes up for the third time (options `recurrences`, 0 for
no limit, and `recurrence_key`: the `"position"` with whose turn it is, the `"board"` alone, or the position up to
`"symmetry"`). After 200 plies the contest is cut short, which no rule asks for (option `plies`, 0 for no limit). A
capture belongs to the ply of the move that made the mill.

## Known value

Nobody has published one.

## Version history

* v0: first version.
"""

from boardgames_env.board import Board
from boardgames_env.game import Game
from boardgames_env.games import game
from boardgames_env.games.morris.boards import morris_board
from boardgames_env.games.morris.family import morris_game
from boardgames_env.games.morris.rules import MorrisRules
from boardgames_env.history import Limits, RecurrenceKey

BOARD = morris_board(squares=3)


@game(version=0)
def nine_mens_morris(
    fly_at: int = 0,
    any_capture: bool = False,
    capture_each_mill: bool = False,
    recurrences: int = 3,
    recurrence_key: RecurrenceKey = "position",
    plies: int = 200,
) -> Game:
    """Nine men's morris: nine men each on three squares; three in a row capture.

    ## Board

    ```text
     0--------------1--------------2
     |              |              |
     |    3---------4---------5    |
     |    |         |         |    |
     |    |    6----7----8    |    |
     |    |    |         |    |    |
     9----10---11        12---13---14
     |    |    |         |    |    |
     |    |    15---16---17   |    |
     |    |         |         |    |
     |    18--------19--------20   |
     |              |              |
     21-------------22-------------23
    ```

    The numbers are points. Black is seat 0. Each of the sixteen lines has three points, and is a mill. There are 16
    automorphisms, 8 of them symmetries of the plane; where both seats fly, only mills matter, which have 48.

    ## Actions

    112: action *i* below 24 places a man on point *i*. Actions 24 to 87 are the slides, written *from-to*, in the
    order of the point they come from and then of the one they go to. Action 88 + *i* captures the man on point *i*,
    written *xi*: an action of its own, by the seat that has made a mill. With flying there are 552 moves, from any
    point to any other, and 600 actions in all.

    ## Known value

    A draw with `fly_at=3`. Without flying, nobody has published one.

    ## Sources

    S. L. Epstein, J. Gelfand, J. Lesniak and P. Abadie, *The Integration of Visual Cues into a Multiple-Advisor
    Game-Learning Program*, whose rules know no flying. R. Gasser, *Solving Nine Men's Morris*, Games of No Chance
    (1996), plays with flying at three, and finds the value; so does OpenSpiel play, which has no draw by repetition
    and ends a contest after 200 turns.
    """
    rules = MorrisRules(BOARD, 9, fly_at, any_capture, capture_each_mill)
    drawn = fly_at == 3 and not any_capture and not capture_each_mill
    return _cut_at("Nine men's morris", rules, recurrences, recurrence_key, plies, value=0 if drawn else None)


@game(version=0)
def eleven_mens_morris(
    fly_at: int = 0,
    any_capture: bool = False,
    capture_each_mill: bool = False,
    diagonal_mills: bool = True,
    recurrences: int = 3,
    recurrence_key: RecurrenceKey = "position",
    plies: int = 200,
) -> Game:
    """Eleven men's morris: eleven men each on three squares with diagonals; three in a row capture.

    ## Sources

    S. L. Epstein, J. Gelfand, J. Lesniak and P. Abadie, *The Integration of Visual Cues into a Multiple-Advisor
    Game-Learning Program*: "three markers of the same color on immediately adjacent positions on a line form a mill",
    which makes mills of diagonals. D. Walker's *Cyningstan* says that early forms had them for moving only, and modern
    ones for mills; in Ludii they are for moving only.
    """
    rules = MorrisRules(_with_diagonals(diagonal_mills), 11, fly_at, any_capture, capture_each_mill)
    return _cut_at("Eleven men's morris", rules, recurrences, recurrence_key, plies)


@game(version=0)
def twelve_mens_morris(
    fly_at: int = 0,
    any_capture: bool = False,
    capture_each_mill: bool = False,
    diagonal_mills: bool = True,
    recurrences: int = 3,
    recurrence_key: RecurrenceKey = "position",
    plies: int = 200,
) -> Game:
    """Twelve men's morris: twelve men each on three squares with diagonals; three in a row capture.

    ## Known value

    Nobody has published one without flying. With flying at three it is, but for details of its rules, the
    morabaraba that G. E. Gévay and G. Danner (2014) solved: the first player wins.

    ## Sources

    D. Walker's *Cyningstan* and Ludii's *Twelve Men's Morris*, which disagree about the diagonals: mills in the
    former, for moving only in the latter; the former and *bead.game* draw a full board, where the rules of the other
    morris games would have the seat to move lose. G. E. Gévay and G. Danner, *Calculating Ultra-Strong and Extended
    Solutions for Nine Men's Morris, Morabaraba, and Lasker Morris* (2014).
    """
    rules = MorrisRules(_with_diagonals(diagonal_mills), 12, fly_at, any_capture, capture_each_mill)
    return _cut_at("Twelve men's morris", rules, recurrences, recurrence_key, plies)


@game(version=0)
def trique(
    fly_at: int = 0,
    any_capture: bool = False,
    capture_each_mill: bool = False,
    diagonal_mills: bool = True,
    recurrences: int = 3,
    recurrence_key: RecurrenceKey = "position",
    plies: int = 200,
) -> Game:
    """Trique: nine men each on three squares with diagonals; three in a row capture.

    ## Sources

    S. L. Epstein, J. Gelfand, J. Lesniak and P. Abadie, *The Integration of Visual Cues into a Multiple-Advisor
    Game-Learning Program*, names the game. The *Global Explorers Club* tells it with nine counters each, moved
    "horizontally, vertically, or diagonally", and says nothing of captures; those are nine men's morris's, by our
    choice. According to Ludii, Baker (1871) knows it as three squares joined at the middles of the sides.
    """
    rules = MorrisRules(_with_diagonals(diagonal_mills), 9, fly_at, any_capture, capture_each_mill)
    return _cut_at("Trique", rules, recurrences, recurrence_key, plies)


@game(version=0)
def nerenchi(
    fly_at: int = 0,
    any_capture: bool = False,
    capture_each_mill: bool = False,
    diagonal_mills: bool = True,
    lose_at: int = 2,
    recurrences: int = 3,
    recurrence_key: RecurrenceKey = "position",
    plies: int = 200,
) -> Game:
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

    A seat that is left with two men (option `lose_at`) has lost; so has one that is to slide and cannot. Further
    options: `fly_at=k` lets a seat with at most k men move to any empty point; `any_capture=True` lets men in mills
    be captured like others; `capture_each_mill=True` captures as many men as mills are closed at once;
    `diagonal_mills=False` lets men move along the diagonals but make no mills.

    ## Actions

    129: as in the other games with diagonals, and the last, 128, is to pass. (Action *i* below 24 places a man on point
    *i*; 24 to 103 are the slides, written *from-to*, in the order of the point they come from and then of the one they
    go to; 104 + *i* captures the man on point *i*, written *xi*. With flying there are 552 moves and 601 actions.)

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
    rules = MorrisRules(
        *(_with_diagonals(diagonal_mills), 12, fly_at, any_capture, capture_each_mill),
        placing_captures=False,
        extra_turn=True,
        lose_at=lose_at,
        placing_ends=2,
    )
    return _cut_at("Nerenchi", rules, recurrences, recurrence_key, plies)


def _with_diagonals(mills: bool) -> Board:
    return morris_board(squares=3, corners=3, corner_mills=mills)


def _cut_at(
    title: str, rules: MorrisRules, recurrences: int, key: RecurrenceKey, plies: int, value: int | None = None
) -> Game:
    """A game whose contests are drawn by repetition, and cut short at a length that is our choice."""
    return morris_game(title, rules, Limits(recurrences, key, plies, plies_draw=False), value)
