"""Files of Stable-Baselines3, read without running code that they bring.

``model.save`` writes a zip file. Its entry ``data`` is JSON, in which what JSON cannot hold is a pickle beside a short
description of it; ``policy.pth`` holds the weights. Of the first we read the description, of the second the tensors,
into a policy that is built here. ``model.load`` would unpickle both.
"""

import json
import math
import re
from collections.abc import Mapping, Sequence
from importlib import import_module
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import torch
from numpy.typing import NDArray

from boardgames_agents.policy import Policy
from boardgames_baselines.rl import SAVED_NETWORK
from boardgames_baselines.rl.config import MOST_WEIGHTS
from boardgames_baselines.rl.networks import load_weights, observations_of_shape, policy_player, seeded, zip_entries
from boardgames_env.envs.view import action_space
from boardgames_env.errors import BadInputError, one_of
from boardgames_env.game import Game

_SAFE_TORCH = (2, 10)
"""The first version whose ``torch.load(weights_only=True)`` runs no code of a file.

(CVE-2025-32434 was repaired in 2.6, CVE-2026-24747 in 2.10.)
"""

_POLICIES = {
    "ActorCriticPolicy": "stable_baselines3.common.policies",
    "MaskableActorCriticPolicy": "sb3_contrib.common.maskable.policies",
    "DQNPolicy": "stable_baselines3.dqn.policies",
    "QRDQNPolicy": "sb3_contrib.qrdqn.policies",
}
"""The modules of the policies that are read. (``MlpPolicy`` is another name of each.)"""

_ACTIVATIONS = ("ELU", "GELU", "Hardtanh", "LeakyReLU", "ReLU", "ReLU6", "SELU", "SiLU", "Sigmoid", "Softplus", "Tanh")

_WITHOUT_EFFECT = (
    *("optimizer_class", "optimizer_kwargs", "ortho_init", "log_std_init", "full_std", "use_expln", "squash_output"),
    *("use_sde", "sde_net_arch", "share_features_extractor", "features_extractor_kwargs", ":type:", ":serialized:"),
)
"""The arguments of policies that change nothing in how a finished network without a feature extractor plays."""


def read_player(game: Game, file: Path) -> Policy:
    """Return the player of the network in a file; raise `BadInputError` if it cannot be read, or not safely."""
    if tuple(map(int, re.findall(r"\d+", torch.__version__)[:2])) < _SAFE_TORCH:
        needed = ".".join(map(str, _SAFE_TORCH))
        raise BadInputError(
            f"sb3 needs torch {needed} or later: {torch.__version__} can run code of a file whose weights it reads"
        )
    with SAVED_NETWORK.reading(file):
        entries = zip_entries(file.read_bytes())
        data = json.loads(entries["data"])
        shape, dtype = data["observation_space"]["_shape"], str(data["observation_space"]["dtype"])
        count = int(data["action_space"]["n"])
    observations = observations_of_shape(game, shape, dtype, file)
    if count != game.num_actions:
        raise BadInputError(
            f"the network in {file} does not fit {game.spec}: it has {count} actions, not {game.num_actions}"
        )
    with SAVED_NETWORK.reading(file):
        policy = _built(data["policy_class"], data["policy_kwargs"] or {}, observations.space, action_space(game))
        load_weights(policy, _weights(entries["policy.pth"]))
    policy.set_training_mode(False)
    return policy_player(game, policy, observations)


def _built(described: Mapping[str, Any], arguments: Mapping[str, Any], seen: Any, actions: Any) -> Any:
    """Build a policy from the description of its class and of its arguments."""
    name = _only(r"<function (\w+)\.__init__ at \w+>", described["__init__"])
    if _POLICIES.get(name) != described["__module__"]:
        raise BadInputError(f"its policy is {described['__module__']}.{name}; these are read: {one_of(_POLICIES)}")
    known = {each: value for each, value in arguments.items() if each not in _WITHOUT_EFFECT}
    if "FlattenExtractor'" not in str(known.pop("features_extractor_class", "FlattenExtractor'")):
        raise BadInputError("its features_extractor_class is code of its own")
    if unknown := sorted(set(known) - {"net_arch", "activation_fn", "normalize_images", "n_quantiles"}):
        raise BadInputError(f"its policy has the argument {unknown[0]}")
    if "activation_fn" in known:
        activation = _only(r"<class 'torch\.nn\.modules\.activation\.(\w+)'>", known["activation_fn"])
        if activation not in _ACTIVATIONS:
            raise BadInputError(f"its activation_fn is {activation}; these are read: {one_of(_ACTIVATIONS)}")
        known["activation_fn"] = getattr(torch.nn, activation)
    _demand_small(known.get("net_arch") or [], seen, actions, known.get("n_quantiles", 1))
    with seeded((0,)):  # (it draws weights, which are replaced)
        return getattr(import_module(_POLICIES[name]), name)(seen, actions, lambda _: 0.0, **known)


def _only(pattern: str, text: object) -> str:
    found = re.fullmatch(pattern, str(text))
    if not found:
        raise BadInputError(f"its description has {text!r}, which is no class of torch or Stable-Baselines3")
    return found[1]


def _demand_small(layers: Any, seen: Any, actions: Any, quantiles: int) -> None:
    """Raise `BadInputError` for hidden layers that are no whole numbers, or too large to be built."""
    if isinstance(layers, Mapping):
        for each in layers.values():
            _demand_small(each, seen, actions, quantiles)
        return
    if not isinstance(layers, Sequence) or not all(type(each) is int and each > 0 for each in (*layers, quantiles)):
        raise BadInputError(f"its hidden layers are {layers!r}, not whole numbers")
    sizes = [math.prod(seen.shape), *layers, actions.n * quantiles]
    if sum(map(math.prod, pairwise(sizes))) > MOST_WEIGHTS:
        raise BadInputError(f"its layers {layers} have more than {MOST_WEIGHTS:,} weights")


def _weights(content: bytes) -> dict[str, NDArray[Any]]:
    """Return the weights of a file of torch, which holds nothing else."""
    zip_entries(content)  # (refuses what is too large, or no zip file)
    found = torch.load(BytesIO(content), map_location="cpu", weights_only=True)
    if not all(type(each) in (torch.Tensor, torch.nn.Parameter) for each in found.values()):
        raise BadInputError("its weights are not all tensors")
    return {str(name): tensor.detach().numpy() for name, tensor in found.items()}
