"""The networks of an algorithm: their random numbers, their weights and buffers as arrays, and how they choose.

Weights, optimizers and buffers become plain arrays by name, and back, without pickle.
"""

import random
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import numpy as np
import torch
from numpy.typing import DTypeLike, NDArray

from boardgames_agents.policy import Distribution, MarkovPolicy, uniform
from boardgames_agents.td.torch_network import one_thread
from boardgames_env.envs.observations import DTYPES, FLAT, PLANES, Observation, Observations
from boardgames_env.envs.view import Observer
from boardgames_env.errors import BadInputError, one_of
from boardgames_env.game import Game
from boardgames_env.kernels.signatures import Float32s
from boardgames_env.position import Position, demand_turn

Arrays = Mapping[str, NDArray[Any]]

_OPTIMIZER = "optimizer."


@contextmanager
def seeded(numbers: Sequence[int]) -> Iterator[int]:
    """Seed the global generators of Python, NumPy and torch in the block, and restore them after it.

    Stable-Baselines3 draws from all three.

    Yields:
        A single seed derived from it.
    """
    before = random.getstate(), np.random.get_state(), torch.get_rng_state()
    seed = int(np.random.SeedSequence(list(numbers)).generate_state(1)[0])
    random.seed(seed)
    np.random.seed(seed)
    torch.default_generator.manual_seed(seed)
    try:
        with one_thread():
            yield seed
    finally:
        random.setstate(before[0])
        np.random.set_state(before[1])
        torch.set_rng_state(before[2])


def weights_of(module: torch.nn.Module, prefix: str = "") -> dict[str, NDArray[Any]]:
    """Return copies of a module's weights."""
    return {prefix + name: tensor.detach().cpu().numpy().copy() for name, tensor in module.state_dict().items()}


def load_weights(module: torch.nn.Module, arrays: Arrays) -> None:
    """Set weights returned by `weights_of`.

    Raises:
        BadInputError: If they are of another network, or not all are finite.
    """
    wanted = {name: tuple(tensor.shape) for name, tensor in module.state_dict().items()}
    given = {name: array.shape for name, array in arrays.items()}
    if given != wanted:
        different = sorted(set(wanted.items()) ^ set(given.items()))[0][0]
        raise BadInputError(f"these are the weights of another network: {different} is not the same in both")
    if not all(np.isfinite(array).all() for array in arrays.values()):
        raise BadInputError("the network has lost all measure; train with a smaller learning_rate")
    module.load_state_dict({name: torch.from_numpy(array.copy()) for name, array in arrays.items()})


def optimizer_arrays(optimizer: torch.optim.Optimizer) -> dict[str, NDArray[Any]]:
    """Return an optimizer's state of each of its tensors."""
    state = optimizer.state_dict()["state"]
    return {
        f"{_OPTIMIZER}{number}.{name}": torch.as_tensor(value).cpu().numpy().copy()
        for number, remembered in state.items()
        for name, value in remembered.items()
    }


def load_optimizer(optimizer: torch.optim.Optimizer, arrays: Arrays) -> None:
    """Set a state returned by `optimizer_arrays`, which may be among other arrays.

    Raises:
        BadInputError: If it is of another optimizer.
    """
    tensors = [tensor for group in optimizer.param_groups for tensor in group["params"]]
    state: dict[int, dict[str, torch.Tensor]] = {}
    for key, array in arrays.items():
        if not key.startswith(_OPTIMIZER):
            continue
        number, _, name = key.removeprefix(_OPTIMIZER).partition(".")
        if not number.isdigit() or int(number) >= len(tensors):
            raise BadInputError(f"this is the state of another optimizer: {key} belongs to none of its tensors")
        if array.ndim and array.shape != tuple(tensors[int(number)].shape):
            raise BadInputError(f"this is the state of another optimizer: {key} has another shape")
        state.setdefault(int(number), {})[name] = torch.from_numpy(array.copy())
    optimizer.load_state_dict({**optimizer.state_dict(), "state": state})


def rows_of(buffer: Any, names: Collection[str], count: int) -> dict[str, NDArray[Any]]:
    """Return the first rows of a buffer's arrays of these names; they are views."""
    return {name: getattr(buffer, name)[:count] for name in names}


