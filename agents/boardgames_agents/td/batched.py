"""The TD(λ) learner on a device: many contests with itself at once, through torch, for networks that are large.

All moves of all contests in a round are found by the game's kernels, and what they lead to is judged in one pass.
Every contest has eligibility traces of its own, and keeps to the rule of `td.self_play`, but all share the
weights: after each round these move by the mean of what the contests ask for,

    w ← w + 1/N Σ_n α_n Σ_k (Y_nk(t+1) − Y_nk(t)) e_nk.

So one contest at a time, N = 1, is the online rule; more make steps that are less noisy, and N times fewer, so that a
learning rate some times as large does well. Where a contest has ended the next begins. The traces take N × K times the
memory of the weights.
"""

import re

import numpy as np
from numpy.typing import NDArray

from boardgames_agents.td.learner import SAMPLED_EVERY, Schedule, TDLearner
from boardgames_agents.td.lockstep import Lockstep, Numbers, worths_of
from boardgames_agents.td.network import Floats, Network
from boardgames_agents.td.outputs import MOST_POINTS, Meaning
from boardgames_env.chance import Streams
from boardgames_env.errors import BadInputError, require
from boardgames_env.history import CUT
from boardgames_env.kernels import ONGOING

_MOST_CONTESTS = 65_536


class BatchedLearner(TDLearner):
    """Learns from itself on a device, many contests at once, and contest by contest as any `TDLearner`.

    Args:
        network: The network it teaches.
        schedule: How.
        device: Where: ``cpu``, ``cuda``, ``cuda:1``, ``mps``. It must be there when the learner practises, not before:
            what was trained on one machine is played on another.
        batch: How many contests go on at once, N.

    Raises:
        BadInputError: If an option is not allowed.
    """

    def __init__(self, network: Network, schedule: Schedule, device: str, batch: int) -> None:
        if not re.fullmatch(r"cpu|mps|cuda(:\d+)?", device):
            raise BadInputError(f"device={device!r} is not allowed; it is '', 'cpu', 'cuda', 'cuda:NUMBER' or 'mps'")
        require(1, _MOST_CONTESTS, batch=batch)
        super().__init__(network, schedule, max(SAMPLED_EVERY, batch))
        self._device, self._batch = device, batch

    def _play(self, rates: Floats, keeps: Floats, streams: Streams, played: Floats) -> None:
        """Play contests and learn from them, in rounds."""
        from boardgames_agents.td.torch_network import TorchNetwork, device_named
        from boardgames_agents.td.torch_traces import TorchTraces

        network, practice = self.network, self.schedule.practice
        module = TorchNetwork(network).to(device_named(self._device))
        tables = min(self._batch, len(rates))
        traces = TorchTraces(module, tables, practice.squared)
        lockstep = Lockstep(network, practice, streams, tables)
        inputs = np.zeros((tables, network.encoding.size), dtype=np.float32)
        while (begins := lockstep.begin()).any() or lockstep.going.any():
            inputs[begins], _ = network.shown(lockstep.states[begins])
            viewers, learning, contest = network.viewers(lockstep.states), lockstep.learning, lockstep.contest.copy()
            now = told(network.meaning, viewers, traces.arrive(inputs, viewers, learning))
            afterstates, found = lockstep.offers()
            after, points = network.shown(afterstates)
            outputs = module.outputs_for(after)
            movers = np.repeat(lockstep.states[:, 0], found)
            best, chosen = lockstep.choose(worths_of(network, outputs, points, afterstates, movers), found)
            results = lockstep.move(afterstates[chosen])
            inputs = after[chosen]
            # what the best move leads to: how the contest has ended, or what is predicted there
            reached = np.where(best == chosen, results, points[best])
            following = told(network.meaning, network.viewers(afterstates[best]), outputs[best])
            following = np.where(reached[:, None] == ONGOING, following, _ended(network.meaning, reached))
            errors = np.where((learning & (results != CUT))[:, None], following - now, np.float32(0))
            traces.step(rates[contest, None] * errors / np.float32(self._batch), keeps[contest])
            traces.forget((best != chosen) | (results != ONGOING))
            lockstep.end(results, np.abs(errors).sum(axis=1, dtype=np.float64))
        module.give_back()
        played[:] = lockstep.played


def told(meaning: Meaning, viewers: NDArray[np.int8], outputs: Floats) -> Floats:
    """Seat 0's probabilities, given the outputs for viewers, shape ``(N, K)``; as `boardgames_agents.td.sight.tell`."""
    said = np.where(meaning.sign[viewers, None] > 0, outputs, 1 - outputs)
    chances = np.empty_like(said)
    np.put_along_axis(chances, meaning.place[viewers], said, axis=1)
    return chances


def _ended(meaning: Meaning, points: Numbers) -> Floats:
    """Seat 0's probabilities where contests have ended with so many points."""
    return meaning.targets[np.clip(points, -MOST_POINTS, MOST_POINTS) + MOST_POINTS]
