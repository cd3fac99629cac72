"""The useful knowledge that Hoyle may have of a game, item by item (Epstein 2001, section 3.1)."""

from typing import Any

from numpy.typing import NDArray

from boardgames_agents.hoyle.game_frame import GameFrame
from boardgames_agents.hoyle.items import Experience, Item
from boardgames_agents.hoyle.items.forks import Forks
from boardgames_agents.hoyle.items.patterns import Patterns
from boardgames_agents.hoyle.items.remembered_moves import ExpertMoves, HoyleMoves, Openings, Tallies
from boardgames_agents.hoyle.items.states import States
from boardgames_agents.hoyle.items.zones import Zones
from boardgames_agents.hoyle.men_lookahead import MenLookahead
from boardgames_agents.hoyle.options import DEFAULTS, HoyleOptions
from boardgames_agents.hoyle.position_view import ViewCache
from boardgames_agents.hoyle.weights import Weights
from boardgames_agents.policy import Snapshot
from boardgames_agents.policy.knowledge import KnowledgeItem, KnowledgeReport, LearnedWeight
from boardgames_env.errors import BadInputError

VERSION = 1
"""The version of the saved form."""


class Knowledge:
    """The useful knowledge of a game; its symmetries and lines are in its frame.

    Attributes:
        frame: The game's frame.
        men_lookahead: The lookahead for men, which is not learned.
        program: The program, with the options that were given.
        items: All items in the order in which they are learned, the weights last.
    """

    def __init__(self, views: ViewCache, options: HoyleOptions = DEFAULTS) -> None:
        size = views.frame.game.state_size
        self.frame: GameFrame = views.frame
        self.program = program = options.settled(views.frame.captures)
        self.men_lookahead = MenLookahead(views.frame.game, program.lookahead)
        older = program.name == "1994"
        self.expert_moves = ExpertMoves(size, winners=older)
        self.hoyle_moves = HoyleMoves(size, losses=older)
        self.states = States(views, program.budget, selective=older, occurred_only=program.examples == "contest")
        self.openings = Openings(size)
        self.tallies = Tallies()
        self.forks = Forks(views.frame, of_captures=program.capture_forks)
        self.zones = Zones(views.frame) if options.zones else None
        self.patterns = Patterns(views.frame, options) if options.patterns else None
        self.weights = Weights(program.corrected_weights, program.staged_weights and not views.frame.static)
        self.items: tuple[Item, ...] = (
            self.expert_moves,
            self.hoyle_moves,
            self.states,
            self.openings,
            self.tallies,
            self.forks,
            *(item for item in (self.zones, self.patterns) if item is not None),
            self.weights,
        )

    def learn(self, experience: Experience) -> None:
        """Learn every item from a contest."""
        for item in self.items:
            item.learn(experience)

    @property
    def space(self) -> int:
        """The number of pieces of knowledge kept ("space" in Epstein 1994, Tables 2 and 3)."""
        return sum(item.space for item in self.items)

    def report(self) -> KnowledgeReport:
        """Return all knowledge for people."""
        frame, weights = self.frame, self.weights
        lines = len({*frame.goals[0], *frame.goals[1]})
        titles = [title for advisor in weights.asked for title in weights.titles(advisor.name)]
        titles.sort(key=lambda title: (-weights.weight(title), title))
        thresholds = {weights.threshold(title) for title in titles}
        return KnowledgeReport(
            facts={
                "symmetries": ", ".join(frame.symmetry_names),
                "lines played for": str(lines) if lines else "none",
                "men": "stay where they are placed" if frame.static else "are moved",
                "captures": "yes" if frame.captures else "no",
            },
            items=tuple(KnowledgeItem(item.name, item.trigger, item.space) for item in self.items),
            entries=tuple(entry for item in self.items for entry in item.entries(frame.game)),
            weights=tuple(
                LearnedWeight(
                    title, weights.weight(title), weights.opinions.get(title, 0), weights.is_better_than_random(title)
                )
                for title in titles
            ),
            threshold=thresholds.pop() if len(thresholds) == 1 else None,
        )

    def snapshot(self) -> Snapshot:
        """Return all items as plain data."""
        arrays: dict[str, NDArray[Any]] = {}
        data: dict[str, Any] = {}
        for item in self.items:
            saved = item.snapshot()
            arrays.update({f"{item.name}/{name}": array for name, array in saved.arrays.items()})
            data[item.name] = dict(saved.data)
        return Snapshot(arrays, {"hoyle": VERSION, "game": self.frame.game.spec, "items": data})

    def restore(self, snapshot: Snapshot) -> None:
        """Restore a snapshot.

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
        arrays: dict[str, dict[str, NDArray[Any]]] = {item.name: {} for item in self.items}
        for key, own in self.snapshot().arrays.items():
            item, _, name = key.partition("/")
            given = snapshot.arrays.get(key)
            if given is None or given.dtype != own.dtype or given.shape[1:] != own.shape[1:] or given.ndim != own.ndim:
                raise BadInputError(
                    f"the snapshot's {item} are damaged: {name} is not {own.dtype} in rows of shape {own.shape[1:]}"
                )
            arrays[item][name] = given
        for each in self.items:
            try:
                each.restore(Snapshot(arrays[each.name], items[each.name]))
            except (LookupError, ValueError, TypeError, OverflowError, AttributeError) as error:
                raise BadInputError(f"the snapshot's {each.name} are damaged: {error!r}") from error
