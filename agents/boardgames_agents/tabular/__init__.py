"""Learners that keep a number for each position and action.

They see a position by its face: the position and its actions up to the board's symmetries.
"""

from functools import lru_cache
from typing import NamedTuple

from boardgames_env.position import Position


class Face(NamedTuple):
    """The key of a position's box, its canonical form, and its actions by colour, in ascending order."""

    box: bytes
    colours: dict[int, tuple[int, ...]]


@lru_cache(maxsize=1 << 17)
def face_of(position: Position) -> Face:
    """Return the box and the colours of a position."""
    box = position.canonical
    ways = position.game.action_symmetries[[image.key == box for image in position.images()]]
    colours: dict[int, list[int]] = {}
    for action in position.legal_actions:
        colours.setdefault(int(ways[:, action].min()), []).append(action)
    return Face(box, {colour: tuple(colours[colour]) for colour in sorted(colours)})
