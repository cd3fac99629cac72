"""Contests in words and drawings at the terminal: positions in colours, turns, results, and who has won."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING

from rich.text import Text

from boardgames_cli.printing import console

if TYPE_CHECKING:
    from boardgames_agents.people.endings import Ending
    from boardgames_env import Game, Position
    from boardgames_env.contest import Turn


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


def say(text: str, style: str = "") -> None:
    """Print a sentence: between words it is broken to the width of a terminal, elsewhere it stays one line."""
    console.print(text, style=style, soft_wrap=not console.is_terminal)


def print_turn(turn: "Turn", with_dice: bool = True) -> None:
    """Print a whole turn as one move, after the dice if there are any and they have not been shown."""
    from boardgames_env.moves import locations_of
    from boardgames_env.render.layout import caption

    game = turn.before.game
    if game.rules.has_chance and with_dice:
        say(caption(turn.before))
    plays = " plays" if locations_of(turn.before, turn.actions[0]) else ":"  # (such as double, take, no move)
    say(f"{game.men[turn.seat].name}{plays} {turn.text}", "bold")
    points = turn.after.part.outcome
    if points is not None and not turn.after.is_over and game.score:  # (a game of a match that goes on has ended)
        names = [man.name for man in game.men]
        both = ", ".join(map("{} {}".format, names, game.score(turn.after.state).after(points).points))
        say(f"{result_text(points, is_cut=False, names=names)}; the score is {both}", "bold")


def man_text(game: "Game", seat: int) -> str:
    """Return the name of a seat's men, with the letter that they are drawn as."""
    man = game.men[seat]
    return man.name if man.name == man.letter else f"{man.name} ({man.letter} on the board)"


def result_text(points: int, is_cut: bool, names: Sequence[str], wins: str = "wins") -> str:
    """Return the result of a contest: who wins and how many points, a draw, or that a limit cut it short."""
    if points == 0:
        return "cut short by a limit" if is_cut else "a draw"
    amount = f" {abs(points)} points" if abs(points) > 1 else ""
    return f"{names[0 if points > 0 else 1]} {wins}{amount}"


def sentence_of(ending: "Ending") -> str:
    """Return the reason of an ending as a sentence."""
    return f"{ending.sentence[0].upper()}{ending.sentence[1:]}."
