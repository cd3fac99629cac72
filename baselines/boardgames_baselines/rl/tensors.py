"""Weights, optimizers and buffers as plain arrays by name, and back, without pickle."""

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from boardgames_env.errors import BadInputError

Arrays = Mapping[str, NDArray[Any]]

_OPTIMIZER = "optimizer."


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
