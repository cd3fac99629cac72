"""Explanations of decisions: a table of the moves that a policy considered, with its reasons."""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.position import Position


@dataclass(frozen=True)
class Explanation:
    """A decision in words and numbers.

    Attributes:
        title: What decided.
        rows: A row of texts for each move.
        numbers: The names of the columns of numbers.
        facts: Sentences about the position.
        glossary: Sentences that explain names in the table.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    glossary: tuple[str, ...] = ()


@runtime_checkable
class Explains(Protocol):
    """A policy that can explain its decisions."""

    def explanation(self, position: Position, played: int | None = None) -> Explanation:
        """Return the decision in a position with its reasons; ``played`` is the action that was then played."""


def position_after(game: Game, actions: str) -> Position:
    """Return the position after actions as ``game.action_text`` writes them, separated by spaces or commas.

    Raises:
        BadInputError: If something is not an action or not legal, or the contest is over after them.
    """
    position = game.initial
    for text in actions.replace(",", " ").split():
        position = position.play(game.parse_action(text))
    if position.is_over:
        raise BadInputError(
            f"the contest is over after {actions!r}; give a position in which there is a move to choose"
        )
    return position
