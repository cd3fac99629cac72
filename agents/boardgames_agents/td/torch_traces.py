"""Eligibility traces of many contests at once, in torch; `boardgames_agents.td.traces` has those of one contest."""

import numpy as np
import torch

from boardgames_agents.td.torch_network import TorchNetwork
from boardgames_env.errors import BadInputError
from boardgames_env.kernels.signatures import Bools, Float32s, Int8s


class TorchTraces:
    """Eligibility traces, one for each contest and each of seat 0's probabilities.

    For ``squared`` see `boardgames_agents.td.traces.differentiate`.

    Raises:
        BadInputError: If they do not fit in the device's memory.
    """

    def __init__(self, module: TorchNetwork, contests: int, squared: bool) -> None:
        self._module, self._squared = module, squared
        meaning, count = module.network.meaning, module.network.design.outputs
        # by viewer: which of seat 0's probabilities each output is, and with which sign its gradient counts
        is_place = meaning.place[:, np.newaxis, :] == np.arange(count)[:, np.newaxis]
        self._places: Float32s = (is_place * meaning.sign[:, np.newaxis, np.newaxis]).astype(np.float32)
        try:
            self._traces = {
                name: torch.zeros((contests, count, *layer.shape), device=module.device)
                for name, layer in module.named_parameters()
            }
        except RuntimeError as error:
            raise BadInputError(
                f"{module.device} has no room for the traces of {contests} contests; make batch smaller"
            ) from error

    @torch.no_grad()
    def predict_with_gradient(self, inputs: Float32s, viewers: Int8s, learning: Bools) -> Float32s:
        """Predict each contest from a position, and add the gradient to the traces of those that are ``learning``.

        Inputs have the shape ``(N, I)`` and the returned outputs ``(N, K)``; the seats ``viewers`` see the positions.
        """
        module, traces = self._module, self._traces
        dense = module.to_device(inputs)
        units = module.units(dense)
        outputs = module.outputs_of(units)
        slope = module.to_device(self._places[viewers] * learning[:, np.newaxis, np.newaxis])
        if self._squared:
            slope *= (outputs * (1 - outputs)).unsqueeze(1)
        at_units = (units > 0) if module.network.design.units == "rectified" else units * (1 - units)
        into = (slope @ module.output) * at_units.unsqueeze(1)
        traces["output_bias"] += slope
        traces["output"].addcmul_(slope[:, :, :, None], units[:, None, None, :])
        traces["hidden_bias"] += into
        traces["hidden"].addcmul_(dense[:, None, :, None], into[:, :, None, :])
        predicted: Float32s = outputs.cpu().numpy()
        return predicted

    @torch.no_grad()
    def step(self, change: Float32s, lambdas: Float32s) -> None:
        """Move the weights by ``change``, shape ``(N, K)``, along each trace, and multiply these by λ."""
        along, decay = self._module.to_device(change).reshape(-1), self._module.to_device(lambdas)
        for name, layer in self._module.named_parameters():
            trace = self._traces[name]
            layer.add_((along @ trace.reshape(len(along), -1)).reshape(layer.shape))
            trace *= decay.reshape(-1, *[1] * (trace.dim() - 1))

    def reset(self, contests: Bools) -> None:
        """Set the traces of some contests to 0."""
        which = torch.from_numpy(np.flatnonzero(contests)).to(self._module.device)
        for trace in self._traces.values():
            trace.index_fill_(0, which, 0)
