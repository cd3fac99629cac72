"""A network as a torch module that shares its memory.

Torch is imported here, and this module only where torch is needed.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numpy.typing import NDArray

from boardgames_agents.td.layers import further_layers
from boardgames_agents.td.network import LayeredNetwork, Network
from boardgames_env.errors import BadInputError, MissingLibraryError, one_of

try:
    import torch
except ImportError as missing:
    raise MissingLibraryError("networks in torch need the package torch", "torch") from missing


class TorchLayers(torch.nn.Module):
    """A network's weights as parameters; see `boardgames_agents.td.layers.Layers`.

    Unless ``to`` moves the module to another device, its parameters share the memory of the network's arrays: learning
    by kernels changes the module, and a step of an optimizer changes the network. On another device they are copies,
    and `write_to_network` copies them back.

    Attributes:
        network: The network.
    """

    hidden: torch.nn.Parameter
    hidden_bias: torch.nn.Parameter
    inner: torch.nn.Parameter
    inner_bias: torch.nn.Parameter
    output: torch.nn.Parameter
    output_bias: torch.nn.Parameter

    def __init__(self, network: LayeredNetwork) -> None:
        super().__init__()
        self.network = network
        for name, layer in network.layers._asdict().items():
            self.register_parameter(name, torch.nn.Parameter(torch.from_numpy(layer)))

    def to_device(self, array: NDArray[Any]) -> torch.Tensor:
        """Return an array as a tensor on the module's device."""
        return torch.from_numpy(array).to(next(self.parameters()).device)

    def units(self, inputs: torch.Tensor) -> torch.Tensor:
        """Return the units of the last hidden layer, shape ``(N, H)``, for dense inputs, shape ``(N, I)``."""
        design = self.network.design
        sums = torch.addmm(self.hidden_bias, inputs, self.hidden)
        units = torch.relu(sums) if design.units == "rectified" else torch.sigmoid(sums)
        for weights, bias in further_layers(self.inner, self.inner_bias, design.widths):
            above = torch.relu(torch.addmm(bias, units, weights))
            units = units + above if design.residual else above
        return units

    def write_to_network(self) -> None:
        """Copy the parameters to the network's weights."""
        self.network.load({name: layer.detach().cpu().numpy() for name, layer in self.named_parameters()})


class TorchNetwork(TorchLayers):
    """The network of `boardgames_agents.td`."""

    network: Network

    def forward(self, inputs: torch.Tensor) -> torch.Tensor:
        """Return the outputs, shape ``(N, K)``, for dense inputs, shape ``(N, I)``."""
        return torch.sigmoid(torch.addmm(self.output_bias, self.units(inputs), self.output.T))


@contextmanager
def one_thread() -> Iterator[None]:
    """Have torch compute in one thread in the block.

    With more threads, small networks are slower, and sums may differ between machines.
    """
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def device_named(name: str) -> torch.device:
    """Return the device of a name.

    Raises:
        BadInputError: If this machine has no such device.
    """
    here = ["cpu"]
    if torch.cuda.is_available():
        here += ["cuda", *(f"cuda:{number}" for number in range(torch.cuda.device_count()))]
    if torch.backends.mps.is_available():
        here.append("mps")
    if name not in here:
        raise BadInputError(f"there is no device {name!r} here; the devices are: {one_of(here)}")
    return torch.device(name)
