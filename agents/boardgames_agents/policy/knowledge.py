"""What a learner knows, piece by piece, as it is shown to people."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from boardgames_env.position import Position


@dataclass(frozen=True)
class KnowledgeEntry:
    """A piece of knowledge as it is shown to a person.

    Attributes:
        kind: Its kind, such as "dangerous states".
        title: A description in a few words.
        position: The position to draw, if any.
        locations: The relevant locations; ``None`` if all are.
    """

    kind: str
    title: str
    position: Position | None = None
    locations: frozenset[int] | None = None

    @property
    def text(self) -> str:
        """The position drawn with characters, a dot for an irrelevant location; empty without a position."""
        if self.position is None:
            return ""
        if self.locations is None:
            return self.position.text
        from boardgames_env.render.text import draw_locations

        game, men = self.position.game, self.position.state[1:].tolist()
        tokens = ["·"] * game.board.size
        for location in self.locations:
            empty = men[location] == 0
            tokens[location] = game.board.labels[location] if empty else game.men_at(men[location])[0].letter
        return draw_locations(game.board, tokens)


@dataclass(frozen=True)
class KnowledgeItem:
    """A collection of knowledge: its name, when it is learned, and the number of pieces that it keeps."""

    name: str
    trigger: str
    space: int


@dataclass(frozen=True)
class LearnedWeight:
    """The weight, from 0 to 1, that a learner gives to a reason for moves.

    Attributes:
        name: The name of the reason.
        weight: The weight.
        opinions: The number of opinions that it was learned from.
        counts: Whether the reason counts where nothing is learned.
    """

    name: str
    weight: float
    opinions: int
    counts: bool


@dataclass(frozen=True)
class KnowledgeReport:
    """Everything that a learner knows, for people.

    Attributes:
        facts: What it has seen of the game from the start, by name.
        items: Its collections of knowledge.
        entries: The pieces of knowledge that can be shown, those of a kind together.
        weights: The weights of reasons, the largest first.
        threshold: The weight from which reasons count; ``None`` if all do so far.
    """

    facts: Mapping[str, str]
    items: tuple[KnowledgeItem, ...]
    entries: tuple[KnowledgeEntry, ...]
    weights: tuple[LearnedWeight, ...]
    threshold: float | None

    @property
    def space(self) -> int:
        """The number of pieces of knowledge in all items."""
        return sum(item.space for item in self.items)


@runtime_checkable
class HasKnowledge(Protocol):
    """A learner that can show what it knows."""

    def knowledge_report(self) -> KnowledgeReport:
        """Return what has been learned so far."""
