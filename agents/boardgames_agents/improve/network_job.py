"""The jobs of networks, which are made again in the processes that run them."""

from collections.abc import Callable
from dataclasses import dataclass, field, is_dataclass
from typing import Any, Generic

from boardgames_agents.experiments.job import Result
from boardgames_agents.policy import Snapshot
from boardgames_agents.td.network import LayeredNetwork, Own
from boardgames_env.game import Game
from boardgames_env.games import make_game


@dataclass(frozen=True)
class NetworkJob(Generic[Result]):
    """Work that networks do; see `boardgames_agents.experiments.job.Job`.

    Attributes:
        work: A function of a module. It is called with the game, the seed, the arguments and the snapshots.
        game: The game's spec.
        seed: The seed of its random numbers.
        arguments: Numbers, ranges and dataclasses of options.
        snapshots: The networks, as `snapshot_of` returns them; ``None`` in place of one that there is not.
    """

    work: Callable[..., Result]
    game: str
    seed: tuple[int, ...]
    arguments: tuple[Any, ...]
    snapshots: tuple[Snapshot | None, ...] = field(compare=False, repr=False)

    def description(self) -> dict[str, Any]:
        """Return everything that determines the result."""
        return {
            "work": self.work.__qualname__,
            "game": self.game,
            "seed": self.seed,
            "arguments": [vars(each) if is_dataclass(each) else str(each) for each in self.arguments],
            "networks": [each and each.digest for each in self.snapshots],
        }

    def run(self) -> Result:
        """Do the work."""
        return self.work(make_game(self.game), self.seed, *self.arguments, *self.snapshots)


def snapshot_of(network: LayeredNetwork) -> Snapshot:
    """Return a network as a job takes it to another process, where `network_of_snapshot` makes it again."""
    return Snapshot(network.arrays(), vars(network.design))


def network_of_snapshot(snapshot: Snapshot, game: Game, cls: type[Own]) -> Own:
    """Return the network of a snapshot, of a class of networks."""
    network = cls(game, cls.designs(**snapshot.data))
    network.load(snapshot.arrays)
    return network
