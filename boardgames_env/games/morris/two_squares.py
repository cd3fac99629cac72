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

## Version history

* v0: first version.
"""

from boardgames_env.game import Game
from boardgames_env.games import game
from boardgames_env.games.morris.boards import morris_board
from boardgames_env.games.morris.family import morris_game
from boardgames_env.games.morris.rules import MorrisRules
from boardgames_env.history import Limits, RecurrenceKey

BOARD = morris_board(squares=2)


@game(version=0)
def five_mens_morris(
    fly_at: int = 0,
    any_capture: bool = False,
    capture_each_mill: bool = False,
    recurrences: int = 3,
    recurrence_key: RecurrenceKey = "position",
    plies: int = 80,
) -> Game:
    """Five men's morris: five men each on two squares; three in a row capture.

    ## Known value

    A draw, from every opening; also with `fly_at=3`, and with `any_capture=True`.

    ## Sources

    S. L. Epstein, *Learning to Play Expertly: A Tutorial on Hoyle* (2001), whose "80 moves" are read as plies, and
    S. L. Epstein, J. Gelfand, J. Lesniak and P. Abadie, *The Integration of Visual Cues into a Multiple-Advisor
    Game-Learning Program*, which calls flying a local variation. Ludii's rules differ: any man may be captured. The
    value is computed.
    """
    rules = MorrisRules(BOARD, 5, fly_at, any_capture, capture_each_mill)
    return _drawn_at("Five men's morris", rules, recurrences, recurrence_key, plies)


@game(version=0, also_called=("akidada",))
def six_mens_morris(
    fly_at: int = 0,
    any_capture: bool = False,
    capture_each_mill: bool = False,
    recurrences: int = 3,
    recurrence_key: RecurrenceKey = "position",
    plies: int = 80,
) -> Game:
    """Six men's morris, or akidada: six men each on two squares; three in a row capture.

    ## Known value

    A draw, from every opening; also with `fly_at=3`, and with `any_capture=True`.

    ## Sources

    S. L. Epstein, J. Gelfand, J. Lesniak and P. Abadie, *The Integration of Visual Cues into a Multiple-Advisor
    Game-Learning Program*, where akidada has two squares and six men; H. J. R. Murray, *A History of Board-Games
    Other Than Chess* (1952), pages 42–43. Other games are called akidada, too: Ludii has one on nine points. The limit
    of 80 plies is that of five men's morris. The value is computed.
    """
    rules = MorrisRules(BOARD, 6, fly_at, any_capture, capture_each_mill)
    return _drawn_at("Six men's morris", rules, recurrences, recurrence_key, plies)


@game(version=0)
def seven_mens_morris(
    fly_at: int = 0,
    any_capture: bool = False,
    capture_each_mill: bool = False,
    recurrences: int = 3,
    recurrence_key: RecurrenceKey = "position",
    plies: int = 80,
) -> Game:
    """Seven men's morris: seven men each on two squares; three in a row capture.

    ## Known value

    A draw, from every opening.

    ## Sources

    The rules and limits of five men's morris, with two men more. The value is computed.
    """
    rules = MorrisRules(BOARD, 7, fly_at, any_capture, capture_each_mill)
    return _drawn_at("Seven men's morris", rules, recurrences, recurrence_key, plies)


# by men of each seat: for which of (fly_at, any_capture) the game has been solved; all are draws
_DRAWN = {5: {(0, False), (3, False), (0, True)}, 6: {(0, False), (3, False), (0, True)}, 7: {(0, False)}}


def _drawn_at(title: str, rules: MorrisRules, recurrences: int, key: RecurrenceKey, plies: int) -> Game:
    """A game whose contests are drawn by repetition and length."""
    solved = not rules.capture_each_mill and (rules.fly_at, rules.any_capture) in _DRAWN[rules.men]
    return morris_game(title, rules, Limits(recurrences, key, plies), value=0 if solved else None)
