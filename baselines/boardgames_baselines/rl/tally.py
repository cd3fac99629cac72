"""Counts the contests that end in Stable-Baselines3's loop."""

import numpy as np
from stable_baselines3.common.callbacks import BaseCallback


class Tally(BaseCallback):
    """Takes note of how contests end.

    Args:
        of_seat_0: Whether seat 0's points are noted, not the learner's.

    Attributes:
        points: The points of each contest, in the order in which they have ended; not a number where a limit cut it
            short.
    """

    def __init__(self, of_seat_0: bool) -> None:
        super().__init__()
        self.of_seat_0 = of_seat_0
        self.points: list[float] = []

    def _on_step(self) -> bool:
        rewards, infos = self.locals["rewards"], self.locals["infos"]
        for copy in np.flatnonzero(self.locals["dones"]):
            info = infos[copy]
            points = float("nan") if info["TimeLimit.truncated"] else float(rewards[copy])
            self.points.append(-points if self.of_seat_0 and info["seat"] == 1 else points)
        return True
