"""Everything that Hoyle may know of a game, item by item (Epstein 2001, section 3.1)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from numpy.typing import NDArray

from agents.hoyle.frame import Frame
from agents.hoyle.item import Experience, Item
from agents.hoyle.items.moves import ExpertMoves, HoyleMoves, Openings
from agents.hoyle.items.states import States
from agents.hoyle.items.tallies import Tallies
from agents.hoyle.view import Lookout
from agents.hoyle.weights import Weights
from agents.policy import Snapshot
from boardgames_env.errors import BadInputError

VERSION = 1
"""Goes up whenever what is saved changes its form."""


@dataclass(frozen=True)
class Settings:
    """What knowledge a Hoyle is given to learn.

    Attributes:
        budget: How many positions a search for the loser's error may expand.
    """

    budget: int = 500


class Knowledge:
    """The useful knowledge of a game; its symmetries and lines are in its frame.

    Args:
        lookout: Makes views.
        settings: Which optional items there are.

    Attributes:
        frame: The game's frame.
        items: All the items, in the order in which they are learned: the weights last.
    """

    def __init__(self, lookout: Lookout, settings: Settings) -> None:
        size = lookout.frame.game.state_size
        self.frame: Frame = lookout.frame
        self.expert_moves = ExpertMoves(size)
        self.hoyle_moves = HoyleMoves(size)
        self.states = States(lookout, settings.budget)
        self.openings = Openings(size)
        self.tallies = Tallies()
        self.weights = Weights()
        self.items: tuple[Item, ...] = (
            self.expert_moves,
            self.hoyle_moves,
            self.states,
            self.openings,
            self.tallies,
            self.weights,
        )

    def learn(self, experience: Experience) -> None:
        """Learn every item from a contest."""
        for item in self.items:
            item.learn(experience)

    @property
    def space(self) -> int:
        """How many pieces of knowledge are kept ("space" in Epstein 1994, Tables 2 and 3)."""
        return sum(item.space for item in self.items)

    def snapshot(self) -> Snapshot:
        """All of it, as plain data."""
        arrays: dict[str, NDArray[Any]] = {}
        data: dict[str, Any] = {}
        for item in self.items:
            saved = item.snapshot()
            arrays.update({f"{item.name}/{name}": array for name, array in saved.arrays.items()})
            data[item.name] = dict(saved.data)
        return Snapshot(arrays, {"hoyle": VERSION, "game": self.frame.game.spec, "items": data})

    def restore(self, snapshot: Snapshot) -> None:
        """Know what a snapshot says.

        Raises:
            BadInputError: If it is not knowledge of this game, of this version, with these items.
        """
        data = snapshot.data
        wanted = {"hoyle": VERSION, "game": self.frame.game.spec}
        if wrong := [name for name in wanted if data.get(name) != wanted[name]]:
            raise BadInputError(
                f"the snapshot is not Hoyle's knowledge of {self.frame.game.spec}, version {VERSION}: "
                f"it has {wrong[0]}={data.get(wrong[0])!r}"
            )
        if set(data["items"]) != {item.name for item in self.items}:
            raise BadInputError("the snapshot holds other items of knowledge than this Hoyle has")
        try:
            for item in self.items:
                item.restore(Snapshot(_part(snapshot.arrays, item.name), data["items"][item.name]))
        except (KeyError, ValueError, TypeError) as error:
            raise BadInputError(f"the snapshot's {item.name} are damaged: {error!r}") from error


def _part(arrays: Mapping[str, NDArray[Any]], name: str) -> dict[str, NDArray[Any]]:
    return {key.removeprefix(f"{name}/"): array for key, array in arrays.items() if key.startswith(f"{name}/")}
