"""Everything that Hoyle may know of a game, item by item (Epstein 2001, section 3.1)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from numpy.typing import NDArray

from boardgames_agents.hoyle.game_frame import GameFrame
from boardgames_agents.hoyle.item import Experience, Item
from boardgames_agents.hoyle.items.forks import Forks
from boardgames_agents.hoyle.items.patterns import Patterns
from boardgames_agents.hoyle.items.remembered_moves import ExpertMoves, HoyleMoves, Openings
from boardgames_agents.hoyle.items.states import States
from boardgames_agents.hoyle.items.tallies import Tallies
from boardgames_agents.hoyle.items.zones import Zones
from boardgames_agents.hoyle.position_view import ViewCache
from boardgames_agents.hoyle.weights import Weights
from boardgames_agents.policy import Snapshot
from boardgames_env.errors import BadInputError, require

Program = Literal["2001", "1994"]

VERSION = 1
"""Goes up whenever what is saved changes its form."""


@dataclass(frozen=True)
class Settings:
    """What knowledge a Hoyle is given to learn.

    Attributes:
        budget: How many positions a search for the loser's error may expand.
        program: Whether it learns as the program of Epstein 2001 does, or as that of Epstein 1994.
        patterns: Whether patterns are learned.
        field_of_view: How far apart two locations of a template may be, in metric units.
        pattern_cache: How many patterns are kept; 0 for any number.
        forget: What the strengths of patterns are multiplied by after each contest; 1 keeps them.
        zones: Whether zones are learned.
        planning: Whether tier 2 plans.
        consistency: The share of the contests with a pattern that must have had the same outcome, from 0.5 to 1.
    """

    budget: int = 500
    program: Program = "2001"
    patterns: bool = False
    field_of_view: int = 4
    pattern_cache: int = 0
    forget: float = 1.0
    zones: bool = False
    planning: bool = False
    consistency: float = 0.9

    def __post_init__(self) -> None:
        require(1, 1_000_000, budget=self.budget)
        require(1, 100, field_of_view=self.field_of_view)
        require(0, 1_000_000, pattern_cache=self.pattern_cache)
        require(0, 1, forget=self.forget)
        require(0.5, 1, consistency=self.consistency)


class Knowledge:
    """The useful knowledge of a game; its symmetries and lines are in its frame.

    Args:
        views: Makes views.
        settings: Which optional items there are.

    Attributes:
        frame: The game's frame.
        items: All the items, in the order in which they are learned: the weights last.
    """

    def __init__(self, views: ViewCache, settings: Settings) -> None:
        size = views.frame.game.state_size
        self.frame: GameFrame = views.frame
        older = settings.program == "1994"
        self.expert_moves = ExpertMoves(size, winners=older)
        self.hoyle_moves = HoyleMoves(size, losses=older)
        self.states = States(views, settings.budget, selective=older)
        self.openings = Openings(size)
        self.tallies = Tallies()
        self.forks = Forks(views.frame)
        self.zones = Zones(views.frame) if settings.zones else None
        self.patterns = (
            Patterns(views.frame, settings.field_of_view, settings.pattern_cache, settings.forget, settings.consistency)
            if settings.patterns
            else None
        )
        self.weights = Weights()
        self.items: tuple[Item, ...] = (
            self.expert_moves,
            self.hoyle_moves,
            self.states,
            self.openings,
            self.tallies,
            self.forks,
            *([self.zones] if self.zones else []),
            *([self.patterns] if self.patterns else []),
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
        items = data.get("items")
        if not isinstance(items, dict) or set(items) != {item.name for item in self.items}:
            raise BadInputError("the snapshot holds other items of knowledge than this Hoyle has")
        for name, own in self.snapshot().arrays.items():
            given = snapshot.arrays.get(name)
            if given is None or given.dtype != own.dtype or given.shape[1:] != own.shape[1:] or given.ndim != own.ndim:
                item, _, array = name.partition("/")
                raise BadInputError(
                    f"the snapshot's {item} are damaged: {array} is not {own.dtype} in rows of shape {own.shape[1:]}"
                )
        for each in self.items:
            try:
                each.restore(Snapshot(_part(snapshot.arrays, each.name), items[each.name]))
            except (LookupError, ValueError, TypeError, OverflowError, AttributeError) as error:
                raise BadInputError(f"the snapshot's {each.name} are damaged: {error!r}") from error


def _part(arrays: Mapping[str, NDArray[Any]], name: str) -> dict[str, NDArray[Any]]:
    return {key.removeprefix(f"{name}/"): array for key, array in arrays.items() if key.startswith(f"{name}/")}
