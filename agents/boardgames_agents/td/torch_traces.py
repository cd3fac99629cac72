"""TD(λ) for many contests at once, in torch: what `boardgames_agents.td.traces` does for one, for a batch."""

import numpy as np
import torch
from numpy.typing import NDArray

from boardgames_agents.td.network import Floats
from boardgames_agents.td.torch_network import TorchNetwork
from boardgames_env.errors import BadInputError


class TorchTraces:
    """Eligibility traces, one for each contest and each of seat 0's probabilities.

    Args:
        module: The network, on its device.
        contests: How many contests, N.
        squared: See `boardgames_agents.td.traces.differentiate`.

    Raises:
        BadInputError: If the device has no room for them.
    """

    def __init__(self, module: TorchNetwork, contests: int, squared: bool) -> None:
        self._module, self._squared = module, squared
        meaning, outputs = module.network.meaning, module.network.design.outputs
        # by viewer: which of seat 0's probabilities each output is, and with which sign its gradient counts
        is_place = meaning.place[:, np.newaxis, :] == np.arange(outputs)[:, np.newaxis]
        self._places: Floats = (is_place * meaning.sign[:, np.newaxis, np.newaxis]).astype(np.float32)
        try:
            self._traces = {
                name: torch.zeros((contests, outputs, *layer.shape), device=module.device)
                for name, layer in module.named_parameters()
            }
        except RuntimeError as error:
            raise BadInputError(
                f"{module.device} has no room for the traces of {contests} contests; make batch smaller"
            ) from error

    @torch.no_grad()
    def arrive(self, inputs: Floats, viewers: NDArray[np.int8], learning: NDArray[np.bool_]) -> Floats:
        """Predict each contest from a position, and add the gradient of that to its traces.

        Args:
            inputs: What is shown of the positions, shape ``(N, I)``.
            viewers: For which seat.
            learning: For which contests gradients are wanted.

        Returns:
            The outputs, shape ``(N, K)``.
        """
        module, traces = self._module, self._traces
        given = module.sent(inputs)
        units = module.units(given)
        said = module.said(units)
        slope = module.sent(self._places[viewers] * learning[:, np.newaxis, np.newaxis])
        if self._squared:
            slope *= (said * (1 - said)).unsqueeze(1)
        at_units = (units > 0) if module.network.sight.rectified else units * (1 - units)
        into = (slope @ module.output) * at_units.unsqueeze(1)
        traces["output_bias"] += slope
        traces["output"].addcmul_(slope[:, :, :, None], units[:, None, None, :])
        traces["hidden_bias"] += into
        traces["hidden"].addcmul_(given[:, None, :, None], into[:, :, None, :])
        outputs: Floats = said.cpu().numpy()
        return outputs

    @torch.no_grad()
    def step(self, change: Floats, keep: Floats) -> None:
        """Move the weights along the traces, and fade these.

        Args:
            change: By how much along each, shape ``(N, K)``.
            keep: What stays of the traces of each contest, shape ``(N,)``.
        """
        along, stays = self._module.sent(change).reshape(-1), self._module.sent(keep)
        for name, layer in self._module.named_parameters():
            trace = self._traces[name]
            layer.add_((along @ trace.reshape(len(along), -1)).reshape(layer.shape))
            trace *= stays.reshape(-1, *[1] * (trace.dim() - 1))

    def forget(self, contests: NDArray[np.bool_]) -> None:
        """Set the traces of some contests to 0."""
        which = torch.from_numpy(np.flatnonzero(contests)).to(self._module.device)
        for trace in self._traces.values():
            trace.index_fill_(0, which, 0)
