"""Mu torere: four men each on an eight-pointed star; the seat that cannot move loses.

## Rules

The board is a ring of eight points (*kewai*) round a centre (*putahi*), to which each is joined. Each seat has four
men side by side on the ring, black (seat 0) below and white above, and the centre is empty. Black begins. A turn
moves one of one's own men to the single empty point if it is next to it: along the ring, into the centre, or out of
it. A seat that cannot move loses.

Into the centre may go only a man who has an enemy beside him on the ring. The sources differ on when that holds; the
option `restricted` says it: `"always"`, `"never"`, only on the `"first_move"` of each seat, or on the
`"first_two_moves"` of each.

## Actions

9: action *i* moves the man on point *i* to the empty point.

## Observation

20 features, 0 or 1: own men by point (0–8), the other seat's men by point (9–17), whether the observer is to move
(18), and whether the restriction holds now (19).

## End of the contest

A seat that cannot move, or a position that comes up for the third time, which is a draw (option `recurrences`).

## Known value

A draw; 1,180 positions can be reached (86 up to symmetry; 46 boards up to symmetry).

| `restricted` | value | positions |
|---|---|---|
| `"always"` | a draw | 1,180 |
| `"never"` | the first player wins with its first move | 1,180 |
| `"first_move"` | the second player wins, in 4 plies | 1,183 |
| `"first_two_moves"` | a draw | 1,187 |

## Sources

E. Best, *Games and Pastimes of the Maori* (1925), and H. J. R. Murray, *A History of Board-Games Other Than Chess*
(1952), page 93; Ludii's *Mu Torere*, which has a ruleset for each of the choices. Values and counts are computed.
"""

from functools import partial
from typing import Annotated, Literal

from boardgames_env.board import Board
from boardgames_env.ending import always
from boardgames_env.game import Game, Rules, Setting
from boardgames_env.games import game, shisima
from boardgames_env.games.shared.place_and_move import check_men, drawn_at, empty_point
from boardgames_env.games.shared.single_men import all_of, write_men
from boardgames_env.games.shisima import CENTRE, DIAMETERS, OCTAGON, RING
from boardgames_env.kernels import (
    ONGOING,
    Actions,
    Features,
    Kernel,
    State,
    encode,
    helper,
    initial,
    markable,
    outcome,
    play,
    write_action,
)
from boardgames_env.spec import Label

Restriction = Literal["always", "never", "first_move", "first_two_moves"]

BOARD = Board(points=OCTAGON, lines=RING + DIAMETERS)

POINTS = 9
MEN = 4
# a state is the seat to move, the points, and for how many more plies entering the centre is restricted
RESTRICTED = 1 + POINTS
FOR_EVER = -1

_JOINED = BOARD.adjacency_array


def opposite_sides(plies: int) -> Kernel:
    """Return an ``initial`` kernel with the centre empty, and restricted for a number of plies."""

    @initial
    def arranged(state: State) -> None:
        state[:] = 0
        for point in range(4):
            state[1 + point] = -1
            state[1 + 4 + point] = 1
        state[RESTRICTED] = plies

    return arranged


@helper
def may_move(state: State, point: int, target: int) -> bool:
    """Return whether the seat to move has a man on a point that may go to the empty one."""
    own = 1 - 2 * state[0]
    beside_enemy = (state[1 + (point + 1) % 8] == -own) | (state[1 + (point + 7) % 8] == -own)
    free = beside_enemy | (target != CENTRE) | (state[RESTRICTED] == 0)
    return bool((state[1 + point] == own) & _JOINED[point, target] & free)


@markable
def men_beside_the_empty_point(state: State, actions: Actions) -> int:
    """Write the men next to the empty point that the restriction allows to move there."""
    target = empty_point(state, POINTS)
    count = 0
    for point in range(POINTS):
        count = write_action(actions, count, point, may_move(state, point, target))
    return count


@play
def move(state: State, action: int) -> None:
    """Move the man to the empty point; the turn passes."""
    state[1 + empty_point(state, POINTS)] = state[1 + action]
    state[1 + action] = 0
    state[RESTRICTED] -= int(state[RESTRICTED] > 0)
    state[0] = 1 - state[0]


@outcome
def blocked_loses(state: State) -> int:
    """Return a loss for the seat to move if it cannot move."""
    target = empty_point(state, POINTS)
    movers = 0
    for point in range(POINTS):
        movers += int(may_move(state, point, target))
    return ONGOING if movers > 0 else 2 * state[0] - 1


@encode
def men_and_restriction(state: State, viewer: int, features: Features) -> None:
    """Write own men, the other seat's, whether the viewer is to move, and whether the centre is restricted."""
    write_men(state, viewer, POINTS, features)
    features[2 * POINTS] = state[0] == viewer
    features[2 * POINTS + 1] = state[RESTRICTED] != 0


# for how many plies, the value and how many positions can be reached
_KNOWN: dict[Restriction, tuple[int, int, int]] = {
    "always": (FOR_EVER, 0, 1180),
    "never": (0, 1, 1180),
    "first_move": (2, -1, 1183),
    "first_two_moves": (4, 0, 1187),
}


@game(version=0, family=shisima)
def mu_torere(
    restricted: Annotated[
        Restriction,
        Label(
            "A man needs an enemy beside him to enter the centre",
            ("always", "never", "in each player's first move", "in each player's first two moves"),
        ),
    ] = "always",
    recurrences: int = 3,
) -> Game:
    """Four men each on an eight-pointed star; the seat that cannot move loses.

    Args:
        restricted: When a man needs an enemy beside him on the ring to enter the centre.
        recurrences: The contest is drawn when a position comes up for this many times.
    """
    plies, value, positions = _KNOWN[restricted]
    left = {str(number): {RESTRICTED: number} for number in range(plies + 1)}
    return Game(
        note=_restriction,
        settings=(Setting("plies for which the centre is restricted", left),) if plies > 0 else (),
        title="Mu torere",
        board=BOARD,
        rules=Rules(opposite_sides(plies), men_beside_the_empty_point, move, blocked_loses, men_and_restriction),
        state_size=POINTS + 2,
        num_features=2 * POINTS + 2,
        limits=drawn_at(recurrences),
        check=all_of(check_men(BOARD, MEN, placing=False), partial(_wrong_restriction, plies)),
        board_end=always("no_move"),
        value=value,
        positions=positions,
    )


def _restriction(state: State) -> str:
    """Return whether the centre is restricted now, in words, where that changes during a contest."""
    return "the centre is restricted" if state[RESTRICTED] > 0 else ""


def _wrong_restriction(plies: int, state: State) -> str | None:
    """Return why the restriction cannot hold for as long as a state says, or ``None``; it begins with ``plies``."""
    left = int(state[RESTRICTED])
    if left != plies and not 0 <= left <= plies:
        return (
            f"slot {RESTRICTED}, the plies for which the centre is still restricted, is {left}; it begins with {plies}"
        )
    if left > 0 and (plies - left) % 2 != state[0]:
        return f"seat {1 - state[0]} is to move when the centre is restricted for {left} more plies"
    return None
