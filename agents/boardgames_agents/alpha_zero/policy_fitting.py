"""Fitting a network with two heads to examples of self-play, with torch."""

from dataclasses import dataclass
from functools import cache
from math import ceil
from typing import TYPE_CHECKING

import numpy as np
from numba import types

from boardgames_agents.alpha_zero.network import NOT_FINITE, PolicyNetwork
from boardgames_agents.alpha_zero.self_play import PolicyExamples
from boardgames_agents.improve.fitting import Descent, batches_of, require_rate
from boardgames_env.errors import BadInputError, require
from boardgames_env.game import Game
from boardgames_env.kernels import kernel
from boardgames_env.kernels.bundle import GAME_KERNELS, GameKernels
from boardgames_env.kernels.signatures import INT8_2D, INT8_2D_READONLY, Bools, Float32s, Float64s, Int8s, Int64s
from boardgames_env.position import demand_states

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True)
class PolicyFitting:
    """How a network is fitted to examples of self-play.

    Attributes:
        epochs: How often each example is learned from, each time as another symmetry of the board shows it.
        alpha: Learning rate of the first step; it falls to 0 along half a cosine.
        batch: Examples of a step of the optimizer.
        weight_decay: What each step takes from the weights, times the learning rate.
        device: Device of torch on which networks are fitted: ``cpu``, ``cuda`` or ``mps``.

    Raises:
        BadInputError: If a number is not allowed.
    """

    epochs: int = 10
    alpha: float = 0.008
    batch: int = 512
    weight_decay: float = 0.0001
    device: str = "cpu"

    def __post_init__(self) -> None:
        require(1, epochs=self.epochs, batch=self.batch)
        require(0, 1, weight_decay=self.weight_decay)
        require_rate(alpha=self.alpha)


@cache
def demand_device(name: str) -> None:
    """Raise `BadInputError` if there is no torch, or no such device on this machine."""
    from boardgames_agents.td.torch_network import device_named

    device_named(name)


def fit_policy(network: PolicyNetwork, examples: PolicyExamples, options: PolicyFitting, seed: tuple[int, ...]) -> None:
    """Fit a network to examples, in place, by `boardgames_agents.improve.fitting.Descent`.

    What is minimized is the cross-entropy of the policy, among the legal actions, plus that of the outcomes. At each
    step every example is shown as a symmetry of the board, drawn at random, shows it.

    Raises:
        BadInputError: If these are no examples of the network's game, or torch or the device is missing.
    """
    from boardgames_agents.alpha_zero.torch_policy import TorchPolicy
    from boardgames_agents.td.torch_network import device_named  # (which says so if there is no torch)

    examples.demand_whole(network.game)
    rng, images = np.random.default_rng(seed), Images(network.game, examples)
    module = TorchPolicy(network).to(device_named(options.device))

    def loss(rows: Int64s) -> "torch.Tensor":
        return module.losses(*images.seen(rows, rng.integers(images.count, size=len(rows)))).mean()

    steps = options.epochs * ceil(len(examples.states) / options.batch)
    descent = Descent(module, options.alpha, steps, options.weight_decay)
    for _ in range(options.epochs):
        descent.epoch(batches_of(len(examples.states), options.batch, rng), loss)
    module.write_to_network()


def policy_losses(network: PolicyNetwork, examples: PolicyExamples) -> Float64s:
    """Return what `fit_policy` minimizes for each example, in nats; shape ``(N,)``.

    Raises:
        BadInputError: If these are no examples of the network's game, or its outputs are not all numbers.
    """
    examples.demand_whole(network.game)
    logits, outcomes = network.predict(examples.states)
    if not np.isfinite(logits).all() or not np.isfinite(outcomes).all():
        raise BadInputError(NOT_FINITE)
    legal = _legal_of(network.game, examples)
    logits = np.where(legal, logits, -np.inf)
    logits -= logits.max(1, keepdims=True)
    logs = logits - np.log(np.exp(logits).sum(1, keepdims=True))
    policy = -(examples.policies * np.where(legal, logs, 0)).sum(1)
    value = -np.log(np.maximum(outcomes[np.arange(len(outcomes)), examples.outcomes], 1e-30))
    return np.asarray(policy + value, dtype=np.float64)


class Images:
    """Examples as the symmetries of the board show them.

    Attributes:
        count: The number of symmetries.
    """

    def __init__(self, game: Game, examples: PolicyExamples) -> None:
        self._examples, self._legal = examples, _legal_of(game, examples)
        self._slots = game.slot_symmetries
        self._actions = np.argsort(game.action_symmetries, axis=1)  # (of an image's action, the action itself)
        self.count = len(self._slots)

    def seen(self, rows: Int64s, symmetries: Int64s) -> tuple[Int8s, Float32s, Bools, Int64s]:
        """Return states, policies, legal actions and outcomes of some examples, each in the image by a symmetry."""
        states, policies, outcomes = self._examples
        slots, actions = self._slots[symmetries], self._actions[symmetries]
        at = rows[:, None]
        return states[at, slots], policies[at, actions], self._legal[at, actions], outcomes[rows]


def _legal_of(game: Game, examples: PolicyExamples) -> Bools:
    """Return the legal actions of examples; raise `BadInputError` for a policy that plays others."""
    legal = legal_masks(game, examples.states)
    if examples.policies[~legal].any():
        raise BadInputError("policies give probabilities to actions that are not legal")
    return legal


def legal_masks(game: Game, states: Int8s) -> Bools:
    """Return which actions are legal in positions that are not over, shape ``(N, num_actions)``.

    Raises:
        BadInputError: If these are not states of the game, or no action is legal in one.
    """
    demand_states(states, game)
    masks = np.zeros((len(states), game.num_actions), dtype=np.int8)
    _mark_legal.run(game.kernels, np.ascontiguousarray(states), masks)
    if not masks.any(axis=1).all():
        raise BadInputError(f"no action is legal in position {masks.any(axis=1).argmin()} of {game.spec}")
    return masks.view(np.bool_)


@kernel(types.void(GAME_KERNELS, INT8_2D_READONLY, INT8_2D), compiled_first=True)
def _mark_legal(game: GameKernels, states: Int8s, masks: Int8s) -> None:
    """Write 1 for each legal action."""
    found = np.empty(game.num_actions, dtype=np.int32)
    for row in range(len(states)):
        for k in range(game.legal(states[row], found)):
            masks[row, found[k]] = 1
