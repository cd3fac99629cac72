"""All positions of a small game of OpenSpiel, numbered, and tables of what leads where."""

from collections import Counter, deque
from dataclasses import dataclass
from functools import cached_property
from math import comb, sqrt
from typing import Any

import numpy as np
import pyspiel
from numpy.typing import NDArray

from boardgames_env.errors import BadInputError
from boardgames_env.history import CUT
from boardgames_env.kernels import ONGOING

MOST_BYTES = 1_000_000
"""The maximal size of a table: Numba does not cache code with larger constants."""

MOST_ARRIVALS = MOST_BYTES // np.dtype(np.int32).itemsize
"""The maximal number of pairs of a position and an action."""

WALKS = 200
"""Number of random contests of OpenSpiel that are checked against the tables."""

_DRAWS, _FIRST_PLY, _LAST_PLY = 2000, 10, 30
"""How many positions at random are compared, and the plies that they are taken from."""


class NoTableError(BadInputError):
    """A game has more positions than tables hold, or different positions with the same text."""


@dataclass(frozen=True)
class Numbered:
    """The positions of a game; number 0 is the initial one.

    Attributes:
        theirs: The ``pyspiel.Game``.
        first: The index of each position's first action in the next two arrays, shape ``(n + 1,)``.
        actions: The legal actions in ascending order.
        reached: The positions they lead to.
        seats: The seat to move, or in a final position the one that did not move last, shape ``(n,)``.
        points: The points of seat 0, `ONGOING` where the contest goes on, shape ``(n,)``.
        features: What each player observes, a bit for each level above the least that a number of OpenSpiel's
            observation reaches in any position, packed by eights; shape ``(n, 2, (num_features + 7) // 8)``.
        num_features: The number of features.
    """

    theirs: Any
    first: NDArray[np.int32]
    actions: NDArray[np.int32]
    reached: NDArray[np.int32]
    seats: NDArray[np.int8]
    points: NDArray[np.int8]
    features: NDArray[np.uint8]
    num_features: int

    def state(self, number: int) -> Any:
        """Return OpenSpiel's state of a position, after the shortest contest that leads there."""
        actions = []
        while number:
            row = self._arrival[number - 1]
            actions.append(int(self.actions[row]))
            number = int(np.searchsorted(self.first, row, side="right")) - 1
        state = self.theirs.new_initial_state()
        for action in reversed(actions):
            state.apply_action(action)
        return state

    @cached_property
    def _arrival(self) -> NDArray[np.int64]:
        """For each position but the first, the first row of ``reached`` with it."""
        numbers, rows = np.unique(self.reached, return_index=True)
        arrival: NDArray[np.int64] = rows[numbers > 0]
        return arrival

    def after(self, number: int, action: int) -> int:
        """Return the position after a legal action."""
        start, end = self.first[number : number + 2]
        return int(self.reached[start + np.searchsorted(self.actions[start:end], action)])


def numbered(theirs: Any) -> Numbered:
    """Find all positions of a game, breadth first, and check random contests against them.

    Raises:
        NoTableError: If it is too large, or different positions have one text.
        BadInputError: If it returns points that no game of ours has.
    """
    if _is_surely_large(theirs):
        raise NoTableError(_too_large(theirs))
    numbers: dict[object, int] = {}
    unseen: deque[Any] = deque()
    first, actions, reached, seats, points, observations = [0], list[int](), list[int](), list[int](), list[int](), []

    def number_of(state: Any, seat: int) -> int:
        key = (str(state), state.current_player(), tuple(state.legal_actions()), tuple(state.returns()))
        if key not in numbers:
            numbers[key] = len(numbers)
            seats.append(seat if state.is_terminal() else state.current_player())
            unseen.append(state)
        return numbers[key]

    number_of(theirs.new_initial_state(), 0)
    while unseen:
        state = unseen.popleft()
        points.append(points_of(state) if state.is_terminal() else ONGOING)
        observations.append(_observations(state))
        for action in state.legal_actions():
            actions.append(action)
            reached.append(number_of(state.child(action), 1 - state.current_player()))
        first.append(len(actions))
        if max(len(actions), len(first)) > MOST_ARRIVALS:
            raise NoTableError(_too_large(theirs))
    bits = _levels(np.stack(observations))
    table = Numbered(
        theirs=theirs,
        first=np.array(first, dtype=np.int32),
        actions=np.array(actions, dtype=np.int32),
        reached=np.array(reached, dtype=np.int32),
        seats=np.array(seats, dtype=np.int8),
        points=np.array(points, dtype=np.int8),
        features=np.packbits(bits, axis=2),
        num_features=bits.shape[2],
    )
    if table.features.nbytes > MOST_BYTES:
        raise NoTableError(
            f"{theirs} is too large: its observations take {table.features.nbytes:,} bytes of {MOST_BYTES:,}"
        )
    for contest in range(WALKS):
        _walk(table, np.random.default_rng(contest))
    return table


