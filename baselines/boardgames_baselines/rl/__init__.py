"""Stable-Baselines3's PPO, A2C and DQN, and sb3-contrib's MaskablePPO and QR-DQN, as learners like any other.

Implementation details, numbered:

1. *The networks, the losses and the updates are Stable-Baselines3's*: its policy ``MlpPolicy``, its buffers, its
   ``train()``. Nothing is copied from it.
2. *Against one opponent* (``--trainer random``, ``--trainer 'fallible(e=0.1)'``, any agent) the algorithm runs its own
   loop, ``learn()``, on copies of the Gymnasium environment with the opponent inside and the seats alternating. Against
   the random player all copies are stepped by one kernel (`boardgames_baselines.rl.vec_env`).
3. *Self-play* (``--trainer self``) uses the same loop; the opponents are a pool of its last ``pool`` snapshots. The
   first is taken before it learns, and one each ``pool_every`` times that it has learned. Each round of the loop draws
   the opponent of each copy anew; it explores as the algorithm does.
4. *Under every other trainer*, and with a behavioral standard, contests are played one by one. The decisions go into a
   buffer of the same kind, and it learns from as many at once as in its loop. In self-play it learns from both seats,
   one after the other. The contest that fills the buffer is finished with the weights from before.
5. *Watched contests*. DQN and QR-DQN, which have a replay buffer, can learn from them. PPO and A2C treat the decisions
   of others as their own, which imitates what went well and is not the policy gradient.
6. *Illegal actions*. Only MaskablePPO gets the mask of legal actions. In their own loop the others lose a contest by an
   illegal action, and must learn that. Contest by contest they draw among the legal actions only. Trained networks of
   all five play legal actions only.
7. *Points are rewards*, undiscounted (``gamma=1``). A contest that a limit cuts short counts as a draw where contests
   are played one by one or against the pool. In the loop against one opponent its value is estimated, as is usual.
8. *Contests are abandoned* when the loop is left for a test or a checkpoint, after learning from them up to there. No
   state of an environment is saved, and a run that was killed resumes exactly. Rounds of the loop are not cut:
   contests beyond those asked for are kept for the next call.
9. *A snapshot is arrays and numbers*: weights, the optimizer's state, the pool and the buffer. Stable-Baselines3's own
   files hold pickles; none is written or read.
10. *Exploration* of DQN and QR-DQN falls from 1 to ``exploration_final_eps`` over ``exploration_steps`` actions.
"""

import hashlib
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from boardgames_agents.policy import Policy
from boardgames_agents.registry import agent
from boardgames_baselines.rl.config import (
    A2CConfig,
    AlgorithmConfig,
    OffPolicyConfig,
    OnPolicyConfig,
    PPOConfig,
    QRDQNConfig,
    configured,
    left_open,
)
from boardgames_env.errors import MissingLibraryError
from boardgames_env.files import FileKind
from boardgames_env.game import Game

_KINDS: Mapping[str, tuple[type[AlgorithmConfig], str, str]] = {
    "maskable_ppo": (PPOConfig, "sb3_contrib.MaskablePPO", "PPO with a mask of the legal actions"),
    "ppo": (PPOConfig, "stable_baselines3.PPO", "PPO, proximal policy optimization, without a mask"),
    "a2c": (A2CConfig, "stable_baselines3.A2C", "A2C, synchronous advantage actor-critic, without a mask"),
    "dqn": (OffPolicyConfig, "stable_baselines3.DQN", "DQN, a deep Q-network, without a mask"),
    "qr_dqn": (QRDQNConfig, "sb3_contrib.QRDQN", "QR-DQN, which learns quantiles of returns, without a mask"),
}


