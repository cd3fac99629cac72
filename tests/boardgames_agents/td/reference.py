"""A plain implementation of TD(λ): dense inputs, float64, gradients by autograd.

Tests compare the kernels with it. It shares with them the game, the encoding and the streams of random
numbers.
"""

import math

import numpy as np
import torch

from boardgames_agents.td.network import Network
from boardgames_agents.td.options import TDOptions
from boardgames_env.chance import MOST_EVENTS
from boardgames_env.chance import draw as draw_kernel
from boardgames_env.history import CUT, History
from boardgames_env.kernels import ONGOING, State
from boardgames_env.kernels.signatures import Float64s, Int32s, UInt64s
from boardgames_env.moves import MOST_ACTIONS, MOST_MOVES, moves_kernel

FINE = 1 << 24
POINTS = {1: [2], 4: [1, 2, -1, -2], 6: [1, 2, 3, -1, -2, -3]}
SWAPPED = {4: [2, 3, 0, 1], 6: [3, 4, 5, 0, 1, 2]}

draw = getattr(draw_kernel, "py_func", draw_kernel)


def draw_event(cases: Int32s, events: int, streams: UInt64s, which: int) -> int:
    """Draw one of the first ``events`` events, each in proportion to its number of cases."""
    return int(np.repeat(np.arange(events), cases[:events])[draw(streams, which, int(cases[:events].sum()))])


class Reference:
    """A network with the initial weights of another one, and its learning rule."""

    def __init__(self, network: Network, options: TDOptions) -> None:
        self.game, self.design, self.encoding, self.options = network.game, network.design, network.encoding, options
        self.weights = {
            name: torch.from_numpy(layer.astype(np.float64)).requires_grad_()
            for name, layer in network.arrays().items()
        }

    def dense(self, state: State) -> Float64s:
        """Return the inputs of a position."""
        indices = np.zeros(self.encoding.size, dtype=np.int32)
        values = np.zeros(self.encoding.size, dtype=np.float32)
        count = self.encoding.kernel.run(state, self.viewer(state), indices, values)
        inputs = np.zeros(self.encoding.size)
        inputs[indices[:count]] = values[:count]
        return inputs

    def viewer(self, state: State) -> int:
        """Return the seat that sees a position."""
        return 0 if self.design.viewer == "0" else int(state[0])

    def predict_batch(self, states: list[State]) -> torch.Tensor:
        """Return the outputs for the viewers."""
        weights = self.weights
        sums = torch.from_numpy(np.array([self.dense(state) for state in states])) @ weights["hidden"]
        squash = torch.relu if self.design.units == "rectified" else torch.sigmoid
        units = squash(sums + weights["hidden_bias"])
        return torch.sigmoid(units @ weights["output"].T + weights["output_bias"])

    def to_seat0(self, states: list[State]) -> torch.Tensor:
        """Return seat 0's probabilities, shape (N, K)."""
        rows = []
        for state, row in zip(states, self.predict_batch(states), strict=True):
            if self.viewer(state) == 0:
                rows.append(row)
            else:
                rows.append(1 - row if self.design.outputs == 1 else row[SWAPPED[self.design.outputs]])
        return torch.stack(rows)

    def ended(self, points: int) -> torch.Tensor:
        """Return seat 0's probabilities when a contest is over."""
        if self.design.outputs == 1:
            return torch.tensor([{1: 1.0, 0: 0.5, -1: 0.0}[int(np.sign(points))]], dtype=torch.float64)
        most = self.design.outputs // 2
        known = [min(max(points, -most), most) == each for each in POINTS[self.design.outputs]]
        return torch.tensor(known, dtype=torch.float64)

    def points(self, probabilities: torch.Tensor) -> float:
        """Return the expected points of seat 0."""
        points = torch.tensor(POINTS[self.design.outputs], dtype=torch.float64)
        return float(probabilities @ points) - (1 if self.design.outputs == 1 else 0)

    def gradients(self, state: State) -> tuple[torch.Tensor, list[list[torch.Tensor]]]:
        """Return seat 0's probabilities, and the gradient of each: its own, or that of its log-odds."""
        predicted = self.to_seat0([state])[0]
        followed = predicted if self.options.error == "squared" else torch.logit(predicted)
        weights = list(self.weights.values())
        return predicted.detach(), [list(torch.autograd.grad(each, weights, retain_graph=True)) for each in followed]

    def learn(self, contest: int, streams: UInt64s, which: int) -> tuple[float, int]:
        """Play contest number ``contest`` and learn from it. Return the points of seat 0 and the plies."""
        options = self.options
        alpha = options.alpha / (1 + contest / options.decay if options.decay else 1)
        lam = options.lam / (1 + contest / options.lam_decay if options.lam_decay else 1)
        opening = draw(streams, which, options.openings + 1) if options.openings else 0
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
                following = self.to_seat0([best])[0].detach() if points == ONGOING else self.ended(points)
                with torch.no_grad():
                    for error, row in zip(following - now, traces, strict=True):
                        for weight, trace in zip(self.weights.values(), row, strict=True):
                            weight.add_(alpha * error * trace)
                if explored:
                    traces = []
        return (math.nan if result == CUT else result), plies

    def moved(self, state: State, streams: UInt64s, which: int, learns: bool) -> tuple[State, State]:
        """Settle chance and move. Return the state after the chosen move and after the best one."""
        state = state.copy()
        cases = np.zeros(MOST_EVENTS, dtype=np.int32)
        while events := self.game.rules.chance_events.run(state, cases):
            self.game.rules.happen.run(state, draw_event(cases, events, streams, which))
        reached = np.zeros((MOST_MOVES, len(state)), dtype=np.int8)
        actions = np.zeros((MOST_MOVES, MOST_ACTIONS + 1), dtype=np.int32)
        count = moves_kernel(self.game).run(state, reached, actions)
        if not learns:
            chosen = reached[draw(streams, which, count)]
            return chosen, chosen
        values = self.values(list(reached[:count]), int(state[0]))
        best = int(np.argmax(values))
        return reached[self.drawn(values, best, streams, which)], reached[best]

    def values(self, reached: list[State], mover: int) -> Float64s:
        """Return the mover's expected points after its moves."""
        points = [self.game.rules.outcome.run(state) for state in reached]
        going = [state for state, ended in zip(reached, points, strict=True) if ended == ONGOING]
        expected = iter([self.points(row) for row in self.to_seat0(going).detach()] if going else [])
        of_seat_0 = [next(expected) if ended == ONGOING else min(max(ended, -3), 3) for ended in points]
        return np.array(of_seat_0) * (1 if mover == 0 else -1)

    def drawn(self, values: Float64s, best: int, streams: UInt64s, which: int) -> int:
        """Return the move to play."""
        if self.options.epsilon and draw(streams, which, FINE) < self.options.epsilon * FINE:
            return int(draw(streams, which, len(values)))
        if not self.options.temperature:
            return best
        weights = np.exp((values - values[best]) / self.options.temperature)
        left = draw(streams, which, FINE) / FINE * weights.sum()
        return int(np.flatnonzero(left < weights.cumsum())[0])
