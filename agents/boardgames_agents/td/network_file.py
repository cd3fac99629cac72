"""Files that hold a network, its design and a description of how it was made.

They are files of `boardgames_env.array_file`, with the weights as float32 arrays. The same network with the same
description gives the same file, byte for byte.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from boardgames_agents.td.network import LayeredNetwork, Network, Own
from boardgames_env.array_file import read_arrays, write_arrays
from boardgames_env.errors import BadInputError, one_of
from boardgames_env.game import Game
from boardgames_env.games import make_game
from boardgames_env.spec import Entry, Spec


@dataclass(frozen=True)
class Description:
    """The metadata of a network's file.

    Attributes:
        game: The spec of the game that the network has learned.
        version: The version of the game's rules.
        design: The network's design.
        about: How it was made.
    """

    game: str
    version: int
    design: Any
    about: Mapping[str, str]


def save_network(path: Path, network: LayeredNetwork, about: Mapping[str, str] | None = None) -> None:
    """Write a network to a file, completely or not at all.

    An existing file is replaced. ``about`` says how it was made: the command, the seed, the number of contests.

    Raises:
        OSError: If the file cannot be written.
    """
    game = network.game
    description = Description(game.spec, game.version, network.design, dict(about or {}))
    write_arrays(path, network.arrays(), {**network.kind.marks, **asdict(description)})


def load_network(path: Path, game: Game) -> Network:
    """Read the network of a file that `boardgames_agents.td` plays by; see `network_in`."""
    return network_in(path, game, Network)


def network_in(path: Path, game: Game, cls: type[Own]) -> Own:
    """Read the network of a file, of a class of networks.

    The game may have other options than the one that the network has learned, such as a doubling cube, if it shows
    positions in the same way; what it shows in addition is not seen.

    Raises:
        BadInputError: If there is no such file, it is damaged, or the network does not fit the game.
    """
    path = Path(path)  # (text is as good)
    description, arrays = _read_description(path, cls)
    name = Spec.parse(description.game).name
    if (name, description.version) != (game.name, game.version):
        remedy = "play that game with it" if name != game.name else "train it again by the rules of this version"
        raise BadInputError(
            f"{path} holds a network for {name}, version {description.version}, not for {game.name}, "
            f"version {game.version}; {remedy}"
        )
    try:
        network = cls(make_game(description.game), description.design)
        network.load(arrays)
        network = network.at(game)
    except BadInputError as error:
        raise BadInputError(f"the network in {path} does not fit {game.spec}: {error}") from error
    network.about = description.about
    return network


def describe_file(path: Path, cls: type[LayeredNetwork] = Network) -> Description:
    """Read the metadata of a network's file.

    Raises:
        BadInputError: If there is no such file, it is damaged, or the design is not known.
    """
    return _read_description(path, cls)[0]


def _read_description(path: Path, cls: type[LayeredNetwork]) -> tuple[Description, dict[str, Any]]:
    arrays, data = read_arrays(path, cls.kind)
    with cls.kind.reading(path):
        _, game, version, about = (data.pop(name) for name in ("format", "game", "version", "about"))
        design = dict(data.pop("design"))
    if data:
        raise cls.kind.damaged(path, f"its description has the unknown entries {one_of(data)}")
    if not (isinstance(game, str) and isinstance(version, int) and isinstance(about, dict)):
        raise cls.kind.damaged(path, "its description has something else for game, version or about")
    try:
        Spec.parse(game)
        return Description(game, version, Entry("design", cls.designs).make(design), about), arrays
    except BadInputError as error:
        raise BadInputError(
            f"{path} holds a network for a game or of a design that is not known here: {error}"
        ) from error