def _maker(name: str, kind: type[AlgorithmConfig], path: str, summary: str) -> Callable[..., Policy]:
    """Return the factory of a learner, which takes a game and the options of an algorithm."""

    def make(game: Game, options: Any) -> Policy:
        config = configured(kind, game, vars(options))
        package, _, algorithm = path.partition(".")
        try:
            made: Any = getattr(import_module(package), algorithm)
            from boardgames_baselines.rl.algorithms import OffPolicyLearner, OnPolicyLearner
        except ImportError as error:
            raise MissingLibraryError(f"{name} needs Stable-Baselines3 and sb3-contrib ({error})", "rl") from error
        if isinstance(config, OnPolicyConfig):
            return OnPolicyLearner(game, config, made)
        assert isinstance(config, OffPolicyConfig)
        return OffPolicyLearner(game, config, made)

    make.__name__ = make.__qualname__ = name
    make.__doc__ = f"{summary} (`{path}`); an option that is None is left to the game's family."
    return make


_CURVES = {
    "actions": "number of its actions in training (`num_timesteps`)",
    "updates": "number of gradient updates (`_n_updates`)",
    "weight norm": "√(Σ w²) over all weights and biases of the policy",
    "{metric}": "what Stable-Baselines3 logs as `train/{metric}` for the last update",
}

for _name, (_kind, _path, _summary) in _KINDS.items():
    # (under its name, because the documentation looks it up)
    _words = f"{_path.rpartition('.')[2]}: a network that learns by trying moves out, as Stable-Baselines3 has it"
    globals()[_name] = agent(_name, options=left_open(_kind), curves=_CURVES, for_people=_words)(
        _maker(_name, _kind, _path, _summary)
    )


SAVED_NETWORK = FileKind(
    "a network of Stable-Baselines3 that can be read without running its code",
    "save an MlpPolicy by model.save, or export another network by torch.export for the agent torch",
)

EXPORTED_PROGRAM = FileKind(
    "an exported program of torch that can be computed here",
    "write it by torch.export.save(torch.export.export(network.eval(), (observation,)), 'net.pt2') of a recent torch",
)


@agent("sb3", for_people="Network of Stable-Baselines3: plays as it was trained elsewhere")
def sb3(game: Game, file: str) -> Policy:
    """Play by the network in a file of Stable-Baselines3 or sb3-contrib, such as ``ppo.zip``; no code in it is run.

    Such a file holds pickles, of which none is read: its description is JSON, from which the network is built, and its
    weights are read as tensors alone. The network is an `MlpPolicy` of PPO, MaskablePPO, A2C, TRPO, DQN or QR-DQN.

    Args:
        game: The game of the environments in which it has learned.
        file: The file, written by ``model.save``.

    Raises:
        BadInputError: If the file is damaged, or holds another network or one for another game.
    """
    _demand_there(SAVED_NETWORK, file)
    try:
        from boardgames_baselines.rl.sb3_file import read_player
    except ImportError as error:
        raise MissingLibraryError(f"sb3 needs Stable-Baselines3 and sb3-contrib ({error})", "rl") from error
    return _of_file(read_player(game, Path(file)), Path(file))


@agent("torch", for_people="Network of PyTorch: plays as it was trained elsewhere")
def torch(game: Game, file: str) -> Policy:
    """Play by the network in a file of ``torch.export.save``, such as ``net.pt2``; no code in it is run.

    ``torch.export.load`` can run code of the file that it reads, so it is not used: the program in the file is a list
    of operations, which are computed here if all of them are known as operations on tensors.

    Args:
        game: The game whose observations, flat or as planes, the network takes.
        file: The file. The first output with a number for each action says how much the network prefers the actions;
            those that are illegal are left out.

    Raises:
        BadInputError: If the file is damaged, or holds another program or one for another game.
    """
    _demand_there(EXPORTED_PROGRAM, file)
    try:
        from boardgames_baselines.rl.exported_program import read_player
    except ImportError as error:
        raise MissingLibraryError(f"torch needs the package torch ({error})", "torch") from error
    return _of_file(read_player(game, Path(file)), Path(file))


def _demand_there(kind: FileKind, file: str) -> None:
    """Raise `BadInputError` for a file that does not exist, before a library is imported that takes seconds."""
    with kind.reading(file):
        Path(file).stat()


def _of_file(player: Policy, file: Path) -> Policy:
    player.origin = hashlib.sha256(file.read_bytes()).hexdigest()
    return player
