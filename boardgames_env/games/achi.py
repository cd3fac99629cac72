r"""Achi: four men each on nine points, placed and then moved to the one point that is left.

## Rules

The board is a square with its cross and its diagonals: nine points, three in each of eight lines. Each seat has
four men, and black (seat 0) begins. In the *placing stage* a turn puts a man on any empty point. When all eight
are on the board, in the *sliding stage*, a turn moves one of one's own men to the single empty point. The first to
hold three points in a line, in either stage, wins.

**Any** own man may go to the empty point, however far: Epstein's "a turn is moving a marker to the single empty
position", with "its constant branch factor in the second stage". `achi(adjacent=True)` is the traditional game, in
which a man slides along a drawn line to the point next to it; a seat whose men are all blocked passes.

The contest is a draw when a position comes up for the fourth time. What counts as the same position is the option
`recurrence_key`: `"position"` (the board and whose turn it is), `"board"` alone, or the position up to
`"symmetry"`; how often is the option `recurrences`. The paper does not say; its Table 1 fits `"symmetry"` and its
average of 68 plies fits the exact keys.

## Board

```text
 0---1---2
 | \ | / |
 3---4---5
 | / | \ |
 6---7---8
```

The numbers are points and actions. Black is seat 0.

## Actions

9: while placing, action *i* puts a man on point *i*; while sliding, it moves the man on point *i* to the empty
point. `adjacent=True` has a tenth action, 9: pass.

## Observation

19 features, 0 or 1: own men by point (0–8), the other seat's men by point (9–17), and whether the observer is to
move (18).

## Rewards

+1 to the seat that completes a line, −1 to the other; 0 each for a draw.

## End of the contest

A line, or the fourth recurrence of a position.

## Known value

A draw; 5,768 positions can be reached (801 up to symmetry). The traditional game is won by the first player, in 11
plies, from the centre only; there 5,724 positions can be reached.

## Sources

S. L. Epstein, *Toward an Ideal Trainer*, Machine Learning 15 (1994), section 2.4 and Figure 2. The traditional
rules as told by the CSIRO's *Play Achi* page (a blocked player passes). Values and counts are computed.

## Version history

* v0: first version.
"""

from boardgames_env.actions import Action, at_each
from boardgames_env.board import BLACK, WHITE, Board, aligned, grid
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game, Rules
from boardgames_env.games import game
from boardgames_env.games.men import line_owner, men_features, write_where
from boardgames_env.history import Limits, RecurrenceKey
from boardgames_env.kernels import ONGOING, Actions, Kernel, State, helper, initial, legal, outcome, play

BOARD = Board(points=grid(3, 3), lines=aligned(3, 3, 3), winning_lines=aligned(3, 3, 3))

POINTS = 9
PASS = 9
MEN_OF_EACH = 4
# a state is the seat to move, the points, and how many men have been placed
PLACED = 1 + POINTS

_LINES = BOARD.winning_slots


@initial
def empty(state: State) -> None:
    """Nobody has moved, and black is to."""
    state[:] = 0


@helper
def placing(state: State) -> bool:
    """Whether men are still in hand."""
    return bool(state[PLACED] < 2 * MEN_OF_EACH)


@helper
def empty_point(state: State) -> int:
    """The single empty point of the sliding stage."""
    point = 0
    while point < POINTS - 1 and state[1 + point] != 0:
        point += 1
    return point


@play
def place_or_move(state: State, action: int) -> None:
    """Place a man, move one to the empty point, or pass; the turn passes."""
    own = 1 - 2 * state[0]
    if placing(state):
        state[1 + action] = own
        state[PLACED] += 1
    elif action != PASS:
        state[1 + empty_point(state)] = own
        state[1 + action] = 0
    state[0] = 1 - state[0]


@outcome
def line_wins(state: State) -> int:
    """A line wins for its owner."""
    owner = line_owner(state, _LINES)
    return ONGOING if owner == 0 else owner


@legal
def any_man(state: State, actions: Actions) -> int:
    """Place anywhere; then move any own man."""
    if placing(state):
        return write_where(state, POINTS, 0, actions)
    return write_where(state, POINTS, 1 - 2 * state[0], actions)


def adjacent_men() -> Kernel:
    """The traditional ``legal``: place anywhere; then slide an own man that is next to the empty point, or pass."""
    joined = BOARD.adjacency_array

    @legal
    def adjacent(state: State, actions: Actions) -> int:
        if placing(state):
            return write_where(state, POINTS, 0, actions)
        own = 1 - 2 * state[0]
        target = empty_point(state)
        count = 0
        for point in range(POINTS):
            if state[1 + point] == own and joined[point, target]:
                actions[count] = point
                count += 1
        if count == 0:
            actions[0] = PASS
            count = 1
        return count

    return adjacent


@game(version=0)
def achi(adjacent: bool = False, recurrences: int = 4, recurrence_key: RecurrenceKey = "position") -> Game:
    """Four men each on nine points, placed and then moved to the one point that is left."""
    if recurrences < 2:
        raise BadInputError(f"recurrences={recurrences} is not allowed; it is at least 2, or contests need not end")
    return Game(
        title="Achi, traditional" if adjacent else "Achi",
        board=BOARD,
        rules=Rules(empty, adjacent_men() if adjacent else any_man, place_or_move, line_wins, men_features(POINTS)),
        state_size=PLACED + 1,
        num_features=2 * POINTS + 1,
        limits=Limits(recurrences=recurrences, key=recurrence_key),
        men=(BLACK, WHITE),
        value=1 if adjacent else 0,
        positions=5724 if adjacent else 5768,
        actions=at_each(BOARD) + ((Action("pass"),) if adjacent else ()),
    )
