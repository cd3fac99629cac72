"""Networks as text, to be stored among results and passed from one job to the next."""

import hashlib
from base64 import b64decode, b64encode
from dataclasses import asdict, dataclass
from typing import Any

from boardgames_agents.td.network import Network
from boardgames_agents.td.options import Design
from boardgames_env import Game
from boardgames_env.array_file import array_bytes, arrays_in


@dataclass(frozen=True)
class Net:
    """A network, with its weights as safetensors in base 64."""

    design: Design
    weights: str

    @classmethod
    def of(cls, network: Network) -> "Net":
        """Convert a network."""
        return cls(network.design, b64encode(array_bytes(network.arrays())).decode())

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "Net":
        """Convert what `dataclasses.asdict` makes of one."""
        return cls(Design(**data["design"]), data["weights"])

    def description(self) -> dict[str, Any]:
        """Return a short description that distinguishes it from other networks."""
        return {**asdict(self.design), "weights": hashlib.sha256(self.weights.encode()).hexdigest()[:16]}

    def network(self, game: Game) -> Network:
        """Return the network."""
        network = Network(game, self.design)
        network.load(arrays_in(b64decode(self.weights)))
        return network
