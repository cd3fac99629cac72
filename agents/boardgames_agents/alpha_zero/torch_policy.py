"""A network with two heads as a torch module. Torch is imported here, and this module only where torch is needed."""

import torch

from boardgames_agents.alpha_zero.network import FIRST_ACTION, PolicyNetwork
from boardgames_agents.td.torch_network import TorchLayers
from boardgames_env.kernels.signatures import Bools, Float32s, Int8s, Int64s


class TorchPolicy(TorchLayers):
    """The network of `boardgames_agents.alpha_zero`."""

    network: PolicyNetwork

    def forward(self, inputs: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the logits of actions, shape ``(N, A)``, and of outcomes, ``(N, 3)``, for inputs, ``(N, I)``."""
        outputs = torch.addmm(self.output_bias, self.units(inputs), self.output)
        actions = outputs[:, FIRST_ACTION : FIRST_ACTION + self.network.game.num_actions]
        return actions, outputs[:, :FIRST_ACTION]

    def losses(self, states: Int8s, policies: Float32s, legal: Bools, outcomes: Int64s) -> torch.Tensor:
        """Return the cross-entropy of the policy among legal actions plus that of the outcome; shape ``(N,)``."""
        inputs, wanted, allowed, right = map(
            self.to_device, (self.network.encode_batch(states)[0], policies, legal, outcomes)
        )
        logits, values = self(inputs)
        logs = torch.log_softmax(logits.masked_fill(~allowed, -torch.inf), 1).masked_fill(~allowed, 0)
        return torch.nn.functional.cross_entropy(values, right, reduction="none") - (wanted * logs).sum(1)
