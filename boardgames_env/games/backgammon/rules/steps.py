"""Steps: moves of one man with one die.

Sets of a seat's own points are whole numbers, with bit p for point p; the bar is point 25.
"""

from boardgames_env.games.backgammon.rules.backgammon_board import BAR, BARS, DICE, HOME, NO_MOVE, POINTS, TRAYS
from boardgames_env.kernels import Actions, State, helper


@helper
def count(state: State, seat: int, point: int) -> int:
    """Return a seat's men on its own point, less the other's there; on its bar (25), its own."""
    if point == BAR:
        return int(abs(state[BARS + seat]))
    return int(state[point] if seat == 0 else -state[POINTS + 1 - point])


@helper
def points_of(state: State, seat: int) -> tuple[int, int]:
    """Return the points with a seat's men, and those that the other seat holds with two or more."""
    own, barred = int(state[BARS + seat] != 0) << BAR, 0
    for point in range(1, POINTS + 1):
        men = state[point] if seat == 0 else -state[POINTS + 1 - point]
        own |= int(men > 0) << point
        barred |= int(men < -1) << point
    return own, barred


@helper
def rearmost(points: int) -> int:
    """Return the rearmost of a set of points, 0 if there is none."""
    point = BAR
    while point > 0 and not points >> point & 1:
        point -= 1
    return point


@helper
def sources(own: int, barred: int, die: int) -> int:
    """Return the points from which a die can be played, by those with men and those barred."""
    free = own & ~(barred << die)
    if own >> BAR:
        return free & 1 << BAR
    ahead = free & -(2 << die)
    if own >> HOME + 1:
        return ahead
    return ahead | (own & 1 << die if own >> die else 1 << rearmost(own) & own)


@helper
def moved(state: State, seat: int, own: int, source: int, die: int) -> int:
    """Return the points with men after a step."""
    if count(state, seat, source) == 1:
        own ^= 1 << source
    return own | 1 << source - die if source > die else own


@helper
def dice_left(state: State) -> tuple[int, int]:
    """Return the larger and the smaller die left, the same twice if alike; 0 if none is left."""
    high, low = 0, 0
    for die in range(1, 7):
        if state[DICE + die] > 0:
            high = die
            if low == 0:
                low = die
    return high, low


@helper
def _write_steps(state: State, own: int, barred: int, die: int, other: int, actions: Actions, found: int) -> int:
    """Append the steps with a die that leave one with the other (all, if 0). Return the number."""
    seat = state[0]
    possible = sources(own, barred, die)
    for point in range(1, BAR + 1):
        if possible >> point & 1 and (other == 0 or sources(moved(state, seat, own, point, die), barred, other)):
            actions[found] = BAR * (die - 1) + point - 1
            found += 1
    return found


@helper
def write_prefixes(state: State, actions: Actions) -> int:
    """Write the first steps of the moves that play the most dice, the larger if only one."""
    own, barred = points_of(state, state[0])
    high, low = dice_left(state)
    found = 0
    if low < high:
        found = _write_steps(state, own, barred, low, high, actions, 0)
        found = _write_steps(state, own, barred, high, low, actions, found)
    if found == 0:  # only one of the dice can be played, or they are alike
        found = _write_steps(state, own, barred, high, 0, actions, 0)
    if found == 0 and low < high:
        found = _write_steps(state, own, barred, low, 0, actions, 0)
    if found == 0:
        actions[0], found = NO_MOVE, 1
    return found


@helper
def step(state: State, seat: int, source: int, die: int) -> bool:
    """Move a man; a blot that it hits goes to the bar. Return whether it hit one."""
    own = 1 - 2 * seat
    if source == BAR:
        state[BARS + seat] -= own
    else:
        state[source if seat == 0 else POINTS + 1 - source] -= own
    target = source - die
    if target <= 0:
        state[TRAYS + seat] += own
        return False
    slot = target if seat == 0 else POINTS + 1 - target
    hit = state[slot] == -own
    if hit:
        state[slot] = 0
        state[BARS + 1 - seat] -= own
    state[slot] += own
    return bool(hit)