def _too_large(theirs: Any) -> str:
    return f"{theirs} is too large: there are more than {MOST_ARRIVALS:,} actions in all positions"


def _is_surely_large(theirs: Any) -> bool:
    """Return whether positions of random contests are equal so rarely that there must be more than tables hold.

    Two draws from N positions are equal with a probability of at least 1/N, however they are distributed. The number of
    equal pairs that is compared with is three standard deviations and a little more than what was found.
    """
    rng = np.random.default_rng(0)
    texts: Counter[tuple[str, int]] = Counter()
    legal = 0
    for ply in rng.integers(_FIRST_PLY, _LAST_PLY, size=_DRAWS):
        state = theirs.new_initial_state()
        while not state.is_terminal() and state.move_number() < ply:
            choices = state.legal_actions()
            state.apply_action(choices[int(rng.random() * len(choices))])
        if not state.is_terminal():
            texts[str(state), state.current_player()] += 1
            legal += len(state.legal_actions())
    drawn = texts.total()
    equal = sum(comb(count, 2) for count in texts.values())
    positions = comb(drawn, 2) / (equal + 3 * sqrt(equal) + 7)
    return positions * legal > MOST_ARRIVALS * max(drawn, 1)


def _observations(state: Any) -> NDArray[np.float32]:
    """Return what both players observe, shape ``(2, …)``; nothing in games without observations."""
    shown = state.get_game().get_type().provides_observation_tensor
    return np.array([state.observation_tensor(player) if shown else [] for player in (0, 1)], dtype=np.float32)


def refuse_other_kinds(theirs: Any) -> None:
    """Raise `BadInputError` for a game that is not a two-player game of perfect information without chance."""
    kind = theirs.get_type()
    wanted = {
        "for two players": theirs.num_players() == 2,
        "played in turns": kind.dynamics == pyspiel.GameType.Dynamics.SEQUENTIAL,
        "without chance": kind.chance_mode == pyspiel.GameType.ChanceMode.DETERMINISTIC,
        "of perfect information": kind.information == pyspiel.GameType.Information.PERFECT_INFORMATION,
        "zero-sum": kind.utility == pyspiel.GameType.Utility.ZERO_SUM,
    }
    if missing := [what for what, there in wanted.items() if not there]:
        raise BadInputError(f"{theirs} is not {missing[0]}; a game to be made ours is {', '.join(wanted)}")


def points_of(state: Any) -> int:
    """Return the points of seat 0 in a final state; raise `BadInputError` if they are no whole number, or too many."""
    points = state.returns()[0]
    if points != int(points) or abs(points) >= CUT:
        raise BadInputError(
            f"{state.get_game()} can return {points}; contests are won by a whole number of points below {CUT}"
        )
    return int(points)


def _levels(seen: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Return numbers as bits, one for each value above a column's least, shape ``(n, 2, bits)``."""
    columns = [seen[..., k, None] >= np.unique(seen[..., k])[1:] for k in range(seen.shape[2])]
    return np.concatenate([np.zeros((len(seen), 2, 0), dtype=np.bool_), *columns], axis=2)


def _walk(table: Numbered, rng: np.random.Generator) -> None:
    """Play a random contest in OpenSpiel and in the tables at once."""
    state, number = table.theirs.new_initial_state(), 0
    while True:
        start, end = table.first[number : number + 2]
        ends = table.points[number] != ONGOING
        same = (
            table.actions[start:end].tolist() == state.legal_actions()
            and ends == state.is_terminal()
            and (state.returns()[0] == table.points[number] if ends else state.current_player() == table.seats[number])
        )
        if not same:
            raise NoTableError(
                f"{table.theirs} has positions that read the same and are not: one comes after {state.history()}"
            )
        if ends:
            return
        action = int(rng.choice(state.legal_actions()))
        state.apply_action(action)
        number = table.after(number, action)
