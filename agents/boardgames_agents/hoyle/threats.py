"""Threats: the lines that a seat would complete by its next move, by the rules."""

import numpy as np
from numba import types

from boardgames_agents.hoyle.game_frame import GameFrame
from boardgames_agents.hoyle.position_view import Choice
from boardgames_env.kernels import READ_ONLY_STATE, Actions, State, announce_compilation, kernel
from boardgames_env.kernels.bundle import GAME_KERNELS, GameKernels
from boardgames_env.kernels.rows import copy_row
from boardgames_env.kernels.signatures import INT8_1D, INT8_2D, INT32_1D, Int8s

_MOST_KEPT = 200_000


@kernel(types.void(GAME_KERNELS, READ_ONLY_STATE, types.int64, INT8_2D, INT32_1D, INT8_1D))
def find_threats(game: GameKernels, state: State, seat: int, lines: Int8s, buffer: Actions, found: State) -> None:
    """Write which lines a seat would complete by an action if it were its turn.

    Args:
        game: The game.
        state: A state that is not over, at the beginning of a turn.
        seat: The seat.
        lines: Whether each location is on each line, shape ``(lines, locations)``.
        buffer: Room for the actions.
        found: 1 for each such line, else 0.
    """
    before, after = np.empty(len(state), dtype=np.int8), np.empty(len(state), dtype=np.int8)
    copy_row(state, before)
    before[0] = seat
    sign = 1 - 2 * seat
    for line in range(len(lines)):
        found[line] = 0
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
                found[line] = 1


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
        known = self._kept.get((state, seat))
        if known is None:
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
            found = np.empty(len(self._lines[seat]), dtype=np.int8)
            array = np.frombuffer(state, dtype=np.int8)
            find_threats.run(self._frame.game.kernels, array, seat, self._lines[seat], self._buffer, found)
            known = tuple(line for line, there in zip(self._frame.goals[seat], found.tolist(), strict=True) if there)
            self._kept[state, seat] = known
        return known
