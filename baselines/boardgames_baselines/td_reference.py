"""TD(λ) once more, as plainly as can be: dense inputs, float64, gradients by autograd, nothing kept but what is needed.

What the kernels are held against, in tests and in speed. It shares with them the game, the encoding and the streams of
chance.
"""

import math

import numpy as np
import torch
from numpy.typing import NDArray

from boardgames_agents.td.learner import Schedule
from boardgames_agents.td.network import Network
from boardgames_env.chance import MOST_EVENTS, Streams
from boardgames_env.chance import draw as draw_kernel
from boardgames_env.history import CUT, History
from boardgames_env.kernels import ONGOING, State
from boardgames_env.moves import MOST_ACTIONS, MOST_MOVES, moves_kernel

FINE = 1 << 24
POINTS = {1: [2], 4: [1, 2, -1, -2], 6: [1, 2, 3, -1, -2, -3]}
SWAPPED = {4: [2, 3, 0, 1], 6: [3, 4, 5, 0, 1, 2]}

draw = getattr(draw_kernel, "py_func", draw_kernel)


def draw_event(cases: NDArray[np.int32], events: int, streams: Streams, which: int) -> int:
    """One of some events, each as likely as it has cases."""
    return int(np.repeat(np.arange(events), cases[:events])[draw(streams, which, int(cases[:events].sum()))])


