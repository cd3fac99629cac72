"""A network with two heads as a torch module. Torch is imported here, and this module only where torch is needed."""

import torch

from boardgames_agents.alpha_zero.network import PolicyNetwork
from boardgames_agents.td.torch_network import TorchLayers
from boardgames_env.kernels.signatures import Bools, Float32s, Int8s, Int64s


class TorchPolicy(TorchLayers):
    """The network of `boardgames_agents.alpha_zero`; see `boardgames_agents.alpha_zero.network.PolicyLayers`."""

    network: PolicyNetwork
    first: torch.nn.Parameter
    inner: torch.nn.Parameter
    biases: torch.nn.Parameter
    policy: torch.nn.Parameter
    policy_bias: torch.nn.Parameter
    value: torch.nn.Parameter
    value_bias: torch.nn.Parameter

    def forward(self, inputs: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the logits of actions, shape ``(N, A)``, and of outcomes, ``(N, 3)``, for inputs, ``(N, I)``."""
        units = torch.relu(torch.addmm(self.biases[0], inputs, self.first))
        for layer, weights in enumerate(self.inner, start=1):
            active = torch.relu(torch.addmm(self.biases[layer], units, weights))
            units = units + active if self.network.design.residual else active
        policy = torch.addmm(self.policy_bias, units, self.policy)
        return policy, torch.addmm(self.value_bias, units, self.value)

    def losses(self, states: Int8s, policies: Float32s, legal: Bools, outcomes: Int64s) -> torch.Tensor:
        """Return the cross-entropy of the policy among legal actions plus that of the outcome; shape ``(N,)``."""
        inputs, wanted, allowed, right = map(
            self.to_device, (self.network.encode_batch(states)[0], policies, legal, outcomes)
        )
        logits, values = self(inputs)
        logs = torch.log_softmax(logits.masked_fill(~allowed, -torch.inf), 1).masked_fill(~allowed, 0)
        return torch.nn.functional.cross_entropy(values, right, reduction="none") - (wanted * logs).sum(1)
