"""Explanations of decisions: a table of the moves that a policy considered, with its reasons, and marks for a board."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol, runtime_checkable

from boardgames_env.board import Line
from boardgames_env.errors import BadInputError
from boardgames_env.game import Game
from boardgames_env.position import Position


@dataclass(frozen=True)
class Mark:
    """What a policy thinks of a move, short enough to be drawn on the board.

    Attributes:
        actions: The actions of the move, in order.
        text: A few characters, such as ``+0.12``.
        weight: How good the move is by the policy, from 0 for the worst to 1 for the best.
        is_chosen: Whether the policy would play it.
    """

    actions: tuple[int, ...]
    text: str
    weight: float
    is_chosen: bool = False


@dataclass(frozen=True)
class Region:
    """Locations that a reason is about, such as those of a pattern.

    Attributes:
        title: What they are.
        locations: The locations.
    """

    title: str
    locations: Line


@dataclass(frozen=True)
class Explanation:
    """A decision in words and numbers.

    Attributes:
        title: What decided.
        rows: A row of texts for each move.
        numbers: The names of the columns of numbers.
        facts: Sentences about the position.
        glossary: Sentences that explain names in the table.
        marks: The moves as they can be drawn on the board.
        regions: Locations that can be drawn on the board.
        verdict: The decision for people, in one line without jargon, such as ``2 wins at once; everything else loses``.
        legend: What the texts of the marks mean, for people.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: tuple[str, ...] = ()
    facts: tuple[str, ...] = ()
    glossary: tuple[str, ...] = ()
    marks: tuple[Mark, ...] = ()
    regions: tuple[Region, ...] = ()
    verdict: str = ""
    legend: str = "a larger number is better"

    @property
    def said(self) -> str:
        """The verdict, or else the moves with the arrow."""
        chosen = [row[1] for row in self.rows if row[0]]
        some = alternatives(chosen) if len(chosen) < len(self.rows) or len(chosen) == 1 else "any move"
        return self.verdict or f"would play {some}"


@runtime_checkable
class Explains(Protocol):
    """A policy that can explain its decisions.

    `explanation` may be called where `Policy.choose` may. Explaining changes nothing that the policy plays afterwards.
    """

    def explanation(self, position: Position, played: int | None = None) -> Explanation:
        """Return the decision in a position with its reasons; ``played`` is the action that was then played."""


CHOSEN = "→"
"""The mark of a row whose move the policy would play, in a column without a name."""


class ConsideredMove(NamedTuple):
    """A move that a policy considered: a row of the table, and its marks on the board.

    Attributes:
        text: The move.
        cells: The texts of the other columns.
        mark: The text of the mark, a few characters.
        weight: How good the move is by the policy, from 0 for the worst to 1 for the best.
        is_chosen: Whether the policy would play it.
        alike: The actions of the move, and of those that are equal to it.
    """

    text: str
    cells: tuple[str, ...]
    mark: str
    weight: float
    is_chosen: bool
    alike: Sequence[tuple[int, ...]]


def explanation_of_moves(
    title: str,
    moves: Sequence[ConsideredMove],
    numbers: tuple[str, ...] = (),
    texts: tuple[str, ...] = (),
    played: int | None = None,
    shown: Collection[int] | None = None,
    move: str = "move",
    facts: tuple[str, ...] = (),
    glossary: tuple[str, ...] = (),
    regions: tuple[Region, ...] = (),
    verdict: str = "",
    legend: str = "a larger number is better",
) -> Explanation:
    """Return a decision as a table of moves, with their marks.

    Args:
        title: What decided.
        moves: The moves, in the order of the rows.
        numbers: The names of the columns of numbers, which come first.
        texts: The names of the columns of other texts.
        played: The action that was played: moves that begin with it get the arrow; by default those that are chosen do.
        shown: The indices of the rows with the arrow, where that is another rule.
        move: The name of the column of moves.
        facts: Sentences about the position.
        glossary: Sentences that explain names in the table.
        regions: Locations that can be drawn on the board.
        verdict: The decision for people; see `Explanation`.
        legend: What the texts of the marks mean; see `Explanation`.
    """
    if shown is None:
        shown = [
            row
            for row, each in enumerate(moves)
            if (each.is_chosen if played is None else any(actions[0] == played for actions in each.alike))
        ]
    return Explanation(
        title,
        ("", move, *numbers, *texts),
        tuple((CHOSEN if row in shown else "", each.text, *each.cells) for row, each in enumerate(moves)),
        numbers,
        facts,
        glossary,
        tuple(Mark(actions, each.mark, each.weight, each.is_chosen) for each in moves for actions in each.alike),
        regions,
        verdict,
        legend,
    )


def signed(number: float, digits: int) -> str:
    """Return a number with its sign; what is rounded to zero has the sign +."""
    return f"{round(number, digits) + 0.0:+.{digits}f}"  # (-0.0 + 0.0 is 0.0)


def counted(number: int, noun: str) -> str:
    """Return a number with its noun, such as ``1 ply`` and ``1,000 plies``."""
    if number == 1:
        return f"1 {noun}"
    if noun.endswith("y"):
        return f"{number:,} {noun[:-1]}ies"
    return f"{number:,} {noun}{'es' if noun.endswith('x') else 's'}"


def listed(texts: Sequence[str]) -> str:
    """Return texts as a list in words: *a*, *a and b*, *a, b and c*."""
    return " and ".join([", ".join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts)


def alternatives(texts: Sequence[str], most: int = 3) -> str:
    """Return moves to choose from in words: *a or b*, and beyond ``most`` their number: *a or b or c and 2 more*."""
    more = f" and {len(texts) - most} more" if len(texts) > most else ""
    return f"{' or '.join(texts[:most])}{more}"


def points_in_words(position: Position, points: float) -> str:
    """Return points that the mover expects for people: its share of all games, a draw as half a game.

    Where games count for several points it is their mean.
    """
    mover, most = position.game.men[position.seat].name, position.game.most_points
    if most > 1:
        return f"{mover} can expect {signed(points, 2)} points a game"
    return f"{mover} can expect {(1 + points) / 2:.0%} of the points"


def shares_of(values: Sequence[float]) -> list[float]:
    """Return values as weights of marks, linearly: 0 for the smallest, 1 for the largest, and 1 if all are equal."""
    least, most = min(values), max(values)
    return [(value - least) / (most - least) if most > least else 1.0 for value in values]


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