class Reference:
    """A network with the weights that another begins with, and the rule that it learns by."""

    def __init__(self, network: Network, schedule: Schedule) -> None:
        self.game, self.design, self.encoding, self.schedule = network.game, network.design, network.encoding, schedule
        self.weights = {
            name: torch.from_numpy(layer.astype(np.float64)).requires_grad_()
            for name, layer in network.arrays().items()
        }

    def dense(self, state: State) -> NDArray[np.float64]:
        """The inputs of a position."""
        indices = np.zeros(self.encoding.size, dtype=np.int32)
        values = np.zeros(self.encoding.size, dtype=np.float32)
        count = self.encoding.kernel.run(state, self.viewer(state), indices, values)
        inputs = np.zeros(self.encoding.size)
        inputs[indices[:count]] = values[:count]
        return inputs

    def viewer(self, state: State) -> int:
        """The seat that a position is seen by."""
        return 0 if self.design.viewer == "0" else int(state[0])

    def said(self, states: list[State]) -> torch.Tensor:
        """The outputs, for the viewers."""
        weights = self.weights
        sums = torch.from_numpy(np.array([self.dense(state) for state in states])) @ weights["hidden"]
        squash = torch.relu if self.design.units == "rectified" else torch.sigmoid
        units = squash(sums + weights["hidden_bias"])
        return torch.sigmoid(units @ weights["output"].T + weights["output_bias"])

    def predicted(self, states: list[State]) -> torch.Tensor:
        """Seat 0's probabilities, shape (N, K)."""
        rows = []
        for state, row in zip(states, self.said(states), strict=True):
            if self.viewer(state) == 0:
                rows.append(row)
            else:
                rows.append(1 - row if self.design.outputs == 1 else row[SWAPPED[self.design.outputs]])
        return torch.stack(rows)

    def ended(self, points: int) -> torch.Tensor:
        """Seat 0's probabilities when a contest is over."""
        if self.design.outputs == 1:
            return torch.tensor([{1: 1.0, 0: 0.5, -1: 0.0}[int(np.sign(points))]], dtype=torch.float64)
        most = self.design.outputs // 2
        known = [min(max(points, -most), most) == each for each in POINTS[self.design.outputs]]
        return torch.tensor(known, dtype=torch.float64)

    def worth(self, chances: torch.Tensor) -> float:
        """The points of seat 0."""
        points = torch.tensor(POINTS[self.design.outputs], dtype=torch.float64)
        return float(chances @ points) - (1 if self.design.outputs == 1 else 0)

    def gradients(self, state: State) -> tuple[torch.Tensor, list[list[torch.Tensor]]]:
        """Seat 0's probabilities, and the gradient of each: its own, or that of its log-odds."""
        predicted = self.predicted([state])[0]
        followed = predicted if self.schedule.error == "squared" else torch.logit(predicted)
        weights = list(self.weights.values())
        return predicted.detach(), [list(torch.autograd.grad(each, weights, retain_graph=True)) for each in followed]

    def learn(self, contest: int, streams: Streams, which: int) -> tuple[float, int]:
        """Play contest number ``contest`` and learn from it: the points of seat 0, and how many plies it took."""
        schedule = self.schedule
        alpha = schedule.alpha / (1 + contest / schedule.decay if schedule.decay else 1)
        lam = schedule.lam / (1 + contest / schedule.lam_decay if schedule.lam_decay else 1)
        opening = draw(streams, which, schedule.openings + 1) if schedule.openings else 0
        state, history = self.game.initial.state.copy(), History(self.game)
        history.begin(state)
        traces: list[list[torch.Tensor | float]] = []
        plies, result = 0, ONGOING
        while result == ONGOING:
            learns = plies >= opening
            if learns:
                now, gradients = self.gradients(state)
                traces = traces or [[0.0] * len(row) for row in gradients]
                traces = [
                    [lam * trace + each for trace, each in zip(row, new, strict=True)]
                    for row, new in zip(traces, gradients, strict=True)
                ]
            state, best = self.moved(state, streams, which, learns)
            plies += 1
            result = history.add(state)
            if learns and result != CUT:
                explored = not np.array_equal(best, state)
                points = self.game.rules.outcome.run(best) if explored else result
                following = self.predicted([best])[0].detach() if points == ONGOING else self.ended(points)
                with torch.no_grad():
                    for error, row in zip(following - now, traces, strict=True):
                        for weight, trace in zip(self.weights.values(), row, strict=True):
                            weight.add_(alpha * error * trace)
                if explored:
                    traces = []
        return (math.nan if result == CUT else result), plies

    def moved(self, state: State, streams: Streams, which: int, learns: bool) -> tuple[State, State]:
        """Let chance decide and move: where that leads to, and where the best move does."""
        state = state.copy()
        cases = np.zeros(MOST_EVENTS, dtype=np.int32)
        while events := self.game.rules.chances.run(state, cases):
            self.game.rules.happen.run(state, draw_event(cases, events, streams, which))
        reached = np.zeros((MOST_MOVES, len(state)), dtype=np.int8)
        actions = np.zeros((MOST_MOVES, MOST_ACTIONS + 1), dtype=np.int32)
        count = moves_kernel(self.game).run(state, reached, actions)
        if not learns:
            chosen = reached[draw(streams, which, count)]
            return chosen, chosen
        worths = self.worths(list(reached[:count]), int(state[0]))
        best = int(np.argmax(worths))
        return reached[self.drawn(worths, best, streams, which)], reached[best]

    def worths(self, reached: list[State], mover: int) -> NDArray[np.float64]:
        """The points that the mover can expect where its moves lead to."""
        points = [self.game.rules.outcome.run(state) for state in reached]
        going = [state for state, ended in zip(reached, points, strict=True) if ended == ONGOING]
        expected = iter([self.worth(row) for row in self.predicted(going).detach()] if going else [])
        of_seat_0 = [next(expected) if ended == ONGOING else min(max(ended, -3), 3) for ended in points]
        return np.array(of_seat_0) * (1 if mover == 0 else -1)

    def drawn(self, worths: NDArray[np.float64], best: int, streams: Streams, which: int) -> int:
        """The move that is played."""
        if self.schedule.epsilon and draw(streams, which, FINE) < self.schedule.epsilon * FINE:
            return int(draw(streams, which, len(worths)))
        if not self.schedule.temperature:
            return best
        weights = np.exp((worths - worths[best]) / self.schedule.temperature)
        left = draw(streams, which, FINE) / FINE * weights.sum()
        return int(np.flatnonzero(left < weights.cumsum())[0])
