"""Positions drawn for the terminal: the text drawing with colours, and with the last move and the line marked."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING

from rich.text import Text

if TYPE_CHECKING:
    from boardgames_env import Position

_MEN = ("bold cyan", "bold yellow")
_EMPTY = "dim"
_CHANGED = "reverse"
_LINE = "bold black on green"


def board_text(
    position: "Position", before: "Position | None" = None, line: Sequence[int] = (), with_labels: bool = False
) -> Text:
    """Return a position's text drawing with colours; without them it is ``position.text``.

    Args:
        position: The position.
        before: An earlier position; what has changed since is marked.
        line: The locations of a line that has decided the contest, which are marked.
        with_labels: Whether the labels of all locations stand beside it if men hide those of legal actions.
    """
    from boardgames_agents.experts.human import labels_beside

    rows = [Text(row) for row in position.text.splitlines()]
    if position.game.drawing:
        _mark_drawing(rows, position, before)
    else:
        _mark_locations(rows, position, before, line)
    beside = labels_beside(position).splitlines() if with_labels else []
    width = max(len(row) for row in rows) + 4
    for row, labels in zip_longest(rows, beside):
        if row is not None and labels:
            row.append(" " * (width - len(row)))
            row.append(labels, style=_EMPTY)
    return Text("\n").join(rows)


def _mark_locations(rows: list[Text], position: "Position", before: "Position | None", line: Sequence[int]) -> None:
    """Style what stands on each location."""
    from boardgames_env.render.text import token_places

    for location, (row, column, length) in enumerate(token_places(position)):
        men = int(position.state[1 + location])
        styles = [_MEN[0 if men > 0 else 1] if men else _EMPTY]
        if before is not None and before.state[1 + location] != men:
            styles.append(_CHANGED)
        if location in line:
            styles = [_LINE]
        for style in styles:
            rows[row].stylize(style, column, column + length)


def _mark_drawing(rows: list[Text], position: "Position", before: "Position | None") -> None:
    """Style the letters of men in a drawing of the game's own."""
    letters = [man.letter for man in position.game.men]
    earlier = before.text.splitlines() if before is not None else []
    for number, row in enumerate(rows[:-1]):  # (the last one is the caption)
        for column, character in enumerate(row.plain):
            if character in letters:
                row.stylize(_MEN[letters.index(character)], column, column + 1)
                if earlier and earlier[number][column : column + 1] != character:
                    row.stylize(_CHANGED, column, column + 1)
