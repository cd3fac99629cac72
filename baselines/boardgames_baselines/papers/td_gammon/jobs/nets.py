"""Networks as text, so that they can be kept among results and handed from one piece of work to the next."""

import hashlib
from base64 import b64decode, b64encode
from dataclasses import asdict, dataclass
from typing import Any

from safetensors.numpy import load, save

from boardgames_agents.td.network import Network
from boardgames_agents.td.options import Design
from boardgames_env import Game


@dataclass(frozen=True)
class Net:
    """A network.

    Attributes:
        design: What it is.
        weights: Its weights: safetensors, in base 64.
    """

    design: Design
    weights: str

    @classmethod
    def of(cls, network: Network) -> "Net":
        """A network as it is now."""
        return cls(network.design, b64encode(save(network.arrays())).decode())

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "Net":
        """What `as_dict` has told of."""
        return cls(Design(**data["design"]), data["weights"])

    def as_dict(self) -> dict[str, Any]:
        """All of it, as JSON can hold it."""
        return asdict(self)

    def description(self) -> dict[str, Any]:
        """What tells it from other networks, in short."""
        return {**asdict(self.design), "weights": hashlib.sha256(self.weights.encode()).hexdigest()[:16]}

    def network(self, game: Game) -> Network:
        """The network itself."""
        network = Network(game, self.design)
        network.load(load(b64decode(self.weights)))
        return network
