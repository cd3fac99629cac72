"""Tasks: pieces of work dealt out together, so that what it costs to send one away and back is little beside it.

A task is told how long to work. It stops after the piece during which that time is over, and what it has not come to is
dealt out again. So pieces may be of any length, nobody needs to know it beforehand, and a task that is lost with its
worker is no more than that time, or one long piece.
"""

from collections import deque
from collections.abc import Sequence

TASK_SECONDS = 2.0
"""How long a task works. Sending one away and back takes some milliseconds."""

AHEAD = 2
"""Tasks dealt out for each worker: one that it works on, and one that waits for it."""


class Tasks:
    """Deals out pieces of work, each to one task at a time.

    Args:
        pieces: How many there are.
        seconds: How long a task is to take.
    """

    def __init__(self, pieces: int, seconds: float = TASK_SECONDS) -> None:
        self._waiting = deque(range(pieces))
        self._seconds = seconds
        self._latest = seconds  # seconds a piece of the task that came back last: the first tasks are of one piece

    def deal(self, workers: int) -> tuple[int, ...]:
        """The numbers of the pieces of the next task; none if nothing waits.

        Args:
            workers: How many work at once. A task gets no more than half an even share of what waits, so that they
                come to the end together.
        """
        share = -(-len(self._waiting) // (2 * max(workers, 1)))
        size = min(max(1, int(self._seconds / max(self._latest, 1e-6))), share)
        return tuple(self._waiting.popleft() for _ in range(size))

    def back(self, dealt: Sequence[int], seconds: Sequence[float]) -> None:
        """A task came back.

        Args:
            dealt: The numbers of its pieces.
            seconds: How long each took that was done, from the first on; the others are dealt out again.
        """
        if seconds:
            self._latest = sum(seconds) / len(seconds)
        self._waiting.extendleft(reversed(dealt[len(seconds) :]))
