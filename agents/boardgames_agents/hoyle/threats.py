"""Threats: the lines that a seat would complete by its next move, by the rules."""

from collections.abc import Iterable, Sequence

import numpy as np
from numba import types

from boardgames_agents.hoyle.game_frame import GameFrame
from boardgames_agents.hoyle.position_view import Choice
from boardgames_env.kernels import Actions, announce_compilation, copy_row, kernel
from boardgames_env.kernels.bundle import GAME_KERNELS, GameKernels
from boardgames_env.kernels.signatures import INT8_2D, INT8_2D_READONLY, INT32_1D, Int8s

_MOST_KEPT = 200_000


@kernel(types.void(GAME_KERNELS, INT8_2D_READONLY, types.int64, INT8_2D, INT32_1D, INT8_2D))
def find_threats(game: GameKernels, states: Int8s, seat: int, lines: Int8s, buffer: Actions, found: Int8s) -> None:
    """Write which lines a seat would complete by an action in each state if it were its turn.

    Args:
        game: The game.
        states: States that are not over, at the beginning of a turn, a row each.
        seat: The seat.
        lines: Whether each location is on each line, shape ``(lines, locations)``.
        buffer: Room for the actions.
        found: 1 for each such line of a state, else 0, shape ``(states, lines)``.
    """
    before, after = np.empty(states.shape[1], dtype=np.int8), np.empty(states.shape[1], dtype=np.int8)
    sign = 1 - 2 * seat
    for row in range(len(states)):
        copy_row(states[row], before)
        before[0] = seat
        for line in range(len(lines)):
            found[row, line] = 0
        for i in range(game.legal(before, buffer)):
            copy_row(before, after)
            game.play(after, buffer[i])
            for line in range(len(lines)):
                was, completed = True, True
                for location in range(lines.shape[1]):
                    if lines[line, location]:
                        was &= before[1 + location] * sign > 0
                        completed &= after[1 + location] * sign > 0
                if completed and not was:
                    found[row, line] = 1


class Threats:
    """The lines that each seat threatens to complete, kept by position."""

    def __init__(self, frame: GameFrame) -> None:
        self._frame = frame
        self._lines = [
            np.array(
                [[line >> location & 1 for location in range(frame.game.board.size)] for line in lines], dtype=np.int8
            )
            for lines in frame.goals
        ]
        self._buffer = np.empty(frame.game.num_actions, dtype=np.int32)
        self._kept: dict[tuple[bytes, int], tuple[int, ...]] = {}
        announce_compilation("forks", [find_threats])

    def __reduce__(self) -> "tuple[type[Threats], tuple[GameFrame]]":
        return Threats, (self._frame,)  # (a copy begins with nothing kept)

    def after(self, choice: Choice, seat: int) -> tuple[int, ...]:
        """Return the lines, as bit masks, that a seat threatens to complete after a move; none once it is over."""
        return () if choice.points is not None else self.of_state(choice.state, seat)

    def of_state(self, state: bytes, seat: int) -> tuple[int, ...]:
        """Return the lines that a seat would complete by an action if it were its turn."""
        if (state, seat) not in self._kept:
            self._find([state], seat)
        return self._kept[state, seat]

    def prepare(self, choices: Iterable[Choice]) -> None:
        """Find the threats of both seats after moves at once, which takes less time than one after another."""
        states = [choice.state for choice in choices if choice.points is None]
        for seat in (0, 1):
            self._find([state for state in states if (state, seat) not in self._kept], seat)

    def _find(self, states: Sequence[bytes], seat: int) -> None:
        if not states:
            return
        if len(self._kept) >= _MOST_KEPT:
            self._kept.clear()
        game, lines, goals = self._frame.game, self._lines[seat], self._frame.goals[seat]
        rows = np.frombuffer(b"".join(states), dtype=np.int8).reshape(len(states), game.state_size)
        found = np.empty((len(states), len(lines)), dtype=np.int8)
        find_threats.run(game.kernels, rows, seat, lines, self._buffer, found)
        self._kept.update({(state, seat): () for state in states})
        for row in np.flatnonzero(found.any(axis=1)).tolist():
            there = np.flatnonzero(found[row]).tolist()
            self._kept[states[row], seat] = tuple(goals[line] for line in there)
