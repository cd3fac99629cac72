"""Files that hold a network, its design and a description of how it was made.

They are safetensors files: the weights as float32 arrays, and one entry of metadata, ``network``, in JSON, with a
checksum of everything else. The same network with the same description gives the same file, byte for byte. Files of
versions before 0.3, which have no checksum, are read.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from boardgames_agents.policy import Snapshot
from boardgames_agents.td.network import Network
from boardgames_agents.td.options import Design
from boardgames_env.errors import BadInputError, one_of
from boardgames_env.files import write_atomically
from boardgames_env.game import Game
from boardgames_env.spec import Entry, Spec

_FORMAT = "boardgames-env td network, 1"
_KEY = "network"


@dataclass(frozen=True)
class Description:
    """The metadata of a network's file.

    Attributes:
        game: The spec of the game that the network has learned.
        version: The version of the game's rules.
        about: How it was made.
    """

    game: str
    version: int
    design: Design
    about: Mapping[str, str]


def save_network(path: Path, network: Network, about: Mapping[str, str] | None = None) -> None:
    """Write a network to a file, completely or not at all.

    An existing file is replaced. ``about`` says how it was made: the command, the seed, the number of contests.

    Raises:
        OSError: If the file cannot be written.
    """
    from safetensors.numpy import save

    game, arrays = network.game, network.arrays()
    metadata = {"format": _FORMAT, **asdict(Description(game.spec, game.version, network.design, dict(about or {})))}
    metadata["sha256"] = Snapshot(arrays, metadata).digest
    # one entry: the order of several would vary
    content = save(arrays, {_KEY: json.dumps(metadata, sort_keys=True)})
    write_atomically(path, content)


def load_network(path: Path, game: Game) -> Network:
    """Read the network of a file.

    The game may have other options than the one that the network has learned, such as a doubling cube, if the number of
    inputs is the same.

    Raises:
        BadInputError: If there is no such file, it is damaged, or the network does not fit the game.
    """
    description, arrays = _read(path)
    name = Spec.parse(description.game).name
    if (name, description.version) != (game.name, game.version):
        raise BadInputError(
            f"{path} holds a network for {name}, version {description.version}, not for {game.name}, "
            f"version {game.version}; play that game with it"
        )
    try:
        network = Network(game, description.design)
        network.load(arrays)
        network.about = description.about
    except BadInputError as error:
        raise BadInputError(f"the network in {path} does not fit {game.spec}: {error}") from error
    if not all(np.isfinite(layer).all() for layer in network.layers):
        raise BadInputError(f"{path} is damaged: not all its weights are numbers; get it again")
    return network


def describe_file(path: Path) -> Description:
    """Read the metadata of a network's file.

    Raises:
        BadInputError: If there is no such file, it is damaged, or the design is not known.
    """
    return _read(path)[0]


def _read(path: Path) -> tuple[Description, dict[str, Any]]:
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(path, framework="numpy") as file:
            metadata = file.metadata() or {}
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118  (not a mapping)
    except FileNotFoundError:
        raise BadInputError(f"there is no file {path}; give one that holds a network") from None
    except (OSError, SafetensorError, ValueError, TypeError) as error:
        raise BadInputError(f"{path} is damaged, or holds no network: {error}") from error
    if _KEY not in metadata:
        raise BadInputError(f"{path} holds no network: it does not say of what design and for which game")
    try:
        data = json.loads(metadata[_KEY])
        checksum = data.pop("sha256", None)
    except (ValueError, TypeError, AttributeError) as error:
        raise _unreadable(path, error) from error
    if checksum is not None and checksum != Snapshot(arrays, data).digest:
        raise BadInputError(f"{path} is damaged: its checksum is wrong; get it again")
    return _described(path, data), arrays


def _unreadable(path: Path, error: Exception) -> BadInputError:
    return BadInputError(f"{path} is damaged: its description cannot be read ({error!r})")


def _described(path: Path, data: dict[str, Any]) -> Description:
    try:
        made_by, game, version, about = (data.pop(name) for name in ("format", "game", "version", "about"))
        design = dict(data.pop("design"))
    except (ValueError, TypeError, KeyError) as error:
        raise _unreadable(path, error) from error
    if made_by != _FORMAT:
        raise BadInputError(f"{path} has the format {made_by!r}, which is not known here; known is {_FORMAT!r}")
    if data:
        raise BadInputError(f"{path} is damaged: its description has the unknown entries {one_of(data)}")
    if not (isinstance(game, str) and isinstance(version, int) and isinstance(about, dict)):
        raise BadInputError(f"{path} is damaged: its description has something else for game, version or about")
    try:
        Spec.parse(game)
        return Description(game, version, Entry("design", Design).make(design), about)
    except BadInputError as error:
        raise BadInputError(
            f"{path} holds a network for a game or of a design that is not known here: {error}"
        ) from error
