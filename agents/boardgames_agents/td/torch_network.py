"""The same network as a module of torch, in the memory that the kernels work on.

Torch is imported here and in `boardgames_agents.td.torch_traces`, and these are imported only for what asks for torch.
"""

import numpy as np
from numpy.typing import NDArray

from boardgames_agents.td.network import Floats, Network
from boardgames_env.errors import BadInputError, MissingLibraryError, one_of

try:
    import torch
except ImportError as missing:
    raise MissingLibraryError("networks in torch need the package torch", "torch") from missing


class TorchNetwork(torch.nn.Module):
    """A network's weights as parameters, with the names and shapes of `boardgames_agents.td.forward.Layers`.

    As long as the module stays where it was made, the parameters *are* the network's arrays: what the kernels learn
    changes what the module says, and a step of an optimizer changes what the kernels play. On another device, where
    ``to`` moves it, they are copies, and `give_back` writes them to the network.

    Args:
        network: The network.

    Attributes:
        network: The network.
    """

    hidden: torch.nn.Parameter
    hidden_bias: torch.nn.Parameter
    output: torch.nn.Parameter
    output_bias: torch.nn.Parameter

    def __init__(self, network: Network) -> None:
        super().__init__()
        self.network = network
        for name, layer in network.layers._asdict().items():
            self.register_parameter(name, torch.nn.Parameter(torch.from_numpy(layer)))

    @property
    def device(self) -> torch.device:
        """Where its parameters are."""
        return self.hidden.device

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """The outputs for positions, shape ``(N, K)``, given their inputs, dense, shape ``(N, I)``."""
        return self.said(self.units(inputs))

    def units(self, inputs: torch.Tensor) -> torch.Tensor:
        """The hidden units, shape ``(N, H)``."""
        sums = torch.addmm(self.hidden_bias, inputs, self.hidden)
        return torch.relu(sums) if self.network.sight.rectified else torch.sigmoid(sums)

    def said(self, units: torch.Tensor) -> torch.Tensor:
        """The outputs, given the hidden units."""
        return torch.sigmoid(torch.addmm(self.output_bias, units, self.output.T))

    def sent(self, array: Floats) -> torch.Tensor:
        """An array as a tensor where the parameters are."""
        return torch.from_numpy(array).to(self.device)

    def outputs(self, states: NDArray[np.int8]) -> Floats:
        """What it says of positions that are not over: as `Network.outputs`, in one pass on its device."""
        inputs, _ = self.network.shown(states)
        return self.outputs_for(inputs)

    def outputs_for(self, inputs: Floats) -> Floats:
        """The outputs for inputs, as arrays."""
        with torch.no_grad():
            said: Floats = self(self.sent(inputs)).cpu().numpy()
        return said

    def give_back(self) -> None:
        """Write the weights to the network, if they are not its own."""
        self.network.load({name: layer.detach().cpu().numpy() for name, layer in self.named_parameters()})


def device_named(name: str) -> torch.device:
    """The device of a name.

    Raises:
        BadInputError: If there is none here.
    """
    here = ["cpu"]
    if torch.cuda.is_available():
        here += ["cuda", *(f"cuda:{number}" for number in range(torch.cuda.device_count()))]
    if torch.backends.mps.is_available():
        here.append("mps")
    if name not in here:
        raise BadInputError(f"there is no device {name!r} here; the devices are: {one_of(here)}")
    return torch.device(name)
