"""The TD(λ) learner on a device: many contests of self-play at once, through torch, for networks that are large.

All moves of all contests in a round are found by the game's kernels, and their afterstates are evaluated in one pass.
Every contest has eligibility traces of its own and follows the rule of `td.self_play`, but all share the weights: after
each round these move by the mean of the contests' steps,

    w ← w + 1/N Σ_n α_n Σ_k (Y_nk(t+1) − Y_nk(t)) e_nk.

So one contest at a time, N = 1, is the online rule; more contests make steps that are less noisy, and N times fewer, so
that a larger learning rate does well. When a contest has ended the next begins. The traces take N × K times the memory
of the weights.
"""

import numpy as np
from numpy.typing import NDArray

from boardgames_agents.td.learner import TDLearner
from boardgames_agents.td.lockstep import Lockstep
from boardgames_agents.td.network import Network
from boardgames_agents.td.outputs import MOST_POINTS, Meaning
from boardgames_agents.td.self_play import Learning
from boardgames_env.history import CUT
from boardgames_env.kernels import ONGOING
from boardgames_env.kernels.signatures import Float32s, Int64s, UInt64s


class BatchedLearner(TDLearner):
    """A `TDLearner` whose self-play takes place on a device, many contests at once.

    The device is looked for when self-play begins, not before: a network trained on one machine plays on another.
    """

    def _play(self, learning: Learning, streams: UInt64s, results: Float32s) -> None:
        """Play contests and learn from them, in rounds."""
        from boardgames_agents.td.torch_network import TorchNetwork, device_named
        from boardgames_agents.td.torch_traces import TorchTraces

        network, meaning = self.network, self.network.meaning
        module = TorchNetwork(network).to(device_named(self.options.device))
        tables = min(self.options.batch, len(streams))
        traces = TorchTraces(module, tables, learning.squared)
        lockstep = Lockstep(network, self.exploration, streams, tables)
        inputs = np.zeros((tables, network.encoding.size), dtype=np.float32)
        while (begins := lockstep.begin()).any() or lockstep.going.any():
            inputs[begins], _ = network.encode_batch(lockstep.states[begins])
            viewers, learns, contest = network.viewers(lockstep.states), lockstep.learning, lockstep.contest.copy()
            now = to_seat0_batch(meaning, viewers, traces.predict_with_gradient(inputs, viewers, learns))
            afterstates, found = lockstep.find_moves()
            after, points = network.encode_batch(afterstates)
            outputs = module.outputs_for(after)
            movers = np.repeat(lockstep.states[:, 0], found)
            best, chosen = lockstep.choose(_values(network, outputs, points, afterstates, movers), found)
            reached = lockstep.move(afterstates[chosen])
            inputs = after[chosen]
            # what the best move leads to: how the contest has ended, or what is predicted there
            ended = np.where(best == chosen, reached, points[best])
            target = to_seat0_batch(meaning, network.viewers(afterstates[best]), outputs[best])
            outcome = meaning.targets[np.clip(ended, -MOST_POINTS, MOST_POINTS) + MOST_POINTS]
            target = np.where(ended[:, None] == ONGOING, target, outcome)
            errors = np.where((learns & (reached != CUT))[:, None], target - now, np.float32(0))
            traces.step(
                learning.alphas[contest, None] * errors / np.float32(self.options.batch),
                learning.lambdas[contest],
            )
            traces.reset((best != chosen) | (reached != ONGOING))
            lockstep.end(reached, np.abs(errors).sum(axis=1, dtype=np.float64))
        module.write_to_network()
        results[:] = lockstep.results


def to_seat0_batch(meaning: Meaning, viewers: NDArray[np.int8], outputs: Float32s) -> Float32s:
    """Return seat 0's probabilities, given viewers' outputs, shape ``(N, K)``: `to_seat0` for a batch."""
    own = np.where(meaning.sign[viewers, None] > 0, outputs, 1 - outputs)
    probabilities = np.empty_like(own)
    np.put_along_axis(probabilities, meaning.place[viewers], own, axis=1)
    return probabilities


def _values(
    network: Network, outputs: Float32s, points: Int64s, afterstates: NDArray[np.int8], movers: NDArray[np.int8]
) -> Float32s:
    """Return the movers' expected points after moves, as `evaluate_afterstates` computes them.

    Each move has a row: of ``outputs`` and ``points`` in the afterstate, of ``afterstates``, and of ``movers``.
    """
    expected = outputs @ network.meaning.value + network.meaning.bias
    seen_by_mover = network.viewers(afterstates) == movers
    ended = np.clip(points, -MOST_POINTS, MOST_POINTS) * np.where(movers == 0, 1, -1)
    values = np.where(points == ONGOING, np.where(seen_by_mover, expected, -expected), ended)
    return values.astype(np.float32)
