"""What is known, made fit to be shown."""

from dataclasses import dataclass

import numpy as np

from boardgames_env.game import Game
from boardgames_env.position import Position


@dataclass(frozen=True)
class KnowledgeEntry:
    """One thing that is known.

    Attributes:
        kind: What it is one of, such as "dangerous states".
        title: What there is to say of it, in a few words.
        position: What to draw, if it is about the board.
        locations: The locations it is about, if what stands on the others does not matter.
    """

    kind: str
    title: str
    position: Position | None = None
    locations: frozenset[int] | None = None

    @property
    def text(self) -> str:
        """The position drawn with characters; a dot is a location that does not matter. Nothing without a position."""
        if self.position is None:
            return ""
        if self.locations is None:
            return self.position.text
        from boardgames_env.render.text import draw_locations

        game, men = self.position.game, self.position.state[1:]
        letters = ["", game.men[0].letter, game.men[1].letter]  # of no men, of men above 0, of men below
        tokens = [
            (letters[int(np.sign(men[location]))] or label) if location in self.locations else "·"
            for location, label in enumerate(game.board.labels)
        ]
        return draw_locations(game.board, tokens)


def position_of(game: Game, state: bytes) -> Position:
    """The position of a state."""
    return Position(game, np.frombuffer(state, dtype=np.int8).copy())
