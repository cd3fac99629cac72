"""How a policy tells why it plays as it does: a table of the moves it thought of, for whoever prints it."""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.position import Position


@dataclass(frozen=True)
class Explanation:
    """A decision in words and numbers.

    Attributes:
        title: What has decided.
        columns: What the columns are called.
        rows: A row of texts for each move.
        numbers: The columns that hold numbers.
        facts: Sentences about the position.
        glossary: Sentences that tell what names in the table mean.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    glossary: tuple[str, ...] = ()


@runtime_checkable
class Explains(Protocol):
    """A policy that can tell why it plays as it does."""

    def explanation(self, position: Position, played: int | None = None) -> Explanation:
        """What it does in a position, and why.

        Args:
            position: A position that is not over.
            played: The action that was then played, if any.
        """


def position_after(game: Game, actions: str) -> Position:
    """The position that some actions lead to from the start.

    Args:
        game: The game.
        actions: As ``game.action_text`` writes them, with spaces or commas between.

    Raises:
        BadInputError: If something is no action, or is not legal there, or the contest is over after them.
    """
    position = game.initial
    for text in actions.replace(",", " ").split():
        position = position.play(game.parse_action(text))
    if position.is_over:
        raise BadInputError(
            f"the contest is over after {actions!r}; give a position in which there is a move to choose"
        )
    return position