def load_rows(buffer: Any, names: Collection[str], rows: Arrays) -> int:
    """Write rows returned by `rows_of` into a buffer. Return their number.

    Raises:
        BadInputError: If some are missing or do not fit.
    """
    if set(rows) != set(names) or len({len(array) for array in rows.values()}) != 1:
        raise BadInputError("this is not a whole snapshot: it lacks some rows of the buffer")
    count = len(rows["actions"])
    for name, array in rows.items():
        place = getattr(buffer, name)
        if count > len(place) or array.shape[1:] != place.shape[1:]:
            raise BadInputError(f"this is a snapshot with other settings: its {name} do not fit")
        place[:count] = array
    return count


def preferences(policy: Any, observations: Observation) -> Float32s:
    """Return a network's preference of each action, legal or not.

    Args:
        policy: A policy of Stable-Baselines3.
        observations: Shape ``(K, ...)``, in the form that the policy takes.

    Returns:
        Logits of probabilities, or values if the network predicts values; shape ``(K, num_actions)``.
    """
    with torch.no_grad(), one_thread():
        seen = torch.from_numpy(observations)
        if hasattr(policy, "q_net"):
            found = policy.q_net(seen)
        elif hasattr(policy, "quantile_net"):
            found = policy.quantile_net(seen).mean(dim=1)
        else:
            found = policy.action_net(policy.mlp_extractor.forward_actor(policy.extract_features(seen)))
    wanted: Float32s = found.numpy()
    return wanted


class NetworkPlayer(MarkovPolicy):
    """A player of the legal action that a network prefers most; the network must not change afterwards.

    Args:
        game: The game.
        prefer: The network, a function from an observation to the preference of each action, shape ``(num_actions,)``.
        observations: The form of the observations; by default they are flat.
    """

    def __init__(
        self, game: Game, prefer: Callable[[Observation], Float32s], observations: Observations | None = None
    ) -> None:
        super().__init__()
        self._game, self._prefer, self._view = game, prefer, Observer(game, observations)

    def distribution(self, position: Position) -> Distribution:
        """Return the preferred action; ties are equally likely."""
        demand_turn(position, self._game)
        legal = np.array(position.legal_actions)
        wanted = self._prefer(self._view.observation(position.state, position.seat))[legal]
        if np.isnan(wanted).any():
            raise BadInputError(f"the network of {self.spec} returns no number for some action; give another one")
        return uniform(tuple(int(action) for action in legal[wanted == wanted.max()]))


def policy_player(game: Game, policy: Any, observations: Observations | None = None) -> NetworkPlayer:
    """Return the player of a policy of Stable-Baselines3."""
    return NetworkPlayer(game, lambda seen: preferences(policy, seen[None])[0], observations)


def observations_of_shape(game: Game, shape: Sequence[int], dtype: DTypeLike, file: Path) -> Observations:
    """Return the observations of a game, flat or as planes, that a network in a file takes.

    Raises:
        BadInputError: If neither has its shape, or there are none of its dtype.
    """
    shapes = {}
    for form in (FLAT, PLANES):
        with suppress(BadInputError):  # (some games have no planes)
            found = Observations(game, form, dtype)
            if found.space.shape == tuple(shape):
                return found
            shapes[form] = found.space.shape
    raise BadInputError(
        f"the network in {file} does not fit {game.spec}: it takes observations of shape {tuple(shape)} and {dtype}, "
        f"not {' or '.join(f'{each} ({form})' for form, each in shapes.items()) or one_of(DTYPES)}"
    )


_MOST_BYTES = 2**30


def zip_entries(content: bytes) -> dict[str, bytes]:
    """Return the entries of a zip file by name; raise `BadInputError` if they are too large together."""
    with ZipFile(BytesIO(content)) as archive:
        size = sum(entry.file_size for entry in archive.infolist())
        if size > _MOST_BYTES:
            raise BadInputError(f"it unpacks to {size:,} bytes, and at most {_MOST_BYTES:,} are read")
        return {entry.filename: archive.read(entry) for entry in archive.infolist()}
