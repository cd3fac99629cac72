"""Steps: what one man does with one die."""

from boardgames_env.games.backgammon.board import BAR, BARS, DICE, HOME, NO_MOVE, POINTS, TRAYS
from boardgames_env.kernels import Actions, State, helper


@helper
def count(state: State, seat: int, point: int) -> int:
    """A seat's men on its own point, less the other seat's there; on its bar (25), its own."""
    if point == BAR:
        return int(abs(state[BARS + seat]))
    return int(state[point] if seat == 0 else -state[POINTS + 1 - point])


@helper
def may_step(state: State, seat: int, source: int, die: int, rear: int) -> bool:
    """Whether a man on a point can be moved with a die, when the rearmost is on the point ``rear``."""
    target = source - die
    if target > 0:
        return (source == rear or rear < BAR) and count(state, seat, target) >= -1
    return rear <= HOME and (target == 0 or source == rear)


@helper
def write_steps(state: State, seat: int, die: int, actions: Actions, found: int) -> int:
    """Write all steps with one die after the ``found`` actions that are there; how many there are then."""
    rear = rearmost(state, seat)
    for point in range(1, rear + 1):
        if count(state, seat, point) > 0 and may_step(state, seat, point, die, rear):
            actions[found] = BAR * (die - 1) + point - 1
            found += 1
    return found


@helper
def rearmost(state: State, seat: int) -> int:
    """The point of a seat's rearmost man, 0 if all are off."""
    point = BAR
    while point > 0 and count(state, seat, point) <= 0:
        point -= 1
    return point


@helper
def has_step(state: State, seat: int, die: int, left: int, reached: int) -> bool:
    """Whether there is a step with a die after a man has gone from one point to another; 0 for neither."""
    rear = 0
    for point in range(BAR, 0, -1):
        men = count(state, seat, point)
        if point == reached:
            men = max(men, 0) + 1  # where a blot was hit, there is only the man that hit it
        if point == left:
            men -= 1
        if men > 0:
            rear = max(rear, point)
            if may_step(state, seat, point, die, rear):
                return True
    return False


@helper
def dice_left(state: State) -> tuple[int, int]:
    """The larger and the smaller of the dice that are left to play; the same twice if they are alike, 0 if none is."""
    high, low = 0, 0
    for die in range(1, 7):
        if state[DICE + die] > 0:
            high = die
            if low == 0:
                low = die
    return high, low


@helper
def write_prefixes(state: State, actions: Actions) -> int:
    """Write the first steps of the moves that play as many dice as can be played, the larger if only one can."""
    seat = state[0]
    high, low = dice_left(state)
    with_low = write_steps(state, seat, low, actions, 0) if low < high else 0
    found = write_steps(state, seat, high, actions, with_low)
    kept = 0
    if low < high:
        for i in range(found):
            die, other, with_other = (low, high, found - with_low) if i < with_low else (high, low, with_low)
            point = actions[i] % BAR + 1
            # (of two steps with the other die one is by a man elsewhere, which no step ahead of it can bar)
            if with_other > 1 or has_step(state, seat, other, point, max(point - die, 0)):
                actions[kept] = actions[i]
                kept += 1
    if kept > 0:
        return kept
    if found == 0:
        actions[0] = NO_MOVE
        return 1
    if found > with_low:  # only one of the dice can be played: the larger
        for i in range(with_low, found):
            actions[i - with_low] = actions[i]
        return found - with_low
    return found


@helper
def step(state: State, seat: int, source: int, die: int) -> None:
    """Move a man; a blot that it hits goes to the bar."""
    own = 1 - 2 * seat
    if source == BAR:
        state[BARS + seat] -= own
    else:
        state[source if seat == 0 else POINTS + 1 - source] -= own
    target = source - die
    if target <= 0:
        state[TRAYS + seat] += own
        return
    slot = target if seat == 0 else POINTS + 1 - target
    if state[slot] == -own:
        state[slot] = 0
        state[BARS + 1 - seat] -= own
    state[slot] += own
